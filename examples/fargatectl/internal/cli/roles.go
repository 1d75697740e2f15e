// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

// roleFlags say what may be done with pod execution roles.
type roleFlags struct {
	mode iam.Mode
	arn  string
}

func (f *roleFlags) addFlags(cmd *cobra.Command) {
	choiceFlag(cmd, &f.mode, "role", "what to do with the pod execution role: verify that EKS can use it, make one for profiles that name none, or leave it to EKS",
		word[iam.Mode]{"verify", iam.ModeVerify}, word[iam.Mode]{"ensure", iam.ModeEnsure}, word[iam.Mode]{"ignore", iam.ModeBringYourOwn})
}

func (f *roleFlags) addARN(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.arn, "role-arn", "", "the `ARN` of the pod execution role, for profiles that name none")
}

// rolesFor are the roles of a reconciler, as the flags say.
func (a *app) rolesFor(f *roleFlags, cloud *connect.Cloud, owner fargate.Owner) func(*lifecycle.Options) {
	return func(o *lifecycle.Options) {
		o.Identity = identity(cloud)
		if f.mode == iam.ModeBringYourOwn {
			return
		}
		o.Roles = role.New(cloud.IAM, func(r *role.Options) {
			r.Mode, r.Role.Owner = f.mode, owner.ID
			r.Identity, r.Profiles = identity(cloud), cloud.EKS
			r.Logger, r.Now, r.Sleep = a.logger(), cloud.Now, cloud.Sleep
		})
	}
}

// identity asks where the calls land.
func identity(cloud *connect.Cloud) func(context.Context) (fargate.Place, error) {
	return func(ctx context.Context) (fargate.Place, error) {
		out, err := cloud.STS.GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
		if err != nil {
			return fargate.Place{}, err
		}
		place := fargate.Place{Account: aws.ToString(out.Account), Region: cloud.Region, Partition: iam.PartitionOf(cloud.Region)}
		if caller, err := arn.Parse(aws.ToString(out.Arn)); err == nil {
			place.Partition = caller.Partition
		}
		return place, nil
	}
}
