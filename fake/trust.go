// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

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
	return allowedBy(d.Statement, func(s trustStatement) (string, bool) { return s.Effect, s.appliesTo(r) })
}

func (s trustStatement) appliesTo(r trustRequest) bool {
	return s.namesPrincipal(r) && namesAction(s.Action, s.NotAction, r.Action) && conditionsHold(s.Condition, r.Keys)
}

func (s trustStatement) namesPrincipal(r trustRequest) bool {
	if s.NotPrincipal != nil {
		return !s.NotPrincipal.includes(r)
	}
	return s.Principal.includes(r)
}
