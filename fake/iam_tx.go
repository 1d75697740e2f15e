// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "strings"

// The codes that this package answers with, for IAM and STS.
const (
	codeIAMAccessDenied     = "AccessDenied"
	codeDeleteConflict      = "DeleteConflict"
	codeEntityAlreadyExists = "EntityAlreadyExists"
	codeInvalidInput        = "InvalidInput"
	codeLimitExceeded       = "LimitExceeded"
	codeMalformedPolicy     = "MalformedPolicyDocument"
	codeNoSuchEntity        = "NoSuchEntity"
	codePolicyNotAttachable = "PolicyNotAttachable"
	codeUnmodifiableEntity  = "UnmodifiableEntity"
	codeValidation          = "ValidationError"
)

// iamEdits are the changes of one call to what IAM holds; nil means removed.
type iamEdits struct {
	roles    map[string]*role // by name in lower case
	policies map[string]*policy
	profiles map[string]*instanceProfile
	session  *session
}

// session is a role that somebody has assumed.
type session struct {
	owner     *account
	accessKey string
	arn       string
}

// commitIAM publishes the changes of a call.
func (t *tx) commitIAM() {
	horizon := t.now.Add(-t.cloud.staleness)
	for key, r := range t.iam.roles {
		record := t.account.Roles[key]
		record = record.with(t.nextVersion(record, r), horizon)
		t.account.Roles[key] = record
		if record.gone() {
			delete(t.account.Roles, key)
		}
	}
	for key, p := range t.iam.policies {
		setOrDelete(t.account.Policies, key, p)
	}
	for key, p := range t.iam.profiles {
		setOrDelete(t.account.InstanceProfiles, key, p)
	}
	if s := t.iam.session; s != nil {
		s.owner.Sessions[s.accessKey] = s.arn
	}
}

func setOrDelete[T any](m map[string]*T, key string, value *T) {
	if value == nil {
		delete(m, key)
		return
	}
	m[key] = value
}

func (t *tx) setRole(name string, r *role) {
	if t.iam.roles == nil {
		t.iam.roles = map[string]*role{}
	}
	t.iam.roles[strings.ToLower(name)] = r
}

func (t *tx) setPolicy(policyARN string, p *policy) {
	t.iam.policies = map[string]*policy{policyARN: p}
}

func (t *tx) setInstanceProfile(name string, p *instanceProfile) {
	t.iam.profiles = map[string]*instanceProfile{strings.ToLower(name): p}
}

// role returns the role of a name as its last writer left it (text: reported).
func (t *tx) role(name string) (*role, error) {
	return namedRole(t.account.Roles[strings.ToLower(name)].latest(), name)
}

// readRole returns the role of a name as reads see it.
func (t *tx) readRole(name string) (*role, error) {
	return namedRole(t.account.Roles[strings.ToLower(name)].readable(t.now), name)
}

func namedRole(r *role, name string) (*role, error) {
	if r == nil || r.Name != name {
		return nil, apiErrorf(codeNoSuchEntity, "The role with name %s cannot be found.", name)
	}
	return r, nil
}

// editRole returns a copy of a role that commit will publish. Roles that are
// linked to a service cannot be edited (text: reported).
func (t *tx) editRole(name string) (*role, error) {
	r, err := t.role(name)
	if err != nil {
		return nil, err
	}
	if r.Service != "" {
		return nil, apiErrorf(codeUnmodifiableEntity,
			"Cannot perform the operation on the protected role '%s' - this role is only modifiable by AWS", name)
	}
	edited := r.clone()
	t.setRole(name, edited)
	return edited, nil
}

// iamARN is the ARN of something of IAM in the caller's account.
func (t *tx) iamARN(resource string) string {
	return arn{partitionOf(t.caller.Region), "iam", "", t.caller.Account, resource}.String()
}
