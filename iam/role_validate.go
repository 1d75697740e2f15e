// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

// RoleError is one fault of a [DesiredRole].
type RoleError struct {
	// Field is the name of the field.
	Field string
	// Reason says what is wrong, and what to do.
	Reason string
}

// Error names the field and says what is wrong.
func (e *RoleError) Error() string { return fmt.Sprintf("desired role: %s: %s", e.Field, e.Reason) }

// Limits of IAM.
// Source: API model of IAM and IAM user guide, "IAM and AWS STS quotas".
const (
	minSession     = time.Hour
	maxSession     = 12 * time.Hour
	maxDescription = 1000
	maxTags        = 50
	maxTagKey      = 128
	maxTagValue    = 256
	maxPolicyName  = 128
	// roleMarks is how many tags our own marks take at most: owner, deleting and
	// two for the keys that we set.
	roleMarks = 4
)

// Validate reports every fault of the desired role, each a [*RoleError].
func (d DesiredRole) Validate() error {
	faults := roleFaults{}
	switch d.Mode.normal() {
	case ModeBringYourOwn, ModeVerify:
		faults.add(d.ARN != "", "ARN", "no role: give the ARN of a pod execution role, or let one be made with the mode ensure")
	case ModeEnsure:
		d.validateOwned(&faults)
		d.validateWanted(&faults)
	case ModeDelete:
		// A fault in what the role should have must not keep it for ever.
		d.validateOwned(&faults)
	default:
		faults.add(false, "Mode", fmt.Sprintf("%q is none of bringYourOwn, verify, ensure, delete", d.Mode))
	}
	if d.ARN != "" {
		_, err := ParseRoleARN(d.ARN)
		faults.addError("ARN", err)
	}
	if d.Mode.normal() != ModeBringYourOwn {
		faults.addError("Scope", d.Scope.Validate())
	}
	return errors.Join(faults...)
}

// validateOwned checks what tells a role that is ours.
func (d DesiredRole) validateOwned(faults *roleFaults) {
	faults.add(isRoleName(d.RoleName()), "Name", "want 1 to 64 characters of a-z, A-Z, 0-9 and _+=,.@-, such as RoleName gives")
	faults.add(isRolePath(d.path()), "Path", "want / or a path that begins and ends with a slash")
	faults.add(d.Owner != "" && isTagText(d.Owner, maxTagValue), "Owner", "want an owner id of 1 to 256 letters, digits, spaces and _.:/=+-@")
	faults.add(d.Scope.Cluster != "*" && d.Scope.Region != "*", "Scope", "a role that is ours belongs to one cluster, in one region")
}

// validateWanted checks what the role shall have.
func (d DesiredRole) validateWanted(faults *roleFaults) {
	faults.add(d.MaxSession == 0 || d.MaxSession >= minSession && d.MaxSession <= maxSession, "MaxSession", "want 1 to 12 hours, or 0 to leave it")
	faults.add(utf8.RuneCountInString(d.Description) <= maxDescription, "Description", "want at most 1000 characters")
	faults.add(d.PermissionsBoundary == "" || isPolicyARN(d.PermissionsBoundary), "PermissionsBoundary", "want the ARN of a managed policy")
	for _, policy := range d.ManagedPolicies {
		faults.add(isPolicyARN(policy), "ManagedPolicies", fmt.Sprintf("%q is not the ARN of a managed policy", policy))
	}
	for _, name := range slices.Sorted(maps.Keys(d.InlinePolicies)) {
		faults.add(isName(name, maxPolicyName), "InlinePolicies", fmt.Sprintf("%q can't be the name of a policy: want 1 to 128 characters of a-z, A-Z, 0-9 and _+=,.@-", name))
	}
	d.validateTags(faults)
}

func (d DesiredRole) validateTags(faults *roleFaults) {
	faults.add(len(d.Tags) <= maxTags-roleMarks, "Tags", fmt.Sprintf("%d tags are more than the %d that our own marks leave", len(d.Tags), maxTags-roleMarks))
	seen := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(d.Tags)) {
		faults.add(key != "" && isTagText(key, maxTagKey) && isTagText(d.Tags[key], maxTagValue), "Tags",
			fmt.Sprintf("%q: IAM takes keys of 1 to 128 and values of up to 256 letters, digits, spaces and _.:/=+-@", key))
		faults.add(!owner.IsMark(key) && !tagdiff.IsAWS(key), "Tags", fmt.Sprintf("%q is reserved", key))
		lower := strings.ToLower(key)
		faults.add(seen[lower] == "", "Tags", fmt.Sprintf("%q and %q are one key to IAM", seen[lower], key))
		seen[lower] = key
	}
}

// isPolicyARN follows the API model of IAM, shapes arnType and policyNameType. The
// account of AWS's own policies is aws. A path may be what that of a role may be.
func isPolicyARN(s string) bool {
	a, _ := splitARN(s)
	resource, isPolicy := strings.CutPrefix(a.resource, "policy")
	path, name := splitPath(resource)
	return a.service == "iam" && a.region == "" && isPartition(a.partition) && (a.account == "aws" || isAccountID(a.account)) &&
		isPolicy && isRolePath(path) && isName(name, maxPolicyName)
}

type roleFaults []error

func (f *roleFaults) add(ok bool, field, reason string) {
	if !ok {
		*f = append(*f, &RoleError{field, reason})
	}
}

func (f *roleFaults) addError(field string, err error) {
	if err != nil {
		f.add(false, field, err.Error())
	}
}
