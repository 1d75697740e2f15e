// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"io/fs"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/manifest"
)

// nextStep says what to do about an error. What was said where the error arose is
// better than anything that only its kind tells.
func nextStep(err error) string {
	if e, ok := errors.AsType[*advised](err); ok {
		return e.next
	}
	for _, known := range []func(error) (string, bool){nextInFiles, nextOfRun, nextAtAWS} {
		if next, ok := known(err); ok {
			return next
		}
	}
	return "give the command again with -vv to see every call, or with --help to see what it takes"
}

func nextInFiles(err error) (string, bool) {
	if _, ok := errors.AsType[*manifest.ProblemsError](err); ok {
		return "mend what is named above, and give the same command again", true
	}
	if _, ok := errors.AsType[*manifest.UnresolvedError](err); ok {
		return "render the file with the tool that knows these values, or write them into it", true
	}
	if _, ok := errors.AsType[*fargate.ValidationError](err); ok {
		return "mend the profile, and look at it with fargatectl validate", true
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return "check the path and who may read it", true
	}
	return "", false
}

func nextOfRun(err error) (string, bool) {
	if _, ok := errors.AsType[*lifecycle.StalePlanError](err); ok {
		return "make a new plan with fargatectl plan --out, look at it, and apply that", true
	}
	if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); ok {
		return nextOfBlocked(blocked.Outcome.Reason), true
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "give the same command again: it continues where this one stopped", true
	}
	return "", false
}

// nextOfBlocked names the flag that lets a blocked profile go on, where there is one.
func nextOfBlocked(r fargate.Reason) string {
	switch r {
	case fargate.ReasonReplacementForbidden:
		return "restore the profile in the file, or allow a replacement: --replacement create-first has no moment in which new pods match nothing, delete-first keeps the name"
	case fargate.ReasonUnowned:
		return "take the profile with --adopt when-equal if it is as in the file, with --adopt always whatever it is; or choose another name"
	case fargate.ReasonAdoptionDrift:
		return "write into the file what the profile has (fargatectl get NAME -o yaml), or take it as it is with --adopt always"
	case fargate.ReasonForeign, fargate.ReasonContested:
		return "choose another name, give the owner that the profile has with --owner, or take it with --take-over-from OWNER"
	case fargate.ReasonRoleBlocked, fargate.ReasonRoleNotTrusted, fargate.ReasonTrustNotUsable, fargate.ReasonRoleUnverified:
		return "give EKS a role that it can use: fargatectl policy trust prints its trust policy, and --role ensure makes one for profiles that name none"
	default:
		return "do what the message says and give the same command again"
	}
}

// nextAtAWS goes by what the error of AWS means.
func nextAtAWS(err error) (string, bool) {
	switch lifecycle.Classify(err).Kind {
	case "ClusterNotFound":
		return "check the name of the cluster, the region and the account: aws eks list-clusters", true
	case "ProfileNotFound":
		return "list the profiles of the cluster: fargatectl get --cluster NAME", true
	case "Denied":
		return "check the credentials (aws sts get-caller-identity); fargatectl policy controller prints the permissions that are needed", true
	case "Throttled", "Transient":
		return "give the same command again in a while", true
	case "QuotaExceeded":
		return "delete a profile that nobody needs, or ask AWS for more (quota L-33415657)", true
	default:
		return "", false
	}
}
