// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/waiter"
)

// These tests run whole waits against a cloud that behaves like AWS.

func create(t *testing.T, c *fake.Cloud, name string) {
	t.Helper()
	_, err := c.EKS().CreateFargateProfile(t.Context(), &eks.CreateFargateProfileInput{
		ClusterName:         new(fake.ClusterName),
		FargateProfileName:  &name,
		PodExecutionRoleArn: new(c.RoleARN(fake.RoleName)),
		Selectors:           []types.FargateProfileSelector{{Namespace: new("web")}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, c *fake.Cloud, name string) {
	t.Helper()
	in := &eks.DeleteFargateProfileInput{ClusterName: new(fake.ClusterName), FargateProfileName: &name}
	if _, err := c.EKS().DeleteFargateProfile(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func inCloud(name string) waiter.Ref { return waiter.Ref{Cluster: fake.ClusterName, Profile: name} }

// realClient is the SDK's own client, with its retries, on the wire of the cloud.
func realClient(c *fake.Cloud) *eks.Client {
	return eks.New(eks.Options{
		Region:     "us-east-1",
		HTTPClient: c.HTTPClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	})
}

func TestALifeInTheCloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := hour(t), fake.New()
		client := realClient(c)
		create(t, c, "web")
		observed, err := waiter.Settled(ctx, client, inCloud("web"), told)
		if err != nil || observed.Status != fargate.StatusActive || len(observed.Spec.Subnets) != 3 {
			t.Fatalf("Settled() = %+v, %v", observed, err)
		}
		remove(t, c, "web")
		gone, err := waiter.Deleted(ctx, client, inCloud("web"), told)
		if err != nil || gone.ARN != observed.ARN {
			t.Fatalf("Deleted() = %+v, %v", gone, err)
		}
	})
}

func TestAWaitSurvivesAHostileCloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := hour(t), fake.New()
		c.Inject(
			fake.Fault{Operation: "DescribeFargateProfile", Code: "ThrottlingException", Count: 3, Skip: 1},
			fake.Fault{Operation: "DescribeFargateProfile", LoseReply: true, Count: 2},
			fake.Fault{Operation: "DescribeFargateProfile", Stale: 5 * time.Second, Count: 2},
		)
		create(t, c, "web")
		if _, err := waiter.Active(ctx, c.EKS(), inCloud("web")); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAFailedCreateInTheCloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := hour(t), fake.New()
		c.Inject(fake.Fault{Operation: "CreateFargateProfile", Outcome: &fake.Outcome{
			Failed: true, Issues: []fake.Issue{{Code: "AccessDenied", Message: "no"}},
		}})
		create(t, c, "web")
		_, err := waiter.Active(ctx, realClient(c), inCloud("web"))
		if outcome(err) != "failed CREATE_FAILED" {
			t.Errorf("got %v", err)
		}
	})
}

func TestSomebodyDeletesTheProfileThatIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := hour(t), fake.New()
		create(t, c, "web")
		if _, err := waiter.Settled(ctx, c.EKS(), inCloud("web")); err != nil {
			t.Fatal(err)
		}
		remove(t, c, "web")
		if _, err := waiter.Active(ctx, c.EKS(), inCloud("web")); outcome(err) != "ended BeingDeleted" {
			t.Errorf("got %v", err)
		}
		time.Sleep(10 * time.Minute)
		if _, err := waiter.Active(ctx, c.EKS(), inCloud("web")); outcome(err) != "ended NeverCreated" {
			t.Errorf("got %v", err)
		}
		if _, err := waiter.Active(ctx, c.EKS(), waiter.Ref{Cluster: "other", Profile: "web"}); outcome(err) != "ended ClusterNotFound" {
			t.Errorf("got %v", err)
		}
	})
}

