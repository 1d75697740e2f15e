// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// s0 is the input of step S0, and the name that it gives the successor.
func s0(t *testing.T, predecessor string, changes ...func(*fargate.Desired)) (fargate.Input, string) {
	t.Helper()
	in := about(wish(append([]func(*fargate.Desired){wishing(createFirst())}, changes...)...), seen(predecessor, other))
	d := fargate.Decide(in)
	if d.Reason != fargate.ReasonNamingSuccessor || d.Call.SetTags[owner.PeerKey] != d.Next {
		t.Fatalf("S0 = %s, %+v", verdict(d), d.Call)
	}
	return in, d.Next
}

// s1 is the input of step S1.
func s1(t *testing.T, predecessor string) (fargate.Input, string) {
	t.Helper()
	in, successor := s0(t, predecessor)
	named := apply(t, *in.Observed, fargate.Decide(in).Call)
	in.Observed = &named
	return in, successor
}

func TestCreateFirstStepByStep(t *testing.T) {
	_, successor := s0(t, oldName)
	if !strings.HasPrefix(successor, "web-997-") {
		t.Errorf("the successor of %s is %s, want generation 997", oldName, successor)
	}
	in, _ := s1(t, oldName)
	d := fargate.Decide(in)
	if d.Reason != fargate.ReasonCreatingSuccessor || d.Call.Profile != successor || d.Call.Spec.Name != successor {
		t.Fatalf("S1 = %s, %+v", verdict(d), d.Call)
	}
	want := map[string]string{owner.Key(me): me, owner.ProfileKey: "web", owner.GenerationKey: "5", owner.PeerKey: oldName}
	if diff := cmp.Diff(want, d.Call.Spec.Tags); diff != "" {
		t.Errorf("tags of the successor (-want +got):\n%s", diff)
	}
	if d.Predecessor == nil || d.Predecessor.Spec.Name != oldName {
		t.Errorf("the predecessor of the decision is %+v", d.Predecessor)
	}

	fresh := fargate.Observed{Spec: *d.Call.Spec, ARN: "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/x/1", Status: fargate.StatusCreating, CreatedAt: noon()}
	in.Peers = []fargate.Observed{fresh}
	wantReason(t, "S2", in, fargate.ReasonCreating)
	in.Peers[0].Status = fargate.StatusActive
	wantReason(t, "S3", in, fargate.ReasonDeletingPredecessor)
	in.Observed.Status = fargate.StatusDeleting
	wantReason(t, "S4", in, fargate.ReasonDeleting)
	in.Observed, in.Peers = &in.Peers[0], nil
	d = fargate.Decide(in)
	if d.Reason != fargate.ReasonForgettingPeer || !slices.Equal(d.Call.RemoveTags, []string{owner.PeerKey}) {
		t.Fatalf("S5 = %s, %+v", verdict(d), d.Call)
	}
	settled := apply(t, *in.Observed, d.Call)
	in.Observed = &settled
	wantReason(t, "the end", in, fargate.ReasonInSync)
}

func wantReason(t *testing.T, step string, in fargate.Input, want fargate.Reason) {
	t.Helper()
	if d := fargate.Decide(in); d.Reason != want {
		t.Errorf("%s: %s, want %s\n%s", step, verdict(d), want, d.Message)
	}
}

