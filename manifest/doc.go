// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest reads and writes the manifests of EKS Fargate profiles that
// people have: of eksctl, Cluster API Provider AWS, AWS Controllers for
// Kubernetes, Crossplane, CloudFormation, the AWS CLI and Terraform. Formats are
// recognised by content.
//
// [Parse] never fails half-way: it returns every profile that it finds and every
// problem, each with its place, the field in the words of the format, and a
// remedy. A value that the file alone does not settle, such as ${NAME} or a
// reference, is kept as its expression and reported as unresolved. Inside a
// profile the formats are taken strictly: an unknown field, a key given twice or
// a bare word that some YAML reader takes for a number or a boolean is an error.
//
// Input may be hostile: size, depth and expansion are bounded by [Options].
package manifest
