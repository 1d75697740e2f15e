// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
)

// maxSteps is more than the longest way to any end takes.
const maxSteps = 200

// validPolicy draws a policy that can lead somewhere.
func validPolicy(t *rapid.T) fargate.Policy {
	p := anyOf(t, "policy", createFirst(), deleteFirst(), fargate.Policy{}, fargate.Policy{Replacement: fargate.ReplacementDeleteFirst, Name: fargate.NameDerived})
	p.Drain = anyOf(t, "drain", fargate.DrainNone, fargate.DrainConfirmed)
	p.FallBackToDeleteFirst = rapid.Bool().Draw(t, "fallBack")
	p.Adoption = anyOf(t, "adoption", fargate.AdoptionNever, fargate.AdoptionWhenEqual, fargate.AdoptionAlways)
	p.Deletion = anyOf(t, "deletion", fargate.DeletionDelete, fargate.DeletionRelease)
	p.TagMode = anyOf(t, "tagMode", fargate.TagsMerge, fargate.TagsExact)
	p.TakeOverFrom = anyOf(t, "takeOverFrom", nil, []string{you}, []string{capaKey})
	return p
}

// version makes one of three versions of the desired profile; the third has nil
// subnets like the first and another role.
func version(t *rapid.T, d fargate.Desired) fargate.Desired {
	d.Generation++
	d.Spec = wish().Spec
	d.Spec.Tags = anyOf(t, "tags", nil, map[string]string{"team": "x"})
	switch anyOf(t, "version", "a", "b", "c", "d") {
	case "b":
		d.Spec.Subnets = []string{subnetA, subnetB} // equal to what AWS chose for a
	case "c":
		d.Spec.Selectors = append(slices.Clone(d.Spec.Selectors), on("third"))
	case "d":
		d.Spec.PodExecutionRoleARN = roleOther
	}
	return d
}

// startingState draws what is at EKS: anything that our own steps, an owner before
// us, or nobody can have left.
func startingState(t *rapid.T) []fargate.Observed {
	changed := func(label string) func(*fargate.Observed) {
		return anyOf(t, label, asIs, other, sick, func(o *fargate.Observed) { o.Spec.PodExecutionRoleARN = roleOther })
	}
	status := func(label string) func(*fargate.Observed) {
		return inStatus(anyOf(t, label, fargate.StatusActive, fargate.StatusActive, fargate.StatusCreateFailed, fargate.StatusDeleteFailed, fargate.StatusCreating))
	}
	mark := generation(anyOf(t, "marked", 0, 1))
	first := anyOf(t, "first", "web", oldName)
	byTool := func(o *fargate.Observed) { ownerless(o); tagged(map[string]string{capaKey: "owned", "other": "z"})(o) }
	switch anyOf(t, "start", "pair", "one", "naming", "last", "none", "theirs") {
	case "pair":
		o, n := seen(first, changed("old"), status("old status"), mark, peerOf(newName)), seen(newName, changed("new"), status("new status"), mark, peerOf(first))
		if o.Status.InProgress() && n.Status.InProgress() {
			n.Status = fargate.StatusActive
		}
		return []fargate.Observed{o, n}
	case "one":
		return []fargate.Observed{seen(first, changed("old"), status("old status"), mark)}
	case "naming":
		return []fargate.Observed{seen(first, changed("old"), mark, peerOf(newName))}
	case "last":
		return []fargate.Observed{seen(newName, changed("new"), mark, peerOf(first))}
	case "theirs":
		return []fargate.Observed{seen("web", mark, anyOf(t, "whose", ownerless, foreign, contested, byTool), changed("old"), status("old status"))}
	}
	return nil
}

