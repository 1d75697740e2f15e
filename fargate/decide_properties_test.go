// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

func asJSON(t *rapid.T, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Decide says something of every input, the same each time, and changes nothing of
// what it is given.
func TestDecideIsAPureFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		before := asJSON(t, in)
		first := asJSON(t, fargate.Decide(in))
		if second := asJSON(t, fargate.Decide(in)); first != second {
			t.Fatalf("two decisions about one input:\n%s\n%s", first, second)
		}
		if after := asJSON(t, in); before != after {
			t.Fatalf("the input changed:\n%s\n%s", before, after)
		}
	})
}

func TestDecideSurvivesAnySpec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		in.Desired.Spec = plausibleOrNot().Draw(t, "spec")
		if in.Observed != nil {
			o := *in.Observed
			o.Spec = plausibleOrNot().Draw(t, "observed")
			in.Observed = &o
		}
		if d := fargate.Decide(in); d.Action == "" || d.Reason == "" || d.Message == "" {
			t.Fatalf("a decision that says nothing: %+v", d)
		}
	})
}

// plausibleOrNot draws specs with parts of any text.
func plausibleOrNot() *rapid.Generator[fargate.Spec] {
	return rapid.Custom(func(t *rapid.T) fargate.Spec {
		word := rapid.OneOf(rapid.StringN(0, 5, -1), rapid.SampledFrom([]string{"web", "demo", roleR, subnetA, "*", "a*b"}))
		words := rapid.MapOfN(word, word, 0, 3)
		s := fargate.Spec{
			ClusterName: word.Draw(t, "cluster"), Name: word.Draw(t, "name"), PodExecutionRoleARN: word.Draw(t, "role"),
			Subnets: rapid.SliceOfN(word, 0, 3).Draw(t, "subnets"), Tags: words.Draw(t, "tags"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "selectors") {
			s.Selectors = append(s.Selectors, selector.Selector{Namespace: word.Draw(t, "namespace"), Labels: words.Draw(t, "labels")})
		}
		return s
	})
}

// The order in which a caller found things never matters, nor which of two profiles
// it found first.
func TestTheOrderOfTheInputDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		mixed := in
		if in.Observed != nil {
			row := rapid.Permutation(append([]fargate.Observed{*in.Observed}, in.Peers...)).Draw(t, "row")
			mixed.Observed, mixed.Peers = &row[0], row[1:]
		}
		mixed.Strangers = inAnyOrder(t, in.Strangers)
		mixed.Pods = inAnyOrder(t, in.Pods)
		mixed.Cluster = inAnyOrder(t, in.Cluster)
		mixed.Desired.Drained = inAnyOrder(t, in.Desired.Drained)
		mixed.Desired.Policy.TakeOverFrom = inAnyOrder(t, in.Desired.Policy.TakeOverFrom)
		mixed.Desired.Spec.Subnets = inAnyOrder(t, in.Desired.Spec.Subnets)
		if a, b := asJSON(t, fargate.Decide(in)), asJSON(t, fargate.Decide(mixed)); a != b {
			t.Fatalf("another order, another decision:\n%s\n%s", a, b)
		}
	})
}

// inAnyOrder draws another order. Nil stays nil, for it can mean that nobody looked.
func inAnyOrder[T any](t *rapid.T, values []T) []T {
	if len(values) == 0 {
		return values
	}
	return rapid.Permutation(values).Draw(t, "order")
}

// What stands behind the end of a list of the caller stays.
func TestDecideDoesNotWriteBehindAList(t *testing.T) {
	in, _ := s0(t, oldName)
	room := []fargate.Observed{seen("web-997-aaaaaaaa", ownerless), seen("behind the end")}
	in.Strangers, in.Cluster = room[:1], []fargate.Observed{seen("x", foreign)}
	fargate.Decide(in)
	if room[1].Spec.Name != "behind the end" {
		t.Errorf("there is %s now", room[1].Spec.Name)
	}
}

