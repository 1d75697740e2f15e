// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
)

// trueOnes are the conditions that hold.
func trueOnes(d fargate.Decision) string {
	var names []string
	for _, c := range d.Conditions(7) {
		if c.Status == fargate.ConditionTrue {
			names = append(names, string(c.Type))
		}
	}
	return strings.Join(names, " ")
}

func TestConditions(t *testing.T) {
	tests := map[string]struct {
		in   fargate.Input
		want string
	}{
		"in sync":                        {about(wish(), seen("web")), "Ready"},
		"degraded":                       {about(wish(), seen("web", sick)), "Ready Degraded"},
		"absent":                         {about(wish()), "Reconciling"},
		"creating":                       {about(wish(), seen("web", inStatus(fargate.StatusCreating))), "Reconciling"},
		"tags differ":                    {about(wish(tagWish), seen("web")), "Reconciling Drifted"},
		"only our marks differ":          {about(wish(), seen("web", generation(4))), "Reconciling"},
		"replacement forbidden":          {about(wish(), seen("web", other)), "Stalled Drifted"},
		"being replaced":                 {about(wish(wishing(createFirst())), seen("web", other)), "Reconciling Drifted"},
		"create failed with an issue":    {about(wish(), seen("web", inStatus(fargate.StatusCreateFailed), sick)), "Reconciling Degraded"},
		"create failed without an issue": {about(wish(), seen("web", inStatus(fargate.StatusCreateFailed))), "Reconciling Degraded"},
		"the successor failed":           {about(wish(wishing(createFirst())), pair(other, inStatus(fargate.StatusCreateFailed))...), "Reconciling Degraded"},
		"the predecessor's delete failed": {
			about(wish(wishing(createFirst())), pair(func(o *fargate.Observed) { other(o); o.Status = fargate.StatusDeleteFailed }, asIs)...), "Reconciling Degraded Drifted",
		},
		"the failure of another one counts only for that": {
			about(wish(), pair(inStatus(fargate.StatusDeleteFailed), contested)...), "Stalled",
		},
		"the budget ended": {
			about(wish(func(d *fargate.Desired) { d.Policy.Attempts = -1 }), seen("web", inStatus(fargate.StatusDeleteFailed))), "Stalled Degraded",
		},
		"foreign":                {about(wish(), seen("web", foreign)), "Stalled"},
		"invalid":                {about(wish(invalid)), "Stalled"},
		"gone":                   {undesired(wish()), ""},
		"undesired":              {undesired(wish(), seen("web", other)), "Reconciling"},
		"undesired and not ours": {undesired(wish(), seen("web", foreign)), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := trueOnes(fargate.Decide(tt.in)); got != tt.want {
				t.Errorf("true are %q, want %q", got, tt.want)
			}
		})
	}
}

func TestConditionsInFull(t *testing.T) {
	d := fargate.Decide(about(wish(), seen("web", other, sick)))
	const issue = "AccessDenied: no [arn:aws:iam::111122223333:role/fp-exec]"
	got := d.Conditions(7)
	if !strings.HasPrefix(got[3].Message, issue) {
		t.Errorf("Degraded says %q", got[3].Message)
	}
	got[3].Message = issue
	want := []fargate.Condition{
		{Type: "Ready", Status: "False", ObservedGeneration: 7, Reason: "ReplacementForbidden", Message: d.Message},
		{Type: "Reconciling", Status: "False", ObservedGeneration: 7, Reason: "Settled"},
		{Type: "Stalled", Status: "True", ObservedGeneration: 7, Reason: "ReplacementForbidden", Message: d.Message},
		{Type: "Degraded", Status: "True", ObservedGeneration: 7, Reason: "HealthIssues", Message: issue},
		{Type: "Drifted", Status: "True", ObservedGeneration: 7, Reason: "Differs", Message: "selectors +web -elsewhere"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("conditions (-want +got):\n%s", diff)
	}
	fine := fargate.Decide(about(wish(), seen("web"))).Conditions(0)
	want = []fargate.Condition{
		{Type: "Ready", Status: "True", Reason: "InSync", Message: "profile web is ACTIVE and as desired"},
		{Type: "Reconciling", Status: "False", Reason: "Settled"},
		{Type: "Stalled", Status: "False", Reason: "NotStalled"},
		{Type: "Degraded", Status: "False", Reason: "Healthy"},
		{Type: "Drifted", Status: "False", Reason: "NoDrift"},
	}
	if diff := cmp.Diff(want, fine); diff != "" {
		t.Errorf("conditions in sync (-want +got):\n%s", diff)
	}
}

// At any time a profile is ready, moving or stuck, or it is not wanted any more; and
// the same five conditions are there, each with a reason.
func TestConditionsExcludeEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		d := fargate.Decide(in)
		conditions := d.Conditions(1)
		holds := map[fargate.ConditionType]bool{}
		var types []string
		for _, c := range conditions {
			holds[c.Type] = c.Status == fargate.ConditionTrue
			types = append(types, string(c.Type))
			if c.Reason == "" || holds[c.Type] && c.Message == "" {
				t.Fatalf("%s has the reason %q and the message %q", c.Type, c.Reason, c.Message)
			}
		}
		if got := fmt.Sprint(types); got != "[Ready Reconciling Stalled Degraded Drifted]" {
			t.Fatalf("the conditions are %s", got)
		}
		n := 0
		for _, one := range []fargate.ConditionType{fargate.ConditionReady, fargate.ConditionReconciling, fargate.ConditionStalled} {
			if holds[one] {
				n++
			}
		}
		if ended := in.Absent && d.Action == fargate.ActionNoOp; n > 1 || n == 0 && !ended {
			t.Fatalf("%s: %s", verdict(d), trueOnes(d))
		}
	})
}