// A caller that comes back always comes to an end: settled and alone, gone, or
// blocked for a reason that the policy gives. Nothing is left over, and what is not
// ours stays as it was.
func TestDecideConverges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := startingState(t)
		w := newTinyEKS(start...)
		bystander := seen("api", foreign)
		w.profiles["api"] = &tinyProfile{Observed: bystander}
		w.failCreates, w.failDeletes = rapid.IntRange(0, 2).Draw(t, "failCreates"), rapid.IntRange(0, 2).Draw(t, "failDeletes")
		r := &writer{desired: version(t, wish(wishing(validPolicy(t)), func(d *fargate.Desired) { d.Generation = 1 }))}
		if rapid.Bool().Draw(t, "quota") {
			w.limit = 3
			r.limits.Profiles = anyOf(t, "known quota", 0, 3)
			w.profiles["full"] = &tinyProfile{Observed: seen("full", foreign)}
		}
		last := disturbed(t, w, r)
		for range maxSteps {
			d := r.decide(w)
			refusal := r.act(w, d)
			r.confirm(d)
			w.tick(max(d.RequeueAfter, time.Second))
			if refusal == refusedQuota && (d.Reason != fargate.ReasonCreatingSuccessor || !r.memory.QuotaRefused) {
				d.Action, d.Reason = fargate.ActionBlocked, fargate.ReasonQuotaExceeded
			}
			if last = d; !w.busy() && atAnEnd(d) {
				break
			}
		}
		checkEnd(t, w, r, last)
		if got := w.profiles["api"]; got == nil || asJSON(t, got.Observed) != asJSON(t, bystander) {
			t.Fatal("a profile that is not ours changed")
		}
	})
}

// disturbed makes some steps while memory is lost, the desired state and the policy
// change, and time passes unevenly.
func disturbed(t *rapid.T, w *tinyEKS, r *writer) fargate.Decision {
	var d fargate.Decision
	for range rapid.IntRange(0, 25).Draw(t, "disturbed steps") {
		switch anyOf(t, "event", "step", "step", "step", "forget", "version", "policy", "absent", "killed") {
		case "forget":
			r.memory = fargate.Memory{}
		case "version":
			r.desired = version(t, r.desired)
		case "policy":
			drained := r.desired.Drained
			r.desired.Policy, r.desired.Drained = validPolicy(t), drained
		case "absent":
			r.absent = !r.absent
		case "killed":
			// The call took effect, and the caller never learned of it.
			if d = r.decide(w); d.Call != nil {
				w.call(*d.Call)
			}
			r.memory = fargate.Memory{}
		default:
			d = r.decide(w)
			r.act(w, d)
			r.confirm(d)
		}
		for range rapid.IntRange(0, 2).Draw(t, "ticks") {
			w.tick(time.Minute)
		}
	}
	return d
}

// atAnEnd reports whether nothing more happens by itself.
func atAnEnd(d fargate.Decision) bool {
	return d.Action == fargate.ActionNoOp || d.Action == fargate.ActionBlocked || d.Reason == fargate.ReasonSuccessorDegraded
}

func checkEnd(t *rapid.T, w *tinyEKS, r *writer, d fargate.Decision) {
	ours := w.claimedBy(r.desired)
	switch {
	case d.Action == fargate.ActionNoOp && r.absent:
		if len(ours) > 0 {
			t.Fatalf("%s, but %d profiles are ours: %s", verdict(d), len(ours), asJSON(t, ours))
		}
	case d.Action == fargate.ActionNoOp:
		if len(ours) != 1 {
			t.Fatalf("%s, but %d profiles are ours: %s", verdict(d), len(ours), asJSON(t, ours))
		}
		settled := ours[0].Status == fargate.StatusActive && ours[0].Peer() == "" && fargate.Diff(r.desired.Spec, ours[0]) == nil
		if _, marked := ours[0].Spec.Tags[capaKey]; !settled || marked && slices.Contains(r.desired.Policy.TakeOverFrom, capaKey) {
			t.Fatalf("%s, but the profile is not as desired: %s", verdict(d), asJSON(t, ours[0]))
		}
	case d.Action == fargate.ActionBlocked:
		if !mayEndBlocked(w, r, d.Reason) {
			t.Fatalf("blocked by %s: %s\n%s", d.Reason, d.Message, asJSON(t, w.list()))
		}
	case d.Reason == fargate.ReasonSuccessorDegraded:
	default:
		t.Fatalf("no end after %d steps: %s: %s\n%s", maxSteps, verdict(d), d.Message, asJSON(t, w.list()))
	}
}

