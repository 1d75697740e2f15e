// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
)

func exampleProfile(c *fake.Cloud, name string) *eks.CreateFargateProfileInput {
	return &eks.CreateFargateProfileInput{
		ClusterName:         aws.String(fake.ClusterName),
		FargateProfileName:  aws.String(name),
		PodExecutionRoleArn: aws.String(c.RoleARN(fake.RoleName)),
		Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web")}},
	}
}

// A profile takes time to become ACTIVE, and the cluster takes no other change
// meanwhile.
func Example() {
	ctx := context.Background()
	c := fake.New()
	client := c.EKS()

	out, _ := client.CreateFargateProfile(ctx, exampleProfile(c, "web"))
	fmt.Println(out.FargateProfile.Status, len(out.FargateProfile.Subnets), "subnets")

	_, err := client.CreateFargateProfile(ctx, exampleProfile(c, "api"))
	if inUse, ok := errors.AsType[*types.ResourceInUseException](err); ok {
		fmt.Println(*inUse.Message)
	}

	c.Advance(90 * time.Second)
	described, _ := client.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String("web"),
	})
	fmt.Println(described.FargateProfile.Status)
	// Output:
	// CREATING 3 subnets
	// Cannot create Fargate Profile api because cluster demo currently has Fargate profile web in status CREATING
	// ACTIVE
}

// The SDK's own client works against the Cloud without a socket.
func ExampleCloud_HTTPClient() {
	c := fake.New()
	client := eks.New(eks.Options{
		Region:     "us-east-1",
		HTTPClient: c.HTTPClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	})
	out, err := client.ListClusters(context.Background(), &eks.ListClustersInput{})
	fmt.Println(out.Clusters, err)
	// Output: [demo] <nil>
}

// A program in any language can talk to the Cloud through a socket.
func ExampleCloud_Start() {
	server, err := fake.New().Start("")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = server.Close() }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(server.URL + "/clusters")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	fmt.Println(string(body), err)
	// Output: {"clusters":["demo"],"nextToken":null} <nil>
}

// A fault makes the first create fail after forty seconds, as when the role is
// in use for EC2 nodes.
func ExampleCloud_Inject() {
	ctx := context.Background()
	c := fake.New()
	c.Inject(fake.Fault{
		Operation: "CreateFargateProfile",
		Outcome:   fake.FailAfter(40*time.Second, "PodExecutionRoleAlreadyInUse", "the role is mapped for EC2 nodes"),
	})
	_, err := c.EKS().CreateFargateProfile(ctx, exampleProfile(c, "web"))
	c.Advance(40 * time.Second)
	out, _ := c.EKS().DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String("web"),
	})
	fmt.Println(err, out.FargateProfile.Status, out.FargateProfile.Health.Issues[0].Code)
	// Output: <nil> CREATE_FAILED PodExecutionRoleAlreadyInUse
}

// The journal says what the code under test has asked AWS.
func ExampleCloud_Calls() {
	c := fake.New()
	_, _ = c.EKS().CreateFargateProfile(context.Background(), exampleProfile(c, "eks-web"))
	for call := range c.Calls() {
		in, _ := call.Input.(*eks.CreateFargateProfileInput)
		fmt.Println(call.Operation, *in.FargateProfileName, call.Status, call.Message)
	}
	// Output: CreateFargateProfile eks-web 400 The fargate profile name starts with the reserved prefix: 'eks-'.
}

// A profile that comes after a pod does not help it: somebody must make the pod
// again.
func ExampleCloud_RunPod() {
	c := fake.New()
	web := fake.Pod{Namespace: "web", Name: "shop"}
	early, err := c.RunPod(web)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(early.Scheduler)

	_, err = c.EKS().CreateFargateProfile(context.Background(), &eks.CreateFargateProfileInput{
		ClusterName:         aws.String(fake.ClusterName),
		FargateProfileName:  aws.String("web"),
		PodExecutionRoleArn: aws.String(c.RoleARN(fake.RoleName)),
		Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web")}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Advance(10 * time.Minute)
	late, err := c.RecreatePod(web)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(late.Scheduler, late.Profile)

	// Output:
	// default-scheduler
	// fargate-scheduler web
}

// A suite builds its starting point once and restores it before every test.
func ExampleCloud_Restore() {
	c := fake.New()
	start, err := c.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := c.EKS().CreateFargateProfile(context.Background(), exampleProfile(c, "web")); err != nil {
		fmt.Println(err)
		return
	}
	if err := c.Restore(start); err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.EKS().CreateFargateProfile(context.Background(), exampleProfile(c, "web"))
	fmt.Println("created again:", err == nil)

	// Output:
	// created again: true
}

// A controller must do without a permission that its policy lacks.
func ExampleCloud_Deny() {
	c := fake.New()
	c.Deny("iam:PassRole")
	_, err := c.EKS().CreateFargateProfile(context.Background(), exampleProfile(c, "web"))
	denied, ok := errors.AsType[*types.AccessDeniedException](err)
	if !ok {
		fmt.Println(err)
		return
	}
	fmt.Println(denied.ErrorMessage())

	// Output:
	// User: arn:aws:iam::111122223333:user/fake is not authorized to perform: iam:PassRole on resource: arn:aws:iam::111122223333:role/fargate-pods
}
