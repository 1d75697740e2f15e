// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"fmt"
	"time"

	"github.com/eksfargate/eksfargate/iam"
)

func ExampleParseDocument() {
	// GetRole answers with the document URL-encoded.
	d, err := iam.ParseDocument("%7B%22Statement%22%3A%7B%22Effect%22%3A%22Allow%22%2C%22Principal%22%3A%7B%22Service%22%3A%22ec2.amazonaws.com%22%7D%2C%22Action%22%3A%22sts%3AAssumeRole%22%7D%7D")
	fmt.Println(d, err)

	_, err = iam.ParseDocument(`{"Statement":{"Condition":{"ArnLike":{"aws:SourceArn":"a","aws:SourceArn":"b"}}}}`)
	fmt.Println(err)
	// Output:
	// {"Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]} <nil>
	// reading policy document at Statement.Condition.ArnLike.aws:SourceArn: the key "aws:SourceArn" appears twice in one object; give one key a list of values instead
}

func ExampleEquivalent() {
	a, _ := iam.ParseDocument(`{"Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}}`)
	b, _ := iam.ParseDocument(`{"Version":"2012-10-17","Statement":[{"Action":["STS:AssumeRole"],"Effect":"Allow","Principal":{"AWS":"*"}}]}`)
	fmt.Println(iam.Equivalent(a, b))
	// Output: true
}

func ExampleEquivalentStatements() {
	a := iam.Statement{Sid: "A", Effect: iam.EffectAllow, Action: []string{"sts:AssumeRole"}}
	b := iam.Statement{Sid: "B", Effect: iam.EffectAllow, Action: []string{"STS:assumerole"}}
	fmt.Println(iam.EquivalentStatements(a, b))
	// Output: true
}

func ExampleEvaluate() {
	trust := iam.TrustPolicy(iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "other"})
	scope := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"}
	v := iam.Evaluate(trust, scope.Request("fp-a"))
	fmt.Println(v.Allowed())
	fmt.Println(v)
	// Output:
	// false
	// Deny (ConditionNotMet): aws:SourceArn allows cluster other, not demo
}

func ExampleProfileRequest() {
	r := iam.ProfileRequest("arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f")
	fmt.Println(r.SourceAccount)
	// Output: 111122223333
}

func ExampleTrustPolicy() {
	fmt.Println(iam.TrustPolicy(iam.Scope{Region: "cn-north-1", Account: "111122223333", Cluster: "demo"}).Indent())
	// Output:
	// {
	//   "Version": "2012-10-17",
	//   "Statement": [
	//     {
	//       "Sid": "EKSFargatePods",
	//       "Effect": "Allow",
	//       "Principal": {
	//         "Service": "eks-fargate-pods.amazonaws.com"
	//       },
	//       "Action": "sts:AssumeRole",
	//       "Condition": {
	//         "ArnLike": {
	//           "aws:SourceArn": "arn:aws-cn:eks:cn-north-1:111122223333:fargateprofile/demo/*"
	//         },
	//         "StringEquals": {
	//           "aws:SourceAccount": "111122223333"
	//         }
	//       }
	//     }
	//   ]
	// }
}

