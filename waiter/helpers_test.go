// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

const (
	creating     = types.FargateProfileStatusCreating
	active       = types.FargateProfileStatusActive
	deleting     = types.FargateProfileStatusDeleting
	createFailed = types.FargateProfileStatusCreateFailed
	deleteFailed = types.FargateProfileStatusDeleteFailed
)

func ref() waiter.Ref { return waiter.Ref{Cluster: "demo", Profile: "fp-a"} }

// answer is what the scripted EKS says to one call.
type answer struct {
	status types.FargateProfileStatus
	arn    string
	issue  types.FargateProfileIssueCode
	err    error
}

func says(status types.FargateProfileStatus) answer { return answer{status: status} }
func fails(err error) answer                        { return answer{err: err} }

func (a answer) output(created time.Time) (*eks.DescribeFargateProfileOutput, error) {
	if a.err != nil {
		return nil, a.err
	}
	p := &types.FargateProfile{Status: a.status, CreatedAt: &created}
	if a.arn != "" {
		p.FargateProfileArn = &a.arn
	}
	if a.issue != "" {
		text := "the text of EKS"
		p.Health = &types.FargateProfileHealth{Issues: []types.FargateProfileIssue{{Code: a.issue, Message: &text}}}
	}
	return &eks.DescribeFargateProfileOutput{FargateProfile: p}, nil
}

// script answers one call after the other; the last answer is repeated.
type script struct {
	answers []answer
	start   time.Time
	calls   []time.Duration // when each call came
}

func newScript(answers ...answer) *script { return &script{answers: answers, start: time.Now()} }

func (s *script) DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if *in.ClusterName != ref().Cluster || *in.FargateProfileName != ref().Profile {
		return nil, errors.New("asked for another profile")
	}
	a := s.answers[min(len(s.calls), len(s.answers)-1)]
	s.calls = append(s.calls, time.Since(s.start))
	return a.output(s.start)
}

// timeline answers by the age of each profile. It is safe for concurrent use.
type timeline struct {
	mu      sync.Mutex
	start   time.Time
	before  types.FargateProfileStatus
	after   answer
	turns   map[string]time.Duration // when each profile turns
	latency time.Duration
	calls   []time.Duration
	asked   map[string][]time.Duration
}

func newTimeline(before types.FargateProfileStatus, after answer, turn time.Duration) *timeline {
	return &timeline{
		start: time.Now(), before: before, after: after,
		turns: map[string]time.Duration{ref().Profile: turn}, asked: map[string][]time.Duration{},
	}
}

func (s *timeline) DescribeFargateProfile(_ context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	time.Sleep(s.latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	at, name := time.Since(s.start), *in.FargateProfileName
	s.calls = append(s.calls, at)
	s.asked[name] = append(s.asked[name], at)
	if at < s.turns[name] {
		return says(s.before).output(s.start)
	}
	return s.after.output(s.start)
}

func notFound() error {
	text := "No Fargate Profile found with name: fp-a."
	return &types.ResourceNotFoundException{Message: &text}
}

func clusterNotFound() error {
	text := "No cluster found for name: demo."
	return &types.ResourceNotFoundException{Message: &text}
}

func throttled() error {
	return &smithy.GenericAPIError{Code: "ThrottlingException", Message: "Rate exceeded"}
}

func denied() error {
	return &smithy.GenericAPIError{Code: "AccessDeniedException", Message: "not authorized"}
}

func serverError() error {
	return &smithyhttp.ResponseError{
		Response: &smithyhttp.Response{Response: &http.Response{StatusCode: http.StatusServiceUnavailable}},
		Err:      errors.New("<html>"),
	}
}

func noConnection() error { return &smithyhttp.RequestSendError{Err: errors.New("refused")} }

type waitFunc func(context.Context, eks.DescribeFargateProfileAPIClient, waiter.Ref, ...func(*waiter.Options)) (fargate.Observed, error)

// outcome is what became of a wait, in a form that is easy to compare.
func outcome(err error) string {
	if err == nil {
		return "done"
	}
	if e, ok := errors.AsType[*waiter.FailedError](err); ok {
		return "failed " + string(e.Status)
	}
	if e, ok := errors.AsType[*waiter.EndedError](err); ok {
		return "ended " + string(e.Reason)
	}
	if e, ok := errors.AsType[*waiter.TimeoutError](err); ok {
		return "timeout " + string(e.Status)
	}
	return fmt.Sprintf("untyped %T", err)
}

func noJitter(o *waiter.Options) { o.Jitter = waiter.SeededJitter(0, 0) }

// hour returns a context whose deadline is an hour away.
func hour(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	return ctx
}
