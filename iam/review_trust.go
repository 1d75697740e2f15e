// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"slices"
	"strings"
)

// ReviewTrust says what is to be said about a trust policy that is meant for
// profiles of the scope: those of the names, or whatever their name where none is
// given. It is empty for [TrustPolicy] of the same scope.
func ReviewTrust(d Document, scope Scope, profiles ...string) Review {
	var r Review
	r.verdict(d, scope, profiles)
	r.foreignSources(d, scope)
	if !scope.Unconditional {
		r.width(d, scope, profiles)
	}
	if d.trustsNodes() {
		r.warns(ReasonSharedWithNodes,
			"the role also trusts EC2: EKS documents that Fargate must not share a role with nodes, for changing one side breaks the other",
			"use a role of its own for Fargate")
	}
	return r
}

// verdict reports whether EKS may assume the role at all.
func (r *Review) verdict(d Document, scope Scope, profiles []string) {
	v := evaluateAll(d, scope, profiles)
	fix := "add to the trust policy: " + TrustPolicy(scope).Statements[0].json()
	switch {
	case v.Result == ResultUnknown:
		r.warns(ReasonTrustUndecidable, "whether EKS may assume the role can't be told: "+v.Message, fix)
	case v.Allowed():
	case v.Explicit:
		r.fails(ReasonTrustRefuses, v.Message, "remove the statement that denies it")
	case slices.ContainsFunc(d.sources(), isClusterARN):
		r.fails(ReasonTrustNamesCluster, v.Message, "let aws:SourceArn name the profiles: "+scope.SourceARN())
	default:
		r.fails(ReasonTrustRefuses, v.Message, fix)
	}
}

// foreignSources reports ARNs of another partition or account.
func (r *Review) foreignSources(d Document, scope Scope) {
	for _, source := range d.sources() {
		a, ok := splitARN(source)
		if !ok {
			continue
		}
		if !glob(a.partition, scope.partition()) {
			r.warns(ReasonWrongPartition,
				"aws:SourceArn allows "+source+", which is not of the partition "+scope.partition(),
				"write "+scope.SourceARN())
		}
		if !glob(a.account, scope.Account) {
			r.warns(ReasonOtherAccount,
				"aws:SourceArn allows "+source+", which is not of the account "+scope.Account,
				"write "+scope.SourceARN())
		}
	}
}

// width reports a trust policy that allows more than the scope, by asking it.
func (r *Review) width(d Document, scope Scope, profiles []string) {
	fix := "restrict it with ArnLike aws:SourceArn " + scope.SourceARN()
	switch {
	case Evaluate(d, Request{SourceAccount: scope.Account}).Allowed():
		r.warns(ReasonSourceARNMissing,
			"the trust policy does not look at aws:SourceArn, so that EKS may use the role for other profiles than those of "+scope.Cluster, fix)
	case scope.Cluster != "*" && allowsOtherCluster(d, scope, profiles):
		r.warns(ReasonSourceARNWide,
			"the trust policy allows profiles of other clusters than "+scope.Cluster, fix)
	}
}

// evaluateAll is the worst verdict for any of the profiles, or for one of any
// name where none is given.
func evaluateAll(d Document, scope Scope, profiles []string) Verdict {
	var worst Verdict
	for i, profile := range profilesOrAny(profiles) {
		v := Evaluate(d, scope.Request(profile))
		if len(profiles) > 0 {
			v.Message = "profile " + profile + ": " + v.Message
		}
		if i == 0 || v.badness() > worst.badness() {
			worst = v
		}
	}
	return worst
}

// anyName stands for a name where any will do. No profile has it, so that no
// condition takes it but one that takes every name.
const anyName = "*"

func profilesOrAny(profiles []string) []string {
	if len(profiles) == 0 {
		return []string{anyName}
	}
	return profiles
}

func (v Verdict) badness() int {
	switch {
	case v.Explicit:
		return 3
	case v.Result == ResultDeny:
		return 2
	case v.Result == ResultUnknown:
		return 1
	default:
		return 0
	}
}

// allowsOtherCluster asks the trust policy about a cluster of another name.
func allowsOtherCluster(d Document, scope Scope, profiles []string) bool {
	scope.Cluster += "-other"
	return slices.ContainsFunc(profilesOrAny(profiles), func(profile string) bool {
		return Evaluate(d, scope.Request(profile)).Allowed()
	})
}

// sources lists the values that the document's statements allow for
// aws:SourceArn, in order.
func (d Document) sources() []string {
	var sources []string
	for _, s := range d.Statements {
		for _, t := range s.Condition.tests() {
			if s.Effect == EffectAllow && strings.EqualFold(t.key, keySourceARN) && !t.op.negated && t.op.base != baseNull {
				sources = append(sources, t.values...)
			}
		}
	}
	return sources
}

func isClusterARN(s string) bool {
	a, _ := splitARN(s)
	return strings.HasPrefix(a.resource, "cluster/")
}

// trustsNodes reports whether EC2 may assume the role. The service principal of
// EC2 has the suffix of the partition in China.
func (d Document) trustsNodes() bool {
	return slices.ContainsFunc(d.Statements, func(s Statement) bool {
		return s.Effect == EffectAllow && slices.ContainsFunc(s.Principal.ByType["Service"], isEC2)
	})
}

func isEC2(principal string) bool {
	return principal == "ec2.amazonaws.com" || principal == "ec2.amazonaws.com.cn"
}
