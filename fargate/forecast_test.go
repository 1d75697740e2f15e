// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
)

func TestPlanGoesOnWhenTheRoleIsMade(t *testing.T) {
	roleless := func(name string) fargate.Desired {
		d := planned(name, name)
		d.Spec.PodExecutionRoleARN = ""
		return d
	}
	t.Run("profiles that are not there, with a slot for each", func(t *testing.T) {
		p := plan(t, fargate.ClusterInput{
			Desired: []fargate.Desired{roleless("api"), roleless("web")},
			Limits:  fargate.Limits{RoleOptional: true, Profiles: 2},
		})
		want := []string{
			"api wait RoleNotReady", "api create Absent", "api wait Creating",
			"web wait RoleNotReady", "web create Absent", "web wait Creating",
		}
		if diff := cmp.Diff(want, stepTexts(p)); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		if !p.HasChanges() {
			t.Error("the plan says that it changes nothing")
		}
		if role := p.Desired[0].Spec.PodExecutionRoleARN; role != "" {
			t.Errorf("the plan desires the role %q, which nobody named", role)
		}
	})
	t.Run("a role that is changed first, and that the profile does not have yet", func(t *testing.T) {
		d := roleless("web")
		d.Policy.Replacement = fargate.ReplacementDeleteFirst
		const made = "arn:aws:iam::111122223333:role/made"
		p := plan(t, fargate.ClusterInput{
			Desired: []fargate.Desired{d}, Observed: []fargate.Observed{stands(t, planned("web", "web"))},
			Limits: fargate.Limits{RoleOptional: true},
			Roles:  map[string]fargate.Role{"web": {ARN: made, Wait: true}},
		})
		want := []string{
			"web wait RoleNotReady", "web replace DeletingFirst", "web wait Deleting", "web create Absent", "web wait Creating",
		}
		if diff := cmp.Diff(want, stepTexts(p)); diff != "" {
			t.Fatalf("steps (-want +got):\n%s", diff)
		}
		if got := p.Steps[1].Drift; len(got) != 1 || got[0].Field != fargate.FieldRole || !slices.Contains(got[0].Desired, made) {
			t.Errorf("the drift after the wait is %v, want the role that was known before", got)
		}
	})
	t.Run("a profile that is deleted first", func(t *testing.T) {
		d := roleless("web")
		d.Policy.Replacement = fargate.ReplacementDeleteFirst
		p := plan(t, fargate.ClusterInput{
			Desired: []fargate.Desired{d}, Observed: []fargate.Observed{stands(t, planned("web", "other"))},
			Limits: fargate.Limits{RoleOptional: true},
		})
		want := []string{
			"web wait RoleNotReady", "web replace DeletingFirst", "web wait Deleting", "web create Absent", "web wait Creating",
		}
		if diff := cmp.Diff(want, stepTexts(p)); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		if got := p.Steps[1].Drift; len(got) != 1 || got[0].Field != fargate.FieldSelectors {
			t.Errorf("the drift is %v, want the selectors alone: nobody asked for another role", got)
		}
	})
}

func stepTexts(p fargate.Plan) []string {
	var out []string
	for _, s := range p.Steps {
		out = append(out, s.Name+" "+string(s.Action)+" "+string(s.Reason))
	}
	return out
}

// A generation can rise between the two first steps of a replacement, and then the
// successor bears a newer one than its predecessor.
func TestPruneOfAReplacementOfTwoGenerations(t *testing.T) {
	of := func(name, generation string) fargate.Observed {
		o := stands(t, planned(name, "web"))
		o.Spec.Tags[owner.ProfileKey], o.Spec.Tags[owner.GenerationKey] = "web", generation
		return o
	}
	for name, observed := range map[string][]fargate.Observed{
		"the successor is newer":   {of("web-998-bbbbbbbb", "3"), of("web-999-aaaaaaaa", "2")},
		"the predecessor is newer": {of("web-998-bbbbbbbb", "2"), of("web-999-aaaaaaaa", "3")},
	} {
		t.Run(name, func(t *testing.T) {
			p := plan(t, fargate.ClusterInput{Observed: observed, Prune: true, Owner: fargate.Owner{ID: "platform"}})
			if len(p.Blocked()) > 0 || !slices.Contains(stepTexts(p), "web delete Undesired") {
				t.Errorf("steps = %v", stepTexts(p))
			}
			if got := p.Undesired(); len(got) != 1 || got[0].Generation != 3 {
				t.Errorf("undesired = %+v, want one of generation 3", got)
			}
		})
	}
}
