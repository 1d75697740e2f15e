// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// FuzzValidate holds what Validate accepts to plain statements that share nothing
// with its code, and no input makes it, Normalize or Diff panic.
func FuzzValidate(f *testing.F) {
	f.Add("demo", "fp-a", roleR, subnetA, "web", "app", "api", "team", "x")
	f.Add("", "eks-x", "arn", "", "a**", "a.b/*", "?", "aws:x", "aws:y")
	f.Add("1", strings.Repeat("a", 101), "arn:aws-cn:iam::111122223333:role/p/x", "subnet-0", strings.Repeat("?", 64), "x/"+strings.Repeat("?", 63), strings.Repeat("*", 64), "\xff", "\x00")
	f.Fuzz(func(t *testing.T, cluster, name, role, subnet, namespace, key, value, tagKey, tagValue string) {
		spec := fargate.Spec{
			ClusterName: cluster, Name: name, PodExecutionRoleARN: role, Subnets: []string{subnet},
			Selectors: []selector.Selector{{Namespace: namespace, Labels: map[string]string{key: value}}},
			Tags:      map[string]string{tagKey: tagValue},
		}
		checkSpec(t, spec)
	})
}

func TestWhatValidateAcceptsIsPlain(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		if checkSpec(t, rapid.OneOf(anySpec(), plausibleSpec()).Draw(t, "spec")) {
			accepted++
		}
	})
	if accepted == 0 {
		t.Error("nothing was accepted: the test says nothing")
	}
}

type failer interface {
	Helper()
	Errorf(string, ...any)
}

// checkSpec reports whether the spec was accepted.
func checkSpec(t failer, spec fargate.Spec) bool {
	t.Helper()
	desired := fargate.Desired{Spec: spec, Owner: fargate.Owner{ID: me}}
	err := spec.Validate()
	if (err == nil) != (desired.Validate() == nil) {
		t.Errorf("the spec alone: %v, desired: %v", err, desired.Validate())
	}
	if (spec.Normalize().Validate() == nil) != (err == nil) && !strings.Contains(err.Error(), "repeats entry") {
		t.Errorf("the spec: %v, normalized: %v", err, spec.Normalize().Validate())
	}
	if got := fargate.Diff(spec, observing(spec.Normalize())); got != nil {
		t.Errorf("a spec and what is observed of it differ: %v", got)
	}
	if err != nil {
		if !utf8.ValidString(err.Error()) {
			t.Errorf("the error text is not UTF-8: %q", err.Error())
		}
		return false
	}
	for what, holds := range plainStatements(spec) {
		if !holds {
			t.Errorf("accepted, though not true that %s: %+q", what, spec)
		}
	}
	return true
}

func only(s, chars string) bool { return strings.Trim(s, chars) == "" }

const (
	lower = "abcdefghijklmnopqrstuvwxyz"
	alnum = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

func plainStatements(s fargate.Spec) map[string]bool {
	out := map[string]bool{
		"the cluster has a plain name of 1 to 100":  s.ClusterName != "" && len(s.ClusterName) <= 100 && plain(s.ClusterName, alnum+"-_"),
		"the profile has a plain name of 1 to 100":  s.Name != "" && len(s.Name) <= 100 && plain(s.Name, alnum+"-_") && !strings.HasPrefix(s.Name, "eks-"),
		"the role is a role of IAM in an account":   strings.HasPrefix(s.PodExecutionRoleARN, "arn:aws") && strings.Contains(s.PodExecutionRoleARN, ":iam::") && strings.Contains(s.PodExecutionRoleARN, ":role/"),
		"there are 1 to 5 selectors":                len(s.Selectors) >= 1 && len(s.Selectors) <= 5,
		"there are at most 44 tags":                 len(s.Tags) <= 44,
		"JSON keeps the spec, so all text is UTF-8": survivesJSON(s),
	}
	for _, id := range s.Subnets {
		holds(out, "each subnet is an id", strings.HasPrefix(id, "subnet-") && only(strings.TrimPrefix(id, "subnet-"), "0123456789abcdef"))
	}
	for _, sel := range s.Selectors {
		holds(out, "a namespace is in lower case", sel.Namespace != "" && plain(sel.Namespace, lower+"0123456789-*?"))
		holds(out, "a selector has at most 5 labels", len(sel.Labels) <= 5)
		for key, value := range sel.Labels {
			holds(out, "a label key is plain", key != "" && plain(key, alnum+"-_./*?") && strings.Count(key, "/") <= 1)
			holds(out, "a label value is plain", plain(value, alnum+"-_.*?") && len(strings.ReplaceAll(value, "*", "")) <= 63)
		}
	}
	for key, value := range s.Tags {
		holds(out, "a tag key has 1 to 128 characters", key != "" && utf8.RuneCountInString(key) <= 128)
		holds(out, "a tag value has at most 256 characters", utf8.RuneCountInString(value) <= 256)
		holds(out, "a tag leaves the reserved prefixes alone", !strings.HasPrefix(strings.ToLower(key), "aws:") &&
			!strings.HasPrefix(strings.ToLower(value), "aws:") && !strings.HasPrefix(strings.ToLower(key), "eksfargate.io/"))
	}
	return out
}

// plain reports whether s holds only these characters and does not begin with a
// sign.
func plain(s, chars string) bool { return only(s, chars) && !strings.HasPrefix(s, "-") }

// holds notes a statement that must hold for each of several things.
func holds(statements map[string]bool, what string, ok bool) {
	before, seen := statements[what]
	statements[what] = ok && (before || !seen)
}

func survivesJSON(s fargate.Spec) bool {
	text, err := json.Marshal(s)
	if err != nil {
		return false
	}
	var back fargate.Spec
	return json.Unmarshal(text, &back) == nil && fargate.Diff(s, observing(back)) == nil && fargate.Diff(back, observing(s)) == nil
}