func TestTheSuccessorIsHeldBack(t *testing.T) {
	in, successor := s0(t, oldName)
	between := func(s selector.Selector) func(*fargate.Input) {
		return clusterOf(seen("web-997-zzzzzzzz", foreign, func(o *fargate.Observed) { o.Spec.Selectors = []selector.Selector{s} }))
	}
	limit := func(n int) func(*fargate.Input) { return func(in *fargate.Input) { in.Limits.Profiles = n } }
	fallBack := func(in *fargate.Input) { in.Desired.Policy.FallBackToDeleteFirst = true }
	full := func(in *fargate.Input) { limit(2)(in); clusterOf(*in.Observed, seen("x", foreign, other))(in) }
	tests := map[string]struct {
		changes []func(*fargate.Input)
		want    fargate.Reason
	}{
		"a stranger has its name":                    {changes(strangers(seen(successor, ownerless))), fargate.ReasonSuccessorNameTaken},
		"the list shows a stranger with its name":    {changes(clusterOf(seen(successor, foreign))), fargate.ReasonSuccessorNameTaken},
		"a stranger has another name":                {changes(strangers(seen("web-997-aaaaaaaa", ownerless))), fargate.ReasonNamingSuccessor},
		"a third profile between selects the same":   {changes(between(on("web"))), fargate.ReasonOrderChanges},
		"a third profile between selects some of it": {changes(between(on("w*", "a", "b"))), fargate.ReasonOrderChanges},
		"a third profile between selects others":     {changes(between(on("api"))), fargate.ReasonNamingSuccessor},
		"no slot is free":                            {changes(full), fargate.ReasonQuotaExceeded},
		"one slot is free":                           {changes(full, limit(3)), fargate.ReasonNamingSuccessor},
		"the quota is unknown":                       {changes(full, limit(0)), fargate.ReasonNamingSuccessor},
		"a negative quota is unknown, too":           {changes(full, limit(-1)), fargate.ReasonNamingSuccessor},
		"nobody counted":                             {changes(limit(1)), fargate.ReasonNamingSuccessor},
		"no slot is free, but it may fall back":      {changes(full, fallBack), fargate.ReasonDeletingFirst},
		"EKS found no slot, and it may fall back":    {changes(fallBack, quotaRefused), fargate.ReasonDeletingFirst},
		"EKS found no slot, and it may not":          {changes(quotaRefused), fargate.ReasonNamingSuccessor},
		"EKS found none for another version":         {changes(fallBack, quotaRefused, forgetVersion), fargate.ReasonNamingSuccessor},
		"the role is not ready":                      {changes(withRole(fargate.Role{Wait: true})), fargate.ReasonRoleNotReady},
		"the role does not trust EKS":                {changes(withRole(fargate.Role{Trust: fargate.TrustMissing})), fargate.ReasonRoleNotTrusted},
		"no tag is free for the peer mark":           {changes(func(in *fargate.Input) { tagged(manyTags(47))(in.Observed) }), fargate.ReasonTooManyTags},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := *in.Observed
			now := in
			now.Observed = &o
			for _, change := range tt.changes {
				change(&now)
			}
			wantReason(t, name, now, tt.want)
		})
	}
}

func changes(c ...func(*fargate.Input)) []func(*fargate.Input) { return c }

func quotaRefused(in *fargate.Input) {
	in.Memory = fargate.Decide(*in).Memory
	in.Memory.QuotaRefused = true
}

func forgetVersion(in *fargate.Input) { in.Memory.Fingerprint = "another" }

func TestNamesOfSuccessors(t *testing.T) {
	tests := map[string]struct {
		predecessor string
		prefix      string
		want        fargate.Reason
	}{
		"the plain name counts as 1000":     {"web", "web-999-", fargate.ReasonNamingSuccessor},
		"each sorts before its predecessor": {"web-500-aaaaaaaa", "web-499-", fargate.ReasonNamingSuccessor},
		"the last one is 000":               {"web-001-aaaaaaaa", "web-000-", fargate.ReasonNamingSuccessor},
		"then names are exhausted":          {"web-000-aaaaaaaa", "", fargate.ReasonNamesExhausted},
		"a name that is not ours":           {"strange", "", fargate.ReasonForeign},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := fargate.Decide(about(wish(wishing(createFirst())), seen(tt.predecessor, other)))
			if d.Reason != tt.want || !strings.HasPrefix(d.Next, tt.prefix) {
				t.Errorf("the successor of %s is %q by %s", tt.predecessor, d.Next, verdict(d))
			}
		})
	}
}

// The way out of exhausted names is the one that the message gives.
func TestExhaustedNamesStartAgainByDeleteFirst(t *testing.T) {
	d := wish(wishing(deleteFirst()))
	d.Policy.Name = fargate.NameDerived
	got := fargate.Decide(about(d, seen("web-000-aaaaaaaa", other)))
	again := fargate.Decide(about(d))
	if got.Reason != fargate.ReasonDeletingFirst || !strings.HasPrefix(got.Next, "web-999-") || again.Call.Profile != got.Next {
		t.Errorf("%s, then %s; announced was %s", verdict(got), again.Call.Profile, got.Next)
	}
}

func warningsOf(d fargate.Decision) []fargate.WarningCode {
	var codes []fargate.WarningCode
	for _, w := range d.Warnings {
		codes = append(codes, w.Code)
	}
	return codes
}

