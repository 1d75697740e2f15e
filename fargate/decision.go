// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"time"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// Input is all that a decision depends on. Decide reads nothing else.
type Input struct {
	// Desired is what the caller wants. With Absent it says which profile must go,
	// by cluster, logical name, owner and policy; the rest of its spec is not read.
	Desired Desired
	// Absent says that the profile must not exist.
	Absent bool
	// Observed is the profile that stands for the logical name: the one that bears
	// our marks, else the one that has the name. Nil means that there is none.
	Observed *Observed
	// Peers are the other profiles that bear our marks for the same logical name:
	// during a replacement there is one.
	Peers []Observed
	// Strangers are profiles that are not ours and have a name that we would use, or
	// one that is derived from the logical name.
	Strangers []Observed
	// Listed says that Observed, Peers and Strangers are all there is: somebody read
	// the list of the cluster for names that can belong to the logical name.
	Listed bool
	// ClusterMissing says that EKS has no such cluster.
	ClusterMissing bool
	// Place is where the observations come from, as far as the caller knows.
	Place Place
	// Cluster is all profiles of the cluster; nil means that nobody looked. Those
	// that bear our marks for the logical name count as Peers.
	Cluster []Observed
	// Role is the state of the pod execution role; nil means that nobody looked.
	Role *Role
	// Pods are the running pods; nil means that nobody looked.
	Pods []selector.Placed
	// Limits are the quotas, as far as the caller knows them.
	Limits Limits
	// Memory is what the decision before left.
	Memory Memory
	// Now is the time of the decision.
	Now time.Time
}

// Role is the state of the pod execution role, as far as a decision needs it.
type Role struct {
	// ARN is the role to use where the spec names none.
	ARN string `json:"arn,omitempty"`
	// Trust says whether EKS may assume the role for this profile.
	Trust Trust `json:"trust,omitempty"`
	// Wait says that the role is not ready yet; look again after RequeueAfter.
	Wait bool `json:"wait,omitempty"`
	// Blocked says that somebody must change something first.
	Blocked bool `json:"blocked,omitempty"`
	// Message says what is with the role.
	Message string `json:"message,omitempty"`
	// RequeueAfter is when to look again.
	RequeueAfter time.Duration `json:"requeueAfter,omitempty"`
}

// text is what is with the role, for a decision, which always says something.
func (r Role) text() string { return or(r.Message, "nothing more is known of the pod execution role") }

// Trust is whether EKS may assume a role for a profile.
type Trust string

// The answers about trust.
const (
	// TrustUnknown means that nobody could read the role's document.
	TrustUnknown Trust = ""
	// TrustGiven means that the document lets EKS assume the role.
	TrustGiven Trust = "given"
	// TrustMissing means that it does not.
	TrustMissing Trust = "missing"
)

// Ownership is whose a profile is, seen from one owner.
type Ownership = owner.State

// The states of ownership.
const (
	// OwnershipOwned means that exactly our mark is on the profile.
	OwnershipOwned Ownership = owner.Owned
	// OwnershipUnowned means that no mark is on it.
	OwnershipUnowned Ownership = owner.Unowned
	// OwnershipForeign means that somebody else's mark is on it.
	OwnershipForeign Ownership = owner.Foreign
	// OwnershipContested means that our mark is on it and somebody else's, too.
	OwnershipContested Ownership = owner.Contested
)

// Decision is what must happen and why. It is a value: nothing was done yet.
type Decision struct {
	Action  Action `json:"action"`
	Reason  Reason `json:"reason"`
	Message string `json:"message"`
	// Profile is the physical name that the decision is about; empty for none.
	Profile string `json:"profile,omitempty"`
	// Status is what EKS reports of that profile; empty where there is none.
	Status Status `json:"status,omitempty"`
	// Ownership is whose that profile is; empty where there is none.
	Ownership Ownership `json:"ownership,omitempty"`
	// Owners are the others that claim it.
	Owners []string `json:"owners,omitempty"`
	// Drift is how it differs from the desired state, also where nothing is done
	// about it.
	Drift Changes `json:"drift,omitempty"`
	// Issues are the health issues that EKS reports on it.
	Issues []Issue `json:"issues,omitempty"`
	// Warnings say what the action costs, and what to know about it.
	Warnings []Warning `json:"warnings,omitempty"`
	// Reached says that the desired state is reached: the profile is ACTIVE, equal and
	// alone. All that can be left to do then is to remove the mark of a new profile.
	Reached bool `json:"reached,omitempty"`
	// Call is the one call to make; nil for none.
	Call *Call `json:"call,omitempty"`
	// Unchecked are preconditions that nobody could check, since the input lacks
	// what they need. A caller that can get it should, and decide again.
	Unchecked []Precondition `json:"unchecked,omitempty"`
	// Next is the physical name under which the profile is made, by this call or by
	// a later one that it leads to. EKS must be able to assume the role for that name.
	Next string `json:"next,omitempty"`
	// Predecessor is the profile that a replacement takes away, so that its spec is
	// not lost with it.
	Predecessor *Observed `json:"predecessor,omitempty"`
	// RequeueAfter is when to look again; zero means when something changes.
	RequeueAfter time.Duration `json:"requeueAfter,omitempty"`
	// Memory is what to keep for the next decision.
	Memory Memory `json:"memory,omitzero"`
}

