// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

func manyTags(n int) map[string]string {
	out := map[string]string{}
	for i := range n {
		out[fmt.Sprint("k", i)] = "v"
	}
	return out
}

func TestTagsOfProfilesAndClusters(t *testing.T) {
	overTransports(t, func(e env) {
		t, c, api := e.t, e.c, e.api
		profile := mustCreate(t, c, api, "web").FargateProfileArn
		cluster, err := api.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
		if err != nil {
			t.Fatal(err)
		}
		for _, arn := range []*string{profile, cluster.Cluster.Arn} {
			tag := func(tags map[string]string) {
				t.Helper()
				if _, err := api.TagResource(t.Context(), &eks.TagResourceInput{ResourceArn: arn, Tags: tags}); err != nil {
					t.Fatal(err)
				}
			}
			wantTags := func(want map[string]string) {
				t.Helper()
				out, err := api.ListTagsForResource(t.Context(), &eks.ListTagsForResourceInput{ResourceArn: arn})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, out.Tags); diff != "" {
					t.Errorf("tags of %s (-want +got):\n%s", *arn, diff)
				}
			}
			wantTags(map[string]string{})
			tag(map[string]string{"team": "x", "a key/with:signs": ""})
			tag(map[string]string{"team": "y"})
			wantTags(map[string]string{"team": "y", "a key/with:signs": ""})
			untag := &eks.UntagResourceInput{ResourceArn: arn, TagKeys: []string{"a key/with:signs", "absent"}}
			if _, err := api.UntagResource(t.Context(), untag); err != nil {
				t.Fatal(err)
			}
			wantTags(map[string]string{"team": "y"})
		}
	})
}

func TestTagRefusals(t *testing.T) {
	const notFound = "arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/none/0"
	cases := map[string]struct {
		arn     string // "" is the profile's
		tags    map[string]string
		code    string
		status  int
		message string
	}{
		"AWS's prefix in a key":   {tags: map[string]string{"AWS:x": "y"}, message: "The tag key 'AWS:x' starts with the reserved prefix 'aws:'."},
		"AWS's prefix in a value": {tags: map[string]string{"x": "aws:y"}, message: "The value of tag 'x' starts with the reserved prefix 'aws:'."},
		"an empty key":            {tags: map[string]string{"": "y"}, message: "A tag key must not be empty."},
		"a long key":              {tags: map[string]string{strings.Repeat("ä", 129): ""}, message: "The tag key '" + strings.Repeat("ä", 129) + "' is longer than 128 characters."},
		"a long value":            {tags: map[string]string{"x": strings.Repeat("ä", 257)}, message: "The value of tag 'x' is longer than 256 characters."},
		"more than 50 in all":     {tags: manyTags(50), message: "A resource can have at most 50 tags."},
		"none":                    {tags: map[string]string{}, message: "At least one tag is required."},
		"an unknown ARN":          {arn: notFound, tags: manyTags(1), code: "NotFoundException", status: 404, message: "The resource " + notFound + " was not found."},
		"an unknown cluster": {
			arn: strings.Replace(notFound, "demo", "other", 1), tags: manyTags(1), code: "NotFoundException", status: 404,
			message: "The resource " + strings.Replace(notFound, "demo", "other", 1) + " was not found.",
		},
		"an ARN of another service": {arn: "arn:aws:iam::111122223333:role/x", tags: manyTags(1), message: `The resource ARN "arn:aws:iam::111122223333:role/x" is not valid.`},
		"no ARN":                    {arn: "demo", tags: manyTags(1), message: `The resource ARN "demo" is not valid.`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overTransports(t, func(e env) {
				in := createInput(e.c, "web")
				in.Tags = map[string]string{"one": "more"}
				out, err := e.api.CreateFargateProfile(e.t.Context(), in)
				if err != nil {
					e.t.Fatal(err)
				}
				arn := *out.FargateProfile.FargateProfileArn
				if tc.arn != "" {
					arn = tc.arn
				}
				code, status := "BadRequestException", 400
				if tc.code != "" {
					code, status = tc.code, tc.status
				}
				_, err = e.api.TagResource(e.t.Context(), &eks.TagResourceInput{ResourceArn: &arn, Tags: tc.tags})
				wantError(e.t, err, code, status, tc.message)
				after := mustDescribe(e.t, e.api, "web").Tags
				if diff := cmp.Diff(in.Tags, after); diff != "" {
					e.t.Errorf("a refused call changed the tags (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestCreateChecksTags(t *testing.T) {
	c := fake.New()
	err := create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.Tags = manyTags(51) })
	wantError(t, err, "InvalidParameterException", 400, "A resource can have at most 50 tags.")
	err = create(t, c, c.EKS(), "web", func(in *eks.CreateFargateProfileInput) { in.Tags = manyTags(50) })
	if err != nil {
		t.Errorf("50 tags: %v", err)
	}
}

func TestUntagRefusals(t *testing.T) {
	c := fake.New()
	arn := mustCreate(t, c, c.EKS(), "web").FargateProfileArn
	untag := func(keys ...string) error {
		_, err := c.EKS().UntagResource(t.Context(), &eks.UntagResourceInput{ResourceArn: arn, TagKeys: append([]string{}, keys...)})
		return err
	}
	wantError(t, untag(), "BadRequestException", 400, "Between 1 and 50 tag keys are required.")
	wantError(t, untag("aws:x"), "BadRequestException", 400, "The tag key 'aws:x' starts with the reserved prefix 'aws:'.")
}

func TestTagsInProgressAreRefusedOnRequest(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.RefuseTagsInProgress = true })
	arn := mustCreate(t, c, c.EKS(), "web").FargateProfileArn
	tag := &eks.TagResourceInput{ResourceArn: arn, Tags: manyTags(1)}
	_, err := c.EKS().TagResource(t.Context(), tag)
	wantError(t, err, "BadRequestException", 400, "Fargate profile web is in status CREATING.")
	c.Advance(time.Hour)
	if _, err := c.EKS().TagResource(t.Context(), tag); err != nil {
		t.Errorf("tagging an ACTIVE profile: %v", err)
	}
}
