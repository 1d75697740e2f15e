// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

func createInstanceProfile(
	t *tx, in *iam.CreateInstanceProfileInput,
) (*iam.CreateInstanceProfileOutput, error) {
	name := aws.ToString(in.InstanceProfileName)
	if t.account.InstanceProfiles[strings.ToLower(name)] != nil {
		return nil, apiErrorf(codeEntityAlreadyExists, "Instance Profile %s already exists.", name)
	}
	tags, err := mergeIAMTags(nil, in.Tags)
	if err != nil {
		return nil, err
	}
	path := orString(aws.ToString(in.Path), "/")
	p := &instanceProfile{
		Name:      name,
		Path:      path,
		ARN:       t.iamARN("instance-profile" + path + name),
		UniqueID:  uniqueID(t.cloud.rand, "AIPA"),
		Tags:      tags,
		CreatedAt: t.now,
	}
	t.setInstanceProfile(name, p)
	return &iam.CreateInstanceProfileOutput{InstanceProfile: t.wireInstanceProfile(p)}, nil
}

func (t *tx) wireInstanceProfile(p *instanceProfile) *types.InstanceProfile {
	out := &types.InstanceProfile{
		Arn:                 new(p.ARN),
		CreateDate:          wireTime(p.CreatedAt),
		InstanceProfileId:   new(p.UniqueID),
		InstanceProfileName: new(p.Name),
		Path:                new(p.Path),
		Roles:               []types.Role{},
		Tags:                wireIAMTags(p.Tags),
	}
	if r := t.account.Roles[strings.ToLower(p.Role)].latest(); r != nil {
		out.Roles = append(out.Roles, *briefRole(r))
	}
	return out
}

// instanceProfile returns a copy of an instance profile that commit will
// publish.
func (t *tx) editInstanceProfile(name string) (*instanceProfile, error) {
	p := t.account.InstanceProfiles[strings.ToLower(name)]
	if p == nil || p.Name != name {
		return nil, apiErrorf(codeNoSuchEntity, "Instance Profile %s cannot be found.", name)
	}
	edited := *p
	t.setInstanceProfile(name, &edited)
	return &edited, nil
}

func deleteInstanceProfile(
	t *tx, in *iam.DeleteInstanceProfileInput,
) (*iam.DeleteInstanceProfileOutput, error) {
	p, err := t.editInstanceProfile(aws.ToString(in.InstanceProfileName))
	if err != nil {
		return nil, err
	}
	if p.Role != "" {
		return nil, apiErrorf(codeDeleteConflict, "Cannot delete entity, must remove roles from instance profile first.")
	}
	t.setInstanceProfile(p.Name, nil)
	return &iam.DeleteInstanceProfileOutput{}, nil
}

func addRoleToInstanceProfile(
	t *tx, in *iam.AddRoleToInstanceProfileInput,
) (*iam.AddRoleToInstanceProfileOutput, error) {
	p, err := t.editInstanceProfile(aws.ToString(in.InstanceProfileName))
	if err != nil {
		return nil, err
	}
	r, err := t.role(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	if p.Role != "" {
		return nil, apiErrorf(codeLimitExceeded, "Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1")
	}
	p.Role = r.Name
	return &iam.AddRoleToInstanceProfileOutput{}, nil
}

func removeRoleFromInstanceProfile(
	t *tx, in *iam.RemoveRoleFromInstanceProfileInput,
) (*iam.RemoveRoleFromInstanceProfileOutput, error) {
	p, err := t.editInstanceProfile(aws.ToString(in.InstanceProfileName))
	if err != nil {
		return nil, err
	}
	if p.Role == "" || p.Role != aws.ToString(in.RoleName) {
		return nil, apiErrorf(codeNoSuchEntity, "The role with name %s cannot be found.", aws.ToString(in.RoleName))
	}
	p.Role = ""
	return &iam.RemoveRoleFromInstanceProfileOutput{}, nil
}

// instanceProfilesOf returns the instance profiles that hold a role, by name.
func (t *tx) instanceProfilesOf(roleName string) map[string]*instanceProfile {
	out := map[string]*instanceProfile{}
	for _, p := range t.account.InstanceProfiles {
		if p.Role == roleName {
			out[p.Name] = p
		}
	}
	return out
}

func listInstanceProfilesForRole(
	t *tx, in *iam.ListInstanceProfilesForRoleInput,
) (*iam.ListInstanceProfilesForRoleOutput, error) {
	r, err := t.readRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	profiles := t.instanceProfilesOf(r.Name)
	created := func(name string) int64 { return profiles[name].CreatedAt.UnixMilli() }
	names, next, err := t.iamPage(sortedKeys(profiles), created, in.Marker, in.MaxItems)
	if err != nil {
		return nil, err
	}
	out := &iam.ListInstanceProfilesForRoleOutput{
		InstanceProfiles: []types.InstanceProfile{}, Marker: next, IsTruncated: next != nil,
	}
	for _, name := range names {
		out.InstanceProfiles = append(out.InstanceProfiles, *t.wireInstanceProfile(profiles[name]))
	}
	return out, nil
}
