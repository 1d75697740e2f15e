// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/aws-sdk-go-v2/service/sts/types"
)

// Seconds that a session can be asked for (API model and user guide).
const (
	minSession     = 900
	defaultSession = 3600
	chainedSession = 3600
)

// assumeRole lets a caller have a role whose trust document allows it. What the
// caller's own policies allow is not checked. A role that does not exist is
// refused like one that does not trust the caller (text: reported).
func assumeRole(t *tx, in *sts.AssumeRoleInput) (*sts.AssumeRoleOutput, error) {
	roleARN := aws.ToString(in.RoleArn)
	_, accountID, _, _, ok := splitRole(roleARN)
	if !ok {
		return nil, apiErrorf(codeValidation, "%s is invalid", roleARN)
	}
	owner := t.cloud.account(accountID)
	r := owner.roleRecord(roleARN).trusted(t.now)
	for _, request := range t.assumeRequests(in) {
		if r == nil || !r.trusts(request) {
			return nil, apiErrorf(codeIAMAccessDenied, "User: %s is not authorized to perform: %s on resource: %s",
				t.caller.ARN, request.Action, roleARN)
		}
	}
	seconds, err := t.sessionSeconds(in.DurationSeconds, r)
	if err != nil {
		return nil, err
	}
	return t.startSession(owner, r, aws.ToString(in.RoleSessionName), time.Duration(seconds)*time.Second), nil
}

// assumeRequests are what the trust document must allow: a session with tags
// needs a second action.
func (t *tx) assumeRequests(in *sts.AssumeRoleInput) []trustRequest {
	keys := map[string]string{
		"aws:principalarn":          t.identities()[len(t.identities())-1],
		"aws:principalaccount":      t.caller.Account,
		"aws:principalisawsservice": "false",
		"sts:rolesessionname":       aws.ToString(in.RoleSessionName),
	}
	if in.ExternalId != nil {
		keys["sts:externalid"] = *in.ExternalId
	}
	requests := []trustRequest{{Identities: t.identities(), Action: "sts:AssumeRole", Keys: keys}}
	if len(in.Tags) > 0 {
		requests = append(requests, trustRequest{Identities: t.identities(), Action: "sts:TagSession", Keys: keys})
	}
	return requests
}

// sessionSeconds is how long the session lasts (texts: reported).
func (t *tx) sessionSeconds(wanted *int32, r *role) (int32, error) {
	if wanted == nil {
		return defaultSession, nil
	}
	caller, _ := parseARN(t.caller.ARN)
	if _, _, chained := splitSession(caller); chained && *wanted > chainedSession {
		return 0, apiErrorf(codeValidation,
			"The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining")
	}
	if *wanted > r.MaxSession {
		return 0, apiErrorf(codeValidation, "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
	}
	return *wanted, nil
}

func (t *tx) startSession(owner *account, r *role, name string, d time.Duration) *sts.AssumeRoleOutput {
	assumed := arn{partitionOf(t.caller.Region), "sts", "", owner.ID, "assumed-role/" + r.Name + "/" + name}.String()
	key := "ASIA" + uniqueID(t.cloud.rand, "")[:16]
	t.iam.session = &session{owner: owner, accessKey: key, arn: assumed}
	return &sts.AssumeRoleOutput{
		AssumedRoleUser: &types.AssumedRoleUser{Arn: new(assumed), AssumedRoleId: new(r.UniqueID + ":" + name)},
		Credentials: &types.Credentials{
			AccessKeyId:     new(key),
			SecretAccessKey: new(hexID(t.cloud.rand, 40)),
			SessionToken:    new(hexID(t.cloud.rand, 120)),
			Expiration:      wireTime(t.now.Add(d)),
		},
	}
}
