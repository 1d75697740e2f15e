// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "strings"

// What the statements of trust documents and of policies of callers share.

// allowedBy is the verdict of statements: some that applies allows, and none that
// applies denies.
func allowedBy[S any](statements []S, judge func(S) (effect string, applies bool)) bool {
	allowed := false
	for _, s := range statements {
		effect, applies := judge(s)
		switch {
		case !applies:
		case effect == "Deny":
			return false
		case effect == "Allow":
			allowed = true
		}
	}
	return allowed
}

// namesAction reports whether a statement is about the action: by its Action, or
// by a NotAction that leaves it out.
func namesAction(action, notAction stringList, name string) bool {
	if notAction != nil {
		return !matchesAction(notAction, name)
	}
	return matchesAction(action, name)
}

// matchesAction compares without regard to case, as IAM does for actions.
func matchesAction(patterns []string, action string) bool {
	for _, p := range patterns {
		if globMatch(strings.ToLower(p), strings.ToLower(action)) {
			return true
		}
	}
	return false
}

// conditionsHold reports whether every condition holds for the keys of a request,
// which are in lower case.
func conditionsHold(condition map[string]map[string]stringList, keys map[string]string) bool {
	for name, wanted := range condition {
		op := parseOperator(name)
		for key, values := range wanted {
			got, present := keys[strings.ToLower(key)]
			if !op.holds(got, present, values) {
				return false
			}
		}
	}
	return true
}
