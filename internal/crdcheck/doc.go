// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package crdcheck holds the AWSFargateProfile objects that package manifest writes
// against the custom resource definition that Cluster API Provider AWS publishes, as an
// API server would. The definition is read from that project's own Go module.
//
// It is a module of its own, outside of the workspace, since an API server's validation
// brings much that nobody else needs:
//
//	GOWORK=off go -C internal/crdcheck test ./...
package crdcheck
