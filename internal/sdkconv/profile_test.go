// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package sdkconv_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
	"github.com/eksfargate/eksfargate/selector"
)

func reported() *types.FargateProfile {
	return &types.FargateProfile{
		ClusterName:         aws.String("demo"),
		FargateProfileName:  aws.String("fp-a"),
		FargateProfileArn:   aws.String("arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/1"),
		PodExecutionRoleArn: aws.String("arn:aws:iam::111122223333:role/fp-exec"),
		CreatedAt:           aws.Time(time.Unix(1574281537, 0)),
		Status:              "CREATE_FAILED",
		Subnets:             []string{"subnet-0aaa"},
		Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web"), Labels: map[string]string{"app": "x"}}, {}},
		Tags:                map[string]string{"team": "x"},
		Health: &types.FargateProfileHealth{Issues: []types.FargateProfileIssue{
			{Code: "AccessDenied", Message: aws.String("no"), ResourceIds: []string{"r"}},
		}},
	}
}

func TestObserved(t *testing.T) {
	want := fargate.Observed{
		Spec: fargate.Spec{
			ClusterName: "demo", Name: "fp-a", PodExecutionRoleARN: "arn:aws:iam::111122223333:role/fp-exec",
			Subnets:   []string{"subnet-0aaa"},
			Selectors: []selector.Selector{{Namespace: "web", Labels: map[string]string{"app": "x"}}, {}},
			Tags:      map[string]string{"team": "x"},
		},
		ARN: "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/1", Status: fargate.StatusCreateFailed,
		CreatedAt: time.Unix(1574281537, 0),
		Issues:    []fargate.Issue{{Code: fargate.IssueAccessDenied, Message: "no", ResourceIDs: []string{"r"}}},
	}
	if diff := cmp.Diff(want, sdkconv.Observed(reported())); diff != "" {
		t.Errorf("Observed() (-want +got):\n%s", diff)
	}
}

func TestObservedOfNothing(t *testing.T) {
	if diff := cmp.Diff(fargate.Observed{}, sdkconv.Observed(nil)); diff != "" {
		t.Errorf("Observed(nil) (-want +got):\n%s", diff)
	}
}

func TestObservedSharesNothing(t *testing.T) {
	p := reported()
	got := sdkconv.Observed(p)
	p.Subnets[0], p.Tags["team"], p.Selectors[0].Labels["app"] = "changed", "changed", "changed"
	if diff := cmp.Diff(sdkconv.Observed(reported()), got); diff != "" {
		t.Errorf("the result changed with its source (-want +got):\n%s", diff)
	}
}

func TestCreateInputRoundTrip(t *testing.T) {
	spec := sdkconv.Observed(reported()).Spec
	in := sdkconv.CreateInput(spec)
	back := sdkconv.Observed(&types.FargateProfile{
		ClusterName: in.ClusterName, FargateProfileName: in.FargateProfileName, PodExecutionRoleArn: in.PodExecutionRoleArn,
		Subnets: in.Subnets, Selectors: in.Selectors, Tags: in.Tags,
	}).Spec
	if diff := cmp.Diff(spec, back); diff != "" {
		t.Errorf("round trip (-want +got):\n%s", diff)
	}
}

func TestCreateInputLeavesTheChoiceToAWS(t *testing.T) {
	in := sdkconv.CreateInput(fargate.Spec{})
	if in.Subnets != nil || in.Tags != nil || in.ClientRequestToken != nil {
		t.Errorf("unset values are not nil: %+v", in)
	}
}
