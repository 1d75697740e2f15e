// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strings"

// Request is an attempt to assume a role. With its zero value EKS assumes the
// role without saying what for.
type Request struct {
	// Service is the service principal. Empty means [ServicePrincipal].
	Service string
	// Action is what it does. Empty means [AssumeRole].
	Action string
	// SourceARN is the ARN of the Fargate profile that the service acts for: the
	// condition key aws:SourceArn. Empty means that the request has no such key.
	SourceARN string
	// SourceAccount is the account of that profile: the condition key
	// aws:SourceAccount. Empty means that the request has no such key.
	SourceAccount string
	// Context holds other condition keys that are known, in any case. A key
	// without values is known to be absent from the request; a key that is not
	// here is not known, and what depends on it is Unknown.
	Context map[string][]string
}

// ProfileRequest is the request that EKS makes for a Fargate profile, given the
// profile's ARN.
func ProfileRequest(profileARN string) Request {
	a, _ := splitARN(profileARN)
	return Request{SourceARN: profileARN, SourceAccount: a.account}
}

func (r Request) service() string { return orDefault(r.Service, ServicePrincipal) }
func (r Request) action() string  { return orDefault(r.Action, AssumeRole) }

func orDefault(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// Condition keys, in lower case: keys are compared without regard to case.
// Source: IAM user guide, "AWS global condition context keys".
const (
	keySourceARN     = "aws:sourcearn"
	keySourceAccount = "aws:sourceaccount"
	keyIsService     = "aws:principalisawsservice"
	keyServiceName   = "aws:principalservicename"
)

// conditionKeys are the keys of the request that are known, in lower case.
func (r Request) conditionKeys() map[string][]string {
	keys := map[string][]string{
		keySourceARN:     present(r.SourceARN),
		keySourceAccount: present(r.SourceAccount),
		keyIsService:     {"true"},
		keyServiceName:   {r.service()},
	}
	for key, values := range r.Context {
		keys[strings.ToLower(key)] = values
	}
	return keys
}

func present(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
