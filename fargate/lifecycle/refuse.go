// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// How long to wait after a refusal. Cluster updates that nobody can see have kept
// profiles from changing for more than ten minutes, so their backoff ends at two
// minutes and never gives up; deadlines are the caller's.
const (
	lookAgain      = time.Second
	peerFirst      = 5 * time.Second
	peerLongest    = 30 * time.Second
	clusterFirst   = 15 * time.Second
	clusterLongest = 2 * time.Minute
	trustFirst     = 5 * time.Second
	trustLongest   = time.Minute
	blockedAfter   = 5 * time.Minute
	// refusedBudget is for how long a change is tried again that EKS refuses as it
	// is, although each look anew allows it: reads can be late by some seconds.
	refusedBudget = 15 * time.Second
	// progressLongest bounds how late Run sees the end of a change.
	progressLongest = 30 * time.Second
)

// refuse turns a refusal into an outcome: a wait for what passes by itself, a
// block for what somebody must change. Errors that say nothing about the profile
// stay errors.
func refuse(in fargate.Input, d fargate.Decision, err error) (Outcome, error) {
	f := awserr.Classify(err)
	d.Reached = false
	for _, t := range []fargate.Trouble{fargate.TroubleCreateFailed, fargate.TroubleDeleteFailed} {
		// It was counted for a delete that did not happen.
		d.Memory = d.Memory.Restore(in.Memory, t)
	}
	if out, ok := waits(in, d, f, err); ok {
		return out, nil
	}
	if reason, help, ok := blocks(f); ok {
		return block(in, d, reason, err, help), nil
	}
	return outcome(in, d, in.Observed, err), err
}

// waits says which refusals pass by themselves.
func waits(in fargate.Input, d fargate.Decision, f Fault, err error) (Outcome, bool) {
	switch {
	case f.Kind.InUse():
		return waitInUse(in, d, f, err), true
	case f.Kind == awserr.ClusterNotActive:
		return waitFor(in, d, fargate.ReasonClusterNotActive, clusterFirst, err, "the cluster is not ACTIVE"), true
	case f.Kind == awserr.TrustNotUsable:
		return waitForTrust(in, d, err), true
	case f.Kind == awserr.Invalid && d.Call.Operation != fargate.OperationCreate:
		return waitForState(in, d, f, err)
	case vanished(d, f):
		return waitFor(in, d, fargate.ReasonVanished, lookAgain, err, "it vanished meanwhile: looking again"), true
	case f.Kind == awserr.QuotaExceeded && in.Desired.Policy.FallBackToDeleteFirst && d.Reason == fargate.ReasonCreatingSuccessor:
		d.Memory.QuotaRefused = true
		return waitFor(in, d, fargate.ReasonQuotaExceeded, lookAgain, err, "no slot is free for a successor: going on with delete-first, as the policy allows"), true
	}
	return Outcome{}, false
}

func waitForTrust(in fargate.Input, d fargate.Decision, err error) Outcome {
	d.Memory = d.Memory.Count(fargate.TroubleTrust, in.Now)
	after := fargate.Backoff(d.Memory.Attempts[fargate.TroubleTrust].Count, trustFirst, trustLongest)
	role := "the pod execution role"
	if d.Call.Spec != nil {
		role += " " + d.Call.Spec.PodExecutionRoleARN
	}
	return waitFor(in, d, fargate.ReasonTrustNotUsable, after, err, "EKS could not assume "+role+
		": a new role needs a while to be seen; else check that it exists and trusts eks-fargate-pods.amazonaws.com for this profile")
}

// waitForState looks again after a change of a profile was refused as it is. What
// was asked for is legal, so that the profile must have become DELETING, or full of
// tags, since the look before it; EKS documents neither code nor text for that. Where
// the looks go on to allow the change, it reports false: then AWS means the request.
func waitForState(in fargate.Input, d fargate.Decision, f Fault, err error) (Outcome, bool) {
	if last := d.Memory.Attempts[fargate.TroubleRefused].Last; in.Now.Sub(last) > 2*refusedBudget {
		d.Memory = d.Memory.Forget(fargate.TroubleRefused) // it was about another change
	}
	d.Memory = d.Memory.Count(fargate.TroubleRefused, in.Now)
	row := d.Memory.Attempts[fargate.TroubleRefused]
	if in.Now.Sub(row.First) >= refusedBudget {
		return Outcome{}, false
	}
	return waitFor(in, d, fargate.ReasonStateChanged, fargate.Backoff(row.Count, lookAgain, peerLongest), err,
		"it is probably not as it was seen any more, looking again: "+f.Message), true
}

