// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"fmt"
	"slices"
)

// policyDocument is an identity-based policy, as far as the fake evaluates it.
type policyDocument struct {
	Version   string
	Statement oneOrMore[policyStatement]
}

type policyStatement struct {
	Effect      string
	Action      stringList
	NotAction   stringList
	Resource    stringList
	NotResource stringList
	Condition   map[string]map[string]stringList
}

// SetPolicy restricts a caller to what an identity-based policy document allows:
// each call must be allowed by a statement and denied by none, together with
// the permissions that it takes besides, such as iam:PassRole. "" for the
// caller's ARN means the default caller; "" for the document lifts the
// restriction. A caller without a policy may do everything.
//
// Conditions are evaluated for iam:PassedToService, for iam:PolicyARN when a
// policy is attached or detached, for iam:PermissionsBoundary when one is set and,
// on creates with tags, for aws:RequestTag; other keys are absent.
func (c *Cloud) SetPolicy(callerARN, document string) error {
	var parsed policyDocument
	if document != "" {
		if err := json.Unmarshal([]byte(document), &parsed); err != nil {
			return fmt.Errorf("reading the policy of %q: %w", callerARN, err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	callerARN = orString(callerARN, c.resolve(Caller{}).ARN)
	if document == "" {
		delete(c.policies, callerARN)
		return nil
	}
	c.policies[callerARN] = callerPolicy{text: document, policyDocument: parsed}
	return nil
}

// callerPolicy is a policy together with the text it was read from.
type callerPolicy struct {
	policyDocument
	text string
}

// authorize returns how AWS refuses a call for lack of permissions, or nil.
func (c *Cloud) authorize(caller Caller, service string, f Fault, needs func() []need) *apiError {
	policy, restricted := c.policies[caller.ARN]
	if f.Deny == "" && !restricted {
		return nil
	}
	for _, n := range needs() {
		if f.forbids(n) || restricted && !policy.allows(n) {
			return n.refuse(caller, service)
		}
	}
	return nil
}

func (d policyDocument) allows(n need) bool {
	return allowedBy(d.Statement, func(s policyStatement) (string, bool) { return s.Effect, s.appliesTo(n) })
}

func (s policyStatement) appliesTo(n need) bool {
	return namesAction(s.Action, s.NotAction, n.Action) && s.namesResource(n.Resource) && conditionsHold(s.Condition, n.keys)
}

func (s policyStatement) namesResource(resource string) bool {
	matches := func(pattern string) bool { return pattern == resource || arnMatches(pattern, resource) }
	if s.NotResource != nil {
		return !slices.ContainsFunc(s.NotResource, matches)
	}
	return slices.ContainsFunc(s.Resource, matches)
}
