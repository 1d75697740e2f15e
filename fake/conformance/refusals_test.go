// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
)

// refusal is an error that logs, recordings and issues show of EKS: what must
// have happened, the call, and all that a client sees of the error.
type refusal struct {
	arrange   func(s session)
	operation string
	input     func(s session) object
	code      string
	status    int
	message   string
}

func refusalScenarios() map[string]scenario {
	all := map[string]scenario{}
	for name, r := range refusals() {
		all["refused: "+name] = func(s session) {
			if r.arrange != nil {
				r.arrange(s)
			}
			s.refused("eks", r.operation, r.input(s), failure{r.code, r.message, r.status, r.code})
		}
	}
	return all
}

// refused makes a call that must fail. What a client does not show of an error is
// not compared.
func (s session) refused(service, operation string, input object, want failure) {
	s.Helper()
	got := s.client.call(s.T, service, operation, input).failure
	if got == nil {
		s.Fatalf("%s succeeded, want %s: %s", operation, want.Code, want.Message)
	}
	if got.Status == 0 {
		want.Status = 0
	}
	if got.Type == "" {
		want.Type = ""
	}
	s.same(operation, *got, want)
}

const (
	inUse     = "ResourceInUseException"
	invalid   = "InvalidParameterException"
	notFound  = "ResourceNotFoundException"
	badInput  = "InvalidRequestException"
	denied    = "AccessDeniedException"
	badTrust  = "Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal"
	create    = "CreateFargateProfile"
	deletion  = "DeleteFargateProfile"
	forbidden = "User: arn:aws:iam::111122223333:user/fake is not authorized to perform: "
)

func web(s session) object      { return s.wanted("web") }
func aboutWeb(session) object   { return named("web") }
func demoByName(session) object { return object{"name": demo} }

func refusals() map[string]refusal {
	all := map[string]refusal{}
	for _, some := range []map[string]refusal{inputRefusals(), roleRefusals(), busyRefusals(), clusterRefusals(), otherRefusals()} {
		maps.Copy(all, some)
	}
	return all
}

// changed is a create of web with one member changed.
func changed(member string, value any) func(s session) object {
	return func(s session) object { return with(s.wanted("web"), member, value) }
}

func labels(n int) object {
	out := object{}
	for i := range n {
		out[fmt.Sprint("k", i)] = "v"
	}
	return out
}

func inputRefusals() map[string]refusal {
	return map[string]refusal{
		"reserved name": {
			nil, create, changed("fargateProfileName", "eks-web"),
			invalid, 400, "The fargate profile name starts with the reserved prefix: 'eks-'.",
		},
		"name too long": {
			nil, create, changed("fargateProfileName", strings.Repeat("a", 101)),
			invalid, 400, "The Fargate profile name parameter should not be greater than 100 characters.",
		},
		"no selectors": {
			nil, create, changed("selectors", []any{}),
			invalid, 400, "Fargate Profile requires at least one selector.",
		},
		"selector without namespace": {
			nil, create, changed("selectors", []any{object{"labels": labels(1)}}),
			invalid, 400, "Fargate Profile must have at least one selector with at least one namespace value.",
		},
		"too many labels": {
			nil, create, changed("selectors", []any{object{"namespace": "web", "labels": labels(6)}}),
			invalid, 400, "Request contains Selector with more than 5 Label pairs",
		},
		"public subnet": {
			nil, create, changed("subnets", listOf(fake.PublicSubnetID)),
			invalid, 400, "Subnet " + fake.PublicSubnetID + " provided in Fargate Profile is not a private subnet",
		},
		"zone without Fargate": {
			func(s session) { s.c.AddSubnet(fake.Subnet{ID: "subnet-1234", Zone: "ca-central-1d"}) },
			create, changed("subnets", listOf("subnet-1234")),
			invalid, 400, "Fargate Profile creation for the Availability Zone ca-central-1d for Subnet subnet-1234 is not supported",
		},
	}
}

