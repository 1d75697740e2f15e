// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
)

func TestDecisionTarget(t *testing.T) {
	tests := map[string]struct {
		d    fargate.Decision
		want string
	}{
		"the call's profile":     {fargate.Decision{Profile: "a", Call: &fargate.Call{Profile: "b"}}, "b"},
		"the decision's profile": {fargate.Decision{Profile: "a"}, "a"},
		"the fallback":           {fargate.Decision{}, "c"},
	}
	for name, tt := range tests {
		if got := tt.d.Target("c"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// The role must be usable for the name that is made, which is not the name that the
// call is about.
func TestDecisionNext(t *testing.T) {
	derived := fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Name: fargate.NameDerived}
	first := fargate.Decide(about(wish(wishing(derived)))).Next
	_, successor := s0(t, oldName)
	second, _ := s1(t, oldName)
	tests := map[string]struct {
		in   fargate.Input
		want string
	}{
		"a create under a pinned name":       {about(wish()), "web"},
		"a create under a derived name":      {about(wish(wishing(derived))), first},
		"delete-first under a pinned name":   {about(wish(wishing(deleteFirst())), seen("web", other)), "web"},
		"delete-first under a derived name":  {about(wish(wishing(derived)), seen(oldName, other)), first},
		"S0":                                 {about(wish(wishing(createFirst())), seen(oldName, other)), successor},
		"S1":                                 {second, successor},
		"delete-first that waits for a role": {about(wish(wishing(deleteFirst()), func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = roleOther }), seen("web")), "web"},
		"nothing is made":                    {about(wish(), seen("web")), ""},
	}
	for name, tt := range tests {
		if got := fargate.Decide(tt.in).Next; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestDecisionAwaitRole(t *testing.T) {
	gone := fargate.Decide(undesired(wish()))
	if got, pending := gone.AwaitRole(fargate.Role{Message: "kept"}); pending || cmp.Diff(gone, got) != "" {
		t.Errorf("a role that needs nothing: %+v, %v", got, pending)
	}
	tests := map[string]struct {
		role  fargate.Role
		want  string
		after time.Duration
	}{
		"it is taken away":          {fargate.Role{Wait: true, Message: "deleting it", RequeueAfter: 3 * time.Second}, "wait RoleNotReady -", 3 * time.Second},
		"it does not say how long":  {fargate.Role{Wait: true, Message: "deleting it"}, "wait RoleNotReady -", 5 * time.Second},
		"it needs help":             {fargate.Role{Blocked: true, Message: "deleting it"}, "blocked RoleBlocked -", 5 * time.Minute},
		"blocked outweighs waiting": {fargate.Role{Blocked: true, Wait: true, Message: "deleting it"}, "blocked RoleBlocked -", 5 * time.Minute},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, pending := gone.AwaitRole(tt.role)
			if !pending || verdict(got) != tt.want || got.RequeueAfter != tt.after || got.Message != "deleting it" {
				t.Errorf("AwaitRole() = %s after %s, %v: %s", verdict(got), got.RequeueAfter, pending, got.Message)
			}
			if got.Memory.Version != fargate.MemoryVersion || got.Memory.Reason != got.Reason || got.Memory.Message != got.Message {
				t.Errorf("the memory is %+v", got.Memory)
			}
		})
	}
	if got, _ := gone.AwaitRole(fargate.Role{Wait: true}); got.Message == "" {
		t.Error("the decision says nothing")
	}
}

func TestRoleGateWaitsAsLongAsTheRoleSays(t *testing.T) {
	for after, want := range map[time.Duration]time.Duration{0: 5 * time.Second, time.Minute: time.Minute} {
		d := fargate.Decide(changed(about(wish()), withRole(fargate.Role{Wait: true, RequeueAfter: after})))
		if d.RequeueAfter != want {
			t.Errorf("%s leads to %s, want %s", after, d.RequeueAfter, want)
		}
	}
}

// A decision as JSON is what tools read: it must not lose anything on the way.
func TestDecisionJSON(t *testing.T) {
	in := about(wish(wishing(createFirst())), seen(oldName, other, sick))
	d := fargate.Decide(in)
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/golden/decision.json", string(text)+"\n")
	var back fargate.Decision
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, back); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestClaims(t *testing.T) {
	tests := map[string]struct {
		o    fargate.Observed
		want bool
	}{
		"ours":                                  {seen("web"), true},
		"ours under a derived name":             {seen(oldName), true},
		"our marks under a name of another":     {seen("strange"), false},
		"contested":                             {seen("web", contested), true},
		"ours for another logical name":         {seen("web", tagged(map[string]string{owner.ProfileKey: "api"})), false},
		"the mark for the logical name is lost": {seen("web", tagged(map[string]string{owner.ProfileKey: ""})), true},
		"it is lost, and the name is another":   {seen(oldName, tagged(map[string]string{owner.ProfileKey: ""})), false},
		"foreign":                               {seen("web", foreign), false},
		"unowned":                               {seen("web", ownerless), false},
	}
	for name, tt := range tests {
		if got := wish().Claims(tt.o); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
	if nobody := wish(invalid); nobody.Claims(seen("web", tagged(map[string]string{owner.Key(""): ""}))) {
		t.Error("the empty owner claims a profile")
	}
}

func TestOwnershipOf(t *testing.T) {
	for want, o := range map[fargate.Ownership]fargate.Observed{
		fargate.OwnershipOwned: seen("web"), fargate.OwnershipUnowned: seen("web", ownerless),
		fargate.OwnershipForeign: seen("web", foreign), fargate.OwnershipContested: seen("web", contested),
	} {
		got, others := fargate.OwnershipOf(o, fargate.Owner{ID: me})
		if named := len(others) == 1 && others[0] == you; got != want || named != (want == fargate.OwnershipForeign || want == fargate.OwnershipContested) {
			t.Errorf("OwnershipOf() = %s %v, want %s", got, others, want)
		}
	}
}

func TestWhatTheMarksSay(t *testing.T) {
	marked := seen(oldName, peerOf(newName), tagged(map[string]string{"team": "x", "aws:x": "y", capaKey: "owned"}))
	if marked.LogicalName() != "web" || marked.Peer() != newName || marked.Generation() != 5 {
		t.Errorf("the marks say %s, %s, %d", marked.LogicalName(), marked.Peer(), marked.Generation())
	}
	if diff := cmp.Diff(map[string]string{"team": "x", capaKey: "owned"}, marked.UserTags()); diff != "" {
		t.Errorf("the user's tags (-want +got):\n%s", diff)
	}
	bare := seen(oldName, ownerless)
	if bare.LogicalName() != oldName || bare.Peer() != "" || bare.Generation() != 0 || bare.UserTags() == nil {
		t.Errorf("without marks: %s, %q, %d, %v", bare.LogicalName(), bare.Peer(), bare.Generation(), bare.UserTags())
	}
	if torn := seen("web", tagged(map[string]string{owner.GenerationKey: "5x"})); torn.Generation() != 0 {
		t.Errorf("a torn generation is %d", torn.Generation())
	}
}
