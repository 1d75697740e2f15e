// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eksfargate/eksfargate/fake"
)

func clusterInput(name string) *eks.CreateClusterInput {
	return &eks.CreateClusterInput{
		Name:               aws.String(name),
		RoleArn:            aws.String("arn:aws:iam::111122223333:role/eks-cluster"),
		Version:            aws.String("1.33"),
		ResourcesVpcConfig: &types.VpcConfigRequest{SubnetIds: fake.PrivateSubnetIDs(), SecurityGroupIds: []string{"sg-1"}},
		AccessConfig:       &types.CreateAccessConfigRequest{AuthenticationMode: types.AuthenticationModeApi},
		Tags:               map[string]string{"team": "x"},
	}
}

func TestClusterGoesThroughItsLife(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		out, err := api.CreateCluster(t.Context(), clusterInput("new"))
		if err != nil {
			t.Fatal(err)
		}
		if cl := out.Cluster; cl.Status != types.ClusterStatusCreating || cl.Endpoint != nil {
			t.Errorf("create answered status %s, endpoint %v", cl.Status, cl.Endpoint)
		}
		err = create(t, c, api, "web", func(in *eks.CreateFargateProfileInput) { in.ClusterName = aws.String("new") })
		wantError(t, err, "InvalidRequestException", 400, "Cluster 'new' is not in ACTIVE status")
		c.Advance(9 * time.Minute)
		describe := &eks.DescribeClusterInput{Name: aws.String("new")}
		described, err := api.DescribeCluster(t.Context(), describe)
		if err != nil {
			t.Fatal(err)
		}
		if cl := described.Cluster; cl.Status != types.ClusterStatusActive || cl.Endpoint == nil || cl.Identity == nil {
			t.Errorf("after 9 minutes: status %s, endpoint %v, identity %v", cl.Status, cl.Endpoint, cl.Identity)
		}
		if _, err := api.DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String("new")}); err != nil {
			t.Fatal(err)
		}
		_, err = api.DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String("new")})
		wantError(t, err, "ResourceInUseException", 409, "Cannot delete cluster new because it is in status DELETING")
		c.Advance(4 * time.Minute)
		_, err = api.DescribeCluster(t.Context(), describe)
		wantError(t, err, "ResourceNotFoundException", 404, "No cluster found for name: new.")
		list, err := api.ListClusters(t.Context(), &eks.ListClustersInput{})
		if err != nil || !cmp.Equal(list.Clusters, []string{fake.ClusterName}) {
			t.Errorf("clusters %v, error %v", list, err)
		}
	})
}

func TestEveryTransportShowsTheSameCluster(t *testing.T) {
	var shown []*types.Cluster
	overTransports(t, func(e env) {
		if _, err := e.api.CreateCluster(e.t.Context(), clusterInput("new")); err != nil {
			e.t.Fatal(err)
		}
		e.c.Advance(time.Hour)
		out, err := e.api.DescribeCluster(e.t.Context(), &eks.DescribeClusterInput{Name: aws.String("new")})
		if err != nil {
			e.t.Fatal(err)
		}
		shown = append(shown, out.Cluster)
	}, func(o *fake.Options) { o.Now = func() time.Time { return time.UnixMilli(1_700_000_000_123) } })
	options := cmp.Options{
		cmpopts.IgnoreUnexported(types.Cluster{}, types.VpcConfigResponse{}, types.KubernetesNetworkConfigResponse{},
			types.Identity{}, types.OIDC{}, types.Certificate{}, types.AccessConfigResponse{}),
		// The typed client draws its idempotency token from the Cloud's chance.
		cmpopts.IgnoreFields(types.Cluster{}, "Endpoint"), cmpopts.IgnoreFields(types.OIDC{}, "Issuer"),
		cmpopts.IgnoreFields(types.VpcConfigResponse{}, "ClusterSecurityGroupId"),
	}
	for _, other := range shown[1:] {
		if diff := cmp.Diff(shown[0], other, options); diff != "" {
			t.Errorf("direct client and another transport differ (-direct +other):\n%s", diff)
		}
	}
	if cl := shown[0]; *cl.Version != "1.33" || cl.AccessConfig.AuthenticationMode != types.AuthenticationModeApi ||
		!cmp.Equal(cl.ResourcesVpcConfig.SecurityGroupIds, []string{"sg-1"}) || cl.Tags["team"] != "x" {
		t.Errorf("the cluster lost what was asked for: %+v", cl)
	}
}

