// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

const (
	// ConsistencyDelay is how long a role that we just made may stay invisible
	// before it counts as absent again: IAM is eventually consistent, and names no
	// time.
	// Source: IAM user guide, "Troubleshooting IAM".
	ConsistencyDelay = 10 * time.Second

	// consistencyPoll is how soon to look again for it.
	consistencyPoll = time.Second
)

// invisibleRole: we made the role a moment ago, and IAM does not show it yet. It
// is neither made again nor believed to be gone.
func invisibleRole(r roleRun) (RoleDecision, bool) {
	justMade := !r.Memory.ChangedAt.IsZero() && r.Now.Sub(r.Memory.ChangedAt) < ConsistencyDelay
	if !r.absent || !justMade {
		return undecided()
	}
	d, ok := decided(RoleActionWait, ReasonRoleNotVisible, "the role "+r.Desired.RoleName()+" was made just now, and IAM does not show it yet")
	d.RequeueAfter = consistencyPoll
	return d, ok
}

// missingRole: the role is absent and wanted.
func missingRole(r roleRun) (RoleDecision, bool) {
	if !r.ensuring() || !r.absent {
		return undecided()
	}
	trust := TrustPolicy(r.Desired.Scope)
	tags := tagdiff.New(r.Desired.Tags)
	tags[owner.Key(r.Desired.Owner)] = r.Desired.Owner
	return r.call(RoleActionCreate, ReasonRoleMissing, "the role "+r.Desired.RoleName()+" does not exist", Call{
		Operation:           OpCreateRole,
		Path:                r.Desired.path(),
		Document:            trust.String(),
		Description:         r.Desired.Description,
		PermissionsBoundary: r.Desired.PermissionsBoundary,
		MaxSession:          r.Desired.MaxSession,
		Tags:                tags,
	})
}

// clusterOfOther: a role that is ours belongs to one cluster, and this one
// already has another.
func clusterOfOther(r roleRun) (RoleDecision, bool) {
	others := r.observed.Trust.otherClusters(r.Desired.Scope)
	if !r.ensuring() || len(others) == 0 {
		return undecided()
	}
	return decided(RoleActionBlocked, ReasonRoleOfOtherCluster,
		"the role trusts "+enumerate(others)+": a role that is ours belongs to one cluster; use another name for this one")
}

// otherClusters lists the sources that the trust policy allows and that can only
// be profiles of other clusters than the scope's.
func (d Document) otherClusters(scope Scope) []string {
	var others []string
	for _, source := range d.sources() {
		a, ok := splitARN(source)
		cluster, isProfile := strings.CutPrefix(a.resource, "fargateprofile/")
		cluster, _, _ = strings.Cut(cluster, "/")
		own := glob(a.region, scope.Region) && glob(a.account, scope.Account) && glob(cluster, scope.Cluster)
		if ok && isProfile && !own {
			others = append(others, source)
		}
	}
	return others
}

// cancelledDeletion: somebody announced to delete the role, and it is wanted.
func cancelledDeletion(r roleRun) (RoleDecision, bool) {
	if _, marked := r.observed.Tags[DeletingTag]; !r.ensuring() || !marked {
		return undecided()
	}
	return r.call(RoleActionUpdate, ReasonDeletionCancelled, "the role was about to be deleted and is wanted",
		Call{Operation: OpUntagRole, TagKeys: []string{DeletingTag}})
}

// brokenTrust: adding a statement would not help.
func brokenTrust(r roleRun) (RoleDecision, bool) {
	if !r.ensuring() {
		return undecided()
	}
	if r.observed.TrustFault != "" {
		return decided(RoleActionBlocked, ReasonTrustUnreadable, "the trust policy can't be read: "+r.observed.TrustFault)
	}
	if v := evaluateAll(r.observed.Trust, r.Desired.Scope, r.Desired.Profiles); v.Explicit {
		return decided(RoleActionBlocked, ReasonTrustDenies, v.Message+"; remove it from the trust policy")
	}
	if merged, changed := r.mergedTrust(); changed {
		if err := CheckTrustSize(merged, r.Desired.TrustQuota); err != nil {
			return decided(RoleActionBlocked, ReasonTrustTooLong, err.Error())
		}
	}
	return undecided()
}

