// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"strconv"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// The world of the tests of Decide: the logical profile web of the cluster demo,
// its owner me, another owner, and two physical profiles during a replacement.
const (
	you     = "install/ns/other"
	oldName = "web-998-oldoldol"
	newName = "web-997-newnewne"
	capaKey = "sigs.k8s.io/cluster-api-provider-aws/cluster/demo"

	roleOther     = "arn:aws:iam::111122223333:role/other"
	statusUnknown = fargate.Status("UPDATING")
)

func noon() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

// wish is the desired profile web, changed.
func wish(changes ...func(*fargate.Desired)) fargate.Desired {
	d := fargate.Desired{
		Spec:       fargate.Spec{ClusterName: "demo", Name: "web", PodExecutionRoleARN: roleR, Selectors: []selector.Selector{{Namespace: "web"}}},
		Owner:      fargate.Owner{ID: me},
		Generation: 5,
	}
	for _, change := range changes {
		change(&d)
	}
	return d
}

func wishing(p fargate.Policy) func(*fargate.Desired) {
	return func(d *fargate.Desired) { d.Policy = p }
}

func createFirst() fargate.Policy {
	return fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
}

func deleteFirst() fargate.Policy {
	return fargate.Policy{Replacement: fargate.ReplacementDeleteFirst}
}

// seen is the profile as EKS reports it when it is ours, ACTIVE and equal to
// [wish], changed.
func seen(name string, changes ...func(*fargate.Observed)) fargate.Observed {
	o := fargate.Observed{
		Spec: wish().Spec, ARN: "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/" + name + "/0000", Status: fargate.StatusActive,
		CreatedAt: noon().Add(-time.Hour),
	}
	o.Spec.Name, o.Spec.Subnets = name, []string{subnetA, subnetB}
	o.Spec.Tags = map[string]string{owner.Key(me): me, owner.ProfileKey: "web", owner.GenerationKey: "5"}
	for _, change := range changes {
		change(&o)
	}
	return o
}

func inStatus(s fargate.Status) func(*fargate.Observed) {
	return func(o *fargate.Observed) { o.Status = s }
}

// other makes the profile one of another version of the desired state.
func other(o *fargate.Observed) { o.Spec.Selectors = []selector.Selector{{Namespace: "elsewhere"}} }

func ownerless(o *fargate.Observed) { o.Spec.Tags = nil }

func foreign(o *fargate.Observed) {
	o.Spec.Tags = map[string]string{owner.Key(you): you, owner.ProfileKey: "web"}
}

func contested(o *fargate.Observed) { o.Spec.Tags[owner.Key(you)] = you }

// tagged sets tags, and removes those without a value.
func tagged(tags map[string]string) func(*fargate.Observed) {
	return func(o *fargate.Observed) {
		o.Spec.Tags = maps.Clone(o.Spec.Tags)
		if o.Spec.Tags == nil {
			o.Spec.Tags = map[string]string{}
		}
		for key, value := range tags {
			if value == "" {
				delete(o.Spec.Tags, key)
				continue
			}
			o.Spec.Tags[key] = value
		}
	}
}

func peerOf(name string) func(*fargate.Observed) {
	return tagged(map[string]string{owner.PeerKey: name})
}

func generation(n int) func(*fargate.Observed) {
	return tagged(map[string]string{owner.GenerationKey: strconv.Itoa(n)})
}

func sick(o *fargate.Observed) {
	o.Issues = []fargate.Issue{{Code: fargate.IssueAccessDenied, Message: "no", ResourceIDs: []string{roleR}}}
}

// about is the input of a decision about the profiles that are there.
func about(d fargate.Desired, there ...fargate.Observed) fargate.Input {
	in := fargate.Input{Desired: d, Now: noon()}
	if len(there) > 0 {
		in.Observed, in.Peers = &there[0], there[1:]
	}
	return in
}

// without is the same for a profile that must not be there.
func undesired(d fargate.Desired, there ...fargate.Observed) fargate.Input {
	in := about(d, there...)
	in.Absent = true
	return in
}

// pair are the two profiles of a replacement that is under way: the desired state
// moved from the old to the new.
func pair(changeOld, changeNew func(*fargate.Observed)) []fargate.Observed {
	return []fargate.Observed{seen(oldName, peerOf(newName), changeOld), seen(newName, peerOf(oldName), changeNew)}
}

func asIs(*fargate.Observed) {}

func placedOn(profile, name string) selector.Placed {
	return selector.Placed{Pod: selector.Pod{Namespace: "web", Name: name}, Profile: profile}
}

// verdict is a decision in the words of the tables: action, reason, and the call
// with the profile that it is about.
func verdict(d fargate.Decision) string {
	return string(d.Action) + " " + string(d.Reason) + " " + callText(d.Call)
}

func callText(c *fargate.Call) string {
	if c == nil {
		return "-"
	}
	operation := map[fargate.Operation]string{
		fargate.OperationCreate: "create", fargate.OperationDelete: "delete", fargate.OperationTag: "tag", fargate.OperationUntag: "untag",
	}[c.Operation]
	name, known := map[string]string{"web": "web", oldName: "old", newName: "new"}[c.Profile]
	if !known {
		name = "derived"
	}
	return operation + ":" + name
}
