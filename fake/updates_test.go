// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
)

func versionInput(version string) *eks.UpdateClusterVersionInput {
	return &eks.UpdateClusterVersionInput{Name: aws.String(fake.ClusterName), Version: &version}
}

func demoCluster(t *testing.T, api eksAPI) *types.Cluster {
	t.Helper()
	out, err := api.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Cluster
}

func demoUpdate(t *testing.T, api eksAPI, id string) *types.Update {
	t.Helper()
	out, err := api.DescribeUpdate(t.Context(), &eks.DescribeUpdateInput{Name: aws.String(fake.ClusterName), UpdateId: &id})
	if err != nil {
		t.Fatal(err)
	}
	return out.Update
}

func TestVersionUpdate(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		c.AddCluster(fake.Cluster{Name: fake.ClusterName, Version: "1.33"})
		mustCreate(t, c, api, "web")
		c.Advance(time.Hour)
		out, err := api.UpdateClusterVersion(t.Context(), versionInput("1.34"))
		if err != nil {
			t.Fatal(err)
		}
		u := out.Update
		if u.Status != types.UpdateStatusInProgress || u.Type != types.UpdateTypeVersionUpdate ||
			len(u.Params) != 1 || u.Params[0].Type != types.UpdateParamTypeVersion || *u.Params[0].Value != "1.34" {
			t.Errorf("update %+v", u)
		}
		if cl := demoCluster(t, api); cl.Status != types.ClusterStatusUpdating || *cl.Version != "1.33" {
			t.Errorf("status %s, version %s during the update", cl.Status, *cl.Version)
		}
		wantError(t, create(t, c, api, "more"), "InvalidRequestException", 400, "Cluster 'demo' is not in ACTIVE status")
		_, err = api.DeleteFargateProfile(t.Context(), deleteInput("web"))
		wantError(t, err, "ResourceInUseException", 409,
			"Cannot Delete Fargate Profile web because cluster demo currently has an update in progress")
		_, err = api.UpdateClusterVersion(t.Context(), versionInput("1.34"))
		wantError(t, err, "ResourceInUseException", 409, "Cannot update because cluster demo currently has an update in progress")
		_, err = api.DeleteCluster(t.Context(), &eks.DeleteClusterInput{Name: aws.String(fake.ClusterName)})
		wantError(t, err, "ResourceInUseException", 409, "Cluster has Fargate Profiles in ACTIVE/CREATING state")
		c.Advance(10 * time.Minute)
		if cl := demoCluster(t, api); cl.Status != types.ClusterStatusActive || *cl.Version != "1.34" {
			t.Errorf("status %s, version %s after the update", cl.Status, *cl.Version)
		}
		if got := demoUpdate(t, api, *u.Id).Status; got != types.UpdateStatusSuccessful {
			t.Errorf("status of the update %s", got)
		}
		list, err := api.ListUpdates(t.Context(), &eks.ListUpdatesInput{Name: aws.String(fake.ClusterName)})
		if err != nil || !slices.Equal(list.UpdateIds, []string{*u.Id}) {
			t.Errorf("updates %+v, error %v", list, err)
		}
	}, atRest)
}

func TestUpdateThatFails(t *testing.T) {
	c := fake.New(atRest)
	c.AddCluster(fake.Cluster{Name: fake.ClusterName, Version: "1.33"})
	c.Inject(fake.Fault{Operation: "UpdateClusterVersion", Outcome: fake.FailAfter(time.Minute, "IpNotAvailable", "no address", "subnet-1")})
	out, err := c.EKS().UpdateClusterVersion(t.Context(), versionInput("1.34"))
	if err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Minute)
	for _, api := range []eksAPI{c.EKS(), sdkClient(c)} {
		u := demoUpdate(t, api, *out.Update.Id)
		if u.Status != types.UpdateStatusFailed || len(u.Errors) != 1 || u.Errors[0].ErrorCode != types.ErrorCodeIpNotAvailable ||
			*u.Errors[0].ErrorMessage != "no address" || !slices.Equal(u.Errors[0].ResourceIds, []string{"subnet-1"}) {
			t.Errorf("%T: update %+v", api, u)
		}
	}
	if cl := demoCluster(t, c.EKS()); cl.Status != types.ClusterStatusActive || *cl.Version != "1.33" {
		t.Errorf("status %s, version %s", cl.Status, *cl.Version)
	}
}