// vanished reports whether what was to be changed is gone.
func vanished(d fargate.Decision, f Fault) bool {
	switch f.Kind {
	case awserr.ProfileNotFound, awserr.TargetNotFound:
		return true
	case awserr.ClusterNotFound:
		return d.Call.Operation != fargate.OperationCreate
	default:
		return false
	}
}

func waitInUse(in fargate.Input, d fargate.Decision, f Fault, err error) Outcome {
	d.Memory = d.Memory.Count(fargate.TroubleInUse, in.Now)
	n := d.Memory.Attempts[fargate.TroubleInUse].Count
	switch f.Kind {
	case awserr.NameTaken:
		return waitFor(in, d, fargate.ReasonNameTaken, fargate.Backoff(n, lookAgain, peerLongest), err, "the name is taken: looking at who has it")
	case awserr.PeerBusy:
		return waitFor(in, d, fargate.ReasonPeerBusy, fargate.Backoff(n, peerFirst, peerLongest), err,
			fmt.Sprintf("profile %s is %s, and a cluster changes one profile at a time", f.Peer, f.PeerStatus))
	case awserr.ClusterBusy:
		return waitFor(in, d, fargate.ReasonClusterBusy, fargate.Backoff(n, clusterFirst, clusterLongest), err,
			"the cluster has an update in progress, which can last longer than its status shows")
	default:
		return waitFor(in, d, fargate.ReasonInUse, fargate.Backoff(n, clusterFirst, clusterLongest), err, "EKS says that it is in use: "+f.Message)
	}
}

// blocks says which refusals somebody must do something about.
func blocks(f Fault) (fargate.Reason, string, bool) {
	switch f.Kind {
	case awserr.ClusterNotFound:
		return fargate.ReasonClusterNotFound, f.Remedy(), true
	case awserr.QuotaExceeded:
		return fargate.ReasonQuotaExceeded, "delete a profile that is not needed, or have the quota raised", true
	case awserr.Denied:
		return fargate.ReasonAccessDenied, f.Remedy(), true
	case awserr.PublicSubnet:
		return fargate.ReasonPublicSubnet, "leave out subnet " + f.Subnet + ", whose routes lead to an internet gateway", true
	case awserr.UnsupportedZone:
		return fargate.ReasonUnsupportedZone, "leave out the subnets in zone " + f.Zone + ", which has no Fargate", true
	case awserr.Invalid:
		return fargate.ReasonRejected, "change what AWS names", true
	default:
		return "", "", false
	}
}

func waitFor(in fargate.Input, d fargate.Decision, r fargate.Reason, after time.Duration, err error, message string) Outcome {
	d.Action, d.Reason, d.RequeueAfter = fargate.ActionWait, r, after
	return refused(in, d, err, message)
}

func block(in fargate.Input, d fargate.Decision, r fargate.Reason, err error, help string) Outcome {
	d.Action, d.Reason, d.RequeueAfter = fargate.ActionBlocked, r, blockedAfter
	return refused(in, d, err, fmt.Sprintf("AWS refused it: %s (%s)", awserr.Classify(err).Message, help))
}

// refused completes a decision whose call AWS refused.
func refused(in fargate.Input, d fargate.Decision, err error, message string) Outcome {
	d.Message = subject(d.Target(in.Desired.Spec.Name), in.Desired.Spec.ClusterName) + message
	d.Memory.Reason, d.Memory.Message = d.Reason, d.Message
	d.Call = nil
	return outcome(in, d, in.Observed, err)
}

// subject is how a message begins that would not say what it is about.
func subject(profile, cluster string) string {
	return "profile " + profile + " of cluster " + cluster + ": "
}
