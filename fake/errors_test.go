// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// edit changes the input of a good create.
type edit func(in *eks.CreateFargateProfileInput)

func create(t *testing.T, c *fake.Cloud, api eksAPI, name string, edits ...edit) error {
	t.Helper()
	in := createInput(c, name)
	for _, e := range edits {
		e(in)
	}
	_, err := api.CreateFargateProfile(t.Context(), in)
	return err
}

func (e env) create(name string, edits ...edit) error {
	e.t.Helper()
	return create(e.t, e.c, e.api, name, edits...)
}

func (e env) deleteCluster() error {
	_, err := e.api.DeleteCluster(e.t.Context(), &eks.DeleteClusterInput{Name: aws.String(fake.ClusterName)})
	return err
}

func labels(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprint("k", i)] = "v"
	}
	return out
}

// The texts and codes that logs, recordings and issues show of EKS.
func TestReportedErrors(t *testing.T) {
	const (
		inUse   = "ResourceInUseException"
		invalid = "InvalidParameterException"
	)
	cases := map[string]struct {
		code    string
		status  int
		message string
		act     func(e env) error
	}{
		"the role does not trust EKS Fargate": {
			invalid, 400,
			"Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal",
			func(e env) error {
				role := e.c.AddRole("nodes", strings.ReplaceAll(fake.PodTrust, "eks-fargate-pods", "ec2"))
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &role })
			},
		},
		"the role's SourceArn condition names the cluster": {
			invalid, 400,
			"Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal",
			func(e env) error {
				role := e.c.AddRole("tight", strings.TrimSuffix(fake.PodTrust, "}]}")+
					`,"Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:cluster/demo"}}}]}`)
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = &role })
			},
		},
		"the name is taken": {
			inUse, 409, "A Fargate Profile already exists with this name in this cluster.",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "web")
				return e.create("web")
			},
		},
		"create while another is CREATING": {
			inUse, 409, "Cannot create Fargate Profile web because cluster demo currently has Fargate profile api in status CREATING",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "api")
				return e.create("web")
			},
		},
		"create while another is DELETING": {
			inUse, 409, "Cannot create Fargate Profile web because cluster demo currently has Fargate profile api in status DELETING",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "api")
				e.c.Advance(time.Hour)
				mustDelete(e.t, e.api, "api")
				return e.create("web")
			},
		},
		"delete while another is DELETING": {
			inUse, 409, "Cannot Delete Fargate Profile web because cluster demo currently has Fargate profile api in status DELETING",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "api")
				e.c.Advance(time.Hour)
				mustCreate(e.t, e.c, e.api, "web")
				e.c.Advance(time.Hour)
				mustDelete(e.t, e.api, "api")
				_, err := e.api.DeleteFargateProfile(e.t.Context(), deleteInput("web"))
				return err
			},
		},
		"delete while the cluster is updated": {
			inUse, 409, "Cannot Delete Fargate Profile web because cluster demo currently has an update in progress",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "web")
				e.c.Advance(91 * time.Second)
				_, err := e.api.DeleteFargateProfile(e.t.Context(), deleteInput("web"))
				return err
			},
		},
		"delete of a cluster with profiles": {
			inUse, 409, "Cluster has Fargate Profiles in ACTIVE/CREATING state",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "web")
				return e.deleteCluster()
			},
		},
		"delete of a cluster with a profile that is DELETING": {
			inUse, 409, "Cannot delete because cluster demo currently has Fargate profile web in status DELETING",
			func(e env) error {
				mustCreate(e.t, e.c, e.api, "web")
				e.c.Advance(time.Hour)
				mustDelete(e.t, e.api, "web")
				return e.deleteCluster()
			},
		},
		"delete of a cluster that is updated": {
			inUse, 409, "Cannot delete because cluster demo currently has an update in progress",
			func(e env) error {
				e.c.BusyCluster(fake.ClusterName, time.Minute)
				return e.deleteCluster()
			},
		},
		"too many profiles": {
			"ResourceLimitExceededException", 400, "Fargate Profile limit exceeded for cluster.",
			func(e env) error {
				for i := range 10 {
					mustCreate(e.t, e.c, e.api, fmt.Sprint("p", i))
					e.c.Advance(time.Hour)
				}
				return e.create("web")
			},
		},
		"public subnet": {
			invalid, 400, "Subnet " + fake.PublicSubnetID + " provided in Fargate Profile is not a private subnet",
			func(e env) error {
				return e.create("web", func(in *eks.CreateFargateProfileInput) {
					in.Subnets = append(in.Subnets, fake.PublicSubnetID)
				})
			},
		},
		"zone without Fargate": {
			invalid, 400, "Fargate Profile creation for the Availability Zone ca-central-1d for Subnet subnet-1234 is not supported",
			func(e env) error {
				e.c.AddSubnet(fake.Subnet{ID: "subnet-1234", Zone: "ca-central-1d"})
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.Subnets = []string{"subnet-1234"} })
			},
		},
		"reserved name": {
			invalid, 400, "The fargate profile name starts with the reserved prefix: 'eks-'.",
			func(e env) error { return e.create("eks-web") },
		},
		"name too long": {
			invalid, 400, "The Fargate profile name parameter should not be greater than 100 characters.",
			func(e env) error { return e.create(strings.Repeat("a", 101)) },
		},
		"no selectors": {
			invalid, 400, "Fargate Profile requires at least one selector.",
			func(e env) error {
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.Selectors = nil })
			},
		},
		"selector without namespace": {
			invalid, 400, "Fargate Profile must have at least one selector with at least one namespace value.",
			func(e env) error {
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.Selectors[0].Namespace = nil })
			},
		},
		"too many labels": {
			invalid, 400, "Request contains Selector with more than 5 Label pairs",
			func(e env) error {
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.Selectors[0].Labels = labels(6) })
			},
		},
		"profile missing": {
			"ResourceNotFoundException", 404, "No Fargate Profile found with name: web.",
			func(e env) error {
				_, err := e.api.DeleteFargateProfile(e.t.Context(), deleteInput("web"))
				return err
			},
		},
		"cluster missing": {
			"ResourceNotFoundException", 404, "No cluster found for name: other.",
			func(e env) error {
				return e.create("web", func(in *eks.CreateFargateProfileInput) { in.ClusterName = aws.String("other") })
			},
		},
		"cluster not ACTIVE": {
			"InvalidRequestException", 400, "Cluster 'demo' is not in ACTIVE status",
			func(e env) error {
				if err := e.deleteCluster(); err != nil {
					e.t.Fatal(err)
				}
				return e.create("web")
			},
		},
		"throttled": {
			"ThrottlingException", 429, "Rate exceeded",
			func(e env) error {
				e.c.Inject(fake.Throttle("CreateFargateProfile", -1))
				return create(e.t, e.c, noRetries{e.api}, "web")
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overTransports(t, func(e env) {
				wantError(e.t, tc.act(e), tc.code, tc.status, tc.message)
			})
		})
	}
}

