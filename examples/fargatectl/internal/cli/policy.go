// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

// place is where the documents are for.
type place struct {
	account, partition string
}

func (a *app) policyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "policy",
		GroupID: groupOther,
		Short:   "Print the IAM documents to use",
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.trustCommand(), a.controllerPolicyCommand())
	return cmd
}

func (p *place) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.account, "account", "", "the `id` of the AWS account of the cluster; without it, that of the caller")
	cmd.Flags().StringVar(&p.partition, "partition", "", "the AWS `partition`; without it, that of the region, or aws")
	formats(cmd, output.JSON, output.YAML)
}

// scope is the cluster of the flags; an account and a region that they do not give are
// those of the caller. What may be any is any.
func (a *app) scope(ctx context.Context, p *place, defaults iam.Scope) (iam.Scope, error) {
	s := iam.Scope{
		Partition: cmp.Or(p.partition, defaults.Partition), Account: cmp.Or(p.account, defaults.Account),
		Region: cmp.Or(a.region, defaults.Region), Cluster: cmp.Or(a.cluster, defaults.Cluster),
	}
	if s.Account == "" {
		caller, err := a.caller(ctx)
		if err != nil {
			return s, advise(fmt.Errorf("no account is given, and AWS can't be asked: %w", err), "give --account ID, --region REGION and --cluster NAME")
		}
		s.Account, s.Region, s.Partition = caller.Account, cmp.Or(s.Region, caller.Region), cmp.Or(s.Partition, caller.Partition)
	}
	if s.Region == "*" && s.Partition == "" {
		s.Partition = "aws"
	}
	return s, advise(s.Validate(), "give --account ID, --region REGION and --cluster NAME")
}

// caller asks AWS where the calls of this program land.
func (a *app) caller(ctx context.Context) (place fargate.Place, err error) {
	err = a.withCloud(ctx, func(cloud *connect.Cloud) error {
		place, err = identity(cloud)(ctx)
		return err
	})
	return place, err
}

// homeOf is where the first of some ARNs is, for any region and cluster there.
func homeOf(arns []string) iam.Scope {
	s := iam.Scope{Region: "*", Cluster: "*"}
	for _, text := range arns {
		if parsed, err := arn.Parse(text); err == nil && s.Account == "" {
			s.Partition, s.Account = parsed.Partition, parsed.AccountID
		}
	}
	return s
}

func (a *app) trustCommand() *cobra.Command {
	p := &place{}
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Print the trust policy of a pod execution role",
		Long: `Print the trust policy of a pod execution role: EKS may use the role for the Fargate
profiles of the cluster, and for nothing else. The role needs the managed policy
` + iam.ManagedPolicyName + `, too.`,
		Example: example(
			"fargatectl policy trust --account 111122223333 --region eu-west-1 --cluster demo > trust.json",
			"aws iam create-role --role-name fargate-pods --assume-role-policy-document file://trust.json",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scope, err := a.scope(cmd.Context(), p, iam.Scope{})
			if err != nil {
				return err
			}
			return output.Write(a.Out, output.Format(a.format), iam.TrustPolicy(scope))
		},
	}
	p.addFlags(cmd)
	return cmd
}

func (a *app) controllerPolicyCommand() *cobra.Command {
	p := &place{}
	config := iam.ControllerConfig{}
	var roles []string
	cmd := &cobra.Command{
		Use:   "controller",
		Short: "Print the permissions that apply, delete or a controller needs",
		Long: `Print the identity policy that a caller of the library needs, such as this program or a
controller, and no more than that. Without --region or --cluster, it is for all of them.

Name with --role-arn the roles that your profiles name: else it is for any role of the
account. The roles that --role ensure makes need not be named.`,
		Example: example(
			"fargatectl policy controller --account 111122223333 --region eu-west-1 --cluster demo",
			"fargatectl policy controller --role ensure",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scope, err := a.scope(cmd.Context(), p, homeOf(roles))
			if err != nil {
				return err
			}
			config.Scope = scope
			return output.Write(a.Out, output.Format(a.format), iam.ControllerPolicy(withRoles(config, roles)))
		},
	}
	p.addFlags(cmd)
	choiceFlag(cmd, &config.Mode, "role", "what is done with pod execution roles",
		word[iam.Mode]{"verify", iam.ModeVerify}, word[iam.Mode]{"ensure", iam.ModeDelete}, word[iam.Mode]{"ignore", iam.ModeBringYourOwn})
	cmd.Flags().StringArrayVar(&roles, "role-arn", nil, "the `ARN` of a role that profiles name, or a pattern of them; may be repeated")
	cmd.Flags().BoolVar(&config.Preflight, "preflight", true, "what preflight reads, too; a controller can do without it")
	cmd.Flags().BoolVar(&config.ChosenSubnets, "chosen-subnets", false, "every profile names its subnets")
	return cmd
}

// withRoles adds the roles that profiles name. Beside roles that are made they are brought
// along; without any such they are all there is.
func withRoles(c iam.ControllerConfig, named []string) iam.ControllerConfig {
	if c.Mode == iam.ModeDelete {
		c.Brought = named
		return c
	}
	every := arn.ARN{
		Partition: cmp.Or(c.Scope.Partition, iam.PartitionOf(c.Scope.Region)), Service: "iam", AccountID: c.Scope.Account, Resource: "role/*",
	}
	if c.Roles = named; len(named) == 0 {
		c.Roles = []string{every.String()}
	}
	return c
}
