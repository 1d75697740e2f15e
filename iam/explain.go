// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"slices"
	"strings"
)

// explain says why a test does not hold, or why that can't be told. It shows an id
// that no profile has as what it stands for, any.
func (t test) explain(m match, values []string) string {
	return strings.ReplaceAll(t.explanation(m, values), unknownProfileID, "*")
}

func (t test) explanation(m match, values []string) string {
	switch {
	case m == maybe:
		return t.name + " on " + t.key + " holds a value that is not evaluated here: " + enumerate(t.values)
	case t.op.base == baseNull && len(values) == 0:
		return "the request must have " + t.key
	case t.op.base == baseNull:
		return "the request must not have " + t.key
	case len(values) == 0:
		return "the request has no " + t.key
	case t.op.negated:
		return t.key + " excludes " + enumerate(values)
	case strings.EqualFold(t.key, keySourceARN):
		return explainSource(t, values[0])
	default:
		return t.key + " allows " + enumerate(t.values) + ", not " + enumerate(values)
	}
}

// explainSource names the part of the source ARN that the nearest of the allowed
// patterns does not match, such as the cluster.
func explainSource(t test, source string) string {
	got := sourceParts(source)
	var nearest []difference
	for i, pattern := range t.values {
		if differs := differences(sourceParts(pattern), got); i == 0 || len(differs) < len(nearest) {
			nearest = differs
		}
	}
	if slices.Contains(t.values, clusterARN(source)) {
		return t.key + " names the cluster " + clusterARN(source) + ", but the source is its Fargate profile " + source
	}
	if len(got) != len(sourceLabels()) || len(nearest) == 0 {
		return t.key + " allows " + enumerate(t.values) + ", not " + source + t.literalHint()
	}
	first := nearest[0]
	if first.got == anyName || first.got == unknownProfileID {
		return t.key + " allows " + first.label + " " + first.want + " only"
	}
	return t.key + " allows " + first.label + " " + first.want + ", not " + first.got
}

// literalHint helps with the mistake of a wildcard where none is one.
func (t test) literalHint() string {
	if t.op.base == baseString && slices.ContainsFunc(t.values, hasWildcard) {
		return "; " + t.name + " takes a wildcard literally, use ArnLike"
	}
	return ""
}

type difference struct{ label, want, got string }

func differences(want, got []string) []difference {
	var differs []difference
	for i, label := range sourceLabels() {
		if i < len(want) && i < len(got) && !glob(want[i], got[i]) {
			differs = append(differs, difference{label, want[i], got[i]})
		}
	}
	return differs
}

// sourceLabels names the parts of a Fargate profile's ARN,
// arn:aws:eks:us-east-1:111122223333:fargateprofile/demo/fp-a/<id>.
func sourceLabels() []string {
	return []string{"partition", "service", "region", "account", "resource type", "cluster", "profile", "profile id"}
}

func sourceParts(s string) []string {
	a, ok := splitARN(s)
	if !ok {
		return nil
	}
	return append([]string{a.partition, a.service, a.region, a.account}, strings.SplitN(a.resource, "/", 4)...)
}

// clusterARN is the ARN of the cluster that a Fargate profile belongs to.
func clusterARN(profileARN string) string {
	a, _ := splitARN(profileARN)
	_, rest, _ := strings.Cut(a.resource, "/")
	cluster, _, _ := strings.Cut(rest, "/")
	a.resource = "cluster/" + cluster
	return a.String()
}
