// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/smithy-go"
	"go.uber.org/goleak"

	"github.com/eksfargate/eksfargate/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eksAPI is what *eks.Client and *fake.EKS have in common.
type eksAPI interface {
	CreateFargateProfile(context.Context, *eks.CreateFargateProfileInput, ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error)
	DescribeFargateProfile(context.Context, *eks.DescribeFargateProfileInput, ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error)
	ListFargateProfiles(context.Context, *eks.ListFargateProfilesInput, ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error)
	DeleteFargateProfile(context.Context, *eks.DeleteFargateProfileInput, ...func(*eks.Options)) (*eks.DeleteFargateProfileOutput, error)
	TagResource(context.Context, *eks.TagResourceInput, ...func(*eks.Options)) (*eks.TagResourceOutput, error)
	UntagResource(context.Context, *eks.UntagResourceInput, ...func(*eks.Options)) (*eks.UntagResourceOutput, error)
	ListTagsForResource(context.Context, *eks.ListTagsForResourceInput, ...func(*eks.Options)) (*eks.ListTagsForResourceOutput, error)
	CreateCluster(context.Context, *eks.CreateClusterInput, ...func(*eks.Options)) (*eks.CreateClusterOutput, error)
	DescribeCluster(context.Context, *eks.DescribeClusterInput, ...func(*eks.Options)) (*eks.DescribeClusterOutput, error)
	ListClusters(context.Context, *eks.ListClustersInput, ...func(*eks.Options)) (*eks.ListClustersOutput, error)
	DeleteCluster(context.Context, *eks.DeleteClusterInput, ...func(*eks.Options)) (*eks.DeleteClusterOutput, error)
	CreateAccessEntry(context.Context, *eks.CreateAccessEntryInput, ...func(*eks.Options)) (*eks.CreateAccessEntryOutput, error)
	DescribeAccessEntry(context.Context, *eks.DescribeAccessEntryInput, ...func(*eks.Options)) (*eks.DescribeAccessEntryOutput, error)
	ListAccessEntries(context.Context, *eks.ListAccessEntriesInput, ...func(*eks.Options)) (*eks.ListAccessEntriesOutput, error)
	DeleteAccessEntry(context.Context, *eks.DeleteAccessEntryInput, ...func(*eks.Options)) (*eks.DeleteAccessEntryOutput, error)
	UpdateClusterVersion(context.Context, *eks.UpdateClusterVersionInput, ...func(*eks.Options)) (*eks.UpdateClusterVersionOutput, error)
	UpdateClusterConfig(context.Context, *eks.UpdateClusterConfigInput, ...func(*eks.Options)) (*eks.UpdateClusterConfigOutput, error)
	DescribeUpdate(context.Context, *eks.DescribeUpdateInput, ...func(*eks.Options)) (*eks.DescribeUpdateOutput, error)
	ListUpdates(context.Context, *eks.ListUpdatesInput, ...func(*eks.Options)) (*eks.ListUpdatesOutput, error)
	DescribeClusterVersions(context.Context, *eks.DescribeClusterVersionsInput, ...func(*eks.Options)) (*eks.DescribeClusterVersionsOutput, error)
}

var (
	_ eksAPI = (*eks.Client)(nil)
	_ eksAPI = (*fake.EKS)(nil)
)

// sdkClient is the real client, over the in-process transport.
func sdkClient(c *fake.Cloud, optFns ...func(*eks.Options)) *eks.Client {
	return eks.New(eks.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String("http://fake.invalid"),
		HTTPClient:   c.HTTPClient(),
		Credentials:  credentials("AKIAFAKE"),
	}, optFns...)
}

func credentials(accessKey string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: accessKey, SecretAccessKey: "secret"}, nil
	})
}

// env is what a test has at hand on one transport.
type env struct {
	t   *testing.T
	c   *fake.Cloud
	api eksAPI
}

