// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

const serviceSTS = "STS"

func stsOperations() []*operation {
	api := queryAPI{service: serviceSTS, version: "2011-06-15", host: "sts.amazonaws.com"}
	return []*operation{
		querySpec[sts.GetCallerIdentityInput, sts.GetCallerIdentityOutput]{
			api: api, name: "GetCallerIdentity",
			required: func(*sts.GetCallerIdentityInput) []field { return nil },
			target:   func(*sts.GetCallerIdentityInput) Target { return Target{} },
			handle:   getCallerIdentity,
		}.operation(),
		querySpec[sts.AssumeRoleInput, sts.AssumeRoleOutput]{
			api: api, name: "AssumeRole",
			required: assumeRoleFields,
			target: func(in *sts.AssumeRoleInput) Target {
				_, _, _, name, _ := splitRole(aws.ToString(in.RoleArn))
				return Target{Role: name}
			},
			check: func(c *checks, in *sts.AssumeRoleInput) {
				c.arn("roleArn", in.RoleArn)
				c.length("roleSessionName", in.RoleSessionName, 2, maxRoleName)
				c.characters("roleSessionName", in.RoleSessionName, namePattern, isNameCharacter)
				c.number("durationSeconds", in.DurationSeconds, minSession, maxSessionLimit)
			},
			handle: assumeRole,
		}.operation(),
	}
}

func assumeRoleFields(in *sts.AssumeRoleInput) []field {
	fields := []field{{"RoleArn", in.RoleArn != nil}, {"RoleSessionName", in.RoleSessionName != nil}}
	for i, tag := range in.Tags {
		fields = append(fields,
			field{fmt.Sprintf("Tags[%d].Key", i), tag.Key != nil}, field{fmt.Sprintf("Tags[%d].Value", i), tag.Value != nil})
	}
	return fields
}
