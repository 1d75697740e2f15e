// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"fmt"
	"time"
)

// Operation is an operation of IAM that writes.
type Operation string

// The operations that a decision on a role asks for.
const (
	OpCreateRole                    Operation = "CreateRole"
	OpUpdateAssumeRolePolicy        Operation = "UpdateAssumeRolePolicy"
	OpAttachRolePolicy              Operation = "AttachRolePolicy"
	OpPutRolePolicy                 Operation = "PutRolePolicy"
	OpPutRolePermissionsBoundary    Operation = "PutRolePermissionsBoundary"
	OpUpdateRole                    Operation = "UpdateRole"
	OpTagRole                       Operation = "TagRole"
	OpUntagRole                     Operation = "UntagRole"
	OpDetachRolePolicy              Operation = "DetachRolePolicy"
	OpDeleteRolePolicy              Operation = "DeleteRolePolicy"
	OpRemoveRoleFromInstanceProfile Operation = "RemoveRoleFromInstanceProfile"
	OpDeleteRole                    Operation = "DeleteRole"
)

// Call is one call to IAM, as data. A field that the operation does not have is
// zero.
type Call struct {
	// Operation says which.
	Operation Operation
	// RoleName is the name of the role, without its path.
	RoleName string
	// Path is the path of CreateRole.
	Path string
	// Document is the trust policy of CreateRole and UpdateAssumeRolePolicy, or
	// the policy of PutRolePolicy, as JSON.
	Document string
	// Description is that of CreateRole and UpdateRole.
	Description string
	// PermissionsBoundary is that of CreateRole and PutRolePermissionsBoundary.
	PermissionsBoundary string
	// MaxSession is that of CreateRole, where 0 means AWS's default, and of
	// UpdateRole, which sets it in any case.
	MaxSession time.Duration
	// Tags are those of CreateRole and TagRole.
	Tags map[string]string
	// TagKeys are those of UntagRole.
	TagKeys []string
	// PolicyARN is that of AttachRolePolicy and DetachRolePolicy.
	PolicyARN string
	// PolicyName is that of PutRolePolicy and DeleteRolePolicy.
	PolicyName string
	// InstanceProfile is that of RemoveRoleFromInstanceProfile.
	InstanceProfile string
}

// String says in a few words what the call does.
func (c Call) String() string {
	object := c.PolicyARN + c.PolicyName + c.InstanceProfile
	if object != "" {
		object = " " + object
	}
	return fmt.Sprintf("%s %s%s", c.Operation, c.RoleName, object)
}
