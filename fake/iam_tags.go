// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"
)

// mergeIAMTags sets tags on top of old ones. IAM compares keys without regard
// to case: a key in another case replaces the old one (user guide).
func mergeIAMTags(old map[string]string, tags []types.Tag) (map[string]string, error) {
	if err := checkIAMTags(tags); err != nil {
		return nil, err
	}
	merged := cloneTags(old)
	for _, tag := range tags {
		removeTag(merged, aws.ToString(tag.Key))
		merged[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
	}
	if len(merged) > maxTags {
		return nil, apiErrorf(codeLimitExceeded, "The number of tags has reached the maximum limit.")
	}
	return merged, nil
}

// checkIAMTags refuses keys that are the same but for case (text: reported) and
// those that are AWS's own (text: this package's).
func checkIAMTags(tags []types.Tag) error {
	seen := map[string]bool{}
	for _, tag := range tags {
		key := strings.ToLower(aws.ToString(tag.Key))
		if seen[key] {
			return apiErrorf(codeInvalidInput, "Duplicate tag keys found. Please note that Tag keys are case insensitive.")
		}
		if isReservedTag(key) {
			return apiErrorf(codeInvalidInput, "The tag key '%s' starts with the reserved prefix 'aws:'.", aws.ToString(tag.Key))
		}
		seen[key] = true
	}
	return nil
}

func removeTag(tags map[string]string, key string) {
	maps.DeleteFunc(tags, func(old, _ string) bool { return strings.EqualFold(old, key) })
}

// wireIAMTags lists tags by key; none are nil, and so absent.
func wireIAMTags(tags map[string]string) []types.Tag {
	var out []types.Tag
	for _, key := range sortedKeys(tags) {
		out = append(out, types.Tag{Key: new(key), Value: new(tags[key])})
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func tagRole(t *tx, in *iam.TagRoleInput) (*iam.TagRoleOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	if r.Tags, err = mergeIAMTags(r.Tags, in.Tags); err != nil {
		return nil, err
	}
	return &iam.TagRoleOutput{}, nil
}

// untagRole removes tags; keys that the role does not have do no harm.
func untagRole(t *tx, in *iam.UntagRoleInput) (*iam.UntagRoleOutput, error) {
	r, err := t.editRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	for _, key := range in.TagKeys {
		removeTag(r.Tags, key)
	}
	return &iam.UntagRoleOutput{}, nil
}

func listRoleTags(t *tx, in *iam.ListRoleTagsInput) (*iam.ListRoleTagsOutput, error) {
	r, err := t.readRole(aws.ToString(in.RoleName))
	if err != nil {
		return nil, err
	}
	keys, next, err := t.iamPage(sortedKeys(r.Tags), nil, in.Marker, in.MaxItems)
	if err != nil {
		return nil, err
	}
	out := &iam.ListRoleTagsOutput{Tags: []types.Tag{}, Marker: next, IsTruncated: next != nil}
	for _, key := range keys {
		out.Tags = append(out.Tags, types.Tag{Key: new(key), Value: new(r.Tags[key])})
	}
	return out, nil
}
