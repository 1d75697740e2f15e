// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

func TestParseEvent(t *testing.T) {
	tests := map[string]struct {
		text string
		want iam.Event
	}{
		"the role can't be assumed": {
			"Misconfigured Fargate Profile: fargate profile fp-a blocked for new launches due to: Failed to assume PodExecutionRole; Please make sure the role exists and trusts the eks-fargate-pods.amazonaws.com service principal",
			iam.Event{Cause: iam.CauseRoleNotAssumable, Profile: "fp-a"},
		},
		"the role is not in aws-auth": {
			"Misconfigured Fargate Profile: fargate profile coredns blocked for new launches due to: Pod execution role is not found in auth config or does not have all required permissions for launching fargate pods.",
			iam.Event{Cause: iam.CauseRoleNotInAuth, Profile: "coredns"},
		},
		"blocked for another reason": {
			"Misconfigured Fargate Profile: fargate profile fp-a blocked for new launches due to: The moon is full ",
			iam.Event{Cause: iam.CauseProfileBlocked, Profile: "fp-a", Details: []string{"The moon is full"}},
		},
		"the account is blocked": {
			"Your AWS account is currently blocked and thus cannot launch any Fargate pods",
			iam.Event{Cause: iam.CauseAccountBlocked},
		},
		"an unsupported pod": {
			"Pod not supported on Fargate: fields not supported: HostNetwork, invalid SecurityContext fields: Privileged,Privileged, port contains HostIP or HostPort",
			iam.Event{Cause: iam.CausePodUnsupported, Details: []string{
				"fields not supported: HostNetwork", "invalid SecurityContext fields: Privileged", "port contains HostIP or HostPort",
			}},
		},
		"an unsupported volume, in the newer form": {
			"[POD_UNSUPPORTED_ON_FARGATE] Pod not supported on Fargate: volumes not supported: data not supported because: PVC data not bound",
			iam.Event{Cause: iam.CausePodUnsupported, Details: []string{"volumes not supported: data not supported because: PVC data not bound"}},
		},
		"added capabilities": {
			"Pod not supported on Fargate: invalid SecurityContext fields: Capabilities added: CAP_CHOWN",
			iam.Event{Cause: iam.CausePodUnsupported, Details: []string{"invalid SecurityContext fields: Capabilities added: CAP_CHOWN"}},
		},
		"logging is off": {
			`Disabled logging because aws-logging configmap was not found. configmap "aws-logging" not found`,
			iam.Event{Cause: iam.CauseLoggingDisabled, Details: []string{`aws-logging configmap was not found. configmap "aws-logging" not found`}},
		},
		"logging is on": {"Successfully enabled logging for pod", iam.Event{Cause: iam.CauseLoggingEnabled}},
		"scheduled": {
			"Successfully assigned default/web-0 to fargate-ip-192-168-1-2.ec2.internal",
			iam.Event{Cause: iam.CauseScheduled, Details: []string{"fargate-ip-192-168-1-2.ec2.internal"}},
		},
		"scheduled elsewhere": {"Successfully assigned default/web-0 to ip-192-168-1-2.ec2.internal", iam.Event{Cause: iam.CauseUnknown}},
		"nothing":             {"", iam.Event{Cause: iam.CauseUnknown}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := iam.ParseEvent(tc.text)
			quiet := got.Cause == iam.CauseScheduled || got.Cause == iam.CauseLoggingEnabled || got.Cause == iam.CauseUnknown
			if (got.Remedy == "") != quiet {
				t.Errorf("remedy of %s: %q", got.Cause, got.Remedy)
			}
			got.Remedy = ""
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScenario_B61_TheEventNamesTheProfileAndTheCause(t *testing.T) {
	got := iam.ParseEvent("Warning FailedScheduling fargate-scheduler Misconfigured Fargate Profile: fargate profile coredns blocked for new launches due to: " +
		"Pod execution role is not found in auth config or does not have all required permissions for launching fargate pods.")
	if got.Profile != "coredns" || got.Cause != iam.CauseRoleNotInAuth {
		t.Errorf("got %+v", got)
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add("Misconfigured Fargate Profile: fargate profile a blocked for new launches due to: x")
	f.Add("Pod not supported on Fargate: ,,fields not supported: ,\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := iam.ParseEvent(text)
		if e.Cause == "" {
			t.Errorf("no cause for %q", text)
		}
		if e.Cause == iam.CauseProfileBlocked && (e.Profile == "" || len(e.Details) != 1) {
			t.Errorf("a blocked profile without its name or reason: %+v", e)
		}
	})
}
