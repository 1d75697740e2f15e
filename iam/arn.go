// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"fmt"
	"strings"
)

// arn holds the parts of an ARN after the word arn.
// Source: AWS general reference, "Amazon Resource Names (ARNs)".
type arn struct{ partition, service, region, account, resource string }

// splitARN splits at the first five colons. It checks nothing but their number
// and the prefix, so it splits patterns too.
func splitARN(s string) (arn, bool) {
	parts := strings.SplitN(s, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" {
		return arn{}, false
	}
	return arn{parts[1], parts[2], parts[3], parts[4], parts[5]}, true
}

func (a arn) String() string {
	return strings.Join([]string{"arn", a.partition, a.service, a.region, a.account, a.resource}, ":")
}

// RoleARN is the ARN of an IAM role, taken apart.
type RoleARN struct {
	// Partition is aws, aws-cn, aws-us-gov and so on.
	Partition string
	// Account is the id of the account: 12 digits.
	Account string
	// Path begins and ends with a slash. It is / for most roles.
	Path string
	// Name is the name of the role, without its path. IAM's calls take it alone.
	Name string
}

// String is the full ARN, as CreateFargateProfile takes it.
func (r RoleARN) String() string {
	return arn{r.Partition, "iam", "", r.Account, "role" + r.Path + r.Name}.String()
}

// AuthARN is the ARN without its path. The authenticator of a cluster sees a role
// that way, so a row of aws-auth must name it that way.
// Source: EKS user guide, "Grant IAM users and roles access to Kubernetes APIs".
func (r RoleARN) AuthARN() string {
	r.Path = "/"
	return r.String()
}

// ARNError says why a text is not the ARN that was due.
type ARNError struct {
	// ARN is the text.
	ARN string
	// Reason is what is wrong with it, and what was due.
	Reason string
}

// Error quotes the text and says what is wrong with it.
func (e *ARNError) Error() string { return fmt.Sprintf("reading ARN %q: %s", e.ARN, e.Reason) }

// ParseRoleARN takes the ARN of an IAM role apart. The error is an [*ARNError].
// Source: API model of IAM, shapes arnType, pathType and roleNameType.
func ParseRoleARN(s string) (RoleARN, error) {
	a, ok := splitARN(s)
	if !ok {
		return RoleARN{}, &ARNError{s, "want arn:<partition>:iam::<account>:role/<name>"}
	}
	for _, fault := range roleARNFaults() {
		if fault.found(a) {
			return RoleARN{}, &ARNError{s, fault.reason}
		}
	}
	path, name := splitPath(strings.TrimPrefix(a.resource, "role"))
	r := RoleARN{Partition: a.partition, Account: a.account, Path: path, Name: name}
	if reason := r.fault(); reason != "" {
		return RoleARN{}, &ARNError{s, reason}
	}
	return r, nil
}

// splitPath splits at the last slash, which the path keeps.
func splitPath(s string) (path, name string) {
	slash := strings.LastIndexByte(s, '/')
	return s[:slash+1], s[slash+1:]
}

type arnFault struct {
	found  func(arn) bool
	reason string
}

func roleARNFaults() []arnFault {
	return []arnFault{
		{isAssumedRole, "that is a session of a role; want the role, arn:<partition>:iam::<account>:role/<name>"},
		{isFargateProfile, "that is a Fargate profile; want its pod execution role"},
		{isInstanceProfile, "that is an instance profile; want a role"},
		{func(a arn) bool { return a.service != "iam" || a.region != "" }, "that is not an ARN of IAM, arn:<partition>:iam::..."},
		{func(a arn) bool { return !isPartition(a.partition) }, "the partition is unknown"},
		{func(a arn) bool { return !isAccountID(a.account) }, "the account must have 12 digits"},
		{func(a arn) bool { return !strings.HasPrefix(a.resource, "role/") }, "that is not a role"},
	}
}

func isAssumedRole(a arn) bool {
	return a.service == "sts" && strings.HasPrefix(a.resource, "assumed-role/")
}

func isFargateProfile(a arn) bool {
	return a.service == "eks" && strings.HasPrefix(a.resource, "fargateprofile/")
}

func isInstanceProfile(a arn) bool { return strings.HasPrefix(a.resource, "instance-profile/") }

// MaxRoleName is the most characters of a role's name.
// Source: API model of IAM, shape roleNameType.
const MaxRoleName = 64

func (r RoleARN) fault() string {
	switch {
	case !isRoleName(r.Name):
		return fmt.Sprintf("the name of the role must have 1 to %d characters of a-z, A-Z, 0-9 and _+=,.@-", MaxRoleName)
	case !isRolePath(r.Path):
		return "the path of the role must be / or begin and end with a slash, in 512 printable ASCII characters"
	}
	return ""
}
