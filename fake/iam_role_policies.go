// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

// maxInlineSize is the most that the inline policies of a role may have
// together, without white space (user guide).
const maxInlineSize = 10_240

// attachRolePolicy attaches a managed policy; again does nothing.
func attachRolePolicy(t *tx, in *iam.AttachRolePolicyInput) (*iam.AttachRolePolicyOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	policyARN := aws.ToString(in.PolicyArn)
	if err := t.checkAttachable(policyARN); err != nil {
		return nil, err
	}
	if r.attachedIndex(policyARN) >= 0 {
		return &iam.AttachRolePolicyOutput{}, nil
	}
	if limit := t.cloud.opts.Quotas.PoliciesPerRole; len(r.Attached) >= limit {
		return nil, apiErrorf(codeLimitExceeded, "Cannot exceed quota for PoliciesPerRole: %d", limit)
	}
	r.Attached = append(r.Attached, policyARN)
	return &iam.AttachRolePolicyOutput{}, nil
}

func detachRolePolicy(t *tx, in *iam.DetachRolePolicyInput) (*iam.DetachRolePolicyOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	i := r.attachedIndex(aws.ToString(in.PolicyArn))
	if i < 0 {
		return nil, apiErrorf(codeNoSuchEntity, "Policy %s was not found.", aws.ToString(in.PolicyArn))
	}
	r.Attached = slices.Delete(r.Attached, i, i+1)
	return &iam.DetachRolePolicyOutput{}, nil
}

func listAttachedRolePolicies(
	t *tx, in *iam.ListAttachedRolePoliciesInput,
) (*iam.ListAttachedRolePoliciesOutput, error) {
	r, err := t.readRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	attached := slices.DeleteFunc(slices.Sorted(slices.Values(r.Attached)), func(policyARN string) bool {
		return !inPath(policyARN, in.PathPrefix)
	})
	order := func(policyARN string) int64 { return int64(r.attachedIndex(policyARN)) }
	page, next, err := t.iamPage(attached, order, in.Marker, in.MaxItems)
	if err != nil {
		return nil, err
	}
	out := &iam.ListAttachedRolePoliciesOutput{
		AttachedPolicies: []types.AttachedPolicy{}, Marker: next, IsTruncated: next != nil,
	}
	for _, policyARN := range page {
		_, name, _ := splitPolicy(policyARN)
		out.AttachedPolicies = append(out.AttachedPolicies, types.AttachedPolicy{PolicyArn: new(policyARN), PolicyName: new(name)})
	}
	return out, nil
}

func putRolePolicy(t *tx, in *iam.PutRolePolicyInput) (*iam.PutRolePolicyOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	document := aws.ToString(in.PolicyDocument)
	if err := checkPermissions(document); err != nil {
		return nil, err
	}
	r.Inline[aws.ToString(in.PolicyName)] = document
	size := 0
	for _, d := range r.Inline {
		size += documentSize(d)
	}
	if size > maxInlineSize {
		return nil, apiErrorf(codeLimitExceeded, "Maximum policy size of %d bytes exceeded for role %s", maxInlineSize, r.Name)
	}
	return &iam.PutRolePolicyOutput{}, nil
}

func noInlinePolicy(name *string) error {
	return apiErrorf(codeNoSuchEntity, "The role policy with name %s cannot be found.", aws.ToString(name))
}

func getRolePolicy(t *tx, in *iam.GetRolePolicyInput) (*iam.GetRolePolicyOutput, error) {
	r, err := t.readRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	document, found := r.Inline[aws.ToString(in.PolicyName)]
	if !found {
		return nil, noInlinePolicy(in.PolicyName)
	}
	return &iam.GetRolePolicyOutput{
		RoleName: new(r.Name), PolicyName: copyOf(in.PolicyName), PolicyDocument: new(escapeDocument(document)),
	}, nil
}

func deleteRolePolicy(t *tx, in *iam.DeleteRolePolicyInput) (*iam.DeleteRolePolicyOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	if _, found := r.Inline[aws.ToString(in.PolicyName)]; !found {
		return nil, noInlinePolicy(in.PolicyName)
	}
	delete(r.Inline, aws.ToString(in.PolicyName))
	return &iam.DeleteRolePolicyOutput{}, nil
}

func listRolePolicies(t *tx, in *iam.ListRolePoliciesInput) (*iam.ListRolePoliciesOutput, error) {
	r, err := t.readRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	page, next, err := t.iamPage(sortedKeys(r.Inline), nil, in.Marker, in.MaxItems)
	if err != nil {
		return nil, err
	}
	return &iam.ListRolePoliciesOutput{
		PolicyNames: append([]string{}, page...), Marker: next, IsTruncated: next != nil,
	}, nil
}
