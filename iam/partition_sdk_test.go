// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/iam"
)

// The SDK keeps its table of partitions to itself, but the names of its endpoints
// tell which partition it takes a region for.
func TestPartitionOf_AgreesWithTheSDK(t *testing.T) {
	suffixes := map[string]string{
		"aws": ".amazonaws.com", "aws-us-gov": ".amazonaws.com", "aws-cn": ".amazonaws.com.cn",
		"aws-iso": ".c2s.ic.gov", "aws-iso-b": ".sc2s.sgov.gov", "aws-iso-e": ".cloud.adc-e.uk", "aws-iso-f": ".csp.hci.ic.gov",
		"aws-eusc": ".amazonaws.eu",
	}
	for _, region := range []string{
		"us-east-1", "eu-central-2", "ap-southeast-7", "sa-east-1", "ca-west-1", "me-central-1", "af-south-1", "il-central-1", "mx-central-1",
		"cn-north-1", "cn-northwest-1", "us-gov-east-1", "us-gov-west-1", "us-iso-east-1", "us-iso-west-1", "us-isob-east-1", "us-isob-west-1",
		"eu-isoe-west-1", "us-isof-south-1", "us-isof-east-1", "eusc-de-east-1",
	} {
		endpoint, err := eks.NewDefaultEndpointResolverV2().ResolveEndpoint(t.Context(), eks.EndpointParameters{Region: &region})
		if err != nil {
			t.Fatal(err)
		}
		suffix := suffixes[iam.PartitionOf(region)]
		if suffix == "" || !strings.HasSuffix(endpoint.URI.Host, suffix) {
			t.Errorf("%s: partition %q, but the SDK's endpoint is %s", region, iam.PartitionOf(region), endpoint.URI.Host)
		}
	}
}
