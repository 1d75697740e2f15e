// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

// RuleText is a rule of the decision chain as the documents show it.
type RuleText struct{ Name, When, Then string }

// ChainTexts are the rules of a chain in order.
func ChainTexts(absent bool) []RuleText {
	var texts []RuleText
	for _, r := range chain(absent) {
		texts = append(texts, RuleText{r.name, r.when, r.then})
	}
	return texts
}

// DecideBy decides by some of the rules of the chain, in the order of their
// places in it.
func DecideBy(in Input, places []int) Decision {
	all := chain(in.Absent)
	rules := make([]rule, 0, len(places))
	for _, i := range places {
		rules = append(rules, all[i])
	}
	return decide(newSituation(in), rules)
}