func ExampleMerge() {
	theirs, _ := iam.ParseDocument(`{"Statement":{"Sid":"Theirs","Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole"}}`)
	ours := iam.TrustPolicy(iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"})
	once := iam.Merge(theirs, ours)
	twice := iam.Merge(once, ours)
	fmt.Println(len(once.Statements), len(twice.Statements), twice.Statements[0].Sid, twice.Statements[1].Sid)
	// Output: 2 2 Theirs EKSFargatePods
}

func ExampleReviewTrust() {
	trust, _ := iam.ParseDocument(`{"Statement":{"Effect":"Allow","Principal":{"Service":["ec2.amazonaws.com","eks-fargate-pods.amazonaws.com"]},"Action":"sts:AssumeRole"}}`)
	review := iam.ReviewTrust(trust, iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"})
	for _, w := range review.Warnings {
		fmt.Printf("%s: %s\n", w.Reason, w.Fix)
	}
	// Output:
	// SourceArnMissing: restrict it with ArnLike aws:SourceArn arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*
	// SharedWithNodes: use a role of its own for Fargate
}

func ExampleScopeOf() {
	scope, err := iam.ScopeOf("arn:aws-us-gov:eks:us-gov-west-1:111122223333:cluster/demo")
	fmt.Println(scope.SourceARN(), err)
	// Output: arn:aws-us-gov:eks:us-gov-west-1:111122223333:fargateprofile/demo/* <nil>
}

func ExampleCheckTrustSize() {
	trust := iam.TrustPolicy(iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"})
	fmt.Println(trust.Size(), iam.CheckTrustSize(trust, 0))
	fmt.Println(iam.CheckTrustSize(trust, 100))
	// Output:
	// 316 <nil>
	// the trust policy has 316 characters, 100 are allowed: ask AWS for a higher quota
}

func ExamplePartitionOf() {
	for _, region := range []string{"us-east-1", "cn-north-1", "eusc-de-east-1"} {
		fmt.Println(iam.ManagedPolicyARN(iam.PartitionOf(region)))
	}
	// Output:
	// arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy
	// arn:aws-cn:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy
	// arn:aws-eusc:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy
}

func ExampleParseRoleARN() {
	role, err := iam.ParseRoleARN("arn:aws:iam::111122223333:role/teams/net/fp-exec")
	fmt.Println(role.Name, role.Path, err)
	fmt.Println(role.AuthARN())
	// Output:
	// fp-exec /teams/net/ <nil>
	// arn:aws:iam::111122223333:role/fp-exec
}

func ExampleRoleName() {
	id := iam.RoleIdentity{Partition: "aws", Account: "111122223333", Region: "us-east-1", Cluster: "demo", Profile: "fp-a"}
	fmt.Println(iam.RoleName(id))
	// Output: fargate-demo-fp-a-vn4brkmii7ie4fmo
}

func ExampleAuthMapping() {
	role, _ := iam.ParseRoleARN("arn:aws:iam::111122223333:role/teams/net/fp-exec")
	fmt.Print(iam.AuthMapping(role).YAML())
	// Output:
	// - groups:
	//   - system:bootstrappers
	//   - system:nodes
	//   - system:node-proxier
	//   rolearn: arn:aws:iam::111122223333:role/fp-exec
	//   username: system:node:{{SessionName}}
}

func ExampleAccessEntryFor() {
	role, _ := iam.ParseRoleARN("arn:aws:iam::111122223333:role/teams/net/fp-exec")
	e := iam.AccessEntryFor("demo", role)
	fmt.Println(e.Type, e.PrincipalARN)
	// Output: FARGATE_LINUX arn:aws:iam::111122223333:role/teams/net/fp-exec
}

func ExampleParseEvent() {
	e := iam.ParseEvent("Misconfigured Fargate Profile: fargate profile coredns blocked for new launches due to: Pod execution role is not found in auth config or does not have all required permissions for launching fargate pods.")
	fmt.Println(e.Profile, e.Cause)
	// Output: coredns RoleNotInAuth
}

func ExampleControllerPolicy() {
	d := iam.ControllerPolicy(iam.ControllerConfig{
		Scope:         iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"},
		Roles:         []string{"arn:aws:iam::111122223333:role/fp-exec"},
		ChosenSubnets: true,
	})
	for _, s := range d.Statements {
		fmt.Println(s.Sid, s.Action)
	}
	// Output:
	// Profiles [eks:DeleteFargateProfile eks:DescribeFargateProfile eks:TagResource eks:UntagResource]
	// ClusterProfiles [eks:CreateFargateProfile eks:ListFargateProfiles]
	// PassRole [iam:PassRole]
	// ServiceLinkedRole [iam:CreateServiceLinkedRole]
	// ServiceLinkedRoleRead [iam:GetRole]
}

func ExampleDecideRole() {
	scope := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"}
	d := iam.DecideRole(iam.RoleInput{
		Desired: iam.DesiredRole{Mode: iam.ModeEnsure, Name: "fp-exec", Scope: scope, Owner: "platform/demo"},
		Now:     time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
	})
	fmt.Println(d.Action, d.Reason)
	fmt.Println(d.Call)

	// The same name at IAM, without our mark and without AWS's policy.
	d = iam.DecideRole(iam.RoleInput{
		Desired:  iam.DesiredRole{Mode: iam.ModeEnsure, Name: "fp-exec", Scope: scope, Owner: "platform/demo"},
		Observed: &iam.ObservedRole{ARN: "arn:aws:iam::111122223333:role/fp-exec", Trust: iam.TrustPolicy(scope)},
		Now:      time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
	})
	fmt.Println(d.Action, d.Reason)
	fmt.Println(d.Review.Shortcomings[0].Fix)
	// Output:
	// create RoleMissing
	// CreateRole fp-exec
	// blocked RoleUnfit
	// aws iam attach-role-policy --role-name fp-exec --policy-arn arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy
}

func ExampleReviewRole() {
	scope := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: "demo"}
	review := iam.ReviewRole(iam.DesiredRole{Scope: scope}, iam.ObservedRole{
		ARN:              "arn:aws:iam::111122223333:role/fp-exec",
		Trust:            iam.TrustPolicy(scope),
		AttachedPolicies: []string{iam.ManagedPolicyARN("aws")},
	})
	fmt.Println(len(review.Shortcomings), len(review.Warnings))
	// Output: 0 0
}
