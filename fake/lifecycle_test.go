// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eksfargate/eksfargate/fake"
)

func TestProfileGoesThroughItsLifeOverEveryTransport(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		wantStatus := func(want types.FargateProfileStatus) {
			t.Helper()
			if got := mustDescribe(t, api, "web").Status; got != want {
				t.Fatalf("status %s, want %s", got, want)
			}
		}
		if got := mustCreate(t, c, api, "web").Status; got != types.FargateProfileStatusCreating {
			t.Errorf("create answered status %s, want CREATING", got)
		}
		c.Advance(89 * time.Second)
		wantStatus(types.FargateProfileStatusCreating)
		c.Advance(2 * time.Second)
		wantStatus(types.FargateProfileStatusActive)

		c.Advance(time.Minute)
		mustDelete(t, api, "web")
		wantStatus(types.FargateProfileStatusDeleting)
		c.Advance(2*time.Minute + time.Second)
		_, err := api.DescribeFargateProfile(t.Context(), describeInput("web"))
		wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: web.")
	})
}

func TestEveryTransportShowsTheSameProfile(t *testing.T) {
	fixed := func(o *fake.Options) {
		o.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 345_678_901, time.UTC) }
	}
	var shown []*types.FargateProfile
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		in := createInput(c, "web")
		in.Tags = map[string]string{"team": "x", "empty": ""}
		in.ClientRequestToken = aws.String("token")
		in.Selectors = append(in.Selectors, types.FargateProfileSelector{
			Namespace: aws.String("prod*"), Labels: map[string]string{"app": "w?b"},
		})
		if _, err := api.CreateFargateProfile(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		shown = append(shown, mustDescribe(t, api, "web"))
	}, fixed)
	ignore := cmpopts.IgnoreUnexported(types.FargateProfile{}, types.FargateProfileSelector{}, types.FargateProfileHealth{})
	anyID := cmpopts.IgnoreFields(types.FargateProfile{}, "FargateProfileArn")
	for _, other := range shown[1:] {
		if diff := cmp.Diff(shown[0], other, ignore, anyID); diff != "" {
			t.Errorf("direct client and another transport differ (-direct +other):\n%s", diff)
		}
	}
	want := time.Date(2026, 3, 1, 12, 0, 0, 345_000_000, time.UTC)
	if got := *shown[0].CreatedAt; !got.Equal(want) {
		t.Errorf("createdAt %v, want whole milliseconds %v", got, want)
	}
}

func TestSecondUseOfARoleIsFast(t *testing.T) {
	c := fake.New()
	api := c.EKS()
	mustCreate(t, c, api, "first")
	c.Advance(90*time.Second + 20*time.Second)
	mustCreate(t, c, api, "second")
	c.Advance(15 * time.Second)
	if got := mustDescribe(t, api, "second").Status; got != types.FargateProfileStatusActive {
		t.Errorf("status %s 15 s after the second use of a role, want ACTIVE", got)
	}
}

func TestNameCanBeUsedAgainWithANewARN(t *testing.T) {
	c := fake.New()
	api := c.EKS()
	first := mustCreate(t, c, api, "web")
	c.Advance(3 * time.Minute)
	mustDelete(t, api, "web")
	c.Advance(3 * time.Minute)
	second := mustCreate(t, c, api, "web")
	if *first.FargateProfileArn == *second.FargateProfileArn {
		t.Errorf("both profiles have the ARN %s", *first.FargateProfileArn)
	}
	_, err := api.TagResource(t.Context(), &eks.TagResourceInput{
		ResourceArn: first.FargateProfileArn, Tags: map[string]string{"a": "b"},
	})
	wantError(t, err, "NotFoundException", 404, "The resource "+*first.FargateProfileArn+" was not found.")
}