func TestAReplacementSaysWhatItCosts(t *testing.T) {
	pinned := selector.Placed{Pod: selector.Pod{Namespace: "web", Name: "pinned"}, Template: &selector.Pod{Labels: map[string]string{selector.ProfileLabel: oldName}}}
	pods := func(p ...selector.Placed) func(*fargate.Input) {
		return func(in *fargate.Input) { in.Pods = append([]selector.Placed{}, p...) }
	}
	trusted := withRole(fargate.Role{Trust: fargate.TrustGiven})
	tests := map[string]struct {
		predecessor string
		policy      fargate.Policy
		changes     []func(*fargate.Input)
		want        []fargate.WarningCode
	}{
		"nobody looked":                        {oldName, createFirst(), nil, []fargate.WarningCode{fargate.WarningPodsEnd, fargate.WarningTrustNamesProfile}},
		"all is known, and nothing runs there": {oldName, createFirst(), changes(pods(placedOn("api", "x")), trusted), nil},
		"a pod runs there":                     {oldName, createFirst(), changes(pods(placedOn(oldName, "x")), trusted), []fargate.WarningCode{fargate.WarningPodsEnd}},
		"a pod is pinned there":                {oldName, createFirst(), changes(pods(pinned), trusted), []fargate.WarningCode{fargate.WarningPinsFallOut}},
		"a plain name sorts first":             {"web", createFirst(), changes(pods(), trusted), []fargate.WarningCode{fargate.WarningNewPodsStayOnPredecessor}},
		"the role could not be read":           {oldName, createFirst(), changes(pods(), withRole(fargate.Role{})), []fargate.WarningCode{fargate.WarningTrustNamesProfile}},
		"delete-first, nobody looked":          {oldName, deleteFirst(), nil, []fargate.WarningCode{fargate.WarningPodsEnd, fargate.WarningNewPodsMatchNothing}},
		"delete-first, nothing runs there":     {oldName, deleteFirst(), changes(pods()), []fargate.WarningCode{fargate.WarningNewPodsMatchNothing}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := about(wish(wishing(tt.policy)), seen(tt.predecessor, other))
			for _, change := range tt.changes {
				change(&in)
			}
			if diff := cmp.Diff(tt.want, warningsOf(fargate.Decide(in))); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThePodsOfAWarningAreNamedInOrder(t *testing.T) {
	in := about(wish(wishing(deleteFirst())), seen("web", other))
	in.Pods = []selector.Placed{placedOn("web", "b"), placedOn("api", "c"), placedOn("web", "a")}
	d := fargate.Decide(in)
	if diff := cmp.Diff([]string{"web/a", "web/b"}, d.Warnings[0].Pods); diff != "" {
		t.Errorf("pods (-want +got):\n%s", diff)
	}
}

func TestDrainGate(t *testing.T) {
	gated := fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Drain: fargate.DrainConfirmed}
	tests := map[string]struct {
		change func(*fargate.Input)
		want   fargate.Reason
	}{
		"nobody says that the pods are gone":    {func(*fargate.Input) {}, fargate.ReasonDrainNotConfirmed},
		"the caller does":                       {func(in *fargate.Input) { in.Desired.Drained = []string{"web"} }, fargate.ReasonDeletingFirst},
		"the caller does so of another profile": {func(in *fargate.Input) { in.Desired.Drained = []string{oldName} }, fargate.ReasonDrainNotConfirmed},
		"no pod runs there":                     {func(in *fargate.Input) { in.Pods = []selector.Placed{placedOn("api", "x")} }, fargate.ReasonDeletingFirst},
		"no pod runs at all":                    {func(in *fargate.Input) { in.Pods = []selector.Placed{} }, fargate.ReasonDeletingFirst},
		"a pod runs there":                      {func(in *fargate.Input) { in.Pods = []selector.Placed{placedOn("web", "x")} }, fargate.ReasonDrainNotConfirmed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := about(wish(wishing(gated)), seen("web", other))
			tt.change(&in)
			wantReason(t, name, in, tt.want)
		})
	}
}

// A delete that replaces must know all that the create after it needs.
func TestDeleteFirstNeedsARole(t *testing.T) {
	roleless := func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = "" }
	newRole := func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = roleOther }
	unverified := func(d *fargate.Desired) { d.Policy.AllowUnverifiedRole = true }
	optional := func(in *fargate.Input) { in.Limits.RoleOptional = true }
	tests := map[string]struct {
		desired []func(*fargate.Desired)
		changes []func(*fargate.Input)
		want    string
	}{
		"no role is known":                       {wishes(roleless), nil, "blocked InvalidDesired -"},
		"the caller makes it, and was not asked": {wishes(roleless), changes(optional), "wait RoleNotReady -"},
		"the caller made none":                   {wishes(roleless), changes(optional, withRole(fargate.Role{})), "blocked InvalidDesired -"},
		"the caller made it":                     {wishes(roleless), changes(optional, withRole(fargate.Role{ARN: roleR})), "replace DeletingFirst delete:web"},
		"the caller made another one, not read":  {wishes(roleless), changes(optional, withRole(fargate.Role{ARN: roleOther})), "blocked RoleUnverified -"},
		"the role is a new one, and not read":    {wishes(newRole), nil, "blocked RoleUnverified -"},
		"not read, but allowed":                  {wishes(newRole, unverified), nil, "replace DeletingFirst delete:web"},
		"the new role trusts EKS":                {wishes(newRole), changes(withRole(fargate.Role{Trust: fargate.TrustGiven})), "replace DeletingFirst delete:web"},
		"the new role does not":                  {wishes(newRole, unverified), changes(withRole(fargate.Role{Trust: fargate.TrustMissing})), "blocked RoleNotTrusted -"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := about(wish(append(wishes(wishing(deleteFirst())), tt.desired...)...), seen("web", other))
			for _, change := range tt.changes {
				change(&in)
			}
			d := fargate.Decide(in)
			if got := verdict(d); got != tt.want {
				t.Errorf("Decide() = %s, want %s", got, tt.want)
			}
			if asks := slices.Contains(d.Unchecked, fargate.PreconditionRole); asks != (in.Role == nil) {
				t.Errorf("the role is asked for: %v", asks)
			}
		})
	}
}

