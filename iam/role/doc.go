// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package role carries out the decisions of package iam through the IAM API, one
// safe step at a time: it makes pod execution roles, looks after those that are
// ours, and deletes them after the last profile.
//
// [Roles] satisfies the Roles of package lifecycle, so that the step of a profile
// runs the phases of its role: before the create, and after the profile is gone.
//
//	roles := role.New(iamClient, func(o *role.Options) {
//		o.Mode = iam.ModeEnsure
//		o.Role.Owner = "platform/demo"
//		o.Role.Scope = iam.Scope{Region: "us-east-1", Account: "111122223333"}
//		o.Profiles = eksClient
//	})
//	r := lifecycle.New(eksClient, func(o *lifecycle.Options) { o.Roles = roles })
//
// A profile that is settled costs no call to IAM: its step does not look at the
// role, and what somebody did to it since the create is not seen. Whoever wants to
// know asks for it: a look takes two calls, GetRole and ListAttachedRolePolicies, and
// more for inline policies.
//
// [Roles.Step] is for controllers: it makes at most one write and never blocks.
// [Roles.Ensure] and [Roles.Delete] are for tools: they repeat it until nothing is
// left to do. [Roles.Verify] only reads.
//
// A role that does not carry our mark is never changed, and one that serves anybody
// else, by what its trust policy says, is never deleted. What others attached,
// tagged or allowed stays. An absence is not believed in another account or region than
// that of the cluster, as far as anybody tells where the calls land: [Options].Identity
// does.
package role
