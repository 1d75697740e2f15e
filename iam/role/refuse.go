// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role

import (
	"errors"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/awserr"
)

// Reasons of an [Outcome] that follow from what AWS answered.
const (
	// ReasonLookAgain: the role is not as it was read, since another writer was
	// faster or IAM does not show everything yet.
	ReasonLookAgain iam.Reason = "LookAgain"
	// ReasonAccessDenied: the caller may not make the change.
	ReasonAccessDenied iam.Reason = "AccessDenied"
	// ReasonQuotaExceeded: a quota of IAM has no free slot.
	ReasonQuotaExceeded iam.Reason = "QuotaExceeded"
	// ReasonRejected: AWS will never take the call as it is.
	ReasonRejected iam.Reason = "Rejected"
	// ReasonPolicyNotFound: a managed policy that the role shall have does not exist.
	ReasonPolicyNotFound iam.Reason = "PolicyNotFound"
)

const (
	// lookAgain is how soon to look again after a write or a contradiction.
	lookAgain = time.Second
	// blockedAfter is how soon to look whether somebody has seen to it.
	blockedAfter = 5 * time.Minute
)

// unread is the outcome of a step that could not read the role. A read that is
// denied stays an error, as in package lifecycle: it says nothing about the role,
// and no decision can be made.
func (c caller) unread(in iam.RoleInput, err error) (Outcome, error) {
	in.Observed = nil
	d := iam.RoleDecision{Memory: in.Memory}
	switch awserr.Classify(err).Kind {
	case awserr.NoSuchEntity:
		return wait(in, d, err, "a part of the role vanished while it was read"), nil
	default:
		return outcome(in, d, err), err
	}
}

// refuse turns the refusal of a write into an outcome: a wait where a new look
// helps, a block for what somebody must change. The memory stays what it was, for
// nothing was changed. Errors that say nothing about the role stay errors.
func (c caller) refuse(in iam.RoleInput, d iam.RoleDecision, err error) (Outcome, error) {
	call := *d.Call
	d.Call, d.Memory = nil, in.Memory
	switch awserr.Classify(err).Kind {
	case awserr.NoSuchEntity:
		if policy := missingPolicy(call, err); policy != "" {
			return block(in, d, ReasonPolicyNotFound, err), nil
		}
		return wait(in, d, err, "what was to be changed is not there any more"), nil
	case awserr.EntityExists:
		return wait(in, d, err, "a role of that name exists; where this goes on, it is one whose name differs only in case"), nil
	case awserr.DeleteConflict:
		return wait(in, d, err, "something was attached to the role meanwhile"), nil
	case awserr.Conflict:
		return wait(in, d, err, "another change was made at the same moment"), nil
	case awserr.Denied:
		return block(in, d, ReasonAccessDenied, err), nil
	case awserr.QuotaExceeded:
		return block(in, d, ReasonQuotaExceeded, err), nil
	case awserr.Invalid:
		return block(in, d, ReasonRejected, err), nil
	default:
		return outcome(in, d, err), err
	}
}

// missingPolicy is the managed policy that does not exist: IAM names it where it
// is not the role that is missing. A role that is being created can't be.
func missingPolicy(w iam.Call, err error) string {
	message := awserr.Classify(err).Message
	for _, policy := range []string{w.PolicyARN, w.PermissionsBoundary} {
		if policy != "" && w.Operation != iam.OpDetachRolePolicy && strings.Contains(message, policy) {
			return policy
		}
	}
	if w.Operation == iam.OpCreateRole {
		return w.PermissionsBoundary
	}
	return ""
}

func wait(in iam.RoleInput, d iam.RoleDecision, err error, why string) Outcome {
	d.Action, d.Reason, d.RequeueAfter = iam.RoleActionWait, ReasonLookAgain, lookAgain
	d.Message = why + ": looking again (" + messageOf(err) + ")"
	return outcome(in, d, err)
}

func block(in iam.RoleInput, d iam.RoleDecision, reason iam.Reason, err error) Outcome {
	d.Action, d.Reason, d.RequeueAfter = iam.RoleActionBlocked, reason, blockedAfter
	d.Message = "AWS refused it: " + messageOf(err)
	if help := remedy(reason, err); help != "" {
		d.Message += " (" + help + ")"
	}
	return outcome(in, d, err)
}

func remedy(reason iam.Reason, err error) string {
	switch reason {
	case ReasonQuotaExceeded:
		return "remove what is not needed, or have the quota raised"
	case ReasonPolicyNotFound:
		return "create the policy, or name another"
	case ReasonRejected:
		return "change what AWS names"
	default:
		return awserr.Classify(err).Remedy()
	}
}

// messageOf is what AWS said, without what surrounds it.
func messageOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && e.Fault.Message != "" {
		return e.Op + ": " + e.Fault.Message
	}
	return err.Error()
}
