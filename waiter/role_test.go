// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/waiter"
)

// roleAnswer is what the scripted IAM says to one GetRole.
type roleAnswer struct {
	trust string
	err   error
}

// roleScript answers one call after the other; the last answer is repeated.
type roleScript struct {
	answers []roleAnswer
	calls   int
}

func (s *roleScript) GetRole(_ context.Context, in *awsiam.GetRoleInput, _ ...func(*awsiam.Options)) (*awsiam.GetRoleOutput, error) {
	a := s.answers[min(s.calls, len(s.answers)-1)]
	s.calls++
	if a.err != nil {
		return nil, a.err
	}
	return &awsiam.GetRoleOutput{Role: &iamtypes.Role{RoleName: in.RoleName, AssumeRolePolicyDocument: new(url.PathEscape(a.trust))}}, nil
}

func scope() iam.Scope {
	return iam.Scope{Region: "eu-west-1", Account: "111122223333", Cluster: "demo"}
}

func podRole() waiter.Role { return waiter.Role{Name: "pods", Request: scope().Request("fp-a")} }

func good() roleAnswer { return roleAnswer{trust: iam.TrustPolicy(scope()).String()} }

func wrong() roleAnswer {
	other := scope()
	other.Cluster = "other"
	return roleAnswer{trust: iam.TrustPolicy(other).String()}
}

func unclear() roleAnswer {
	return roleAnswer{trust: strings.Replace(good().trust, "ArnLike", "DateLessThan", 1)}
}

func unreadable() roleAnswer { return roleAnswer{trust: "no JSON"} }

func iamError(code string) roleAnswer {
	return roleAnswer{err: &smithy.GenericAPIError{Code: code, Message: "the text of IAM"}}
}

// refusal is EKS's answer to a create whose role it cannot assume.
func refusal() error {
	return &smithy.GenericAPIError{
		Code:    "InvalidParameterException",
		Message: "Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal",
	}
}

func busy() error {
	return &smithy.GenericAPIError{Code: "ResourceInUseException", Message: "A Fargate Profile already exists with this name in this cluster."}
}

