// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

func createRole(t *tx, in *iam.CreateRoleInput) (*iam.CreateRoleOutput, error) {
	name, trust := aws.ToString(in.RoleName), aws.ToString(in.AssumeRolePolicyDocument)
	if err := t.checkRoleIsNew(name); err != nil {
		return nil, err
	}
	if err := t.checkTrust(trust); err != nil {
		return nil, err
	}
	tags, err := mergeIAMTags(nil, in.Tags)
	if err != nil {
		return nil, err
	}
	boundary, err := t.boundary(in.PermissionsBoundary)
	if err != nil {
		return nil, err
	}
	path := orString(aws.ToString(in.Path), "/")
	r := &role{
		Name:        name,
		Path:        path,
		ARN:         t.iamARN("role" + path + name),
		UniqueID:    uniqueID(t.cloud.rand, "AROA"),
		Trust:       trust,
		Description: copyOf(in.Description),
		MaxSession:  sessionLimit(in.MaxSessionDuration),
		Boundary:    boundary,
		Tags:        tags,
		Inline:      map[string]string{},
		CreatedAt:   t.now,
	}
	t.setRole(name, r)
	return &iam.CreateRoleOutput{Role: createdRole(r)}, nil
}

// checkRoleIsNew refuses a name that is taken, in whatever case (text:
// reported), and a role too many.
func (t *tx) checkRoleIsNew(name string) error {
	if old := t.account.Roles[strings.ToLower(name)].latest(); old != nil {
		return apiErrorf(codeEntityAlreadyExists, "Role with name %s already exists.", name)
	}
	if limit := t.cloud.opts.Quotas.Roles; len(t.account.currentRoles()) >= limit {
		return apiErrorf(codeLimitExceeded, "Cannot exceed quota for RolesPerAccount: %d", limit)
	}
	return nil
}

func sessionLimit(seconds *int32) int32 {
	if seconds == nil {
		return minSessionLimit
	}
	return *seconds
}

func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

func getRole(t *tx, in *iam.GetRoleInput) (*iam.GetRoleOutput, error) {
	r, err := t.readRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	return &iam.GetRoleOutput{Role: wholeRole(r)}, nil
}

// createdRole is a role as CreateRole reports it: without description and
// session limit (command examples of AWS).
func createdRole(r *role) *types.Role {
	out := briefRole(r)
	out.Description, out.MaxSessionDuration = nil, nil
	out.Tags = wireIAMTags(r.Tags)
	return out
}

// wholeRole is a role as GetRole reports it.
func wholeRole(r *role) *types.Role {
	out := briefRole(r)
	out.Tags = wireIAMTags(r.Tags)
	out.RoleLastUsed = &types.RoleLastUsed{}
	if r.Boundary != "" {
		out.PermissionsBoundary = &types.AttachedPermissionsBoundary{
			PermissionsBoundaryArn:  new(r.Boundary),
			PermissionsBoundaryType: types.PermissionsBoundaryAttachmentTypePolicy,
		}
	}
	return out
}

// briefRole is a role as lists report it: without tags, boundary and last use
// (API reference).
func briefRole(r *role) *types.Role {
	return &types.Role{
		Arn:                      new(r.ARN),
		AssumeRolePolicyDocument: new(escapeDocument(r.Trust)),
		CreateDate:               wireTime(r.CreatedAt),
		Description:              copyOf(r.Description),
		MaxSessionDuration:       new(r.MaxSession),
		Path:                     new(r.Path),
		RoleId:                   new(r.UniqueID),
		RoleName:                 new(r.Name),
	}
}

func listRoles(t *tx, in *iam.ListRolesInput) (*iam.ListRolesOutput, error) {
	seen := map[string]*role{}
	prefix := orString(aws.ToString(in.PathPrefix), "/")
	for _, record := range t.account.Roles {
		if r := record.readable(t.now); r != nil && strings.HasPrefix(r.Path, prefix) {
			seen[r.Name] = r
		}
	}
	names, next, err := t.iamPage(sortedKeys(seen), func(name string) int64 { return seen[name].CreatedAt.UnixMilli() },
		in.Marker, in.MaxItems)
	if err != nil {
		return nil, err
	}
	out := &iam.ListRolesOutput{Roles: []types.Role{}, Marker: next, IsTruncated: next != nil}
	for _, name := range names {
		out.Roles = append(out.Roles, *briefRole(seen[name]))
	}
	return out, nil
}

// deleteRole refuses a role that still has something, in the order in which it
// must be taken away (user guide; texts: reported). A boundary does not count.
func deleteRole(t *tx, in *iam.DeleteRoleInput) (*iam.DeleteRoleOutput, error) {
	name := aws.ToString(in.RoleName)
	r, err := t.editRole(name)
	if err != nil {
		return nil, err
	}
	switch {
	case len(r.Inline) > 0:
		return nil, apiErrorf(codeDeleteConflict, "Cannot delete entity, must delete policies first.")
	case len(r.Attached) > 0:
		return nil, apiErrorf(codeDeleteConflict, "Cannot delete entity, must detach all policies first.")
	case len(t.instanceProfilesOf(name)) > 0:
		return nil, apiErrorf(codeDeleteConflict, "Cannot delete entity, must remove roles from instance profile first.")
	}
	t.setRole(name, nil)
	return &iam.DeleteRoleOutput{}, nil
}

func updateRole(t *tx, in *iam.UpdateRoleInput) (*iam.UpdateRoleOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	if in.Description != nil {
		r.Description = copyOf(in.Description)
	}
	if in.MaxSessionDuration != nil {
		r.MaxSession = *in.MaxSessionDuration
	}
	return &iam.UpdateRoleOutput{}, nil
}

func updateRoleDescription(t *tx, in *iam.UpdateRoleDescriptionInput) (*iam.UpdateRoleDescriptionOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	r.Description = copyOf(in.Description)
	return &iam.UpdateRoleDescriptionOutput{Role: briefRole(r)}, nil
}

func updateTrust(t *tx, in *iam.UpdateAssumeRolePolicyInput) (*iam.UpdateAssumeRolePolicyOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	if err := t.checkTrust(aws.ToString(in.PolicyDocument)); err != nil {
		return nil, err
	}
	r.Trust = aws.ToString(in.PolicyDocument)
	return &iam.UpdateAssumeRolePolicyOutput{}, nil
}

// putBoundary sets what limits the role's permissions. Service-linked roles
// have none.
func putBoundary(
	t *tx, in *iam.PutRolePermissionsBoundaryInput,
) (*iam.PutRolePermissionsBoundaryOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	if r.Boundary, err = t.boundary(in.PermissionsBoundary); err != nil {
		return nil, err
	}
	return &iam.PutRolePermissionsBoundaryOutput{}, nil
}

func deleteBoundary(
	t *tx, in *iam.DeleteRolePermissionsBoundaryInput,
) (*iam.DeleteRolePermissionsBoundaryOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	r.Boundary = ""
	return &iam.DeleteRolePermissionsBoundaryOutput{}, nil
}

// attachedIndex finds a managed policy among those of a role, or returns -1.
func (r *role) attachedIndex(policyARN string) int { return slices.Index(r.Attached, policyARN) }

// wireTime is a time as IAM reports it, in whole seconds.
func wireTime(at time.Time) *time.Time { return new(at.Truncate(time.Second)) }
