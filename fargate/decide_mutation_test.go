// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
)

// The order of the rules is meaning. Here each rule is dropped once, and each pair
// of neighbours is swapped once: the expectations of the tables and situations must
// notice, or else the pair must be listed as one that commutes, with the reason.

// neighbours are two rules that follow each other.
type neighbours struct{ first, second string }

// commuting lists the pairs of which at most one applies to any input, by
// construction, or which say the same where both do.
func commuting(absent bool) map[neighbours]string {
	if absent {
		return map[neighbours]string{
			{"gone", "contested"}: "one needs no profile, the other needs one",
		}
	}
	return map[neighbours]string{
		{"too many", "others deleting"}:                    "one needs three profiles, the other one",
		{"successor stuck", "successor ready"}:             "the successor is DELETE_FAILED or ACTIVE",
		{"start over", "create failed"}:                    "one needs two profiles, the other one",
		{"create failed", "delete failed"}:                 "the one profile is CREATE_FAILED or DELETE_FAILED",
		{"delete failed", "role"}:                          "one needs a profile, the other none",
		{"create", "confirm"}:                              "one needs no profile, the other needs one",
		{"replace, create-first", "replace, delete-first"}: "the policy is one or the other",
		{"replace, delete-first", "forget peer"}:           "one needs an immutable difference, the other none",
	}
}

// decideCases are all inputs of the tables and situations with what is expected.
func decideCases(t *testing.T, absent bool) []decideCase {
	t.Helper()
	// The situations come first: there are few, and they tell most mutants.
	var all []decideCase
	for _, s := range decideSituations() {
		if s.in.Absent == absent {
			all = append(all, s)
		}
	}
	for _, table := range decisionTables() {
		want := expected(t, table)
		for _, c := range table.cells() {
			if in := table.input(c); in.Absent == absent {
				all = append(all, decideCase{in, want[c.text(table.axes)]})
			}
		}
	}
	return all
}

// noticed reports whether an expectation fails when the rules are these.
func noticed(inputs []decideCase, places []int) bool {
	return slices.ContainsFunc(inputs, func(k decideCase) bool { return verdictBy(k.in, places) != k.want })
}

// verdictBy is the verdict of changed rules. A rule may rely on those before it, so
// that one in the wrong place can panic.
func verdictBy(in fargate.Input, places []int) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic"
		}
	}()
	return verdict(fargate.DecideBy(in, places))
}

func allPlaces(n int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	return places
}

func swapped(n, i int) []int {
	places := allPlaces(n)
	places[i], places[i+1] = places[i+1], places[i]
	return places
}

func TestEveryRuleIsNeededWhereItStands(t *testing.T) {
	for chain, absent := range map[string]bool{"present": false, "absent": true} {
		t.Run(chain, func(t *testing.T) {
			rules, inputs := fargate.ChainTexts(absent), decideCases(t, absent)
			if noticed(inputs, allPlaces(len(rules))) {
				t.Fatal("the chain as it is does not meet the expectations")
			}
			for i, r := range rules {
				if !noticed(inputs, slices.Delete(allPlaces(len(rules)), i, i+1)) {
					t.Errorf("nobody notices when the rule %q is dropped", r.Name)
				}
			}
			for i := range len(rules) - 1 {
				pair := neighbours{rules[i].Name, rules[i+1].Name}
				reason, commutes := commuting(absent)[pair]
				if caught := noticed(inputs, swapped(len(rules), i)); caught == commutes {
					t.Errorf("swapping %q and %q is noticed: %v, listed as commuting: %v %s", pair.first, pair.second, caught, commutes, reason)
				}
			}
		})
	}
}

// What is listed as commuting leads to the same decisions in all they say.
func TestCommutingPairsCommute(t *testing.T) {
	for chain, absent := range map[string]bool{"present": false, "absent": true} {
		t.Run(chain, func(t *testing.T) {
			rules, inputs := fargate.ChainTexts(absent), decideCases(t, absent)
			listed := commuting(absent)
			decisions := make([]fargate.Decision, 0, len(inputs))
			for _, k := range inputs {
				decisions = append(decisions, fargate.Decide(k.in))
			}
			for i := range len(rules) - 1 {
				pair := neighbours{rules[i].Name, rules[i+1].Name}
				if listed[pair] == "" {
					continue
				}
				delete(listed, pair)
				for j, k := range inputs {
					if got := fargate.DecideBy(k.in, swapped(len(rules), i)); !reflect.DeepEqual(decisions[j], got) {
						t.Fatalf("%q and %q do not commute (-as listed +swapped):\n%s", pair.first, pair.second, cmp.Diff(decisions[j], got))
					}
				}
			}
			for pair := range listed {
				t.Errorf("%q and %q are no neighbours", pair.first, pair.second)
			}
		})
	}
}
