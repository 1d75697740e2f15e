// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strings"
)

// format is one family of manifests: how to know one and how to read it.
type format struct {
	name Format
	// about says what is read, for the message about a file that is nothing of it.
	about string
	// recognizes looks at the root of a document, which is not null.
	recognizes func(root *node) bool
	// read takes the profiles of a document over.
	read func(r *reader, root place)
}

// formats are asked in this order; the first that recognizes a document reads it.
// A new format is a file of its own and one line here (or, if it is an object of
// Kubernetes, one in kinds).
func formats() []format {
	return []format{
		eksctlFormat(),
		terraformFormat(),
		cloudFormationFormat(),
		awsCLIFormat(),
		kubernetesFormat(),
	}
}

// documents reads each document by its format.
func (r *reader) documents(docs []*node, faulty bool) {
	docs = slices.DeleteFunc(docs, (*node).isNull)
	var unknown []*node
	for _, doc := range docs {
		if !r.document(doc) {
			unknown = append(unknown, doc)
		}
	}
	if len(unknown) == len(docs) {
		if !faulty {
			r.unknownFormat(unknown)
		}
		return
	}
	for _, doc := range unknown {
		r.warn(place{"", doc}, CodeSkipped, "this document is in no known format and is skipped", formatHint(doc))
	}
	if len(r.profiles) == 0 && r.counts[SeverityError] == 0 {
		r.warn(place{"", docs[0]}, CodeNoProfile, "there is no Fargate profile in this file", "give the file that has the profiles, if this is not meant")
	}
}

func (r *reader) document(doc *node) bool {
	for _, f := range formats() {
		if f.recognizes(doc) {
			f.read(r, place{"", doc})
			r.resolve, r.nullIsUnset = nil, false
			return true
		}
	}
	return false
}

func (r *reader) unknownFormat(docs []*node) {
	at := place{"", &node{line: 1, column: 1}}
	message := "there is nothing in this file"
	if len(docs) > 0 {
		at.node = docs[0]
		message = "this is in no known format"
	}
	r.fail(at, CodeUnknownFormat, message+"; what is read: "+formatList(), formatHint(at.node))
}

func formatList() string {
	var list []string
	for _, f := range formats() {
		list = append(list, f.about)
	}
	return strings.Join(list, "; ")
}

// formatHint names what people have instead.
func formatHint(root *node) string {
	switch {
	case root.isTemplate():
		return "this looks like an unrendered template: render it first"
	case root.get("resource").has(terraformType) || root.has("terraform_version"):
		return "Terraform's own files are not read: run terraform show -json on the state, or on a plan file, and pass its output"
	case root.has("fargateProfileNames"):
		return "a list of names is no profile; use the output of aws eks describe-fargate-profile"
	case strings.HasPrefix(root.get("type").word(), "aws:eks/"):
		return "this looks like Pulumi state: export the profile with aws eks describe-fargate-profile"
	case root.has("clusterName") && root.has("subnetIds"):
		return "this looks like the inputs of a Pulumi resource: export the profile with aws eks describe-fargate-profile"
	default:
		return "formats are recognised by content, so look at the first lines of the file"
	}
}
