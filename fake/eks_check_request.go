// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
)

const (
	maxProfileName     = 100
	reservedNamePrefix = "eks-"
)

// checkProfileRequest checks what a create says by itself.
func checkProfileRequest(q Quotas, in *eks.CreateFargateProfileInput) error {
	if err := checkProfileName(aws.ToString(in.FargateProfileName)); err != nil {
		return err
	}
	if err := checkSelectors(q, in); err != nil {
		return err
	}
	if problem := tagProblem(in.Tags); problem != "" {
		return invalidParameter("%s", problem)
	}
	return nil
}

// checkProfileName: length and prefix are reported with their texts; the
// characters are those of a cluster's name, which is inferred.
func checkProfileName(name string) error {
	switch {
	case utf8.RuneCountInString(name) > maxProfileName:
		return invalidParameter("The Fargate profile name parameter should not be greater than 100 characters.")
	case strings.HasPrefix(name, reservedNamePrefix):
		return invalidParameter("The fargate profile name starts with the reserved prefix: 'eks-'.")
	case !isName(name):
		return invalidParameter("The Fargate profile name parameter contains invalid characters.")
	default:
		return nil
	}
}

// isName reports whether s has the form of a cluster's name (API model):
// letters, digits, - and _, with a letter or digit first.
func isName(s string) bool {
	if s == "" || s[0] == '-' || s[0] == '_' {
		return false
	}
	for _, r := range s {
		if !strings.ContainsRune("-_0123456789", r) && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return true
}

// checkSelectors: the texts are those that an emulator took from the real API,
// but for the one on too many selectors, which is this package's.
func checkSelectors(q Quotas, in *eks.CreateFargateProfileInput) error {
	if len(in.Selectors) == 0 {
		return invalidParameter("Fargate Profile requires at least one selector.")
	}
	for _, s := range in.Selectors {
		switch {
		case aws.ToString(s.Namespace) == "":
			return invalidParameter("Fargate Profile must have at least one selector with at least one namespace value.")
		case len(s.Labels) > q.Labels:
			return invalidParameter("Request contains Selector with more than %d Label pairs", q.Labels)
		}
	}
	if len(in.Selectors) > q.Selectors {
		return invalidParameter("Request contains more than %d Selectors", q.Selectors)
	}
	return nil
}