// mergedTrust is the trust policy with our statement, where that adds anything.
func (r roleRun) mergedTrust() (Document, bool) {
	trust := r.observed.Trust
	if evaluateAll(trust, r.Desired.Scope, r.Desired.Profiles).Allowed() {
		return trust, false
	}
	merged := Merge(trust, TrustPolicy(r.Desired.Scope))
	return merged, len(merged.Statements) > len(trust.Statements)
}

// missingTrust: EKS may not assume the role yet.
func missingTrust(r roleRun) (RoleDecision, bool) {
	merged, changed := r.mergedTrust()
	if !r.ensuring() || !changed {
		return undecided()
	}
	return r.call(RoleActionUpdate, ReasonTrustMissing, "the trust policy does not let EKS assume the role for "+r.Desired.Scope.SourceARN(),
		Call{Operation: OpUpdateAssumeRolePolicy, Document: merged.String()})
}

func missingPolicy(r roleRun) (RoleDecision, bool) {
	absent := missing(r.Desired.policies(), r.observed.AttachedPolicies)
	if !r.ensuring() || len(absent) == 0 {
		return undecided()
	}
	return r.call(RoleActionUpdate, ReasonManagedPolicyMissing, "the managed policy "+absent[0]+" is not attached",
		Call{Operation: OpAttachRolePolicy, PolicyARN: absent[0]})
}

func missingInlinePolicy(r roleRun) (RoleDecision, bool) {
	drift := inlineDrift(r.Desired, r.observed)
	if !r.ensuring() || len(drift) == 0 {
		return undecided()
	}
	return r.call(RoleActionUpdate, ReasonInlinePolicyMissing, "the inline policy "+drift[0]+" is absent or differs",
		Call{Operation: OpPutRolePolicy, PolicyName: drift[0], Document: r.Desired.InlinePolicies[drift[0]].String()})
}

func missingBoundary(r roleRun) (RoleDecision, bool) {
	want := r.Desired.PermissionsBoundary
	if !r.ensuring() || want == "" || want == r.observed.PermissionsBoundary {
		return undecided()
	}
	return r.call(RoleActionUpdate, ReasonBoundaryDrift,
		"the permissions boundary is "+orDefault(r.observed.PermissionsBoundary, "absent")+", want "+want,
		Call{Operation: OpPutRolePermissionsBoundary, PermissionsBoundary: want})
}

// driftedSettings: UpdateRole sets the description and the longest session at
// once, and the session to an hour where none is given.
// Source: IAM API reference, UpdateRole.
func driftedSettings(r roleRun) (RoleDecision, bool) {
	description := orDefault(r.Desired.Description, r.observed.Description)
	session := r.Desired.MaxSession
	if session == 0 {
		session = max(r.observed.MaxSession, time.Hour)
	}
	settled := description == r.observed.Description && (session == r.observed.MaxSession || r.Desired.MaxSession == 0)
	if !r.ensuring() || settled {
		return undecided()
	}
	return r.call(RoleActionUpdate, ReasonSettingsDrift, "the description or the longest session differs",
		Call{Operation: OpUpdateRole, Description: description, MaxSession: session})
}

// driftedTags: keys that we set and that are no longer wanted go first.
func driftedTags(r roleRun) (RoleDecision, bool) {
	diff := tagdiff.Compute(tagdiff.Input{Desired: r.spelledTags(), Observed: r.observed.Tags})
	switch {
	case !r.ensuring() || diff.Empty():
		return undecided()
	case len(diff.Remove) > 0:
		return r.call(RoleActionUpdate, ReasonTagsDrift, "tags that we set are no longer wanted", Call{Operation: OpUntagRole, TagKeys: diff.Remove})
	default:
		return r.call(RoleActionUpdate, ReasonTagsDrift, "tags are missing or differ", Call{Operation: OpTagRole, Tags: diff.Set})
	}
}

// spelledTags are the desired tags with the keys as the role spells them: IAM
// keeps the case of a key and compares without regard to it.
func (r roleRun) spelledTags() map[string]string {
	spelled := map[string]string{}
	for key, value := range r.Desired.Tags {
		for observed := range r.observed.Tags {
			if strings.EqualFold(observed, key) {
				key = observed
			}
		}
		spelled[key] = value
	}
	return spelled
}

func readyRole(r roleRun) (RoleDecision, bool) {
	if !r.ensuring() {
		return undecided()
	}
	return decided(RoleActionNoOp, ReasonRoleReady, "the role "+r.observed.ARN+" has all that it needs")
}
