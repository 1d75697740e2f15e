// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
)

// get returns the body of a GET through the in-process transport.
func get(t *testing.T, c *fake.Cloud, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://fake.invalid"+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := c.HTTPClient().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestLabelStyles(t *testing.T) {
	cases := map[fake.LabelStyle]struct {
		wire string
		nil  bool
	}{
		"":                {`"selectors":[{"namespace":"web"}]`, true},
		fake.LabelsAbsent: {`"selectors":[{"namespace":"web"}]`, true},
		fake.LabelsNull:   {`"selectors":[{"namespace":"web","labels":null}]`, true},
		fake.LabelsEmpty:  {`"selectors":[{"namespace":"web","labels":{}}]`, false},
	}
	for style, tc := range cases {
		t.Run("style "+string(style), func(t *testing.T) {
			c := fake.New(func(o *fake.Options) { o.EmptyLabels = style })
			mustCreate(t, c, c.EKS(), "web")
			if body := get(t, c, "/clusters/demo/fargate-profiles/web"); !strings.Contains(body, tc.wire) {
				t.Errorf("body %s does not contain %s", body, tc.wire)
			}
			for _, api := range []eksAPI{c.EKS(), sdkClient(c)} {
				if got := mustDescribe(t, api, "web").Selectors[0].Labels; (got == nil) != tc.nil || len(got) != 0 {
					t.Errorf("%T: labels %#v, want nil=%v", api, got, tc.nil)
				}
			}
		})
	}
}

func TestHealthCanBeOmitted(t *testing.T) {
	for _, omit := range []bool{false, true} {
		c := fake.New(func(o *fake.Options) { o.OmitHealth = omit })
		mustCreate(t, c, c.EKS(), "web")
		for _, api := range []eksAPI{c.EKS(), sdkClient(c)} {
			if got := mustDescribe(t, api, "web").Health; (got == nil) != omit {
				t.Errorf("%T with OmitHealth=%v: health %v", api, omit, got)
			}
		}
	}
}

func TestCreateInTheHiddenUpdate(t *testing.T) {
	for _, accepted := range []bool{false, true} {
		c := fake.New(func(o *fake.Options) { o.CreateWhileBusy = accepted })
		mustCreate(t, c, c.EKS(), "first")
		c.Advance(91 * time.Second)
		cluster, err := c.EKS().DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
		if err != nil || cluster.Cluster.Status != types.ClusterStatusActive {
			t.Fatalf("cluster %v, error %v: want ACTIVE all along", cluster, err)
		}
		err = create(t, c, c.EKS(), "second")
		if accepted {
			if err != nil {
				t.Errorf("create was refused: %v", err)
			}
			continue
		}
		wantError(t, err, "ResourceInUseException", 409,
			"Cannot create Fargate Profile second because cluster demo currently has an update in progress")
		c.Advance(20 * time.Second)
		if err := create(t, c, c.EKS(), "second"); err != nil {
			t.Errorf("create after the update: %v", err)
		}
	}
}

func TestReplayedTokenWithOtherParameters(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.ReplayTokens = true })
	withToken := func(in *eks.CreateFargateProfileInput) { in.ClientRequestToken = aws.String("same") }
	if err := create(t, c, c.EKS(), "web", withToken); err != nil {
		t.Fatal(err)
	}
	err := create(t, c, c.EKS(), "web", withToken, func(in *eks.CreateFargateProfileInput) { in.Subnets = in.Subnets[:1] })
	wantError(t, err, "InvalidParameterException", 400, "The clientRequestToken was used before with other parameters.")
}

func TestEmptyCloudHasNothing(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.Empty = true })
	_, err := c.EKS().DescribeFargateProfile(t.Context(), describeInput("web"))
	wantError(t, err, "ResourceNotFoundException", 404, "No cluster found for name: demo.")
}

func TestOtherRegionAndPartition(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.Region, o.Account = "cn-north-1", "444455556666" })
	got := *mustCreate(t, c, c.EKS(), "web").FargateProfileArn
	if !strings.HasPrefix(got, "arn:aws-cn:eks:cn-north-1:444455556666:fargateprofile/demo/web/") {
		t.Errorf("ARN %s", got)
	}
}

// Real ids are 8-4-4-4-12 hex digits with the time in digits 3 to 12.
func TestProfileIDsLookLikeRealOnes(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	c := fake.New(func(o *fake.Options) { o.Now = func() time.Time { return now } })
	arn := *mustCreate(t, c, c.EKS(), "web").FargateProfileArn
	id := arn[strings.LastIndexByte(arn, '/')+1:]
	if !regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Fatalf("id %s", id)
	}
	digits := strings.ReplaceAll(id, "-", "")
	first, err := strconv.ParseUint(digits[:2], 16, 8)
	if err != nil || first%2 != 0 {
		t.Errorf("first byte %s is odd", digits[:2])
	}
	half, err := strconv.ParseInt(digits[2:12], 16, 64)
	if before := now.Sub(time.UnixMilli(2 * half)); err != nil || before < 600*time.Millisecond || before > 2800*time.Millisecond {
		t.Errorf("the id's time is %v before the creation", before)
	}
}

