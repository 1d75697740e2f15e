// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

// maxPolicySize is the most that a managed policy may have, without white space
// (user guide).
const maxPolicySize = 6144

func createPolicy(t *tx, in *iam.CreatePolicyInput) (*iam.CreatePolicyOutput, error) {
	name, document := aws.ToString(in.PolicyName), aws.ToString(in.PolicyDocument)
	for _, old := range t.account.Policies {
		if strings.EqualFold(old.Name, name) {
			return nil, apiErrorf(codeEntityAlreadyExists, "A policy called %s already exists. Duplicate names are not allowed.", name)
		}
	}
	if err := t.checkNewPolicy(document); err != nil {
		return nil, err
	}
	tags, err := mergeIAMTags(nil, in.Tags)
	if err != nil {
		return nil, err
	}
	path := orString(aws.ToString(in.Path), "/")
	p := &policy{
		Name:        name,
		Path:        path,
		ARN:         t.iamARN("policy" + path + name),
		UniqueID:    uniqueID(t.cloud.rand, "ANPA"),
		Document:    document,
		Description: copyOf(in.Description),
		Tags:        tags,
		CreatedAt:   t.now,
	}
	t.setPolicy(p.ARN, p)
	out := t.wirePolicy(p)
	out.Description = nil // as for roles, a reply to a create has none
	return &iam.CreatePolicyOutput{Policy: out}, nil
}

func (t *tx) checkNewPolicy(document string) error {
	if err := checkPermissions(document); err != nil {
		return err
	}
	if documentSize(document) > maxPolicySize {
		return apiErrorf(codeLimitExceeded, "Cannot exceed quota for PolicySize: %d", maxPolicySize)
	}
	if limit := t.cloud.opts.Quotas.Policies; len(t.account.Policies) >= limit {
		return apiErrorf(codeLimitExceeded, "Cannot exceed quota for PoliciesPerAccount: %d", limit)
	}
	return nil
}

func getPolicy(t *tx, in *iam.GetPolicyInput) (*iam.GetPolicyOutput, error) {
	p, err := t.policy(aws.ToString(in.PolicyArn))
	if err != nil {
		return nil, err
	}
	return &iam.GetPolicyOutput{Policy: t.wirePolicy(p)}, nil
}

// policy returns a managed policy of the account or of AWS.
func (t *tx) policy(policyARN string) (*policy, error) {
	if err := checkPolicyARN(policyARN); err != nil {
		return nil, err
	}
	if p := t.account.Policies[policyARN]; p != nil {
		return p, nil
	}
	if !t.isAWSManaged(policyARN) {
		return nil, apiErrorf(codeNoSuchEntity, "Policy %s was not found.", policyARN)
	}
	path, name, _ := splitPolicy(policyARN)
	return &policy{Name: name, Path: path, ARN: policyARN, UniqueID: nameID("ANPA", name), CreatedAt: awsPolicyTime()}, nil
}

// awsPolicyTime is the time of creation of the policies of AWS: that of Fargate
// for EKS. The real ones differ.
func awsPolicyTime() time.Time { return time.Date(2019, time.December, 3, 0, 0, 0, 0, time.UTC) }

func (t *tx) wirePolicy(p *policy) *types.Policy {
	attached, bounding := t.usesOf(p.ARN)
	return &types.Policy{
		Arn:                           new(p.ARN),
		AttachmentCount:               new(attached),
		CreateDate:                    wireTime(p.CreatedAt),
		DefaultVersionId:              new("v1"),
		Description:                   copyOf(p.Description),
		IsAttachable:                  true,
		Path:                          new(p.Path),
		PermissionsBoundaryUsageCount: new(bounding),
		PolicyId:                      new(p.UniqueID),
		PolicyName:                    new(p.Name),
		Tags:                          wireIAMTags(p.Tags),
		UpdateDate:                    wireTime(p.CreatedAt),
	}
}

// usesOf counts the roles that have a policy attached, and those that it bounds.
func (t *tx) usesOf(policyARN string) (attached, bounding int32) {
	for _, r := range t.account.currentRoles() {
		if r.attachedIndex(policyARN) >= 0 {
			attached++
		}
		if r.Boundary == policyARN {
			bounding++
		}
	}
	return attached, bounding
}

// deletePolicy refuses a policy that is in use, also as a boundary (text:
// reported), and policies of AWS (text: this package's).
func deletePolicy(t *tx, in *iam.DeletePolicyInput) (*iam.DeletePolicyOutput, error) {
	p, err := t.policy(aws.ToString(in.PolicyArn))
	if err != nil {
		return nil, err
	}
	if t.isAWSManaged(p.ARN) {
		return nil, apiErrorf(codeIAMAccessDenied, "Policy %s is outside your own account.", p.ARN)
	}
	if attached, bounding := t.usesOf(p.ARN); attached+bounding > 0 {
		return nil, apiErrorf(codeDeleteConflict, "Cannot delete a policy attached to entities.")
	}
	t.setPolicy(p.ARN, nil)
	return &iam.DeletePolicyOutput{}, nil
}
