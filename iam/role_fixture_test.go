// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"maps"
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

const (
	me       = "platform/demo"
	roleARN  = "arn:aws:iam::111122223333:role/fp-exec"
	roleID   = "AROAEXAMPLE1"
	logs     = "arn:aws:iam::111122223333:policy/logs"
	boundary = "arn:aws:iam::111122223333:policy/boundary"
	managed  = "arn:aws:iam::aws:policy/AmazonEKSFargatePodExecutionRolePolicy"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// desired is a role to ensure.
func desired(change ...func(*iam.DesiredRole)) iam.DesiredRole {
	d := iam.DesiredRole{Mode: iam.ModeEnsure, Name: "fp-exec", Scope: demo(), Owner: me}
	for _, c := range change {
		c(&d)
	}
	return d
}

func mode(m iam.Mode) func(*iam.DesiredRole) { return func(d *iam.DesiredRole) { d.Mode = m } }

// toVerify makes the desired role one to verify.
func toVerify(d *iam.DesiredRole) { d.Mode, d.ARN, d.Name = iam.ModeVerify, roleARN, "" }

// observed is a role that is ours and has all that it needs.
func observed(change ...func(*iam.ObservedRole)) *iam.ObservedRole {
	o := &iam.ObservedRole{
		ARN:              roleARN,
		ID:               roleID,
		Trust:            iam.TrustPolicy(demo()),
		AttachedPolicies: []string{managed},
		Tags:             map[string]string{owner.Key(me): me},
		MaxSession:       time.Hour,
	}
	for _, c := range change {
		c(o)
	}
	return o
}

func unowned(o *iam.ObservedRole)   { delete(o.Tags, owner.Key(me)) }
func contested(o *iam.ObservedRole) { o.Tags[owner.Key("you")] = "you" }
func bare(o *iam.ObservedRole)      { o.AttachedPolicies = nil }

func foreign(o *iam.ObservedRole) {
	unowned(o)
	contested(o)
}

func trusting(text string) func(*iam.ObservedRole) {
	return func(o *iam.ObservedRole) {
		d, err := iam.ParseDocument(text)
		if err != nil {
			panic(err)
		}
		o.Trust = d
	}
}

func tagged(key, value string) func(*iam.ObservedRole) {
	return func(o *iam.ObservedRole) { o.Tags[key] = value }
}

// marked says how long ago the role was marked for deletion.
func marked(age time.Duration) func(*iam.ObservedRole) {
	return tagged(iam.DeletingTag, now.Add(-age).Format(time.RFC3339))
}

func claims(keys ...string) map[string]string { return tagdiff.WriteClaims(keys) }

// account is as much of IAM as a role needs: what a call leaves behind.
type account struct {
	role *iam.ObservedRole
	made int
}

// apply carries out a call like IAM. It reports whether IAM would take it.
func (a *account) apply(c iam.Call) bool {
	if (a.role == nil) != (c.Operation == iam.OpCreateRole) {
		return false
	}
	if a.role == nil {
		a.create(c)
		return true
	}
	r := a.role
	switch c.Operation {
	case iam.OpUpdateAssumeRolePolicy:
		r.Trust, _ = iam.ParseDocument(c.Document)
	case iam.OpAttachRolePolicy:
		r.AttachedPolicies = append(r.AttachedPolicies, c.PolicyARN)
	case iam.OpPutRolePolicy:
		r.InlinePolicies = append(without(r.InlinePolicies, c.PolicyName), c.PolicyName)
		r.InlineDocuments[c.PolicyName], _ = iam.ParseDocument(c.Document)
	case iam.OpPutRolePermissionsBoundary:
		r.PermissionsBoundary = c.PermissionsBoundary
	case iam.OpUpdateRole:
		r.Description, r.MaxSession = c.Description, c.MaxSession
	case iam.OpTagRole:
		maps.Copy(r.Tags, c.Tags)
	case iam.OpUntagRole:
		for _, key := range c.TagKeys {
			delete(r.Tags, key)
		}
	default:
		return a.remove(c)
	}
	return len(r.Tags) <= 50
}

func (a *account) remove(c iam.Call) bool {
	r := a.role
	switch c.Operation {
	case iam.OpDetachRolePolicy:
		r.AttachedPolicies = without(r.AttachedPolicies, c.PolicyARN)
	case iam.OpDeleteRolePolicy:
		r.InlinePolicies = without(r.InlinePolicies, c.PolicyName)
	case iam.OpRemoveRoleFromInstanceProfile:
		r.InstanceProfiles = without(r.InstanceProfiles, c.InstanceProfile)
	case iam.OpDeleteRole:
		a.role = nil
		return len(r.AttachedPolicies)+len(r.InlinePolicies)+len(r.InstanceProfiles) == 0
	default:
		return false
	}
	return true
}

func (a *account) create(c iam.Call) {
	a.made++
	trust, _ := iam.ParseDocument(c.Document)
	a.role = &iam.ObservedRole{
		ARN:                 "arn:aws:iam::111122223333:role" + c.Path + c.RoleName,
		ID:                  roleID,
		Trust:               trust,
		InlineDocuments:     map[string]iam.Document{},
		Tags:                c.Tags,
		PermissionsBoundary: c.PermissionsBoundary,
		Description:         c.Description,
		MaxSession:          max(c.MaxSession, time.Hour),
	}
}

func without(list []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == text })
}
