// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
)

const terraformType = "aws_eks_fargate_profile"

// terraformFormat reads what terraform show -json prints of a state or a plan.
func terraformFormat() format {
	return format{
		name:  FormatTerraform,
		about: "Terraform: output of terraform show -json of a state or a plan",
		recognizes: func(root *node) bool {
			return root.has("format_version") && !root.has("kind")
		},
		read: readTerraform,
	}
}

// terraformSource finds what Terraform reads itself: its language, also as JSON,
// and its own state file.
func terraformSource(data []byte, lines *placer) *fault {
	found := regexp.MustCompile(`(?m)^[ \t]*((resource|module|data|variable|provider|output)([ \t]+"[^"\n]*")+|terraform|locals)[ \t]*\{`).FindIndex(data)
	if found == nil {
		return nil
	}
	line, column := lines.place(found[0])
	return &fault{
		CodeTerraformSource, line, column, "this is Terraform source, which is not read; the output of terraform show -json is",
		"run it on the state or on a plan file: only Terraform knows the values of its source",
	}
}

// readTerraform reads a state, or of a plan the changes, which say what is known
// only after the apply. The planned values don't.
func readTerraform(r *reader, root place) {
	r.nullIsUnset = true
	before := len(r.profiles)
	r.open(root, fields{"values": {"", r.terraformModules}})
	r.open(root, fields{"resource_changes": {"", r.terraformChanges}})
	if len(r.profiles) == before {
		r.open(root, fields{"planned_values": {"", r.terraformModules}})
	}
}

func (r *reader) terraformModules(at place) {
	r.open(at, fields{"root_module": {"", r.terraformModule}})
}

func (r *reader) terraformModule(at place) {
	r.open(at, fields{
		"resources": {"", func(at place) {
			r.list(at, func(_ int, at place) { r.terraformResource(at, at.node.get("values")) })
		}},
		"child_modules": {"", func(at place) {
			r.list(at, func(_ int, at place) { r.terraformModule(at) })
		}},
	})
}

// terraformChanges reads a plan: what each resource will be, and what of it is
// known only after the apply.
func (r *reader) terraformChanges(at place) {
	r.list(at, func(_ int, at place) {
		change := at.node.get("change")
		after := change.get("after")
		if after == nil || after.isNull() {
			return // destroyed, or given up
		}
		r.terraformResource(at, overlay(after, change.get("after_unknown")))
	})
}

func (r *reader) terraformResource(at place, values *node) {
	if at.node.get("type").word() != terraformType || at.node.get("mode").word() == "data" || values == nil {
		return
	}
	object := place{at.node.get("address").word(), values}
	d := r.newDraft(FormatTerraform, object)
	if d.object(object, d.terraformTable(values)) {
		d.finish()
	}
}

// terraformTable prefers tags_all, which is what AWS holds, to tags, which is
// what the source says.
func (d *draft) terraformTable(values *node) fields {
	table := ignored("id", "region", "timeouts", "tags", "tags_all").with(fields{
		"arn":                    d.observedARN(),
		"cluster_name":           d.text(keyCluster, &d.ClusterName),
		"fargate_profile_name":   d.text(keyName, &d.Name),
		"pod_execution_role_arn": d.text(keyRole, &d.PodExecutionRoleARN),
		"selector":               d.selectors(d.plainSelector),
		"status":                 d.observedStatus(),
		"subnet_ids":             d.subnets(),
	})
	all := values.get("tags_all")
	if all != nil && !all.isNull() {
		table["tags_all"] = d.tags()
	} else {
		table["tags"] = d.tags()
	}
	return table
}

// overlay puts an unresolved node wherever unknown says true.
func overlay(n, unknown *node) *node {
	switch {
	case unknown == nil:
		return n
	case unknown.kind == scalarNode && unknown.text == "true":
		return &node{kind: unresolvedNode, text: "known after apply", line: unknown.line, column: unknown.column}
	case unknown.kind == mappingNode && n != nil && n.kind == mappingNode:
		return overlayMap(n, unknown)
	case unknown.kind == sequenceNode && n != nil && n.kind == sequenceNode:
		return overlayList(n, unknown)
	default:
		return n
	}
}

func overlayMap(n, unknown *node) *node {
	out := *n
	out.pairs = nil
	for _, p := range n.pairs {
		out.pairs = append(out.pairs, pair{p.key, overlay(p.value, unknown.get(p.key.text))})
	}
	for _, p := range unknown.pairs {
		if value := overlay(nil, p.value); !n.has(p.key.text) && value != nil {
			out.pairs = append(out.pairs, pair{p.key, value})
		}
	}
	return &out
}

func overlayList(n, unknown *node) *node {
	out := *n
	out.items = nil
	for i, item := range n.items {
		if i < len(unknown.items) {
			item = overlay(item, unknown.items[i])
		}
		out.items = append(out.items, item)
	}
	return &out
}