func TestConfigUpdates(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		c.AddCluster(fake.Cluster{Name: fake.ClusterName, AuthenticationMode: "CONFIG_MAP"})
		update := func(in eks.UpdateClusterConfigInput) {
			t.Helper()
			in.Name = aws.String(fake.ClusterName)
			if _, err := api.UpdateClusterConfig(t.Context(), &in); err != nil {
				t.Fatal(err)
			}
			c.Advance(time.Hour)
		}
		for _, mode := range []types.AuthenticationMode{types.AuthenticationModeApiAndConfigMap, types.AuthenticationModeApi} {
			update(eks.UpdateClusterConfigInput{AccessConfig: &types.UpdateAccessConfigRequest{AuthenticationMode: mode}})
			if got := demoCluster(t, api).AccessConfig.AuthenticationMode; got != mode {
				t.Errorf("mode %s, want %s", got, mode)
			}
		}
		update(eks.UpdateClusterConfigInput{ResourcesVpcConfig: &types.VpcConfigRequest{
			EndpointPublicAccess: aws.Bool(false), EndpointPrivateAccess: aws.Bool(true), PublicAccessCidrs: []string{"10.0.0.0/8"},
		}})
		vpc := demoCluster(t, api).ResourcesVpcConfig
		if vpc.EndpointPublicAccess || !vpc.EndpointPrivateAccess || !slices.Equal(vpc.PublicAccessCidrs, []string{"10.0.0.0/8"}) {
			t.Errorf("endpoint %+v", vpc)
		}
		list, err := api.ListUpdates(t.Context(), &eks.ListUpdatesInput{Name: aws.String(fake.ClusterName), MaxResults: aws.Int32(2)})
		if err != nil || len(list.UpdateIds) != 2 || list.NextToken == nil {
			t.Errorf("updates %+v, error %v", list, err)
		}
	}, atRest)
}

func TestUpdatesThatAreRefused(t *testing.T) {
	api := func(mode string) eksAPI { return cloudInMode(mode).EKS() }
	config := func(mode string, in eks.UpdateClusterConfigInput) error {
		in.Name = aws.String(fake.ClusterName)
		return second(api(mode).UpdateClusterConfig(t.Context(), &in))
	}
	to := func(mode types.AuthenticationMode) eks.UpdateClusterConfigInput {
		return eks.UpdateClusterConfigInput{AccessConfig: &types.UpdateAccessConfigRequest{AuthenticationMode: mode}}
	}
	none := aws.String("none")
	cases := map[string]struct {
		err           error
		code, message string
		status        int
	}{
		"an unknown version":    {second(api("API").UpdateClusterVersion(t.Context(), versionInput("2.0"))), "InvalidParameterException", "unsupported Kubernetes version", 400},
		"no version":            {second(api("API").UpdateClusterVersion(t.Context(), &eks.UpdateClusterVersionInput{Name: aws.String("demo")})), "InvalidParameterException", "unsupported Kubernetes version", 400},
		"an older version":      {second(api("API").UpdateClusterVersion(t.Context(), versionInput("1.32"))), "InvalidParameterException", "Unsupported Kubernetes minor version update from 1.34 to 1.32", 400},
		"a cluster of no name":  {second(api("API").UpdateClusterVersion(t.Context(), &eks.UpdateClusterVersionInput{Name: none})), "ResourceNotFoundException", "No cluster found for name: none.", 404},
		"config of no cluster":  {second(api("API").UpdateClusterConfig(t.Context(), &eks.UpdateClusterConfigInput{Name: none})), "ResourceNotFoundException", "No cluster found for name: none.", 404},
		"back to rows":          {config("API", to("API_AND_CONFIG_MAP")), "InvalidParameterException", "Unsupported authentication mode update from API to API_AND_CONFIG_MAP", 400},
		"two modes at once":     {config("CONFIG_MAP", to("API")), "InvalidParameterException", "Unsupported authentication mode update from CONFIG_MAP to API", 400},
		"no change":             {config("API", eks.UpdateClusterConfigInput{}), "InvalidParameterException", "Exactly one of accessConfig and resourcesVpcConfig is required.", 400},
		"no such update":        {second(api("API").DescribeUpdate(t.Context(), &eks.DescribeUpdateInput{Name: aws.String("demo"), UpdateId: none})), "ResourceNotFoundException", "No update found for ID: none.", 404},
		"update of no cluster":  {second(api("API").DescribeUpdate(t.Context(), &eks.DescribeUpdateInput{Name: none, UpdateId: none})), "ResourceNotFoundException", "No cluster found for name: none.", 404},
		"updates of no cluster": {second(api("API").ListUpdates(t.Context(), &eks.ListUpdatesInput{Name: none})), "ResourceNotFoundException", "No cluster found for name: none.", 404},
		"a page of no size":     {second(api("API").ListUpdates(t.Context(), &eks.ListUpdatesInput{Name: aws.String("demo"), MaxResults: aws.Int32(0)})), "InvalidParameterException", "maxResults must be between 1 and 100, but it is 0.", 400},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { wantError(t, tc.err, tc.code, tc.status, tc.message) })
	}
	t.Run("a cluster that is CREATING", func(t *testing.T) {
		c := fake.New(atRest)
		if _, err := c.EKS().CreateCluster(t.Context(), clusterInput("new")); err != nil {
			t.Fatal(err)
		}
		_, err := c.EKS().UpdateClusterVersion(t.Context(), &eks.UpdateClusterVersionInput{Name: aws.String("new"), Version: aws.String("1.34")})
		wantError(t, err, "InvalidRequestException", 400, "Cluster 'new' is not in ACTIVE status")
	})
}

