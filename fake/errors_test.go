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

func labels(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprint("k", i)] = "v"
	}
	return out
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