func TestRoleUsable(t *testing.T) {
	tests := map[string]struct {
		answers  []roleAnswer // nil: no reader
		attempts []error      // nil: no attempt
		since    bool         // the role was changed just now
		want     string
		took     time.Duration
	}{
		"the first attempt works":                            {[]roleAnswer{good()}, []error{nil}, false, "done", 0},
		"refused for a while":                                {[]roleAnswer{good()}, []error{refusal(), refusal(), refusal(), nil}, false, "done", 7 * time.Second},
		"refused for a while, without a reader":              {nil, []error{refusal(), refusal(), refusal(), refusal(), refusal(), nil}, false, "done", 30 * time.Second},
		"refused until the deadline":                         {[]roleAnswer{good()}, []error{refusal()}, false, "timeout ", time.Hour},
		"another answer of EKS ends it":                      {[]roleAnswer{good()}, []error{refusal(), busy()}, false, "untyped *smithy.GenericAPIError", time.Second},
		"the trust policy is wrong":                          {[]roleAnswer{wrong()}, []error{refusal()}, false, "ended TrustRefuses", 0},
		"the trust policy was just corrected":                {[]roleAnswer{wrong(), wrong(), good()}, []error{nil}, true, "done", 3 * time.Second},
		"the trust policy stays wrong":                       {[]roleAnswer{wrong()}, []error{nil}, true, "ended TrustRefuses", 30 * time.Second},
		"the trust policy goes wrong":                        {[]roleAnswer{good(), wrong()}, []error{refusal()}, false, "ended TrustRefuses", time.Second},
		"the role is not seen yet":                           {[]roleAnswer{iamError("NoSuchEntity"), iamError("NoSuchEntity"), good()}, []error{nil}, false, "done", 3 * time.Second},
		"the role is not there":                              {[]roleAnswer{iamError("NoSuchEntity")}, []error{nil}, false, "ended RoleNotFound", 30 * time.Second},
		"the reader may not read":                            {[]roleAnswer{iamError("AccessDenied")}, []error{refusal(), nil}, false, "done", time.Second},
		"the reader may not read and nothing can be tried":   {[]roleAnswer{iamError("AccessDenied")}, nil, false, "ended Denied", 0},
		"IAM throttles":                                      {[]roleAnswer{iamError("Throttling"), good()}, []error{nil}, false, "done", time.Second},
		"IAM throttles for too long":                         {[]roleAnswer{iamError("Throttling")}, []error{nil}, false, "ended ErrorBudget", 301 * time.Second},
		"IAM has an error that nobody knows":                 {[]roleAnswer{iamError("Odd")}, []error{nil}, false, "ended CallFailed", 0},
		"a good trust policy is believed after ten seconds":  {[]roleAnswer{good()}, nil, false, "done", 10 * time.Second},
		"the ten seconds start over":                         {[]roleAnswer{good(), iamError("NoSuchEntity"), good()}, nil, false, "done", 21 * time.Second},
		"a trust policy that cannot be judged is tried":      {[]roleAnswer{unclear()}, []error{refusal(), nil}, false, "done", time.Second},
		"a trust policy that cannot be judged, no attempt":   {[]roleAnswer{unclear()}, nil, false, "ended TrustUndecidable", 0},
		"a trust policy that cannot be read is tried":        {[]roleAnswer{unreadable()}, []error{nil}, false, "done", 0},
		"a trust policy that cannot be read, and no attempt": {[]roleAnswer{unreadable()}, nil, false, "ended TrustUndecidable", 0},
		"no way to tell":                                     {nil, nil, false, "ended InvalidInput", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				err := waiter.RoleUsable(hour(t), reader(tt.answers), podRole(), attempts(tt.attempts), noJitter, func(o *waiter.Options) {
					if tt.since {
						o.Since = start
					}
				})
				if got := outcome(err); got != tt.want || time.Since(start).Truncate(time.Second) != tt.took {
					t.Errorf("got %q (%v) after %s, want %q after %s", got, err, time.Since(start), tt.want, tt.took)
				}
			})
		})
	}
}

// reader returns a nil interface where there are no answers.
func reader(answers []roleAnswer) awsiam.GetRoleAPIClient {
	if answers == nil {
		return nil
	}
	return &roleScript{answers: answers}
}

func attempts(errs []error) func(context.Context) error {
	if errs == nil {
		return nil
	}
	n := -1
	return func(context.Context) error {
		n++
		return errs[min(n, len(errs)-1)]
	}
}

func TestRoleUsableNeedsAName(t *testing.T) {
	err := waiter.RoleUsable(t.Context(), reader([]roleAnswer{good()}), waiter.Role{}, nil)
	if outcome(err) != "ended InvalidInput" {
		t.Errorf("got %v", err)
	}
}

func TestATrustThatRefusesSaysWhy(t *testing.T) {
	err := waiter.RoleUsable(t.Context(), reader([]roleAnswer{wrong()}), podRole(), nil)
	e, ok := errors.AsType[*waiter.TrustError](err)
	if !ok || e.Verdict.Reason != iam.ReasonConditionNotMet || !strings.Contains(err.Error(), "role pods") {
		t.Errorf("got %v", err)
	}
}

func TestARoleThatStaysRefusedKeepsTheTextOfEKS(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		var looks int
		err := waiter.RoleUsable(ctx, nil, podRole(), attempts([]error{refusal()}), func(o *waiter.Options) {
			o.OnPoll = func(p waiter.Progress) {
				if looks++; p.Role != "pods" || p.Polls != looks {
					t.Errorf("look %d: %+v", looks, p)
				}
			}
		})
		api, ok := errors.AsType[smithy.APIError](err)
		if !ok || !strings.HasPrefix(api.ErrorMessage(), "Misconfigured PodExecutionRole") || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRoleUsableEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		start := time.Now()
		err := waiter.RoleUsable(ctx, reader([]roleAnswer{good()}), podRole(), attempts([]error{refusal()}))
		if outcome(err) != "timeout " || time.Since(start) != 5*time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	})
}