func TestSameSeedSameAnswers(t *testing.T) {
	now := func() time.Time { return time.UnixMilli(1_700_000_000_000) }
	arn := func(seed uint64) string {
		c := fake.New(func(o *fake.Options) { o.Now, o.Seed, o.Delays = now, seed, fake.ReportedDelays() })
		return *mustCreate(t, c, c.EKS(), "web").FargateProfileArn
	}
	one, again, other := arn(1), arn(1), arn(2)
	if one != again || one == other {
		t.Errorf("ARNs %s, %s with the same seed, %s with another", one, again, other)
	}
}

func TestReportedDelaysStayInTheReportedRange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	delays := fake.ReportedDelays()
	cases := map[string]struct {
		delay    fake.Delay
		min, max time.Duration
	}{
		"first use of a role": {delays.CreateFirst, time.Minute, 6 * time.Minute},
		"later use":           {delays.Create, 7 * time.Second, 26 * time.Second},
		"busy":                {delays.Busy, 0, 12 * time.Minute},
		"delete":              {delays.Delete, time.Minute, 25 * time.Minute},
	}
	for name, tc := range cases {
		var drawn []time.Duration
		for range 2000 {
			drawn = append(drawn, tc.delay(r))
		}
		if lo, hi := slices.Min(drawn), slices.Max(drawn); lo < tc.min || hi > tc.max || hi < tc.max*9/10 {
			t.Errorf("%s: drew %v to %v, want within %v to %v", name, lo, hi, tc.min, tc.max)
		}
	}
}

func TestQuotasAreRaised(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.Quotas = fake.Quotas{Profiles: 1, Selectors: 6, Labels: 6} })
	err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) {
		in.Selectors[0].Labels = labels(6)
		for range 5 {
			in.Selectors = append(in.Selectors, in.Selectors[0])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Hour)
	wantError(t, create(t, c, c.EKS(), "more"), "ResourceLimitExceededException", 400,
		"Fargate Profile limit exceeded for cluster.")
}

// Refusals whose texts nobody has reported: code and status are what callers
// can rely on.
func TestUnreportedRefusals(t *testing.T) {
	cases := map[string]struct {
		message string
		edit    edit
	}{
		"six selectors": {"Request contains more than 5 Selectors", func(in *eks.CreateFargateProfileInput) {
			for range 5 {
				in.Selectors = append(in.Selectors, in.Selectors[0])
			}
		}},
		"a name with a space": {
			"The Fargate profile name parameter contains invalid characters.",
			func(in *eks.CreateFargateProfileInput) { in.FargateProfileName = aws.String("a b") },
		},
		"an empty name": {
			"The Fargate profile name parameter contains invalid characters.",
			func(in *eks.CreateFargateProfileInput) { in.FargateProfileName = aws.String("") },
		},
		"a subnet that does not exist": {
			"Subnet subnet-none provided in Fargate Profile does not exist",
			func(in *eks.CreateFargateProfileInput) { in.Subnets = []string{"subnet-none"} },
		},
		"a subnet of another VPC": {
			"Subnet subnet-far provided in Fargate Profile is not in the VPC of the cluster",
			func(in *eks.CreateFargateProfileInput) { in.Subnets = []string{"subnet-far"} },
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			c.AddSubnet(fake.Subnet{ID: "subnet-far", VPC: "vpc-far"})
			wantError(t, create(t, c, c.EKS(), "web", tc.edit), "InvalidParameterException", 400, tc.message)
		})
	}
	t.Run("no private subnet to choose", func(t *testing.T) {
		c := fake.New()
		c.AddCluster(fake.Cluster{Name: "open", Subnets: []string{fake.PublicSubnetID}})
		err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) {
			in.ClusterName, in.Subnets = aws.String("open"), nil
		})
		wantError(t, err, "InvalidParameterException", 400,
			"No private subnet was found for the Fargate Profile in cluster open")
	})
}

// A profile in a change cannot be deleted, not even itself.
func TestDeleteOfAProfileInAChange(t *testing.T) {
	overTransports(t, func(e env) {
		mustCreate(e.t, e.c, e.api, "web")
		_, err := e.api.DeleteFargateProfile(e.t.Context(), deleteInput("web"))
		wantError(e.t, err, "ResourceInUseException", 409,
			"Cannot Delete Fargate Profile web because cluster demo currently has Fargate profile web in status CREATING")
		e.c.Advance(time.Hour)
		mustDelete(e.t, e.api, "web")
		_, err = e.api.DeleteFargateProfile(e.t.Context(), deleteInput("web"))
		wantError(e.t, err, "ResourceInUseException", 409,
			"Cannot Delete Fargate Profile web because cluster demo currently has Fargate profile web in status DELETING")
	})
}
