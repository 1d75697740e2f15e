// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// getCallerIdentity needs no permission in AWS, so only faults refuse it.
func getCallerIdentity(t *tx, _ *sts.GetCallerIdentityInput) (*sts.GetCallerIdentityOutput, error) {
	return &sts.GetCallerIdentityOutput{
		Account: new(t.caller.Account),
		Arn:     new(t.caller.ARN),
		UserId:  new(t.callerID()),
	}, nil
}

// callerID is the unique id of the caller: the account's for its root user, the
// role's with the name of the session, or that of a user, which is always the
// same for an ARN.
func (t *tx) callerID() string {
	a, _ := parseARN(t.caller.ARN)
	if a.Resource == "root" {
		return a.Account
	}
	if role, session, ok := splitSession(a); ok {
		return t.roleIDByName(role) + ":" + session
	}
	return nameID("AIDA", t.caller.ARN)
}

func (t *tx) roleIDByName(name string) string {
	if r := t.account.Roles[strings.ToLower(name)].latest(); r != nil {
		return r.UniqueID
	}
	return nameID("AROA", name)
}

// splitSession returns role and session of the ARN of an assumed role.
func splitSession(a arn) (role, session string, ok bool) {
	rest, ok := strings.CutPrefix(a.Resource, "assumed-role/")
	if !ok || a.Service != "sts" {
		return "", "", false
	}
	return strings.Cut(rest, "/")
}

// identities are the AWS principals that mean the caller: its account, by id and
// by root, itself, and the role when it is a session of one. A session's ARN
// does not have the role's path, so the role must be looked up.
func (t *tx) identities() []string {
	a, _ := parseARN(t.caller.ARN)
	root := arn{a.Partition, "iam", "", t.caller.Account, "root"}
	out := []string{t.caller.Account, root.String(), t.caller.ARN}
	if role, _, ok := splitSession(a); ok {
		if r := t.account.Roles[strings.ToLower(role)].latest(); r != nil {
			out = append(out, r.ARN)
		}
	}
	return out
}

// sessionCaller makes a caller the role's session that an access key is from, if
// it is one.
func (c *Cloud) sessionCaller(accessKey string, caller Caller) Caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, a := range c.accounts {
		if session := a.Sessions[accessKey]; session != "" {
			caller.Account, caller.ARN = id, session
		}
	}
	return caller
}