// Programs that talk to the cluster parse this certificate first.
func TestClusterHasACertificateAuthority(t *testing.T) {
	out, err := fake.New().EKS().DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
	if err != nil {
		t.Fatal(err)
	}
	text, err := base64.StdEncoding.DecodeString(*out.Cluster.CertificateAuthority.Data)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		t.Fatalf("no PEM in %q", text)
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil || !certificate.IsCA {
		t.Fatalf("certificate %v, error %v", certificate, err)
	}
	if err := certificate.CheckSignatureFrom(certificate); err != nil {
		t.Error(err)
	}
}

func TestClusterRefusals(t *testing.T) {
	cases := map[string]struct {
		code    string
		status  int
		message string
		edit    func(in *eks.CreateClusterInput)
	}{
		"name taken": {
			"ResourceInUseException", 409, "Cluster already exists with name: demo",
			func(in *eks.CreateClusterInput) { in.Name = aws.String("demo") },
		},
		"bad name": {
			"InvalidParameterException", 400, `The cluster name "-x" is not valid.`,
			func(in *eks.CreateClusterInput) { in.Name = aws.String("-x") },
		},
		"no subnets": {
			"InvalidParameterException", 400, "At least one subnet is required.",
			func(in *eks.CreateClusterInput) { in.ResourcesVpcConfig = &types.VpcConfigRequest{} },
		},
		"unknown subnet": {
			"InvalidParameterException", 400, "The subnet ID 'subnet-none' does not exist",
			func(in *eks.CreateClusterInput) { in.ResourcesVpcConfig.SubnetIds = []string{"subnet-none"} },
		},
		"bad tag": {
			"InvalidParameterException", 400, "A tag key must not be empty.",
			func(in *eks.CreateClusterInput) { in.Tags = map[string]string{"": ""} },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overTransports(t, func(e env) {
				in := clusterInput("new")
				tc.edit(in)
				_, err := e.api.CreateCluster(e.t.Context(), in)
				wantError(e.t, err, tc.code, tc.status, tc.message)
			})
		})
	}
	t.Run("quota", func(t *testing.T) {
		c := fake.New(func(o *fake.Options) { o.Quotas.Clusters = 1 })
		_, err := c.EKS().CreateCluster(t.Context(), clusterInput("new"))
		wantError(t, err, "ResourceLimitExceededException", 400, "Cluster limit exceeded for the account.")
	})
}

// A change in one cluster holds up no other.
func TestClustersDoNotWaitForEachOther(t *testing.T) {
	c := fake.New()
	for i := range 3 {
		name := fmt.Sprint("c", i)
		c.AddCluster(fake.Cluster{Name: name})
		err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.ClusterName = &name })
		if err != nil {
			t.Errorf("cluster %s: %v", name, err)
		}
	}
}

func TestBusyCluster(t *testing.T) {
	c := fake.New()
	if c.BusyCluster("other", time.Minute) {
		t.Error("a cluster that does not exist was made busy")
	}
	if !c.BusyCluster(fake.ClusterName, 11*time.Minute) {
		t.Fatal("the first cluster does not exist")
	}
	wantError(t, create(t, c, c.EKS(), "web"), "ResourceInUseException", 409,
		"Cannot create Fargate Profile web because cluster demo currently has an update in progress")
	c.Advance(11 * time.Minute)
	if err := create(t, c, c.EKS(), "web"); err != nil {
		t.Errorf("after the update: %v", err)
	}
}

func TestEndpointAccessOfANewCluster(t *testing.T) {
	overTransports(t, func(e env) {
		in := clusterInput("private")
		in.ResourcesVpcConfig.EndpointPublicAccess = aws.Bool(false)
		in.ResourcesVpcConfig.EndpointPrivateAccess = aws.Bool(true)
		in.ResourcesVpcConfig.PublicAccessCidrs = []string{"10.0.0.0/8"}
		out, err := e.api.CreateCluster(e.t.Context(), in)
		if err != nil {
			e.t.Fatal(err)
		}
		vpc := out.Cluster.ResourcesVpcConfig
		if vpc.EndpointPublicAccess || !vpc.EndpointPrivateAccess || !cmp.Equal(vpc.PublicAccessCidrs, []string{"10.0.0.0/8"}) {
			e.t.Errorf("endpoint %+v", vpc)
		}
	})
}
