// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package unittest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// EKS is what this code calls; *eks.Client and the fake's client satisfy it.
type EKS interface {
	CreateFargateProfile(context.Context, *eks.CreateFargateProfileInput, ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error)
	eks.DescribeFargateProfileAPIClient
}

// ProvideProfile gives a team a profile for its namespaces, and waits until it is
// ACTIVE. It may be called again: a profile that is there is left as it is. While
// another profile of the cluster is changing, it tries again every 10 seconds.
func ProvideProfile(ctx context.Context, client EKS, cluster, team, roleARN string) (*types.FargateProfile, error) {
	for {
		err := create(ctx, client, cluster, team, roleARN)
		if err == nil {
			break
		}
		if _, busy := errors.AsType[*types.ResourceInUseException](err); !busy {
			return nil, fmt.Errorf("giving team %s a profile: %w", team, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(10 * time.Second):
		}
	}
	waiter := eks.NewFargateProfileActiveWaiter(client)
	out, err := waiter.WaitForOutput(ctx, &eks.DescribeFargateProfileInput{ClusterName: &cluster, FargateProfileName: &team}, 20*time.Minute)
	if err != nil {
		return nil, fmt.Errorf("waiting for the profile of team %s: %w", team, err)
	}
	return out.FargateProfile, nil
}

// create makes the profile unless it is there.
func create(ctx context.Context, client EKS, cluster, team, roleARN string) error {
	_, err := client.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{ClusterName: &cluster, FargateProfileName: &team})
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); !missing {
		return err
	}
	namespace := team + "-*"
	_, err = client.CreateFargateProfile(ctx, &eks.CreateFargateProfileInput{
		ClusterName: &cluster, FargateProfileName: &team, PodExecutionRoleArn: &roleARN,
		Selectors: []types.FargateProfileSelector{{Namespace: &namespace}},
		Tags:      map[string]string{"team": team},
	})
	return err
}
