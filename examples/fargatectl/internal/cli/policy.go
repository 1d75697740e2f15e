// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/spf13/cobra"

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
	cmd.Flags().StringVar(&p.account, "account", "", "the `id` of the AWS account of the cluster")
	cmd.Flags().StringVar(&p.partition, "partition", "", "the AWS `partition`; without it, that of the region, or aws")
	formats(cmd, output.JSON, output.YAML)
}

// scope is the cluster of the flags. What may be any is any.
func (a *app) scope(p *place, defaults iam.Scope) (iam.Scope, error) {
	s := iam.Scope{
		Partition: p.partition, Account: p.account,
		Region: cmp.Or(a.region, defaults.Region), Cluster: cmp.Or(a.cluster, defaults.Cluster),
	}
	if s.Region == "*" && s.Partition == "" {
		s.Partition = "aws"
	}
	return s, advise(s.Validate(), "give --account ID, --region REGION and --cluster NAME")
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
		Args: arguments(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			scope, err := a.scope(p, iam.Scope{})
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
	config := iam.ControllerConfig{Preflight: true}
	cmd := &cobra.Command{
		Use:   "controller",
		Short: "Print the permissions that apply, delete or a controller needs",
		Long: `Print the identity policy that a caller of the library needs, such as this program or a
controller, and no more than that. Without --region or --cluster, it is for all of them.
Without --role-arn it is for the roles that --role ensure makes.`,
		Example: example(
			"fargatectl policy controller --account 111122223333 --region eu-west-1 --cluster demo",
			"fargatectl policy controller --account 111122223333 --role ensure",
		),
		Args: arguments(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			scope, err := a.scope(p, iam.Scope{Region: "*", Cluster: "*"})
			if err != nil {
				return err
			}
			config.Scope = scope
			return output.Write(a.Out, output.Format(a.format), iam.ControllerPolicy(config))
		},
	}
	p.addFlags(cmd)
	choiceFlag(cmd, &config.Mode, "role", "what is done with pod execution roles",
		word[iam.Mode]{"verify", iam.ModeVerify}, word[iam.Mode]{"ensure", iam.ModeDelete}, word[iam.Mode]{"ignore", iam.ModeBringYourOwn})
	cmd.Flags().StringArrayVar(&config.Roles, "role-arn", nil, "the `ARN` of a pod execution role, or a pattern of them; may be repeated")
	cmd.Flags().BoolVar(&config.Preflight, "preflight", true, "what preflight reads, too; a controller can do without it")
	cmd.Flags().BoolVar(&config.ChosenSubnets, "chosen-subnets", false, "every profile names its subnets")
	return cmd
}
