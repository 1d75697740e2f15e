// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// intricate returns two selectors, each with five labels of one key, of which
// [selector.Compare] can't tell whether ten values can be one.
func intricate() (a, b selector.Selector) {
	random := rand.New(rand.NewPCG(1, 2))
	prefix, name := strings.Repeat("a", 253), "/"+strings.Repeat("b", 63)
	draw := func(s *selector.Selector, star int) {
		var value strings.Builder
		for range 26 {
			value.WriteString("*" + string("abcd"[random.IntN(4)]))
		}
		s.Labels[prefix[:star]+"*"+prefix[star:]+name] = value.String() + "*"
	}
	a, b = selector.Selector{Namespace: "web", Labels: map[string]string{}}, selector.Selector{Namespace: "web", Labels: map[string]string{}}
	for i := range 5 {
		draw(&a, 2+4*i)
		draw(&b, 4+4*i)
	}
	return a, b
}

// What can't be told is not claimed, and is no reason to let pods change their profile.
func TestAnOverlapThatNobodyCanTell(t *testing.T) {
	x, y := intricate()
	if r := selector.Compare(x, y); r.Kind != selector.Undecided || r.Both != nil {
		t.Fatalf("Compare() = %s with pod %v: the test needs a harder pair", r.Kind, r.Both)
	}
	first, second := planned("api", "api"), planned("web", "web")
	observed := []fargate.Observed{stands(t, first), stands(t, second)}
	observed[0].Spec.Selectors, observed[1].Spec.Selectors = []selector.Selector{x}, []selector.Selector{y}
	warnings := plan(t, fargate.ClusterInput{Observed: observed}).Warnings
	if len(warnings) != 1 || !strings.Contains(warnings[0].Message, "api and web may select some of the same pods") {
		t.Errorf("warnings = %v", warnings)
	}
	in := about(wish(wishing(createFirst())), seen("web-998-aaaaaaaa", other))
	in.Desired.Spec.Selectors = []selector.Selector{x}
	clusterOf(seen("web-997-zzzzzzzz", foreign, func(o *fargate.Observed) { o.Spec.Selectors = []selector.Selector{y} }))(&in)
	if d := fargate.Decide(in); d.Reason != fargate.ReasonOrderChanges || !strings.Contains(d.Message, "web-997-zzzzzzzz (perhaps) sorts between") {
		t.Errorf("Decide() = %s: %s", d.Reason, d.Message)
	}
}
