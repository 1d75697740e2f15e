// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

func mustAdd(t *testing.T, c *fake.Cloud, p fake.Profile) string {
	t.Helper()
	arn, err := c.AddProfile(p)
	if err != nil {
		t.Fatal(err)
	}
	return arn
}

func TestProfileThatSomebodyElseMade(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		arn := mustAdd(t, c, fake.Profile{
			Name: "eks-reserved", Age: 24 * time.Hour,
			Tags:      map[string]string{"aws:cloudformation:stack-name": "s", "team": "x"},
			Selectors: []fake.Selector{{Namespace: "a", Labels: map[string]string{"k": "v"}}, {Namespace: "b"}},
		})
		p := mustDescribe(t, api, "eks-reserved")
		if p.Status != "ACTIVE" || *p.FargateProfileArn != arn || len(p.Selectors) != 2 || p.Tags["aws:cloudformation:stack-name"] != "s" ||
			!slices.Equal(p.Subnets, fake.PrivateSubnetIDs()) || *p.PodExecutionRoleArn != c.RoleARN(fake.RoleName) ||
			c.Now().Sub(*p.CreatedAt) != 24*time.Hour {
			t.Errorf("profile %+v", p)
		}
		if got := entries(t, api); len(got) != 1 {
			t.Errorf("access entries %v", got)
		}
		// AWS's tags stay, whatever a caller does.
		_, err := api.UntagResource(t.Context(), &eks.UntagResourceInput{ResourceArn: &arn, TagKeys: []string{"aws:cloudformation:stack-name"}})
		wantError(t, err, "BadRequestException", 400, "The tag key 'aws:cloudformation:stack-name' starts with the reserved prefix 'aws:'.")
		mustDelete(t, api, "eks-reserved") // the cluster is not busy
	}, atRest)
}

func TestSeededProfilesInEveryStatus(t *testing.T) {
	issues := []fake.Issue{{Code: "AccessDenied", Message: "no", ResourceIDs: []string{"r"}}}
	for status, wantIssues := range map[string]int{"": 1, "ACTIVE": 1, "CREATING": 0, "CREATE_FAILED": 1, "DELETING": 1, "DELETE_FAILED": 1} {
		c := fake.New(atRest)
		mustAdd(t, c, fake.Profile{Name: "web", Status: status, Issues: issues})
		for range 2 {
			p := mustDescribe(t, c.EKS(), "web")
			want := status
			if status == "" {
				want = "ACTIVE"
			}
			if string(p.Status) != want || len(p.Health.Issues) != wantIssues {
				t.Errorf("%s: status %s, health %+v", status, p.Status, p.Health)
			}
			c.Advance(1000 * time.Hour)
		}
	}
}

func TestSeededProfilesThatCannotBe(t *testing.T) {
	c := fake.New()
	for _, p := range []fake.Profile{{Name: "web", Cluster: "none"}, {Name: "web", Status: "HAPPY"}} {
		if arn, err := c.AddProfile(p); err == nil {
			t.Errorf("%+v: ARN %s", p, arn)
		}
	}
	if got := listed(t, c.EKS()); len(got) != 0 {
		t.Errorf("profiles %v", got)
	}
}

func TestInventory(t *testing.T) {
	c := fake.New(atRest)
	c.AddCluster(fake.Cluster{Name: fake.ClusterName, Tags: map[string]string{"a": "b"}})
	mustAdd(t, c, fake.Profile{Name: "web", Selectors: []fake.Selector{{Namespace: "web"}}, Subnets: []string{"subnet-1"}})
	got := c.Inventory()
	want := map[string]string{
		"cluster demo": `{"endpoint":{"Public":true,"Private":false,"CIDRs":["0.0.0.0/0"]},"mode":"API_AND_CONFIG_MAP","status":"ACTIVE","tags":{"a":"b"},"version":"1.34"}`,
		"profile demo/web": `{"role":"arn:aws:iam::111122223333:role/fargate-pods","selectors":[{"namespace":"web"}],` +
			`"status":"ACTIVE","subnets":["subnet-1"]}`,
		"access-entry demo/arn:aws:iam::111122223333:role/fargate-pods": `{"type":"FARGATE_LINUX","username":"system:node:{{SessionName}}"}`,
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s:\n got %s\nwant %s", name, got[name], text)
		}
	}
	if _, ok := got["role fargate-pods"]; !ok || len(got) != 5 {
		t.Errorf("inventory %v", got)
	}
	// The same things again, with other ids and at another time.
	c.Advance(time.Hour)
	mustAdd(t, c, fake.Profile{Name: "web", Selectors: []fake.Selector{{Namespace: "web"}}, Subnets: []string{"subnet-1"}})
	if diff := cmp.Diff(got, c.Inventory()); diff != "" {
		t.Errorf("inventory of the same things (-first +second):\n%s", diff)
	}
}

func TestJournalFilters(t *testing.T) {
	c := fake.New(atRest)
	pattern(t, c, 2)
	mustCreate(t, c, c.EKS(), "web")
	if err := create(t, c, c.EKS(), "web"); err == nil {
		t.Fatal("the name is free")
	}
	c.Inject(fake.Fault{LoseReply: true})
	_, _ = c.EKS().TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: aws.String(clusterARN), Tags: map[string]string{"a": "b"}})
	numbers := func(calls []fake.Call) (out []int) {
		for _, call := range calls {
			out = append(out, call.Number)
		}
		return out
	}
	if got := numbers(slices.Collect(c.Writes())); !slices.Equal(got, []int{3, 5}) {
		t.Errorf("writes %v", got)
	}
	if got := numbers(slices.Collect(c.CallsOf("DescribeCluster", "TagResource"))); !slices.Equal(got, []int{1, 2, 5}) {
		t.Errorf("calls of two operations %v", got)
	}
	for range c.Writes() {
		break // an iterator may be left early
	}
	want := "EKS.DescribeCluster demo\nEKS.DescribeCluster demo\nEKS.CreateFargateProfile demo/web\n" +
		"EKS.CreateFargateProfile demo/web: ResourceInUseException: A Fargate Profile already exists with this name in this cluster.\n" +
		"EKS.TagResource demo (the reply was lost)\n"
	if diff := cmp.Diff(want, c.Transcript()); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
	c.ForgetCalls()
	if _, err := c.EKS().ListClusters(t.Context(), nil); err != nil || c.Transcript() != "EKS.ListClusters\n" {
		t.Errorf("transcript %q, error %v", c.Transcript(), err)
	}
}