// Target is the physical name that the call is about, else the one that the
// decision is about, else the fallback.
func (d Decision) Target(fallback string) string {
	if d.Call != nil {
		return d.Call.Profile
	}
	return or(d.Profile, fallback)
}

// AwaitRole returns the decision to wait for the end of a role, or to report that
// it needs help, and false where the role needs neither. d is the decision that
// found the profile gone.
func (d Decision) AwaitRole(r Role) (Decision, bool) {
	switch {
	case r.Blocked:
		d.Action, d.Reason, d.RequeueAfter = ActionBlocked, ReasonRoleBlocked, blockedAfter
	case r.Wait:
		d.Action, d.Reason, d.RequeueAfter = ActionWait, ReasonRoleNotReady, r.RequeueAfter
		if d.RequeueAfter <= 0 {
			d.RequeueAfter = roleAfter
		}
	default:
		return d, false
	}
	d.Message = r.text()
	d.Memory.Version, d.Memory.Reason, d.Memory.Message = MemoryVersion, d.Reason, d.Message
	return d, true
}

// Precondition is something that should hold before a write.
type Precondition string

// The preconditions.
const (
	// PreconditionRole needs [Input.Role].
	PreconditionRole Precondition = "role"
	// PreconditionList needs [Input.Listed], or [Input.Cluster].
	PreconditionList Precondition = "list"
	// PreconditionCluster needs [Input.Cluster].
	PreconditionCluster Precondition = "cluster"
)

// Operation is a call of the EKS API.
type Operation string

// The operations that a decision can ask for.
const (
	OperationCreate Operation = "CreateFargateProfile" // OperationCreate makes a profile.
	OperationDelete Operation = "DeleteFargateProfile" // OperationDelete deletes one.
	OperationTag    Operation = "TagResource"          // OperationTag sets tags.
	OperationUntag  Operation = "UntagResource"        // OperationUntag removes tags.
)

// Call is one call of the EKS API, as data.
type Call struct {
	Operation Operation `json:"operation"`
	Cluster   string    `json:"cluster"`
	// Profile is the physical name.
	Profile string `json:"profile"`
	// ARN is the resource of a tag call.
	ARN string `json:"arn,omitempty"`
	// Spec is what to create, with the physical name and all tags.
	Spec *Spec `json:"spec,omitempty"`
	// SetTags and RemoveTags are the tags of a tag call.
	SetTags    map[string]string `json:"setTags,omitempty"`
	RemoveTags []string          `json:"removeTags,omitempty"`
}

// TagsAfter returns the tags of a profile that had those of before, as a tag call
// leaves them. It changes nothing, and other calls change no tags.
func (c Call) TagsAfter(before map[string]string) map[string]string {
	after := map[string]string{}
	maps.Copy(after, before)
	maps.Copy(after, c.SetTags)
	for _, key := range c.RemoveTags {
		delete(after, key)
	}
	return after
}

// Warning is something to know before the action is taken.
type Warning struct {
	Code    WarningCode `json:"code"`
	Message string      `json:"message"`
	// Pods are the pods that it is about, as namespace/name.
	Pods []string `json:"pods,omitempty"`
}

// WarningCode is the machine word of a [Warning].
type WarningCode string

// The warnings.
const (
	// WarningPodsEnd means that the pods of a profile end with it, at once and
	// without regard to disruption budgets.
	WarningPodsEnd WarningCode = "PodsEnd"
	// WarningPinsFallOut means that pods name the profile by label and will match
	// nothing under its successor's name.
	WarningPinsFallOut WarningCode = "PinsFallOut"
	// WarningNewPodsMatchNothing means that pods that are created between a delete
	// and the next create match nothing and are never retried.
	WarningNewPodsMatchNothing WarningCode = "NewPodsMatchNothing"
	// WarningNewPodsStayOnPredecessor means that the successor's name sorts after its
	// predecessor's, so that new pods stay there until it is deleted.
	WarningNewPodsStayOnPredecessor WarningCode = "NewPodsStayOnPredecessor"
	// WarningTrustNamesProfile means that the trust of the role must accept the ARN
	// of a profile under another name.
	WarningTrustNamesProfile WarningCode = "TrustNamesProfile"
)