func roleRefusals() map[string]refusal {
	role := func(name string) func(s session) object {
		return func(s session) object { return with(s.wanted("web"), "podExecutionRoleArn", s.c.RoleARN(name)) }
	}
	return map[string]refusal{
		"the role does not trust EKS Fargate": {
			func(s session) { s.c.AddRole("nodes", strings.ReplaceAll(fake.PodTrust, "eks-fargate-pods", "ec2")) },
			create, role("nodes"), invalid, 400, badTrust,
		},
		"the role's SourceArn condition names the cluster": {
			func(s session) {
				s.c.AddRole("tight", strings.TrimSuffix(fake.PodTrust, "}]}")+
					`,"Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:cluster/demo"}}}]}`)
			},
			create, role("tight"), invalid, 400, badTrust,
		},
		"the role does not exist": {nil, create, role("nobody"), invalid, 400, badTrust},
		"the role is another account's": {
			nil, create, changed("podExecutionRoleArn", "arn:aws:iam::444455556666:role/pods"),
			denied, 403, "Cross-account pass role is not allowed.",
		},
		"the caller may not pass the role": {
			func(s session) { s.c.Deny("iam:PassRole") }, create, web,
			denied, 403, forbidden + "iam:PassRole on resource: arn:aws:iam::111122223333:role/fargate-pods",
		},
		"the caller may not read the service's own role": {
			func(s session) { s.c.Deny("iam:GetRole") }, create, web, badInput, 400,
			"Failed to validate if SLR: AWSServiceRoleForAmazonEKSForFargate already exists due to missing permissions for 'iam:GetRole'",
		},
		"the caller may not see subnets": {
			func(s session) { s.c.Deny("ec2:DescribeSubnets") },
			create, func(s session) object { return without(s.wanted("web"), "subnets") },
			badInput, 400, `Missing permissions for "ec2:DescribeSubnets"`,
		},
	}
}

func busyRefusals() map[string]refusal {
	return map[string]refusal{
		"the name is taken": {
			func(s session) { s.creating("web") }, create, web,
			inUse, 409, "A Fargate Profile already exists with this name in this cluster.",
		},
		"create while another is CREATING": {
			func(s session) { s.creating("api") }, create, web,
			inUse, 409, "Cannot create Fargate Profile web because cluster demo currently has Fargate profile api in status CREATING",
		},
		"create while another is DELETING": {
			func(s session) {
				s.active("api")
				s.deleting("api")
			}, create, web,
			inUse, 409, "Cannot create Fargate Profile web because cluster demo currently has Fargate profile api in status DELETING",
		},
		"delete while another is DELETING": {
			func(s session) {
				s.active("api", "web")
				s.deleting("api")
			}, deletion, aboutWeb,
			inUse, 409, "Cannot Delete Fargate Profile web because cluster demo currently has Fargate profile api in status DELETING",
		},
		"delete while the cluster is updated": {
			func(s session) {
				s.active("web")
				s.c.BusyCluster(demo, time.Hour)
			}, deletion, aboutWeb,
			inUse, 409, "Cannot Delete Fargate Profile web because cluster demo currently has an update in progress",
		},
		"too many profiles": {
			func(s session) { s.active(strings.Split("p0123456789", "")[1:]...) }, create, web,
			"ResourceLimitExceededException", 400, "Fargate Profile limit exceeded for cluster.",
		},
	}
}

func clusterRefusals() map[string]refusal {
	const deleteCluster = "DeleteCluster"
	return map[string]refusal{
		"delete of a cluster with profiles": {
			func(s session) { s.active("web") }, deleteCluster, demoByName,
			inUse, 409, "Cluster has Fargate Profiles in ACTIVE/CREATING state",
		},
		"delete of a cluster with a profile that is DELETING": {
			func(s session) {
				s.active("web")
				s.deleting("web")
			}, deleteCluster, demoByName,
			inUse, 409, "Cannot delete because cluster demo currently has Fargate profile web in status DELETING",
		},
		"delete of a cluster that is updated": {
			func(s session) { s.c.BusyCluster(demo, time.Hour) }, deleteCluster, demoByName,
			inUse, 409, "Cannot delete because cluster demo currently has an update in progress",
		},
		"cluster missing": {
			nil, create, changed("clusterName", "other"),
			notFound, 404, "No cluster found for name: other.",
		},
		"cluster not ACTIVE": {
			func(s session) {
				if _, err := s.c.EKS().DeleteCluster(s.Context(), &eks.DeleteClusterInput{Name: aws.String(demo)}); err != nil {
					s.Fatal(err)
				}
			}, create, web,
			badInput, 400, "Cluster 'demo' is not in ACTIVE status",
		},
	}
}

func otherRefusals() map[string]refusal {
	return map[string]refusal{
		"profile missing": {
			nil, "DescribeFargateProfile", aboutWeb,
			notFound, 404, "No Fargate Profile found with name: web.",
		},
		"delete of a profile that is missing": {
			nil, deletion, aboutWeb, notFound, 404, "No Fargate Profile found with name: web.",
		},
		"tags of a resource that is missing": {
			nil, "ListTagsForResource",
			func(session) object {
				return object{"resourceArn": "arn:aws:eks:us-east-1:111122223333:cluster/other"}
			},
			"NotFoundException", 404, "The resource arn:aws:eks:us-east-1:111122223333:cluster/other was not found.",
		},
		"throttled": {
			func(s session) { s.c.Inject(fake.Throttle(create, -1)) }, create, web,
			"ThrottlingException", 429, "Rate exceeded",
		},
		"out of order": {
			func(s session) { s.c.Inject(fake.Fault{Code: "ServerException", Message: "Internal error"}) }, create, web,
			"ServerException", 500, "Internal error",
		},
	}
}
