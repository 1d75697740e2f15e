// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crashtest_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fake/crashtest"
)

// The program looks before it creates, so a crash between the two calls, and a
// reply that never came, are no trouble for its next life.
func ExampleCheck() {
	report, err := crashtest.Check(context.Background(), func(clients crashtest.Clients) crashtest.Step {
		cluster, name := aws.String(fake.ClusterName), aws.String("batch")
		return func(ctx context.Context) (time.Duration, error) {
			out, err := clients.EKS.DescribeFargateProfile(ctx,
				&eks.DescribeFargateProfileInput{ClusterName: cluster, FargateProfileName: name})
			if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
				_, err := clients.EKS.CreateFargateProfile(ctx, &eks.CreateFargateProfileInput{
					ClusterName: cluster, FargateProfileName: name,
					PodExecutionRoleArn: aws.String("arn:aws:iam::111122223333:role/fargate-pods"),
					Selectors:           []types.FargateProfileSelector{{Namespace: name}},
				})
				return time.Minute, err
			}
			if err != nil || out.FargateProfile.Status != types.FargateProfileStatusActive {
				return time.Minute, err
			}
			return 0, nil
		}
	})
	fmt.Println(report)
	fmt.Println(err)

	// Output:
	// 4 calls, 8 runs with a crash
	// <nil>
}
