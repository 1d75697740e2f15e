// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "strings"

// The service that assumes a pod execution role, in every partition.
const podsService = "eks-fargate-pods.amazonaws.com"

// trustRequest is an attempt of a service, or of somebody with an identity in an
// account, to assume a role.
type trustRequest struct {
	Service    string   // or ""
	Identities []string // the AWS principals that mean the caller
	Action     string
	Keys       map[string]string // condition keys, in lower case, to their values
}

// podsRequest is what EKS tries when a profile is created: it assumes the role
// in the name of the profile. That the profile's own ARN is the source is
// inferred from reports: a document that names the cluster's ARN is refused.
func podsRequest(profileARN, account string) trustRequest {
	return trustRequest{
		Service: podsService,
		Action:  "sts:AssumeRole",
		Keys: map[string]string{
			"aws:sourcearn":             profileARN,
			"aws:sourceaccount":         account,
			"aws:principalisawsservice": "true",
			"aws:principalservicename":  podsService,
		},
	}
}

// allows evaluates the document: some statement allows the request and none
// denies it.
func (d trustDocument) allows(r trustRequest) bool {
	allowed := false
	for _, s := range d.Statement {
		if !s.appliesTo(r) {
			continue
		}
		switch s.Effect {
		case "Deny":
			return false
		case "Allow":
			allowed = true
		}
	}
	return allowed
}

func (s trustStatement) appliesTo(r trustRequest) bool {
	return s.namesPrincipal(r) && s.namesAction(r) && s.conditionsHold(r)
}

func (s trustStatement) namesPrincipal(r trustRequest) bool {
	if s.NotPrincipal != nil {
		return !s.NotPrincipal.includes(r)
	}
	return s.Principal.includes(r)
}

func (s trustStatement) namesAction(r trustRequest) bool {
	if s.NotAction != nil {
		return !matchesAction(s.NotAction, r.Action)
	}
	return matchesAction(s.Action, r.Action)
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

func (s trustStatement) conditionsHold(r trustRequest) bool {
	for name, keys := range s.Condition {
		op := parseOperator(name)
		for key, values := range keys {
			got, present := r.Keys[strings.ToLower(key)]
			if !op.holds(got, present, values) {
				return false
			}
		}
	}
	return true
}