// noRetries makes the SDK's client try once.
type noRetries struct{ eksAPI }

func (n noRetries) CreateFargateProfile(
	ctx context.Context, in *eks.CreateFargateProfileInput, _ ...func(*eks.Options),
) (*eks.CreateFargateProfileOutput, error) {
	return n.eksAPI.CreateFargateProfile(ctx, in, func(o *eks.Options) { o.RetryMaxAttempts = 1 })
}

// What one type of error looks like to errors.As, and in full.
func TestErrorsLookLikeTheSDKs(t *testing.T) {
	var texts []string
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		mustCreate(t, c, api, "api")
		err := create(t, c, api, "web")
		typed, ok := errors.AsType[*types.ResourceInUseException](err)
		if !ok {
			t.Fatalf("error %v is no *types.ResourceInUseException", err)
		}
		if aws.ToString(typed.ClusterName) != fake.ClusterName {
			t.Errorf("clusterName %q", aws.ToString(typed.ClusterName))
		}
		if op, ok := errors.AsType[*smithy.OperationError](err); !ok || op.Operation() != "CreateFargateProfile" {
			t.Errorf("error %v is no *smithy.OperationError of CreateFargateProfile", err)
		}
		texts = append(texts, anonymous(err))
	})
	if texts[0] != texts[1] || texts[0] != texts[2] {
		t.Errorf("texts differ:\n%s", strings.Join(texts, "\n"))
	}
}

