// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crashtest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"go.uber.org/goleak"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fake/crashtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCarefulControllerSurvives(t *testing.T) {
	report, err := crashtest.Check(t.Context(), careful, func(o *crashtest.Options) {
		o.Settled = func(c *fake.Cloud) error {
			if !strings.Contains(c.Inventory()["profile demo/web"], "ACTIVE") {
				return errors.New("the profile is not ACTIVE")
			}
			return nil
		}
	})
	if err != nil {
		t.Error(err)
	}
	if report.Calls < 5 || report.Runs != 2*report.Calls {
		t.Errorf("report %v", report)
	}
}

func TestFaultsOfControllersAreFound(t *testing.T) {
	names := 0
	cases := map[string]struct {
		program crashtest.Program
		want    string
	}{
		"a new name in every life": {func(clients crashtest.Clients) crashtest.Step {
			names++
			name := fmt.Sprint("web-pods-", names)
			return controller{clients: clients, roleName: func() string { return name }, takenOK: true}.reconcile
		}, "left over: role web-pods-"},
		"an existing role is an error": {func(clients crashtest.Clients) crashtest.Step {
			return controller{clients: clients, roleName: func() string { return "web-pods" }}.reconcile
		}, "not done after 200 steps"},
		"others' profiles are deleted": {func(clients crashtest.Clients) crashtest.Step {
			return func(ctx context.Context) (time.Duration, error) {
				_, err := clients.EKS.DeleteFargateProfile(ctx, &eks.DeleteFargateProfileInput{
					ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String("crashtest-foreign"),
				})
				return 0, err
			}
		}, "touched what belongs to somebody else: EKS.DeleteFargateProfile demo/crashtest-foreign"},
		"others' access is taken": {func(clients crashtest.Clients) crashtest.Step {
			return func(ctx context.Context) (time.Duration, error) {
				_, err := clients.EKS.DeleteAccessEntry(ctx, &eks.DeleteAccessEntryInput{
					ClusterName: aws.String(fake.ClusterName), PrincipalArn: aws.String("arn:aws:iam::111122223333:role/crashtest-foreign"),
				})
				return 0, err
			}
		}, "what belongs to somebody else has changed: missing: access-entry demo/arn:aws:iam::111122223333:role/crashtest-foreign"},
		"calls without the context": {func(clients crashtest.Clients) crashtest.Step {
			return func(ctx context.Context) (time.Duration, error) {
				_, err := clients.EKS.ListClusters(context.WithoutCancel(ctx), nil)
				_, _ = clients.EKS.ListClusters(context.Background(), nil) //nolint:contextcheck // the fault that must be found
				return 0, err
			}
		}, "1 calls did not carry the context of their step"},
		"things are missing": {func() crashtest.Program {
			return func(clients crashtest.Clients) crashtest.Step {
				return func(ctx context.Context) (time.Duration, error) {
					_, err := clients.EKS.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{
						ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(profileName),
					})
					if err == nil {
						return 0, nil
					}
					if err := (controller{clients: clients}).create(ctx, "arn:aws:iam::111122223333:role/fargate-pods"); err != nil {
						return 0, err
					}
					return 0, tag(ctx, clients)
				}
			}
		}(), "different: profile demo/web is "},
		"unhappy without a crash": {func(crashtest.Clients) crashtest.Step {
			return func(context.Context) (time.Duration, error) { return 0, errors.New("no luck") }
		}, "crashtest: without a crash: not done after 200 steps\nno luck"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			names = 0
			_, err := crashtest.Check(t.Context(), tc.program)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v\nwant %s", err, tc.want)
			}
			if failure, ok := errors.AsType[*crashtest.RunError](err); !ok || failure.Problem == nil {
				t.Errorf("no *RunError in %v", err)
			}
		})
	}
}

// tag marks the profile in a call of its own, which a crash can prevent.
func tag(ctx context.Context, clients crashtest.Clients) error {
	out, err := clients.EKS.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(profileName),
	})
	if err != nil {
		return err
	}
	_, err = clients.EKS.TagResource(ctx, &eks.TagResourceInput{
		ResourceArn: out.FargateProfile.FargateProfileArn, Tags: map[string]string{"mark": "x"},
	})
	return err
}

// A program may do less in another run; what counts is how it ends.
func TestProgramThatIsDoneBeforeItsCrash(t *testing.T) {
	runs := 0
	report, err := crashtest.Check(t.Context(), func(clients crashtest.Clients) crashtest.Step {
		runs++
		calls := 1
		if runs == 1 {
			calls = 3
		}
		return func(ctx context.Context) (time.Duration, error) {
			for range calls {
				if _, err := clients.EKS.ListClusters(ctx, nil); err != nil {
					return 0, err
				}
			}
			return 0, nil
		}
	})
	if err != nil || report.Calls != 3 || report.Runs != 2 {
		t.Errorf("report %v, error %v", report, err)
	}
}

func TestEndThatIsNotRight(t *testing.T) {
	unhappy := errors.New("nothing is right")
	_, err := crashtest.Check(t.Context(), careful, func(o *crashtest.Options) {
		o.Settled = func(*fake.Cloud) error { return unhappy }
	})
	if !errors.Is(err, unhappy) {
		t.Errorf("error %v", err)
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := crashtest.Check(ctx, careful); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A program that blocks, with the SDK's own client and waiter, in a bubble.
func TestBlockingProgramInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		report, err := crashtest.Check(t.Context(), blocking, func(o *crashtest.Options) { o.NoForeign = true })
		if err != nil {
			t.Error(err)
		}
		if report.Calls < 4 {
			t.Errorf("report %v", report)
		}
	})
}

func blocking(clients crashtest.Clients) crashtest.Step {
	client := eks.New(eks.Options{
		Region: "us-east-1", HTTPClient: clients.HTTP,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	})
	return func(ctx context.Context) (time.Duration, error) {
		_, err := client.CreateFargateProfile(ctx, &eks.CreateFargateProfileInput{
			ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(profileName),
			PodExecutionRoleArn: aws.String("arn:aws:iam::111122223333:role/fargate-pods"),
			Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web")}},
		})
		if _, taken := errors.AsType[*types.ResourceInUseException](err); err != nil && !taken {
			return 0, err
		}
		waiter := eks.NewFargateProfileActiveWaiter(client)
		return 0, waiter.Wait(ctx, &eks.DescribeFargateProfileInput{
			ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(profileName),
		}, time.Hour)
	}
}

func TestCloudOfOnesOwn(t *testing.T) {
	report, err := crashtest.Check(t.Context(), careful, func(o *crashtest.Options) {
		o.Cloud = func() *fake.Cloud {
			c := fake.New(func(o *fake.Options) { o.Empty = true })
			c.AddCluster(fake.Cluster{Name: fake.ClusterName, Subnets: []string{"subnet-1"}})
			c.AddSubnet(fake.Subnet{ID: "subnet-1"})
			c.AddRole("fargate-pods", fake.PodTrust)
			return c
		}
		o.Retry = time.Minute
	})
	if err != nil || report.Calls == 0 {
		t.Errorf("report %v, error %v", report, err)
	}
}
