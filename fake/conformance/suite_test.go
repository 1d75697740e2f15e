// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

// scenario is one story that every client must live through in the same way.
type scenario func(s session)

// scenarios collects the suite, by name.
func scenarios() map[string]scenario {
	all := map[string]scenario{}
	for _, some := range []map[string]scenario{
		profileScenarios(), tagScenarios(), clusterScenarios(), waitScenarios(), refusalScenarios(), iamScenarios(),
	} {
		maps.Copy(all, some)
	}
	return all
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, kind := range clientKinds() {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			bind := kind.start(t)
			for name, run := range scenarios() {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					c := fake.New(stopped)
					run(session{T: t, c: c, client: bind(t, c)})
				})
			}
		})
	}
}

// stopped lets time pass by Cloud.Advance alone, however slow a client is.
func stopped(o *fake.Options) {
	now := time.Now()
	o.Now = func() time.Time { return now }
}

// session is one scenario with one client. What a scenario arranges goes through
// the typed client; what it is about goes through the client.
type session struct {
	*testing.T
	c      *fake.Cloud
	client client
}

const demo = fake.ClusterName

// ok makes a call that must succeed.
func (s session) ok(service, operation string, input object) object {
	s.Helper()
	a := s.client.call(s.T, service, operation, input)
	if a.failure != nil {
		s.Fatalf("%s: %+v", operation, *a.failure)
	}
	return a.output
}

// profileOf makes a call that must return a profile.
func (s session) profileOf(operation string, input object) object {
	s.Helper()
	profile, ok := s.ok("eks", operation, input)["fargateProfile"].(object)
	if !ok {
		s.Fatalf("%s returned no profile", operation)
	}
	return profile
}

// same compares parts of an output.
func (s session) same(what string, got, want any) {
	s.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// creating makes a profile that stays CREATING, with a role of its own.
func (s session) creating(name string) *types.FargateProfile {
	s.Helper()
	out, err := s.c.EKS().CreateFargateProfile(s.Context(), &eks.CreateFargateProfileInput{
		ClusterName: aws.String(demo), FargateProfileName: &name,
		PodExecutionRoleArn: aws.String(s.c.RoleARN(fake.RoleName)),
		Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web")}},
	})
	if err != nil {
		s.Fatal(err)
	}
	return out.FargateProfile
}

// active makes profiles and waits until nothing changes in their cluster.
func (s session) active(names ...string) (profileARN string) {
	s.Helper()
	for _, name := range names {
		profileARN = *s.creating(name).FargateProfileArn
		s.c.Advance(time.Hour)
	}
	return profileARN
}

// deleting begins the deletion of a profile that is ACTIVE.
func (s session) deleting(name string) {
	s.Helper()
	_, err := s.c.EKS().DeleteFargateProfile(s.Context(), &eks.DeleteFargateProfileInput{
		ClusterName: aws.String(demo), FargateProfileName: &name,
	})
	if err != nil {
		s.Fatal(err)
	}
}

// named is the input of calls about one profile.
func named(name string) object { return object{"clusterName": demo, "fargateProfileName": name} }

// wanted is the input of a create.
func (s session) wanted(name string) object {
	return object{
		"clusterName": demo, "fargateProfileName": name,
		"podExecutionRoleArn": s.c.RoleARN(fake.RoleName),
		"subnets":             listOf(fake.PrivateSubnetIDs()...),
		"selectors":           []any{object{"namespace": "web"}},
	}
}

// with returns a copy of an input with another member.
func with(input object, member string, value any) object {
	changed := maps.Clone(input)
	changed[member] = value
	return changed
}

// without returns a copy of an input that lacks a member.
func without(input object, member string) object {
	changed := maps.Clone(input)
	delete(changed, member)
	return changed
}

func listOf(texts ...string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

// moment reads a time of an output: some clients show seconds since 1970, others
// a date.
func moment(shown any) (time.Time, error) {
	switch shown := shown.(type) {
	case float64:
		return time.UnixMilli(int64(shown*1000 + 0.5)).UTC(), nil
	case string:
		at, err := time.Parse(time.RFC3339Nano, shown)
		return at.UTC(), err
	default:
		return time.Time{}, fmt.Errorf("%v is no time", shown)
	}
}
