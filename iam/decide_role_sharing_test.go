// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

// unused is what DecideRole is asked about a role that no profile of its cluster
// uses and that was marked for deletion a while ago.
func unused(change ...func(*iam.ObservedRole)) iam.RoleInput {
	return iam.RoleInput{
		Desired: desired(mode(iam.ModeDelete)), Users: iam.RoleUsers{Known: true}, Now: now,
		Observed: observed(append([]func(*iam.ObservedRole){marked(time.Hour)}, change...)...),
	}
}

// Who uses a role elsewhere can't be seen from one cluster, so that a role stays
// whose trust policy lets in profiles of any other.
func TestARoleThatAnotherClusterMayUseIsKept(t *testing.T) {
	tests := map[string]struct {
		source string
		kept   bool
	}{
		"this cluster alone":                       {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*", false},
		"one profile of this cluster":              {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/*", false},
		"this cluster in any partition":            {"arn:*:eks:us-east-1:111122223333:fargateprofile/demo/*", false},
		"this cluster, where a profile must be":    {"arn:aws:eks:us-east-1:111122223333:cluster/demo", false},
		"another cluster":                          {"arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*", true},
		"another cluster, where a profile must be": {"arn:aws:eks:us-east-1:111122223333:cluster/other", true},
		"any cluster":                              {"arn:aws:eks:us-east-1:111122223333:fargateprofile/*", true},
		"any resource of EKS":                      {"arn:aws:eks:us-east-1:111122223333:*", true},
		"any source":                               {"*", true},
		"clusters that begin with the name":        {"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo*/*", true},
		"clusters of names that are as long":       {"arn:aws:eks:us-east-1:111122223333:fargateprofile/dem?/*", true},
		"a cluster of this name in any region":     {"arn:aws:eks:*:111122223333:fargateprofile/demo/*", true},
		"a cluster of this name in any account":    {"arn:aws:eks:us-east-1:*:fargateprofile/demo/*", true},
		"a cluster of this name in another region": {"arn:aws:eks:eu-west-1:111122223333:fargateprofile/demo/*", true},
		"a cluster of this name in an account":     {"arn:aws:eks:us-east-1:444455556666:fargateprofile/demo/*", true},
		"a resource of another service":            {"arn:aws:lambda:us-east-1:111122223333:function:f", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := iam.DecideRole(unused(trusting(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"sts:AssumeRole",
				"Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Condition":{"ArnLike":{"aws:SourceArn":"` + tt.source + `"}}}}`)))
			kept := d.Reason == iam.ReasonRoleOfOtherCluster && d.Call == nil && strings.Contains(d.Message, tt.source)
			if kept != tt.kept {
				t.Errorf("%s %s: %s", d.Action, d.Reason, d.Message)
			}
		})
	}
}

// ours is the statement that we write for the cluster demo; a test puts others
// beside it.
const ours = `{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{
	"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"},"StringEquals":{"aws:SourceAccount":"111122223333"}}}`

// A statement that we did not write shows that somebody else uses the role, or
// means to.
func TestARoleThatTrustsSomebodyElseIsKept(t *testing.T) {
	tests := map[string]struct {
		statement string
		reason    iam.Reason
		names     string
	}{
		"another service":                {`{"Effect":"Allow","Principal":{"Service":"lambda.amazonaws.com"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "lambda.amazonaws.com"},
		"a service beside ours":          {`{"Effect":"Allow","Principal":{"Service":["eks-fargate-pods.amazonaws.com","ecs-tasks.amazonaws.com"]},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "ecs-tasks.amazonaws.com"},
		"an account":                     {`{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::444455556666:root"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "arn:aws:iam::444455556666:root"},
		"our account":                    {`{"Effect":"Allow","Principal":{"AWS":"111122223333"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "111122223333"},
		"a user with a condition":        {`{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:user/u"},"Action":"sts:AssumeRole","Condition":{"Bool":{"aws:MultiFactorAuthPresent":"true"}}}`, iam.ReasonRoleShared, "user/u"},
		"a SAML provider":                {`{"Effect":"Allow","Principal":{"Federated":"arn:aws:iam::111122223333:saml-provider/p"},"Action":"sts:AssumeRoleWithSAML"}`, iam.ReasonRoleShared, "saml-provider/p"},
		"service accounts of a cluster":  {`{"Effect":"Allow","Principal":{"Federated":"arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/X"},"Action":"sts:AssumeRoleWithWebIdentity"}`, iam.ReasonRoleShared, "oidc-provider"},
		"a canonical user":               {`{"Effect":"Allow","Principal":{"CanonicalUser":"79a5"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "79a5"},
		"a type that nobody knows":       {`{"Effect":"Allow","Principal":{"Robot":"r2"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "r2"},
		"everyone":                       {`{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "everyone"},
		"every account":                  {`{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "everyone"},
		"every service":                  {`{"Effect":"Allow","Principal":{"Service":"*"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "*"},
		"everyone but one":               {`{"Effect":"Allow","NotPrincipal":{"AWS":"444455556666"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "everyone but 444455556666"},
		"nobody who is named":            {`{"Effect":"Allow","Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "a statement without a principal"},
		"another effect":                 {`{"Effect":"allow","Principal":{"Service":"lambda.amazonaws.com"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleShared, "lambda.amazonaws.com"},
		"another action":                 {`{"Effect":"Allow","Principal":{"Service":"lambda.amazonaws.com"},"NotAction":"sts:AssumeRole"}`, iam.ReasonRoleShared, "lambda.amazonaws.com"},
		"nodes":                          {`{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}`, iam.ReasonSharedWithNodes, "ec2.amazonaws.com"},
		"EKS, whatever the source":       {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole"}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS for the account":            {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"StringEquals":{"aws:SourceAccount":"111122223333"}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS for all but a source":       {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ArnNotLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS without a source, too":      {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ArnLikeIfExists":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS without any value, too":     {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ForAllValues:ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS by an operator of no sense": {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"NumericEquals":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS by a test without a value":  {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ArnLike":{"aws:SourceArn":[]}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS for names in any case":      {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"StringEqualsIgnoreCase":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/1"}}}`, iam.ReasonRoleOfOtherCluster, "any cluster"},
		"EKS for this and another":       {`{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ArnLike":{"aws:SourceArn":["arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*","arn:aws:eks:us-east-1:111122223333:fargateprofile/other/*"]}}}`, iam.ReasonRoleOfOtherCluster, "fargateprofile/other/*"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{tt.statement, ours + "," + tt.statement} {
				in := unused(trusting(`{"Version":"2012-10-17","Statement":[` + text + `]}`))
				in.Desired.Force = true
				d := iam.DecideRole(in)
				if d.Action != iam.RoleActionNoOp || d.Reason != tt.reason || !strings.Contains(d.Message, tt.names) || d.Gone {
					t.Errorf("%s\n%s %s: %s", text, d.Action, d.Reason, d.Message)
				}
			}
		})
	}
}

func TestAStatementThatLetsNobodyElseInDoesNotKeepTheRole(t *testing.T) {
	tests := map[string]string{
		"ours alone":                        ours,
		"none":                              "",
		"ours under another Sid":            strings.Replace(ours, "{", `{"Sid":"Theirs",`, 1),
		"a profile of the cluster":          `{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"StringLike":{"AWS:SOURCEARN":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/web/*"}}}`,
		"any of several values":             `{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ForAnyValue:ArnEquals":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"}}}`,
		"a wide condition and a narrow one": `{"Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ArnLike":{"aws:SourceArn":"arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/*"},"StringLike":{"aws:SourceArn":"*"}}}`,
		"a denial":                          ours + `,{"Effect":"Deny","Principal":{"AWS":"444455556666"},"Action":"sts:AssumeRole"}`,
	}
	for name, statements := range tests {
		t.Run(name, func(t *testing.T) {
			if d := iam.DecideRole(unused(trusting(`{"Version":"2012-10-17","Statement":[` + statements + `]}`))); d.Reason != iam.ReasonRoleUnused {
				t.Errorf("%s %s: %s", d.Action, d.Reason, d.Message)
			}
		})
	}
}

// A role that was meant to be open for every cluster has no other statement that
// tells who else uses it.
func TestAnUnconditionalRoleOfOursGoes(t *testing.T) {
	in := unused()
	in.Desired.Scope.Unconditional = true
	in.Observed.Trust = iam.TrustPolicy(in.Desired.Scope)
	if d := iam.DecideRole(in); d.Reason != iam.ReasonRoleUnused {
		t.Errorf("%s %s: %s", d.Action, d.Reason, d.Message)
	}
}

// We put no role into an instance profile: whoever did has a use for it.
func TestARoleInInstanceProfiles(t *testing.T) {
	in := unused(func(o *iam.ObservedRole) { o.AttachedPolicies, o.InstanceProfiles = nil, []string{"workers", "nodes"} })
	d := iam.DecideRole(in)
	if d.Action != iam.RoleActionBlocked || d.Reason != iam.ReasonForeignInstanceProfiles || !strings.Contains(d.Message, "nodes and workers") {
		t.Errorf("%s %s: %s", d.Action, d.Reason, d.Message)
	}
	in.Desired.Force = true
	if d := iam.DecideRole(in); d.Call == nil || d.Call.Operation != iam.OpRemoveRoleFromInstanceProfile || d.Call.InstanceProfile != "nodes" {
		t.Errorf("forced: %s %s: %s", d.Action, d.Reason, d.Message)
	}
	in.Observed.Trust = iam.Merge(in.Observed.Trust, mustParse(t, `{"Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com.cn"},"Action":"sts:AssumeRole"}}`))
	if d := iam.DecideRole(in); d.Action != iam.RoleActionNoOp || d.Reason != iam.ReasonSharedWithNodes || !strings.Contains(d.Message, "nodes and workers") {
		t.Errorf("with nodes: %s %s: %s", d.Action, d.Reason, d.Message)
	}
}

// Whatever the trust policy says, a role that goes lets nobody in but EKS, and EKS
// only for profiles of the cluster: Evaluate, which knows nothing of the decision,
// denies it to all others.
func TestDecideRole_ARoleThatGoesServesNobodyElse(t *testing.T) {
	gone := 0
	rapid.Check(t, func(t *rapid.T) {
		in := unused()
		in.Observed.Trust = documents().Draw(t, "document")
		if rapid.Bool().Draw(t, "with ours") {
			in.Observed.Trust = iam.Merge(in.Observed.Trust, iam.TrustPolicy(demo()))
		}
		d := iam.DecideRole(in)
		if d.Call == nil {
			return
		}
		gone++
		for _, request := range foreignRequests() {
			if v := iam.Evaluate(in.Observed.Trust, request); v.Result != iam.ResultDeny {
				t.Fatalf("%s, and %+v is %s: %s\n%s", d.Call, request, v.Result, v.Message, in.Observed.Trust.Indent())
			}
		}
	})
	if gone == 0 {
		t.Error("no role ever goes")
	}
}

func foreignRequests() []iam.Request {
	var requests []iam.Request
	other, abroad, elsewhere := demo(), demo(), demo()
	other.Cluster, abroad.Region, elsewhere.Account = "other", "eu-west-1", "444455556666"
	for _, scope := range []iam.Scope{other, abroad, elsewhere} {
		requests = append(requests, scope.Request("web"))
	}
	for _, service := range []string{"ec2.amazonaws.com", "lambda.amazonaws.com"} {
		requests = append(requests, iam.Request{Service: service}, iam.Request{Service: service, Action: "sts:TagSession"})
	}
	return append(requests, iam.Request{}, iam.Request{SourceAccount: "111122223333"})
}