// TestScenario_B10_ProfilesOfOneClusterComeOneAfterTheOther creates the next profile
// when the cluster is idle, and backs off where only the answer tells.
func TestScenario_B10_ProfilesOfOneClusterComeOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := hour(t), fake.New(func(o *fake.Options) { o.CreateWhileBusy = true })
		for _, name := range []string{"a", "b", "c"} {
			if err := waiter.ClusterIdle(ctx, c.EKS(), fake.ClusterName); err != nil {
				t.Fatal(err)
			}
			create(t, c, name) // Fails the test if another is still in progress.
		}
		if n := c.CallCount("CreateFargateProfile"); n != 3 {
			t.Errorf("%d creates, want 3: none may be refused", n)
		}
	})
}

func TestAPollerInTheCloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		for i := range 20 {
			c.AddCluster(fake.Cluster{Name: clusterName(i)})
		}
		var history waiter.History
		p := waiter.NewPoller(c.EKS(), func(o *waiter.PollerOptions) { o.History = &history })
		results := make(chan waiter.Result, 20)
		for i := range 20 {
			in := &eks.CreateFargateProfileInput{
				ClusterName: new(clusterName(i)), FargateProfileName: new("web"),
				PodExecutionRoleArn: new(c.RoleARN(fake.RoleName)),
				Selectors:           []types.FargateProfileSelector{{Namespace: new("web")}},
			}
			if _, err := c.EKS().CreateFargateProfile(t.Context(), in); err != nil {
				t.Fatal(err)
			}
			target := waiter.Target{Ref: waiter.Ref{Cluster: clusterName(i), Profile: "web"}, Goal: waiter.GoalActive, Since: time.Now()}
			_ = p.Watch(target, func(r waiter.Result) { results <- r })
		}
		stop := run(t, p)
		time.Sleep(10 * time.Minute)
		stop()
		close(results)
		active := map[string]bool{}
		for r := range results {
			active[r.Target.Ref.Cluster] = r.Err == nil && r.Observed.Status == fargate.StatusActive
		}
		if len(active) != 20 || !all(active) || history.Len(fargate.StatusCreating) != 20 {
			t.Errorf("%d are active, the history remembers %d", len(active), history.Len(fargate.StatusCreating))
		}
	})
}

func all(of map[string]bool) bool {
	for _, is := range of {
		if !is {
			return false
		}
	}
	return true
}

func clusterName(i int) string { return fmt.Sprint("demo-", i) }

// TestANewRoleInTheCloud makes a role that CreateFargateProfile does not see for
// some time, and one whose trust policy is for another cluster.
func TestANewRoleInTheCloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := hour(t), fake.New(func(o *fake.Options) { o.Delays.RoleTrust = fake.Fixed(20 * time.Second) })
		here := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: fake.ClusterName}
		elsewhere := here
		elsewhere.Cluster = "other"
		for name, trust := range map[string]iam.Scope{"good": here, "bad": elsewhere} {
			in := &awsiam.CreateRoleInput{RoleName: &name, AssumeRolePolicyDocument: new(iam.TrustPolicy(trust).String())}
			if _, err := c.IAM().CreateRole(ctx, in); err != nil {
				t.Fatal(err)
			}
		}
		attempt := func(role string) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := c.EKS().CreateFargateProfile(ctx, &eks.CreateFargateProfileInput{
					ClusterName: new(fake.ClusterName), FargateProfileName: new("web"),
					PodExecutionRoleArn: new(c.RoleARN(role)),
					Selectors:           []types.FargateProfileSelector{{Namespace: new("web")}},
				})
				return err
			}
		}
		request := here.Request("web")
		if err := waiter.RoleUsable(ctx, c.IAM(), waiter.Role{Name: "bad", Request: request}, attempt("bad")); outcome(err) != "ended TrustRefuses" {
			t.Errorf("the bad role: %v", err)
		}
		if n := c.CallCount("CreateFargateProfile"); n != 0 {
			t.Errorf("%d creates with a role that is known to be wrong", n)
		}
		start := time.Now()
		if err := waiter.RoleUsable(ctx, c.IAM(), waiter.Role{Name: "good", Request: request}, attempt("good")); err != nil {
			t.Errorf("the good role: %v", err)
		}
		if took := time.Since(start); took < 20*time.Second || took > 35*time.Second {
			t.Errorf("the good role took %s, want 20 s and at most a pause of 15 s", took)
		}
	})
}