// overTransports runs a test through every way to a Cloud. Each gets a fresh one.
func overTransports(t *testing.T, run func(e env), optFns ...func(*fake.Options)) {
	t.Helper()
	t.Run("direct client", func(t *testing.T) {
		c := fake.New(optFns...)
		run(env{t, c, c.EKS()})
	})
	t.Run("SDK in process", func(t *testing.T) {
		c := fake.New(optFns...)
		run(env{t, c, sdkClient(c)})
	})
	t.Run("SDK over a socket", func(t *testing.T) {
		c := fake.New(optFns...)
		server := start(t, c)
		sockets := &http.Transport{}
		t.Cleanup(sockets.CloseIdleConnections)
		run(env{t, c, sdkClient(c, func(o *eks.Options) {
			o.BaseEndpoint = &server.URL
			o.HTTPClient = &http.Client{Transport: sockets}
		})})
	})
}

// start listens until the test ends.
func start(t *testing.T, c *fake.Cloud) *fake.Server {
	t.Helper()
	server, err := c.Start("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func createInput(c *fake.Cloud, name string) *eks.CreateFargateProfileInput {
	return &eks.CreateFargateProfileInput{
		ClusterName:         aws.String(fake.ClusterName),
		FargateProfileName:  aws.String(name),
		PodExecutionRoleArn: aws.String(c.RoleARN(fake.RoleName)),
		Subnets:             fake.PrivateSubnetIDs(),
		Selectors:           []types.FargateProfileSelector{{Namespace: aws.String("web")}},
	}
}

func describeInput(name string) *eks.DescribeFargateProfileInput {
	return &eks.DescribeFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(name),
	}
}

func deleteInput(name string) *eks.DeleteFargateProfileInput {
	return &eks.DeleteFargateProfileInput{
		ClusterName: aws.String(fake.ClusterName), FargateProfileName: aws.String(name),
	}
}

func mustCreate(t *testing.T, c *fake.Cloud, api eksAPI, name string) *types.FargateProfile {
	t.Helper()
	out, err := api.CreateFargateProfile(t.Context(), createInput(c, name))
	if err != nil {
		t.Fatalf("creating %s: %v", name, err)
	}
	return out.FargateProfile
}

func mustDelete(t *testing.T, api eksAPI, name string) {
	t.Helper()
	if _, err := api.DeleteFargateProfile(t.Context(), deleteInput(name)); err != nil {
		t.Fatalf("deleting %s: %v", name, err)
	}
}

func mustDescribe(t *testing.T, api eksAPI, name string) *types.FargateProfile {
	t.Helper()
	out, err := api.DescribeFargateProfile(t.Context(), describeInput(name))
	if err != nil {
		t.Fatalf("describing %s: %v", name, err)
	}
	return out.FargateProfile
}

// wantError checks code, status and text, through the general interfaces.
func wantError(t *testing.T, err error, code string, status int, message string) {
	t.Helper()
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		t.Fatalf("error %v is no smithy.APIError, want %s: %s", err, code, message)
	}
	if api.ErrorCode() != code || api.ErrorMessage() != message {
		t.Errorf("error\n got %s: %s\nwant %s: %s", api.ErrorCode(), api.ErrorMessage(), code, message)
	}
	var response interface{ HTTPStatusCode() int }
	if !errors.As(err, &response) {
		t.Fatalf("error %v has no HTTP status", err)
	}
	if response.HTTPStatusCode() != status {
		t.Errorf("status of %q is %d, want %d", message, response.HTTPStatusCode(), status)
	}
}

// anonymous replaces what differs between two calls for the same thing.
func anonymous(err error) string {
	if err == nil {
		return ""
	}
	return regexp.MustCompile(`RequestID: [0-9a-f-]+`).ReplaceAllString(err.Error(), "RequestID: -")
}

func containsText(err error, part string) bool {
	return err != nil && strings.Contains(err.Error(), part)
}