// mayEndBlocked says which ends need somebody, by the policy and by what is there.
func mayEndBlocked(w *tinyEKS, r *writer, reason fargate.Reason) bool {
	p := r.desired.Policy
	state := map[fargate.Ownership]bool{}
	for _, o := range w.list() {
		if fargate.MayBelong(r.desired.Spec.Name, o.Spec.Name) {
			s, _ := fargate.OwnershipOf(o, r.desired.Owner)
			state[s] = true
		}
	}
	switch reason {
	case fargate.ReasonReplacementForbidden:
		return p.Replacement != fargate.ReplacementCreateFirst && p.Replacement != fargate.ReplacementDeleteFirst
	case fargate.ReasonUnowned:
		return state[fargate.OwnershipUnowned] && p.Adoption == fargate.AdoptionNever
	case fargate.ReasonAdoptionDrift:
		return state[fargate.OwnershipUnowned] && p.Adoption == fargate.AdoptionWhenEqual
	case fargate.ReasonForeign:
		return state[fargate.OwnershipForeign]
	case fargate.ReasonContested:
		return state[fargate.OwnershipContested]
	case fargate.ReasonOrderChanges:
		// A profile of others whose name looks derived can stand between.
		return len(w.list()) > len(w.claimedBy(r.desired))
	case fargate.ReasonSuccessorNameTaken:
		return state[fargate.OwnershipUnowned] || state[fargate.OwnershipForeign]
	case fargate.ReasonQuotaExceeded:
		return w.limit > 0
	default:
		return false
	}
}

// Two writers of one profile with memories of their own, one of them out of date:
// a call that the old one decided on can still land after the new one has moved. When
// the old one stops, the new one comes to its end, and no successor of the old one is
// left over.
func TestAnOutdatedWriterLeavesNothingBehind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newTinyEKS(seen(anyOf(t, "first", "web", oldName), other, generation(0)))
		base := wish(wishing(createFirst()), func(d *fargate.Desired) { d.Generation = 1 })
		outdated := &writer{desired: version(t, base)}
		current := &writer{desired: version(t, outdated.desired)}
		if rapid.Bool().Draw(t, "no generations") {
			outdated.desired.Generation, current.desired.Generation = 0, 0
			tagged(map[string]string{owner.GenerationKey: ""})(&w.profiles[w.list()[0].Spec.Name].Observed)
		}
		var underway *fargate.Call
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			d := outdated.decide(w)
			if rapid.Bool().Draw(t, "held") && d.Call != nil {
				underway = d.Call
				outdated.memory = fargate.Memory{}
			} else {
				outdated.act(w, d)
			}
			land := func() {
				if underway != nil {
					w.call(*underway)
				}
				underway = nil
			}
			if rapid.Bool().Draw(t, "current steps") {
				// The one race that is left: a create that is under way while the mark that
				// announces it is forgotten.
				if current.decide(w).Reason == fargate.ReasonForgettingPeer {
					land()
				}
				current.act(w, current.decide(w))
			}
			land()
			for range rapid.IntRange(0, 2).Draw(t, "ticks") {
				w.tick(time.Minute)
			}
		}
		var last fargate.Decision
		for range maxSteps {
			last = current.decide(w)
			current.act(w, last)
			w.tick(time.Minute)
			if last.Action == fargate.ActionNoOp && !w.busy() {
				break
			}
		}
		checkEnd(t, w, current, last)
	})
}