// Nobody writes to what is not theirs, but for the steps that the policy names.
func TestOnlyTheOwnerWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		d := fargate.Decide(in)
		if d.Call == nil || d.Call.Operation == fargate.OperationCreate {
			return
		}
		target, ok := findProfile(in, d.Call.Profile)
		if !ok {
			t.Fatalf("%s on %s, which nobody observed", d.Call.Operation, d.Call.Profile)
		}
		state, others := fargate.OwnershipOf(target, in.Desired.Owner)
		if state == fargate.OwnershipOwned && in.Desired.Claims(target) {
			return
		}
		if !mayClaim(in.Desired, target, state, others, d.Call.Operation) {
			t.Fatalf("%s on %s, which is %s", d.Call.Operation, d.Call.Profile, state)
		}
	})
}

// mayClaim says which writes lead to ownership.
func mayClaim(d fargate.Desired, o fargate.Observed, state fargate.Ownership, others []string, op fargate.Operation) bool {
	named := !slices.ContainsFunc(others, func(by string) bool { return !slices.Contains(d.Policy.TakeOverFrom, by) })
	switch {
	case o.Peer() != "" && state != fargate.OwnershipContested:
		return false
	case state == fargate.OwnershipUnowned:
		return op == fargate.OperationTag && (d.Policy.Adoption == fargate.AdoptionAlways || d.Policy.Adoption == fargate.AdoptionWhenEqual)
	case state == fargate.OwnershipForeign:
		return op == fargate.OperationTag && named
	case state == fargate.OwnershipContested:
		return op == fargate.OperationUntag && named && d.Claims(o)
	}
	return false
}

func findProfile(in fargate.Input, name string) (fargate.Observed, bool) {
	all := slices.Concat(in.Peers, in.Strangers, in.Cluster)
	if in.Observed != nil {
		all = append(all, *in.Observed)
	}
	i := slices.IndexFunc(all, func(o fargate.Observed) bool { return o.Spec.Name == name })
	if i < 0 {
		return fargate.Observed{}, false
	}
	return all[i], true
}

// A write never meets a profile in progress or in an unknown state, and a delete
// for a replacement never passes a closed gate.
func TestWritesMeetTheRightState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		d := fargate.Decide(in)
		if d.Call == nil || d.Call.Operation == fargate.OperationCreate {
			return
		}
		target, _ := findProfile(in, d.Call.Profile)
		if target.Status.InProgress() || !target.Status.Known() {
			t.Fatalf("%s on a profile that is %q", d.Call.Operation, target.Status)
		}
		gated := in.Desired.Policy.Drain == fargate.DrainConfirmed && d.Action == fargate.ActionReplace && d.Call.Operation == fargate.OperationDelete
		if !gated || target.Status != fargate.StatusActive || slices.Contains(in.Desired.Drained, d.Call.Profile) {
			return
		}
		empty := in.Pods != nil && !slices.ContainsFunc(in.Pods, func(p selector.Placed) bool { return p.Profile == d.Call.Profile })
		if !empty {
			t.Fatalf("%s ends pods on %s behind the closed gate", verdict(d), d.Call.Profile)
		}
	})
}

// What was observed never becomes what is desired: only the successor of a profile
// without a role of its own takes the role over.
func TestObservedValuesDoNotLeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyInput().Draw(t, "input")
		d := fargate.Decide(in)
		if d.Call == nil || d.Call.Spec == nil {
			return
		}
		want := in.Desired.Spec.Normalize()
		want.Name, want.Tags = d.Call.Spec.Name, d.Call.Spec.Tags
		if want.PodExecutionRoleARN == "" {
			want.PodExecutionRoleARN = d.Call.Spec.PodExecutionRoleARN
		}
		if asJSON(t, want) != asJSON(t, *d.Call.Spec) {
			t.Fatalf("created is %s, desired is %s", asJSON(t, d.Call.Spec), asJSON(t, want))
		}
	})
}
