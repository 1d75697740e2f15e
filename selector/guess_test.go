// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/selector"
)

// missOf explains why a pod with the labels does not match a selector with the one
// label.
func missOf(t *testing.T, key, value string, labels map[string]string) selector.Miss {
	t.Helper()
	m, err := selector.Compile(selector.Profile{Name: "web", Selectors: []selector.Selector{{Namespace: "web", Labels: map[string]string{key: value}}}})
	if err != nil {
		t.Fatal(err)
	}
	e := m.Explain(selector.Pod{Namespace: "web", Name: "p", Labels: labels})
	if len(e.Misses) != 1 {
		t.Fatalf("misses = %+v", e.Misses)
	}
	return e.Misses[0]
}

func TestExplainNamesTheFirstOfEqualGuesses(t *testing.T) {
	if got := missOf(t, "k*", "vv", map[string]string{"k1": "vx", "k2": "vy"}); got.GotKey != "k1" || got.Got != "vx" {
		t.Errorf("of two labels that are as near, %s=%s is named", got.GotKey, got.Got)
	}
	if got := missOf(t, "app", "x", map[string]string{"apa": "x", "apb": "x"}); got.GotKey != "apa" {
		t.Errorf("of two keys that are as near, %q is named", got.GotKey)
	}
}

func TestExplainGuessesAKeyTwoLettersAway(t *testing.T) {
	for key, want := range map[string]string{"ap12": "ap12", "a123": ""} {
		if got := missOf(t, "app", "x", map[string]string{key: "x"}); got.GotKey != want {
			t.Errorf("with the key %s, %q is named, want %q", key, got.GotKey, want)
		}
	}
}

func TestPlacedOnProfile(t *testing.T) {
	labelled := selector.Pod{Namespace: "web", Name: "p", Labels: map[string]string{selector.ProfileLabel: "fp"}}
	tests := map[string]struct {
		pod  selector.Placed
		want string
	}{
		"what Profile says":                  {selector.Placed{Pod: labelled, Profile: "other"}, "other"},
		"the label that EKS has set":         {selector.Placed{Pod: labelled, Node: "fargate-ip-10-0-0-1.ec2.internal"}, "fp"},
		"a pod that was not created yet":     {selector.Placed{Pod: labelled}, ""},
		"a pod of another scheduler":         {selector.Placed{Pod: labelled, Scheduler: "default-scheduler"}, ""},
		"a pod that nothing says a thing of": {selector.Placed{}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.pod.OnProfile(); got != tt.want {
				t.Errorf("OnProfile() = %q, want %q", got, tt.want)
			}
		})
	}
}
