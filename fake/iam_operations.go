// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

const serviceIAM = "IAM"

func iamOperations() []*operation {
	api := queryAPI{service: serviceIAM, version: "2010-05-08", host: "iam.amazonaws.com"}
	return slices.Concat(
		roleOperations(api), roleSettingOperations(api), roleTagOperations(api), attachmentOperations(api), inlinePolicyOperations(api),
		managedPolicyOperations(api), instanceProfileOperations(api), roleInProfileOperations(api),
	)
}

func roleTarget(name *string) Target { return Target{Role: aws.ToString(name)} }

// tagFields are the required members of tags, as the SDK names them.
func tagFields(tags []types.Tag) []field {
	var fields []field
	for i, tag := range tags {
		fields = append(fields, field{fmt.Sprintf("Tags[%d].Key", i), tag.Key != nil}, field{fmt.Sprintf("Tags[%d].Value", i), tag.Value != nil})
	}
	return fields
}
