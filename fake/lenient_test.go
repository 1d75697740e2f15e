// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
)

func lenient(o *fake.Options) {
	atRest(o)
	o.Lenient = true
	o.Quotas.Profiles = 1 // does not count
}

func TestLenientMode(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		for i := range 12 {
			err := create(t, c, api, fmt.Sprint("p", i), func(in *eks.CreateFargateProfileInput) {
				in.PodExecutionRoleArn = aws.String("arn:aws:iam::999999999999:role/anything")
				in.Subnets = []string{"subnet-anything"}
				for range 6 {
					in.Selectors = append(in.Selectors, in.Selectors[0])
				}
				in.Selectors[0].Labels = labels(9)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := mustDescribe(t, api, "p0").Status; got != "ACTIVE" {
			t.Errorf("status %s right after the create", got)
		}
		out, err := api.DeleteFargateProfile(t.Context(), deleteInput("p0"))
		if err != nil || out.FargateProfile.Status != "DELETING" {
			t.Errorf("delete answered %+v, error %v", out, err)
		}
		_, err = api.DescribeFargateProfile(t.Context(), describeInput("p0"))
		wantError(t, err, "ResourceNotFoundException", 404, "No Fargate Profile found with name: p0.")
		if got := listed(t, api); len(got) != 11 {
			t.Errorf("profiles %v", got)
		}
		cluster := clusterInput("new")
		cluster.ResourcesVpcConfig.SubnetIds = []string{"subnet-anything"}
		if _, err := api.CreateCluster(t.Context(), cluster); err != nil {
			t.Fatal(err)
		}
		if err := create(t, c, api, "web", func(in *eks.CreateFargateProfileInput) {
			in.ClusterName, in.Subnets = aws.String("new"), nil
		}); err != nil {
			t.Error(err)
		}
		if p := run(t, c, fake.Pod{Namespace: "web", Name: "p"}); p.Node == "" {
			t.Errorf("pod %+v has no node", p)
		}
	}, lenient)
}

// Names are still unique, and requests that are wrong by themselves refused.
func TestLenientModeStillRefuses(t *testing.T) {
	c := fake.New(lenient)
	mustCreate(t, c, c.EKS(), "web")
	wantError(t, create(t, c, c.EKS(), "web"), "ResourceInUseException", 409,
		"A Fargate Profile already exists with this name in this cluster.")
	wantError(t, create(t, c, c.EKS(), "eks-web"), "InvalidParameterException", 400,
		"The fargate profile name starts with the reserved prefix: 'eks-'.")
}

func TestLenientModeHasMotosReset(t *testing.T) {
	c := fake.New(lenient)
	mustCreate(t, c, c.EKS(), "web")
	c.Advance(time.Hour)
	reply := exchange(t, c, "POST", "/moto-api/reset", "")
	if reply.Code != 200 || reply.Body.String() != `{"status":"ok"}` {
		t.Errorf("status %d, %s", reply.Code, reply.Body)
	}
	if got := listed(t, c.EKS()); len(got) != 0 {
		t.Errorf("profiles %v after the reset", got)
	}
}

// A change that takes no time is complete, also without Lenient.
func TestDeleteThatTakesNoTime(t *testing.T) {
	c := fake.New(wide)
	mustCreate(t, c, c.EKS(), "web")
	mustDelete(t, c.EKS(), "web")
	if err := create(t, c, c.EKS(), "web"); err != nil {
		t.Errorf("the name is still taken: %v", err)
	}
}