func wishes(w ...func(*fargate.Desired)) []func(*fargate.Desired) { return w }

func TestACreateNeedsARole(t *testing.T) {
	in := about(wish(func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = "" }))
	wantReason(t, "no role", in, fargate.ReasonInvalidDesired)
	in.Limits.RoleOptional = true
	d := fargate.Decide(in)
	if d.Reason != fargate.ReasonRoleNotReady || !slices.Contains(d.Unchecked, fargate.PreconditionRole) || d.Next != "web" {
		t.Errorf("a role that the caller makes: %s, unchecked %v, for %q", verdict(d), d.Unchecked, d.Next)
	}
	in.Role = &fargate.Role{ARN: roleOther}
	if d := fargate.Decide(in); d.Reason != fargate.ReasonAbsent || d.Call.Spec.PodExecutionRoleARN != roleOther {
		t.Errorf("the caller's role: %s", verdict(d))
	}
}

func TestASuccessorWithoutARoleOfItsOwnKeepsTheOne(t *testing.T) {
	in := about(wish(wishing(createFirst()), func(d *fargate.Desired) { d.Spec.PodExecutionRoleARN = "" }), seen(oldName, other))
	named := apply(t, *in.Observed, fargate.Decide(in).Call)
	in.Observed = &named
	if d := fargate.Decide(in); d.Reason != fargate.ReasonCreatingSuccessor || d.Call.Spec.PodExecutionRoleARN != roleR {
		t.Errorf("the successor gets %+v by %s", d.Call, verdict(d))
	}
}

// An ACTIVE successor on which EKS reports what its predecessor has not is no
// reason to end the pods of the predecessor.
func TestASickSuccessorDoesNotReplace(t *testing.T) {
	tests := map[string]struct {
		old, new func(*fargate.Observed)
		desired  func(*fargate.Desired)
		want     fargate.Reason
	}{
		"the successor alone is sick":           {other, sick, wishing(createFirst()), fargate.ReasonSuccessorDegraded},
		"both are sick":                         {func(o *fargate.Observed) { other(o); sick(o) }, sick, wishing(createFirst()), fargate.ReasonDeletingPredecessor},
		"the predecessor alone is sick":         {func(o *fargate.Observed) { other(o); sick(o) }, asIs, wishing(createFirst()), fargate.ReasonDeletingPredecessor},
		"the predecessor is as desired, too":    {asIs, sick, wishing(createFirst()), fargate.ReasonRollingBack},
		"the pods were moved away":              {other, sick, drainedOf(oldName), fargate.ReasonDeletingPredecessor},
		"those of the successor were":           {other, sick, drainedOf(newName), fargate.ReasonSuccessorDegraded},
		"forbidden comes before":                {other, sick, wishing(fargate.Policy{}), fargate.ReasonReplacementForbidden},
		"the predecessor is on its way already": {func(o *fargate.Observed) { other(o); o.Status = fargate.StatusDeleteFailed }, sick, wishing(createFirst()), fargate.ReasonDeletingPredecessor},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := about(wish(tt.desired), pair(tt.old, tt.new)...)
			wantReason(t, name, in, tt.want)
		})
	}
}

