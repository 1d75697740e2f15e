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
// [ParsePods] reads the pods that a question is about. [Encode] writes profiles in
// the formats that hold them, and reports what a format can't carry.
//
// # Adding a format
//
// A format is one file and one line. The file says how to recognize a document
// and has a table from each field name that the format knows to what reads it:
//
//	fields{
//		"profileName": d.text(keyName, &d.Name),
//		"selectors":   d.selectors(d.plainSelector),
//	}
//
// The table is the schema: a name that is not in it is an error with a suggestion.
// The line goes into formats or, for an object of Kubernetes, into kinds.
// Everything else (places, unresolved values, what EKS refuses) follows.
//
// Input may be hostile: size, depth and expansion are bounded by [Options].
package manifest