// An update in the hidden busy time after ACTIVE is refused, too.
func TestUpdateInTheHiddenUpdate(t *testing.T) {
	c := fake.New(atRest)
	c.AddCluster(fake.Cluster{Name: fake.ClusterName, Version: "1.33"})
	c.BusyCluster(fake.ClusterName, time.Minute)
	if got := demoCluster(t, c.EKS()).Status; got != types.ClusterStatusActive {
		t.Errorf("status %s", got)
	}
	_, err := c.EKS().UpdateClusterVersion(t.Context(), versionInput("1.34"))
	wantError(t, err, "ResourceInUseException", 409, "Cannot update because cluster demo currently has an update in progress")
}

func TestClusterVersions(t *testing.T) {
	overTransports(t, func(e env) {
		versions := func(in eks.DescribeClusterVersionsInput) []string {
			out, err := e.api.DescribeClusterVersions(e.t.Context(), &in)
			if err != nil {
				e.t.Fatal(err)
			}
			names := []string{}
			for _, v := range out.ClusterVersions {
				names = append(names, *v.ClusterVersion+" "+string(v.VersionStatus)+" "+string(v.Status))
			}
			return names
		}
		const v34, v33 = "1.34 STANDARD_SUPPORT standard-support", "1.33 STANDARD_SUPPORT standard-support"
		const v32, v31 = "1.32 EXTENDED_SUPPORT extended-support", "1.31 EXTENDED_SUPPORT extended-support"
		const v30 = "1.30 UNSUPPORTED unsupported"
		cases := map[string]struct {
			in   eks.DescribeClusterVersionsInput
			want []string
		}{
			"supported":      {eks.DescribeClusterVersionsInput{}, []string{v34, v33, v32, v31}},
			"all":            {eks.DescribeClusterVersionsInput{IncludeAll: aws.Bool(true)}, []string{v34, v33, v32, v31, v30}},
			"the default":    {eks.DescribeClusterVersionsInput{DefaultOnly: aws.Bool(true)}, []string{v34}},
			"by name":        {eks.DescribeClusterVersionsInput{ClusterVersions: []string{"1.30", "1.33", "9.9"}}, []string{v33, v30}},
			"by status":      {eks.DescribeClusterVersionsInput{VersionStatus: types.VersionStatusUnsupported}, []string{v30}},
			"the first page": {eks.DescribeClusterVersionsInput{MaxResults: aws.Int32(2)}, []string{v34, v33}},
		}
		for name, tc := range cases {
			if got := versions(tc.in); !slices.Equal(got, tc.want) {
				e.t.Errorf("%s: %v, want %v", name, got, tc.want)
			}
		}
		_, err := e.api.DescribeClusterVersions(e.t.Context(), &eks.DescribeClusterVersionsInput{NextToken: aws.String("x")})
		wantError(e.t, err, "InvalidParameterException", 400, `The nextToken "x" is not valid.`)
	}, func(o *fake.Options) {
		o.Now = func() time.Time { return time.Date(2026, 7, 24, 0, 0, 0, 0, time.UTC) }
	})
}

func TestUpdatesDuringAChangeOfAProfile(t *testing.T) {
	update := &eks.UpdateClusterConfigInput{
		Name:               aws.String(fake.ClusterName),
		ResourcesVpcConfig: &types.VpcConfigRequest{EndpointPrivateAccess: aws.Bool(true)},
	}
	for name, tc := range map[string]struct {
		refuse  bool
		message string
	}{
		"the update begins":     {false, ""},
		"refused, if asked for": {true, "Cannot update because cluster demo currently has Fargate profile web in status CREATING"},
	} {
		t.Run(name, func(t *testing.T) {
			c := fake.New(func(o *fake.Options) { o.RefuseUpdatesInChange = tc.refuse })
			mustCreate(t, c, c.EKS(), "web")
			_, err := c.EKS().UpdateClusterConfig(t.Context(), update)
			if tc.message == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantError(t, err, "ResourceInUseException", 409, tc.message)
			c.Advance(time.Hour)
			if _, err := c.EKS().UpdateClusterConfig(t.Context(), update); err != nil {
				t.Errorf("with an ACTIVE profile: %v", err)
			}
		})
	}
}