func drainedOf(name string) func(*fargate.Desired) {
	return func(d *fargate.Desired) { d.Policy, d.Drained = createFirst(), []string{name} }
}

// Two writers of one profile that do not know of each other's generation can each
// name and create a successor. The list of the cluster shows the other one.
func TestASuccessorOfAnotherWriterIsFound(t *testing.T) {
	in, _ := s1(t, oldName)
	d := fargate.Decide(in)
	if !slices.Contains(d.Unchecked, fargate.PreconditionCluster) {
		t.Fatalf("S1 does not ask for the list: %v", d.Unchecked)
	}
	orphan := seen("web-997-orphanor", peerOf(oldName), func(o *fargate.Observed) { o.Spec.Selectors = []selector.Selector{on("third")} })
	in.Cluster = []fargate.Observed{*in.Observed, orphan, seen("api", foreign)}
	d = fargate.Decide(in)
	if d.Reason != fargate.ReasonStartingOver || d.Call.Profile != orphan.Spec.Name {
		t.Errorf("with a successor of another writer: %s, %+v", verdict(d), d.Call)
	}
}

func TestPreconditionsThatNobodyLookedAt(t *testing.T) {
	both := []fargate.Precondition{fargate.PreconditionRole, fargate.PreconditionCluster}
	first, _ := s0(t, oldName)
	second, _ := s1(t, oldName)
	limited := about(wish())
	limited.Limits.Profiles = 10
	tests := map[string]struct {
		in   fargate.Input
		want []fargate.Precondition
	}{
		"S0":                               {first, both},
		"S1":                               {second, both},
		"S0 with all known":                {changed(changed(first, withRole(fargate.Role{})), clusterOf(*first.Observed)), nil},
		"a create":                         {about(wish()), both[:1]},
		"a create under a known quota":     {limited, both},
		"a create with all known":          {changed(changed(limited, withRole(fargate.Role{})), clusterOf(seen("x", foreign))), nil},
		"a delete-first":                   {about(wish(wishing(deleteFirst())), seen("web", other)), both[:1]},
		"nothing to do asks for nothing":   {about(wish(), seen("web")), nil},
		"a deletion asks for nothing":      {undesired(wish(), seen("web")), nil},
		"S3 asks for nothing that is slow": {about(wish(wishing(createFirst())), pair(other, asIs)...), nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, fargate.Decide(tt.in).Unchecked); diff != "" {
				t.Errorf("unchecked (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAStaleGenerationMidwayWritesNothing(t *testing.T) {
	for name, profiles := range map[string][]fargate.Observed{
		"on the predecessor": pair(generation(6), asIs),
		"on the successor":   pair(other, generation(6)),
		"on a single one":    {seen(newName, peerOf(oldName), generation(6))},
	} {
		for _, status := range []fargate.Status{fargate.StatusActive, fargate.StatusCreateFailed, fargate.StatusDeleteFailed} {
			profiles[len(profiles)-1].Status = status
			wantReason(t, name+" "+string(status), about(wish(wishing(createFirst())), profiles...), fargate.ReasonStaleDesired)
		}
	}
}

func TestAContestedProfileMidwayStopsAll(t *testing.T) {
	wantReason(t, "the predecessor", about(wish(wishing(createFirst())), pair(contested, asIs)...), fargate.ReasonContested)
	wantReason(t, "the successor", about(wish(wishing(createFirst())), pair(other, contested)...), fargate.ReasonContested)
	wantReason(t, "undesired", undesired(wish(), pair(asIs, contested)...), fargate.ReasonContested)
}