func TestMissingParametersAreFoundBeforeTheCall(t *testing.T) {
	calls := map[string]func(ctx context.Context, api eksAPI) error{
		"create": func(ctx context.Context, api eksAPI) error {
			_, err := api.CreateFargateProfile(ctx, &eks.CreateFargateProfileInput{})
			return err
		},
		"describe": func(ctx context.Context, api eksAPI) error {
			_, err := api.DescribeFargateProfile(ctx, nil)
			return err
		},
		"delete": func(ctx context.Context, api eksAPI) error {
			_, err := api.DeleteFargateProfile(ctx, &eks.DeleteFargateProfileInput{ClusterName: aws.String("a")})
			return err
		},
		"list": func(ctx context.Context, api eksAPI) error {
			_, err := api.ListFargateProfiles(ctx, nil)
			return err
		},
		"tag": func(ctx context.Context, api eksAPI) error {
			_, err := api.TagResource(ctx, nil)
			return err
		},
		"untag": func(ctx context.Context, api eksAPI) error {
			_, err := api.UntagResource(ctx, nil)
			return err
		},
		"list tags": func(ctx context.Context, api eksAPI) error {
			_, err := api.ListTagsForResource(ctx, nil)
			return err
		},
		"create cluster": func(ctx context.Context, api eksAPI) error {
			_, err := api.CreateCluster(ctx, nil)
			return err
		},
		"describe cluster": func(ctx context.Context, api eksAPI) error {
			_, err := api.DescribeCluster(ctx, nil)
			return err
		},
		"delete cluster": func(ctx context.Context, api eksAPI) error {
			_, err := api.DeleteCluster(ctx, nil)
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			direct, sdk := call(t.Context(), c.EKS()), call(t.Context(), sdkClient(c))
			if direct == nil || direct.Error() != sdk.Error() {
				t.Errorf("direct client and SDK differ:\n%v\n%v", direct, sdk)
			}
			if n := c.CallCount(); n != 0 {
				t.Errorf("%d calls reached the Cloud", n)
			}
		})
	}
}

func TestCanceledContextMakesNoCall(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := api.DescribeFargateProfile(ctx, describeInput("web"))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v is not context.Canceled", err)
		}
		if n := c.CallCount(); n != 0 {
			t.Errorf("%d calls reached the Cloud", n)
		}
	})
}

func TestLostReplyHasItsEffect(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		c.Inject(fake.Fault{Operation: "CreateFargateProfile", LoseReply: true})
		err := create(t, c, noRetries{api}, "web")
		if err == nil || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			t.Errorf("error %v is not about a connection that ended", err)
		}
		if got := mustDescribe(t, api, "web").Status; got != types.FargateProfileStatusCreating {
			t.Errorf("status %s, want CREATING", got)
		}
	})
}

// The SDK sends the same token again when a reply is lost: what comes of it is
// an option, as nobody has reported what EKS does.
func TestRetryAfterALostReply(t *testing.T) {
	cases := map[string]struct {
		replay bool
		code   string
	}{
		"without replay the name is taken":    {replay: false, code: "ResourceInUseException"},
		"with replay the profile is returned": {replay: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New(func(o *fake.Options) { o.ReplayTokens = tc.replay })
			c.Inject(fake.Fault{Operation: "CreateFargateProfile", LoseReply: true})
			_, err := sdkClient(c).CreateFargateProfile(t.Context(), createInput(c, "web"))
			code := ""
			if api, ok := errors.AsType[smithy.APIError](err); ok {
				code = api.ErrorCode()
			}
			if code != tc.code || (err == nil) != (tc.code == "") {
				t.Errorf("error %v, want code %q", err, tc.code)
			}
			if n := c.CallCount("CreateFargateProfile"); n != 2 {
				t.Errorf("%d calls, want 2", n)
			}
		})
	}
}
