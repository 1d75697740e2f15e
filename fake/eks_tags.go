// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
)

// tagged is something that has tags: a cluster, or a profile or an access entry
// of it.
type tagged struct {
	cluster *cluster
	profile *profile     // nil for other things
	entry   *accessEntry // nil for other things
}

// tagged finds what an ARN names. An ARN of an earlier profile of the same name
// is unknown. The texts are this package's: no public source has EKS's.
func (t *tx) tagged(resourceARN string) (tagged, error) {
	clusterName, profileName, ok := splitResource(resourceARN)
	if !ok {
		return tagged{}, badRequest("The resource ARN %q is not valid.", resourceARN)
	}
	if cl := t.lookup(clusterName); cl != nil {
		if found, ok := cl.tagged(resourceARN, profileName); ok {
			return found, nil
		}
	}
	return tagged{}, apiErrorf(codeNotFound, "The resource %s was not found.", resourceARN)
}

func (cl *cluster) tagged(resourceARN, profileName string) (tagged, bool) {
	if p := cl.Profiles.get(profileName); p != nil && p.ARN == resourceARN {
		return tagged{cluster: cl, profile: p}, true
	}
	for _, e := range cl.Entries {
		if e.ARN == resourceARN {
			return tagged{cluster: cl, entry: e}, true
		}
	}
	return tagged{cluster: cl}, cl.ARN == resourceARN
}

// splitResource returns the names in the ARN of a cluster, or of a profile or an
// access entry of it.
func splitResource(resourceARN string) (clusterName, profileName string, ok bool) {
	a, ok := parseARN(resourceARN)
	if !ok || a.Service != "eks" {
		return "", "", false
	}
	switch parts := strings.Split(a.Resource, "/"); {
	case len(parts) == 2 && parts[0] == "cluster":
		return parts[1], "", true
	case len(parts) == 4 && parts[0] == "fargateprofile":
		return parts[1], parts[2], true
	case len(parts) == 6 && parts[0] == "access-entry":
		return parts[1], "", true
	default:
		return "", "", false
	}
}

func (x tagged) tags() map[string]string {
	switch {
	case x.profile != nil:
		return x.profile.Tags.toMap()
	case x.entry != nil:
		return x.entry.Tags
	default:
		return x.cluster.Tags
	}
}

// retag stores changed tags.
func (t *tx) retag(x tagged, tags map[string]string) error {
	if x.entry != nil {
		e := *x.entry
		e.Tags = tags
		t.edit(x.cluster).putEntry(&e)
		return nil
	}
	if x.profile == nil {
		t.edit(x.cluster).Tags = tags
		return nil
	}
	if t.cloud.opts.RefuseTagsInProgress && x.profile.changing(t.now) {
		return badRequest("Fargate profile %s is in status %s.", x.profile.Name, x.profile.status(t.now))
	}
	p := new(*x.profile)
	p.Tags = pairsOf(tags)
	t.edit(x.cluster).put(p, t.now)
	return nil
}

// tagResource adds and overwrites, and never removes.
func tagResource(t *tx, in *eks.TagResourceInput) (*eks.TagResourceOutput, error) {
	x, err := t.tagged(aws.ToString(in.ResourceArn))
	if err != nil {
		return nil, err
	}
	if len(in.Tags) < minTagsPerPut {
		return nil, badRequest("At least one tag is required.")
	}
	tags := cloneTags(x.tags())
	maps.Copy(tags, in.Tags)
	if problem := tagProblem(in.Tags); problem != "" {
		return nil, badRequest("%s", problem)
	}
	if countOwnTags(tags) > maxTags {
		return nil, badRequest("A resource can have at most %d tags.", maxTags)
	}
	return &eks.TagResourceOutput{}, t.retag(x, tags)
}

// untagResource removes keys; those that are not there are no error.
func untagResource(t *tx, in *eks.UntagResourceInput) (*eks.UntagResourceOutput, error) {
	x, err := t.tagged(aws.ToString(in.ResourceArn))
	if err != nil {
		return nil, err
	}
	if n := len(in.TagKeys); n == 0 || n > maxTags {
		return nil, badRequest("Between 1 and %d tag keys are required.", maxTags)
	}
	for _, key := range in.TagKeys {
		if problem := tagKeyProblem(key); problem != "" {
			return nil, badRequest("%s", problem)
		}
	}
	tags := cloneTags(x.tags())
	maps.DeleteFunc(tags, func(key, _ string) bool { return slices.Contains(in.TagKeys, key) })
	return &eks.UntagResourceOutput{}, t.retag(x, tags)
}

func listTags(t *tx, in *eks.ListTagsForResourceInput) (*eks.ListTagsForResourceOutput, error) {
	x, err := t.tagged(aws.ToString(in.ResourceArn))
	if err != nil {
		return nil, err
	}
	return &eks.ListTagsForResourceOutput{Tags: cloneTags(x.tags())}, nil
}
