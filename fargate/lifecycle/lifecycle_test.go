// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

const me = "install/ns/web"

// desired is a profile that the fake accepts as it is made by New.
func desired(c *fake.Cloud, name string, namespaces ...string) fargate.Desired {
	d := fargate.Desired{
		Spec:  fargate.Spec{ClusterName: "demo", Name: name, PodExecutionRoleARN: c.RoleARN(fake.RoleName)},
		Owner: fargate.Owner{ID: me},
	}
	for _, ns := range namespaces {
		d.Spec.Selectors = append(d.Spec.Selectors, selector.Selector{Namespace: ns})
	}
	return d
}

// sdkClient is the client that users have, on the fake's transport.
func sdkClient(c *fake.Cloud) *eks.Client {
	return eks.New(eks.Options{
		Region: "us-east-1", HTTPClient: c.HTTPClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	})
}

func calls(c *fake.Cloud) []string {
	var ops []string
	for call := range c.Calls() {
		ops = append(ops, call.Operation)
	}
	return ops
}

func names(t *testing.T, api lifecycle.API) []string {
	t.Helper()
	var all []string
	pages := eks.NewListFargateProfilesPaginator(api, &eks.ListFargateProfilesInput{ClusterName: aws.String("demo")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page.FargateProfileNames...)
	}
	return all
}

func TestTheWholeLifeThroughTheRealClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		r := lifecycle.New(sdkClient(c))
		d := desired(c, "web", "web")
		d.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
		first, err := r.Run(t.Context(), d)
		if err != nil {
			t.Fatalf("creating: %v", err)
		}

		c.ForgetCalls()
		again, err := r.Step(t.Context(), d, fargate.Memory{Version: 1, Physical: first.Spec.Name})
		if err != nil || !again.Settled {
			t.Fatalf("the same again = %+v, %v", again, err)
		}
		if got := calls(c); !slices.Equal(got, []string{"DescribeFargateProfile"}) {
			t.Errorf("a no-op made the calls %v", got)
		}

		d.Spec.Tags = map[string]string{"team": "x"}
		tagged, err := r.Run(t.Context(), d)
		if err != nil || tagged.ARN != first.ARN || tagged.Spec.Tags["team"] != "x" {
			t.Fatalf("tagging = %+v, %v", tagged, err)
		}

		d.Spec.Selectors = append(d.Spec.Selectors, selector.Selector{Namespace: "api"})
		replaced, err := r.Run(t.Context(), d)
		if err != nil || replaced.Spec.Name >= first.Spec.Name || replaced.Peer() != "" || len(replaced.Spec.Selectors) != 2 {
			t.Fatalf("replacing %s = %+v, %v", first.Spec.Name, replaced, err)
		}
		if got := names(t, c.EKS()); !slices.Equal(got, []string{replaced.Spec.Name}) {
			t.Errorf("profiles left: %v", got)
		}

		if err := r.Delete(t.Context(), d); err != nil {
			t.Fatalf("deleting: %v", err)
		}
		if got := names(t, c.EKS()); len(got) != 0 {
			t.Errorf("profiles left after the deletion: %v", got)
		}
	})
}

func TestInvalidInputCallsNothing(t *testing.T) {
	c := fake.New()
	d := desired(c, "eks-web", "a", "b", "c", "d", "e", "")
	_, err := lifecycle.New(c.EKS()).Run(t.Context(), d)
	invalid, ok := errors.AsType[*fargate.ValidationError](err)
	if !ok || len(invalid.Errors) != 3 {
		t.Fatalf("Run() = %v, want three faults", err)
	}
	if got := calls(c); len(got) != 0 {
		t.Errorf("calls were made: %v", got)
	}
}

func TestTwoReconcilersOfOneClusterGetAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		errs := make(chan error)
		for _, name := range []string{"fp-a", "fp-b"} {
			go func() {
				_, err := lifecycle.New(sdkClient(c)).Run(t.Context(), desired(c, name, name))
				errs <- err
			}()
		}
		for range 2 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if got := names(t, c.EKS()); !slices.Equal(got, []string{"fp-a", "fp-b"}) {
			t.Errorf("profiles = %v", got)
		}
	})
}

func TestRunEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := lifecycle.New(c.EKS()).Run(ctx, desired(c, "web", "web"))
		incomplete, ok := errors.AsType[*lifecycle.IncompleteError](err)
		if !ok || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Run() = %v", err)
		}
		if incomplete.Outcome.Reason != fargate.ReasonCreating {
			t.Errorf("it stopped at %s", incomplete.Outcome.Reason)
		}
	})
}
