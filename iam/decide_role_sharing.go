// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"slices"
	"strings"
)

// Who uses a role elsewhere can't be seen from one cluster, so that its trust
// policy has to tell: every statement that we did not write shows that somebody
// else uses the role or means to, and such a role is never deleted here.

// sharedRole: the role serves others, too, so it is kept, forced or not.
func sharedRole(r roleRun) (RoleDecision, bool) {
	if r.observed.TrustFault != "" {
		return decided(RoleActionNoOp, ReasonTrustUnreadable, "the trust policy can't be read ("+r.observed.TrustFault+"), so the role is kept")
	}
	principals, sources := r.observed.Trust.others(r.Desired.Scope)
	keep := func(reason Reason, others []string) (RoleDecision, bool) {
		return decided(RoleActionNoOp, reason, "the role also trusts "+enumerate(others)+" and is kept")
	}
	switch {
	case slices.ContainsFunc(principals, isEC2):
		return keep(ReasonSharedWithNodes, append(principals, profilesOfNodes(r.observed)...))
	case len(principals) > 0:
		return keep(ReasonRoleShared, principals)
	case len(sources) > 0:
		return keep(ReasonRoleOfOtherCluster, sources)
	}
	return undecided()
}

// profilesOfNodes names what hands a role to EC2 instances.
func profilesOfNodes(o ObservedRole) []string {
	if len(o.InstanceProfiles) == 0 {
		return nil
	}
	return []string{"the EC2 instances of " + enumerate(slices.Sorted(slices.Values(o.InstanceProfiles)))}
}

// others says who else than EKS is in a trust policy, and for which sources other
// than profiles of the cluster EKS is. Conditions can't take a principal out of it:
// they say when somebody uses the role, not that nobody does. A statement of
// [TrustPolicy] counts for nobody else, also where that is open for every cluster.
func (d Document) others(scope Scope) (principals, sources []string) {
	written := TrustPolicy(scope).Statements[0]
	for _, s := range d.Statements {
		if s.Effect == EffectDeny || EquivalentStatements(s, written) {
			continue
		}
		principals = append(principals, s.otherPrincipals()...)
		if slices.Contains(s.Principal.ByType["Service"], ServicePrincipal) {
			sources = append(sources, s.otherSources(scope)...)
		}
	}
	return sortedSet(principals), sortedSet(sources)
}

// otherPrincipals names whom a statement is about, except for EKS.
func (s Statement) otherPrincipals() []string {
	switch {
	case !s.NotPrincipal.absent():
		return []string{"everyone but " + s.NotPrincipal.describe()}
	case s.Principal.absent():
		return []string{"whoever a statement without a principal means"}
	case s.Principal.normal().Everyone:
		return []string{"everyone"}
	}
	var others []string
	for kind, ids := range s.Principal.ByType {
		for _, id := range ids {
			if kind != "Service" || id != ServicePrincipal {
				others = append(others, id)
			}
		}
	}
	return others
}

// otherSources names the sources that a statement about EKS takes and that are not
// of the cluster. One condition that takes only those of the cluster is enough.
func (s Statement) otherSources(scope Scope) []string {
	var others []string
	for _, t := range s.Condition.tests() {
		if !t.narrowsSource() {
			continue
		}
		foreign := slices.DeleteFunc(slices.Clone(t.values), scope.holds)
		if len(foreign) == 0 {
			return nil
		}
		others = append(others, foreign...)
	}
	if len(others) == 0 {
		return []string{"any cluster"}
	}
	return others
}

// narrowsSource reports whether a test holds only for requests whose source is one
// of its values, letter by letter or as a pattern.
func (t test) narrowsSource() bool {
	return strings.EqualFold(t.key, keySourceARN) && !t.op.negated && !t.op.ifExists && len(t.values) > 0 &&
		slices.Contains([]setOperator{setNone, setAnyOf}, t.op.set) &&
		slices.Contains([]string{baseArn, baseString, basePattern}, t.op.base)
}

// holds reports whether a source, or whatever matches it as a pattern, is of the
// cluster: one of its profiles or, where somebody took it for the source, itself.
// A role is of one partition, so that a pattern for all of them lets in no more.
func (s Scope) holds(source string) bool {
	a, ok := splitARN(source)
	own := glob(a.partition, s.partition()) && a.service == "eks" && a.region == s.Region && a.account == s.Account
	return ok && own && (strings.HasPrefix(a.resource, "fargateprofile/"+s.Cluster+"/") || a.resource == "cluster/"+s.Cluster)
}

// foreignInstanceProfiles: we put no role into an instance profile, and whoever did
// has a use for it, even where the trust policy does not let EC2 in just now.
func foreignInstanceProfiles(r roleRun) (RoleDecision, bool) {
	if r.Desired.Force || len(r.observed.InstanceProfiles) == 0 {
		return undecided()
	}
	return decided(RoleActionBlocked, ReasonForeignInstanceProfiles,
		"the role is in instance profiles, which are not ours: "+enumerate(slices.Sorted(slices.Values(r.observed.InstanceProfiles)))+
			"; take it out of them, or force the deletion")
}
