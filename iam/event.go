// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"regexp"
	"slices"
	"strings"
)

// Cause is why a pod that belongs on Fargate is not running, or what else an
// event on it says.
type Cause string

// The causes that events on pods are known to give.
const (
	// CauseRoleNotAssumable: EKS can't assume the pod execution role.
	CauseRoleNotAssumable Cause = "RoleNotAssumable"
	// CauseRoleNotInAuth: the role is missing from aws-auth and has no access
	// entry, or lacks permissions.
	CauseRoleNotInAuth Cause = "RoleNotInAuth"
	// CauseProfileBlocked: the profile is blocked for a reason that is not known
	// here; Details holds it.
	CauseProfileBlocked Cause = "ProfileBlocked"
	// CauseAccountBlocked: AWS has blocked the account.
	CauseAccountBlocked Cause = "AccountBlocked"
	// CausePodUnsupported: Fargate can't run such a pod; Details says what of it.
	CausePodUnsupported Cause = "PodUnsupported"
	// CauseScheduled: the pod has its node; Details holds its name.
	CauseScheduled Cause = "Scheduled"
	// CauseLoggingEnabled: the logs of the pod are routed.
	CauseLoggingEnabled Cause = "LoggingEnabled"
	// CauseLoggingDisabled: they are not; the pod runs all the same.
	CauseLoggingDisabled Cause = "LoggingDisabled"
	// CauseUnknown: the text is none of the known ones.
	CauseUnknown Cause = "Unknown"
)

// Event is what the text of an event on a pod says.
type Event struct {
	// Cause is what it is about.
	Cause Cause
	// Profile is the Fargate profile that the text names, if any.
	Profile string
	// Details are the particulars: the fields that Fargate does not support, the
	// node, the unknown reason.
	Details []string
	// Remedy says what to do. Empty where there is nothing to do.
	Remedy string
}

// ParseEvent reads the message of an event on a pod, as fargate-scheduler writes
// it. Surrounding text does not matter. A text that is not known gives
// [CauseUnknown], never an error.
func ParseEvent(text string) Event {
	for _, rule := range eventRules() {
		m := regexp.MustCompile(`(?s)` + rule.pattern).FindStringSubmatch(text)
		if m == nil {
			continue
		}
		e := Event{Cause: rule.cause, Remedy: rule.remedy}
		if rule.named {
			e.Profile, m = m[1], m[1:]
		}
		if len(m) > 1 {
			e.Details = rule.details(m[1])
		}
		return e
	}
	return Event{Cause: CauseUnknown}
}

type eventRule struct {
	cause   Cause
	pattern string
	named   bool // the first group is the name of the profile
	details func(string) []string
	remedy  string
}

// eventRules lists the known texts, the special ones first.
func eventRules() []eventRule {
	const blocked = `[Ff]argate profile (\S+) blocked for new launches due to: `
	return []eventRule{
		{
			cause: CauseRoleNotAssumable, pattern: blocked + `Failed to assume PodExecutionRole`, named: true,
			remedy: "make sure that the role exists and that its trust policy allows " + AssumeRole + " to " + ServicePrincipal + " for this profile",
		},
		{
			cause: CauseRoleNotInAuth, pattern: blocked + `Pod execution role is not found in auth config`, named: true,
			remedy: "put the role back into aws-auth or its access entry, attach " + ManagedPolicyName + ", then recreate the pod",
		},
		{
			cause: CauseProfileBlocked, pattern: blocked + `(.+)`, named: true, details: oneDetail,
			remedy: "see to the reason that EKS gives, then recreate the pod",
		},
		{
			cause: CauseAccountBlocked, pattern: `account is currently blocked and thus cannot launch any Fargate pods`,
			remedy: "open a case with AWS Support",
		},
		{
			cause: CausePodUnsupported, pattern: `Pod not supported on Fargate: (.+)`, details: unsupported,
			remedy: "change the pod, or keep it off Fargate with the annotation eks.amazonaws.com/compute-type: ec2",
		},
		{
			cause: CauseLoggingDisabled, pattern: `Disabled logging because (.+)`, details: oneDetail,
			remedy: "create the ConfigMap aws-logging in the namespace aws-observability if the logs are wanted",
		},
		{cause: CauseLoggingEnabled, pattern: `Successfully enabled logging for pod`},
		{cause: CauseScheduled, pattern: `Successfully assigned \S+ to (fargate-\S+)`, details: oneDetail},
	}
}

func oneDetail(text string) []string { return []string{strings.TrimSpace(text)} }

// unsupported splits a list such as "fields not supported: HostNetwork, invalid
// SecurityContext fields: Privileged,Privileged": a comma and a space between
// reasons, a comma alone between the containers that one reason is about. What
// stands there twice is given once.
func unsupported(text string) []string {
	var details []string
	for reason := range strings.SplitSeq(text, ", ") {
		heading := ""
		for _, h := range unsupportedHeadings() {
			if strings.HasPrefix(reason, h) {
				heading = h
			}
		}
		for item := range strings.SplitSeq(reason[len(heading):], ",") {
			detail := strings.TrimSpace(heading + item)
			if detail != "" && !slices.Contains(details, detail) {
				details = append(details, detail)
			}
		}
	}
	return details
}

func unsupportedHeadings() []string {
	return []string{"fields not supported: ", "invalid SecurityContext fields: ", "volumes not supported: "}
}
