// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/iam"
)

func TestDesiredRole_Validate(t *testing.T) {
	many := map[string]string{}
	for i := range 47 {
		many[fmt.Sprint("k", i)] = "v"
	}
	tests := map[string]struct {
		desired iam.DesiredRole
		want    []string
	}{
		"a role to ensure":           {desired(), nil},
		"a role to verify":           {desired(toVerify), nil},
		"a role to delete":           {desired(mode(iam.ModeDelete)), nil},
		"a role to bring":            {iam.DesiredRole{ARN: roleARN}, nil},
		"nothing":                    {iam.DesiredRole{}, []string{"ARN"}},
		"nothing to verify":          {iam.DesiredRole{Mode: iam.ModeVerify}, []string{"ARN", "Scope"}},
		"nothing to ensure":          {iam.DesiredRole{Mode: iam.ModeEnsure}, []string{"Owner", "Scope"}},
		"an unknown mode":            {iam.DesiredRole{Mode: "recreate", Scope: demo()}, []string{"Mode"}},
		"an ARN that is none":        {iam.DesiredRole{ARN: "fp-exec"}, []string{"ARN"}},
		"any cluster":                {desired(func(d *iam.DesiredRole) { d.Scope.Cluster = "*" }), []string{"Scope"}},
		"any region":                 {desired(func(d *iam.DesiredRole) { d.Scope.Region, d.Scope.Partition = "*", "aws" }), []string{"Scope"}},
		"any cluster to verify":      {desired(toVerify, func(d *iam.DesiredRole) { d.Scope.Cluster = "*" }), nil},
		"a name that is too long":    {desired(func(d *iam.DesiredRole) { d.Name = strings.Repeat("n", 65) }), []string{"Name"}},
		"a name of 64":               {desired(func(d *iam.DesiredRole) { d.Name = strings.Repeat("n", 64) }), nil},
		"a path of 512":              {desired(func(d *iam.DesiredRole) { d.Path = "/" + strings.Repeat("p", 510) + "/" }), nil},
		"a path that is too long":    {desired(func(d *iam.DesiredRole) { d.Path = "/" + strings.Repeat("p", 511) + "/" }), []string{"Path"}},
		"a path of two slashes":      {desired(func(d *iam.DesiredRole) { d.Path = "//" }), []string{"Path"}},
		"a path without a slash":     {desired(func(d *iam.DesiredRole) { d.Path = "/teams" }), []string{"Path"}},
		"an owner that is no tag":    {desired(func(d *iam.DesiredRole) { d.Owner = "a;b" }), []string{"Owner"}},
		"an owner that is too long":  {desired(func(d *iam.DesiredRole) { d.Owner = strings.Repeat("o", 257) }), []string{"Owner"}},
		"an owner of 256":            {desired(func(d *iam.DesiredRole) { d.Owner = strings.Repeat("o", 256) }), nil},
		"a cluster of 100":           {desired(func(d *iam.DesiredRole) { d.Scope.Cluster = strings.Repeat("c", 100) }), nil},
		"a cluster that is too long": {desired(func(d *iam.DesiredRole) { d.Scope.Cluster = strings.Repeat("c", 101) }), []string{"Scope"}},
		"a short session":            {desired(func(d *iam.DesiredRole) { d.MaxSession = time.Minute }), []string{"MaxSession"}},
		"a long session":             {desired(func(d *iam.DesiredRole) { d.MaxSession = 13 * time.Hour }), []string{"MaxSession"}},
		"a long description":         {desired(func(d *iam.DesiredRole) { d.Description = strings.Repeat("\u00e4", 1001) }), []string{"Description"}},
		"a description of 1000":      {desired(func(d *iam.DesiredRole) { d.Description = strings.Repeat("\u00e4", 1000) }), nil},
		"a name for a boundary":      {desired(func(d *iam.DesiredRole) { d.PermissionsBoundary = "boundary" }), []string{"PermissionsBoundary"}},
		"a role for a policy":        {desired(func(d *iam.DesiredRole) { d.ManagedPolicies = []string{roleARN, logs} }), []string{"ManagedPolicies"}},
		"policies of AWS and in paths": {desired(func(d *iam.DesiredRole) {
			d.ManagedPolicies = []string{"arn:aws:iam::aws:policy/service-role/X", "arn:aws-cn:iam::111122223333:policy/" + strings.Repeat("p", 128)}
		}), nil},
		"policies that can't be": {desired(func(d *iam.DesiredRole) {
			d.ManagedPolicies = []string{
				"arn:aws:iam::aws:policy/", "arn:aws:iam::1:policy/x", "arn:aws:iam:us-east-1:aws:policy/x", "arn:gcp:iam::aws:policy/x",
				"arn:aws:iam::aws:policy//x", "arn:aws:iam::aws:policy/a b", "arn:aws:iam::aws:policy/" + strings.Repeat("p", 129), "arn:aws:s3::aws:policy/x",
			}
		}), []string{
			"ManagedPolicies", "ManagedPolicies", "ManagedPolicies", "ManagedPolicies", "ManagedPolicies", "ManagedPolicies", "ManagedPolicies", "ManagedPolicies",
		}},
		"a name of 128 for a policy": {desired(func(d *iam.DesiredRole) { d.InlinePolicies = map[string]iam.Document{strings.Repeat("p", 128): {}} }), nil},
		"a name of 129 for a policy": {desired(func(d *iam.DesiredRole) { d.InlinePolicies = map[string]iam.Document{strings.Repeat("p", 129): {}} }), []string{"InlinePolicies"}},
		"a wrong name for a policy":  {desired(func(d *iam.DesiredRole) { d.InlinePolicies = map[string]iam.Document{"a b": {}, "ok": {}} }), []string{"InlinePolicies"}},
		"too many tags":              {desired(func(d *iam.DesiredRole) { d.Tags = many }), []string{"Tags"}},
		"an empty key":               {desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"": "x"} }), []string{"Tags"}},
		"a value that IAM refuses":   {desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"k": "a#b"} }), []string{"Tags"}},
		"reserved keys":              {desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"AWS:x": "", "eksfargate.io/x": ""} }), []string{"Tags", "Tags"}},
		"keys that differ in case":   {desired(func(d *iam.DesiredRole) { d.Tags = map[string]string{"Team": "a", "team": "b"} }), []string{"Tags"}},
		"faults that do not matter for a deletion": {
			desired(mode(iam.ModeDelete), func(d *iam.DesiredRole) { d.MaxSession, d.Tags = time.Minute, many }), nil,
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var fields []string
			if joined, ok := tc.desired.Validate().(interface{ Unwrap() []error }); ok {
				for _, err := range joined.Unwrap() {
					e, _ := errors.AsType[*iam.RoleError](err)
					fields = append(fields, e.Field)
					if want := "desired role: " + e.Field + ": " + e.Reason; err.Error() != want || e.Reason == "" {
						t.Errorf("Error() = %q, want %q", err, want)
					}
				}
			}
			if diff := cmp.Diff(tc.want, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
			blocked := iam.DecideRole(iam.RoleInput{Desired: tc.desired, Now: now}).Reason == iam.ReasonInvalid
			if blocked != (tc.want != nil) {
				t.Errorf("blocked as invalid: %v", blocked)
			}
		})
	}
}
