// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
)

// fargateService is the service whose linked role EKS makes with an account's
// first Fargate profile (user guide).
const (
	fargateService = "eks-fargate.amazonaws.com"
	slrName        = "AWSServiceRoleForAmazonEKSForFargate"
)

// linkedRole is a role that belongs to a service.
type linkedRole struct{ name, policy string }

// linkedRoles are the service-linked roles that exist here, by service.
func linkedRoles() map[string]linkedRole {
	return map[string]linkedRole{
		fargateService:                {"AWSServiceRoleForAmazonEKSForFargate", "AmazonEKSForFargateServiceRolePolicy"},
		"eks.amazonaws.com":           {"AWSServiceRoleForAmazonEKS", "AmazonEKSServiceRolePolicy"},
		"eks-nodegroup.amazonaws.com": {"AWSServiceRoleForAmazonEKSNodegroup", "AWSServiceRoleForAmazonEKSNodegroup"},
	}
}

func createServiceLinkedRole(
	t *tx, in *iam.CreateServiceLinkedRoleInput,
) (*iam.CreateServiceLinkedRoleOutput, error) {
	service := aws.ToString(in.AWSServiceName)
	linked, known := linkedRoles()[service]
	switch {
	case !known:
		return nil, apiErrorf(codeInvalidInput, "The service %s has no service-linked role.", service)
	case in.CustomSuffix != nil:
		return nil, apiErrorf(codeInvalidInput, "Custom suffix is not allowed for %s", service)
	}
	if old, err := t.role(linked.name); err == nil {
		return nil, apiErrorf(codeInvalidInput, "Service role name %s has been taken in this account, "+
			"please try a different suffix.", old.Name)
	}
	r := t.linkRole(service, in.Description)
	return &iam.CreateServiceLinkedRoleOutput{Role: createdRole(r)}, nil
}

// linkRole makes the service-linked role of a service that has one.
func (t *tx) linkRole(service string, description *string) *role {
	linked := linkedRoles()[service]
	path := "/" + servicePolicyPath + service + "/"
	r := &role{
		Name:     linked.name,
		Path:     path,
		ARN:      t.iamARN("role" + path + linked.name),
		UniqueID: uniqueID(t.cloud.rand, "AROA"),
		Trust: `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"` + service +
			`"},"Action":"sts:AssumeRole"}]}`,
		Description: copyOf(description),
		MaxSession:  minSessionLimit,
		Attached:    []string{"arn:" + partitionOf(t.caller.Region) + ":iam::aws:policy/" + servicePolicyPath + linked.policy},
		Service:     service,
		CreatedAt:   t.now,
	}
	t.setRole(r.Name, r)
	return r
}

// ensureFargateRole makes the service-linked role of EKS Fargate unless the
// account has it.
func (t *tx) ensureFargateRole() {
	if _, err := t.role(linkedRoles()[fargateService].name); err != nil {
		t.linkRole(fargateService, nil)
	}
}