// The SDK's own waiters and retries run on the virtual time of a bubble.
func TestSDKWaitersInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		client := sdkClient(c)
		c.Inject(fake.Throttle("DescribeFargateProfile", 2))
		mustCreate(t, c, client, "web")
		begin := time.Now()
		active := eks.NewFargateProfileActiveWaiter(client)
		if err := active.Wait(t.Context(), describeInput("web"), 10*time.Minute); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took < 90*time.Second {
			t.Errorf("ACTIVE after %v, want at least 90 s of virtual time", took)
		}
		time.Sleep(time.Minute)
		mustDelete(t, client, "web")
		deleted := eks.NewFargateProfileDeletedWaiter(client)
		if err := deleted.Wait(t.Context(), describeInput("web"), 30*time.Minute); err != nil {
			t.Fatal(err)
		}
	})
}

func TestOutcomeOfAChangeCanBeScripted(t *testing.T) {
	const code, message = "PodExecutionRoleAlreadyInUse", "role is mapped for EC2 nodes"
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		c.Inject(
			fake.Fault{Operation: "CreateFargateProfile", Outcome: fake.FailAfter(40*time.Second, code, message, "role")},
			fake.Fault{Operation: "DeleteFargateProfile", Outcome: fake.FailAfter(50*time.Second, "AccessDenied", "no")},
		)
		mustCreate(t, c, api, "web")
		if issues := mustDescribe(t, api, "web").Health.Issues; len(issues) != 0 {
			t.Errorf("a CREATING profile has issues: %v", issues)
		}
		c.Advance(40 * time.Second)
		p := mustDescribe(t, api, "web")
		if p.Status != types.FargateProfileStatusCreateFailed || len(p.Health.Issues) != 1 {
			t.Fatalf("status %s with issues %v, want CREATE_FAILED with one", p.Status, p.Health.Issues)
		}
		issue := p.Health.Issues[0]
		if string(issue.Code) != code || *issue.Message != message || !cmp.Equal(issue.ResourceIds, []string{"role"}) {
			t.Errorf("issue %s, %q, %v", issue.Code, *issue.Message, issue.ResourceIds)
		}
		c.Advance(time.Minute)
		mustDelete(t, api, "web")
		c.Advance(50 * time.Second)
		if got := mustDescribe(t, api, "web").Status; got != types.FargateProfileStatusDeleteFailed {
			t.Fatalf("status %s, want DELETE_FAILED", got)
		}
		mustDelete(t, api, "web")
		c.Advance(2 * time.Minute)
		_, err := api.DescribeFargateProfile(t.Context(), describeInput("web"))
		wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: web.")
	})
}

func TestStuckChangeNeverEnds(t *testing.T) {
	c := fake.New()
	api := c.EKS()
	c.Inject(fake.Fault{Operation: "CreateFargateProfile", Outcome: &fake.Outcome{Stuck: true}})
	mustCreate(t, c, api, "web")
	c.Advance(1000 * time.Hour)
	if got := mustDescribe(t, api, "web").Status; got != types.FargateProfileStatusCreating {
		t.Errorf("status %s, want CREATING for ever", got)
	}
}

func TestDefaultSubnetsAreThePrivateOnes(t *testing.T) {
	c := fake.New()
	in := createInput(c, "web")
	in.Subnets = nil
	out, err := c.EKS().CreateFargateProfile(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fake.PrivateSubnetIDs(), out.FargateProfile.Subnets); diff != "" {
		t.Errorf("subnets (-want +got):\n%s", diff)
	}
}

func TestRepliesShareNothingWithTheState(t *testing.T) {
	c := fake.New()
	api := c.EKS()
	in := createInput(c, "web")
	in.Tags = map[string]string{"team": "x"}
	in.Selectors[0].Labels = map[string]string{"app": "web"}
	if _, err := api.CreateFargateProfile(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	want := mustDescribe(t, api, "web")
	in.Tags["team"], in.Selectors[0].Labels["app"], in.Subnets[0] = "spoilt", "spoilt", "spoilt"
	got := mustDescribe(t, api, "web")
	got.Tags["team"], got.Selectors[0].Labels["app"], got.Subnets[0] = "spoilt", "spoilt", "spoilt"
	ignore := cmpopts.IgnoreUnexported(types.FargateProfile{}, types.FargateProfileSelector{}, types.FargateProfileHealth{})
	if diff := cmp.Diff(want, mustDescribe(t, api, "web"), ignore); diff != "" {
		t.Errorf("changing an input or a reply changed the state (-want +got):\n%s", diff)
	}
}
