// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func apiError(code, message string) error {
	return &smithy.GenericAPIError{Code: code, Message: message}
}

// stepError is the error of a step whose first read fails.
func stepError(t *testing.T, code, message string) error {
	t.Helper()
	c := fake.New()
	c.Inject(fake.Fault{Operation: "DescribeFargateProfile", Code: code, Message: message})
	_, err := lifecycle.New(c.EKS()).Step(t.Context(), desired(c, "web", "web"), fargate.Memory{})
	return err
}

func refusal(reason fargate.Reason, message string, cause error) lifecycle.Outcome {
	return lifecycle.Outcome{Decision: fargate.Decision{Action: fargate.ActionBlocked, Reason: reason, Message: message}, Cause: cause}
}

// TestErrorTexts compares the texts of all errors with a golden file: each says
// the operation, the cluster, the profile, the cause and what to do.
func TestErrorTexts(t *testing.T) {
	busy := apiError("ResourceInUseException", "Cannot Delete Fargate Profile web because cluster demo currently has an update in progress")
	waiting := lifecycle.Outcome{Decision: fargate.Decision{Action: fargate.ActionWait, Reason: fargate.ReasonClusterBusy, Message: "the cluster has an update in progress"}}
	waitingWithCause := waiting
	waitingWithCause.Cause = busy
	texts := map[string]error{
		"throttled":                  stepError(t, "ThrottlingException", "Rate exceeded"),
		"transient":                  stepError(t, "ServerException", "An internal error occurred."),
		"denied with an action":      stepError(t, "AccessDeniedException", "User: u is not authorized to perform: eks:DescribeFargateProfile on resource: r"),
		"denied without":             stepError(t, "ExpiredTokenException", "The security token is expired"),
		"unknown":                    stepError(t, "BrandNewException", "words of the future"),
		"blocked by AWS":             &lifecycle.BlockedError{Cluster: "demo", Profile: "web", Outcome: refusal(fargate.ReasonAccessDenied, "allow it", apiError("AccessDeniedException", "no"))},
		"blocked by the decision":    &lifecycle.BlockedError{Cluster: "demo", Profile: "web", Outcome: refusal(fargate.ReasonForeign, "choose another name", nil)},
		"incomplete":                 &lifecycle.IncompleteError{Cluster: "demo", Profile: "web", Outcome: waiting, Err: context.DeadlineExceeded},
		"incomplete with a refusal":  &lifecycle.IncompleteError{Cluster: "demo", Profile: "web", Outcome: waitingWithCause, Err: context.DeadlineExceeded},
		"incomplete after an error":  &lifecycle.IncompleteError{Cluster: "demo", Profile: "web", Outcome: waitingWithCause, Last: apiError("ThrottlingException", "Rate exceeded"), Err: context.Canceled},
		"incomplete before a look":   &lifecycle.IncompleteError{Cluster: "demo", Profile: "web", Err: context.Canceled},
		"about a cluster":            planError(t),
		"canceled":                   &lifecycle.Error{Op: "DescribeFargateProfile", Cluster: "demo", Profile: "web", Fault: lifecycle.Classify(context.Canceled), Err: context.Canceled},
		"without a code":             &lifecycle.Error{Op: "listing the pods", Cluster: "demo", Fault: lifecycle.Classify(errKilled), Err: errKilled},
		"stale plan":                 &lifecycle.StalePlanError{Cluster: "demo", Changes: []string{"profile web has another set of tags", "profile api is gone"}},
		"invalid":                    invalidError(t),
		"several errors of a report": lifecycle.Report{Results: []lifecycle.Result{{Err: apiError("A", "a")}, {}, {Err: apiError("B", "b")}}}.Err(),
	}
	var b strings.Builder
	keys := make([]string, 0, len(texts))
	for name := range texts {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	for _, name := range keys {
		fmt.Fprintf(&b, "%s:\n  %s\n", name, strings.ReplaceAll(withoutID(texts[name].Error()), "\n", "\n  "))
	}
	golden(t, "errors.txt", b.String())
}

// withoutID drops the id of the request, which is another in each run of the fake.
func withoutID(s string) string {
	before, after, found := strings.Cut(s, "RequestID: ")
	if !found {
		return s
	}
	_, after, _ = strings.Cut(after, ",")
	return before + "RequestID: ...," + withoutID(after)
}

func planError(t *testing.T) error {
	t.Helper()
	c := fake.New()
	_, err := lifecycle.New(c.EKS()).PlanCluster(t.Context(), fargate.ClusterInput{Cluster: "gone"})
	return err
}

func invalidError(t *testing.T) error {
	t.Helper()
	c := fake.New()
	d := desired(c, "eks-web", "")
	_, err := lifecycle.New(c.EKS()).Step(t.Context(), d, fargate.Memory{})
	return err
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestErrorsUnwrap(t *testing.T) {
	refused, last := apiError("AccessDeniedException", "no"), apiError("ThrottlingException", "Rate exceeded")
	blocked := &lifecycle.BlockedError{Outcome: refusal(fargate.ReasonAccessDenied, "m", refused)}
	if !errors.Is(blocked, refused) {
		t.Error("a BlockedError does not wrap the refusal")
	}
	if err := (&lifecycle.BlockedError{}).Unwrap(); err != nil {
		t.Errorf("a BlockedError without a refusal wraps %v", err)
	}
	tests := map[string]struct {
		err   lifecycle.IncompleteError
		wraps []error
	}{
		"nothing more is known":            {lifecycle.IncompleteError{Err: context.Canceled}, []error{context.Canceled}},
		"the last refusal":                 {lifecycle.IncompleteError{Err: context.Canceled, Outcome: refusal("", "", refused)}, []error{context.Canceled, refused}},
		"the last error before a refusal":  {lifecycle.IncompleteError{Err: context.Canceled, Last: last, Outcome: refusal("", "", refused)}, []error{context.Canceled, last}},
		"an error though it ended in time": {lifecycle.IncompleteError{Err: context.DeadlineExceeded, Last: last}, []error{context.DeadlineExceeded, last}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.err.Unwrap(); !slices.Equal(got, tt.wraps) {
				t.Errorf("Unwrap() = %v, want %v", got, tt.wraps)
			}
		})
	}
}

func TestReportTellsWhatFailed(t *testing.T) {
	r := lifecycle.Report{Results: []lifecycle.Result{{Profile: "a"}, {Profile: "b", Err: errKilled}, {Profile: "c"}}}
	if failed := r.Failed(); len(failed) != 1 || failed[0].Profile != "b" || len(r.Results) != 3 {
		t.Errorf("Failed() = %+v of %+v", failed, r.Results)
	}
	if !errors.Is(r.Err(), errKilled) {
		t.Errorf("Err() = %v", r.Err())
	}
	if err := (lifecycle.Report{Results: []lifecycle.Result{{}}}).Err(); err != nil || (lifecycle.Report{}).Failed() != nil {
		t.Errorf("nothing failed, and Err() = %v", err)
	}
}
