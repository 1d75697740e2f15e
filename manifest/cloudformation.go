// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"strings"
)

const (
	cloudFormationType = "AWS::EKS::FargateProfile"
	cdkType            = "Custom::AWSCDK-EKS-FargateProfile"
)

// cloudFormationFormat reads templates.
func cloudFormationFormat() format {
	return format{
		name:  FormatCloudFormation,
		about: "CloudFormation: templates with " + cloudFormationType + " or " + cdkType,
		recognizes: func(root *node) bool {
			return root.kind == mappingNode && !root.has("kind") &&
				(root.has("Resources") || root.has("AWSTemplateFormatVersion") || templateFragment(root) != nil)
		},
		read: readCloudFormation,
	}
}

// templateFragment finds a profile that stands where a template has its sections.
func templateFragment(root *node) *node {
	for _, p := range root.pairs {
		if p.value.get("Type").word() == cloudFormationType || p.value.has("FargateProfileName") {
			return p.key
		}
	}
	return nil
}

func readCloudFormation(r *reader, root place) {
	if !root.node.has("Resources") {
		at := root
		if key := templateFragment(root.node); key != nil {
			at = root.member(key.text, key)
		}
		r.fail(at, CodeRequired, "this is not a template: it has no Resources section", "put the resource under Resources, with Type and Properties")
		return
	}
	r.resolve = template{root.node.get("Resources")}.resolve
	r.open(root, fields{"Resources": {"", r.resources}})
}

func (r *reader) resources(at place) {
	n := at.node
	if n.kind != mappingNode {
		r.mustBe(at, "a map of resources")
		return
	}
	for _, key := range n.repeated {
		r.repeated(at, key)
	}
	for _, p := range n.pairs {
		if p.key.kind == scalarNode {
			r.resource(at.member(p.key.text, p.value))
		}
	}
}

func (r *reader) resource(at place) {
	kind := at.node.get("Type")
	switch {
	case kind.word() == cloudFormationType:
		r.templateProfile(at, func(d *draft, at place) bool { return d.object(at, d.cloudFormationTable()) })
	case kind.word() == cdkType:
		r.templateProfile(at, func(d *draft, at place) bool { return d.cdkProperties(at) })
	case nearest(kind.word(), []string{cloudFormationType}) != "":
		r.fail(at.member("Type", kind), CodeUnknownKind, fmt.Sprintf("there is no resource type %q", kind.word()), "did you mean "+cloudFormationType+"?")
	case at.node.kind == sequenceNode && strings.Contains(at.path, "Fn::ForEach::"):
		r.loop(at)
	}
}

// loop reports a loop over profiles: how many there are only CloudFormation knows.
func (r *reader) loop(at place) {
	for _, item := range at.node.items {
		for _, p := range item.pairs {
			if p.value.get("Type").word() == cloudFormationType {
				r.report(SeverityUnresolved, at, CodeUnresolved, "how many profiles Fn::ForEach makes can't be known from this file", "write the resources out")
			}
		}
	}
}

func (r *reader) templateProfile(at place, properties func(*draft, place) bool) {
	d := r.newDraft(FormatCloudFormation, at)
	ok := false
	r.open(at, fields{
		"Properties": {"", func(at place) { ok = properties(d, at) }},
		"Condition": {"", func(at place) {
			r.warn(at, CodeConditional, "the profile exists only if the condition "+at.node.word()+" holds", "use the profile only where it does")
		}},
	})
	switch {
	case !at.node.has("Properties"):
		r.fail(at.member("Properties", at.node), CodeRequired, "the resource has no Properties", "the profile is in Properties")
	case ok:
		if d.Name.IsUnset() && !d.broken[keyName] {
			d.Name = Unresolved("a name that is generated when the stack is made")
		}
		d.finish()
	}
}

func (d *draft) cloudFormationTable() fields {
	return fields{
		"ClusterName":         d.text(keyCluster, &d.ClusterName),
		"FargateProfileName":  d.text(keyName, &d.Name),
		"PodExecutionRoleArn": d.text(keyRole, &d.PodExecutionRoleARN),
		"Selectors":           d.selectors(d.cloudFormationSelector),
		"Subnets":             d.subnets(),
		"Tags":                d.keyValues(keyTags, &d.Tags),
	}
}

func (d *draft) cloudFormationSelector(key string, s *Selector) fields {
	return fields{
		"Namespace": d.text(member(key, keyNamespace), &s.Namespace),
		"Labels":    d.keyValues(member(key, keyLabels), &s.Labels),
	}
}

// keyValues reads a list of Key and Value.
func (d *draft) keyValues(key string, values *map[string]Value) field {
	return field{key, func(at place) {
		d.places[key] = at
		if n := d.reader.deref(at.node); n.kind == mappingNode {
			d.reader.fail(place{at.path, n}, CodeType, "a list of Key and Value is due, found a map", "write each entry as - Key: ... and Value: ...")
			return
		}
		*values = map[string]Value{}
		d.reader.list(at, func(_ int, at place) { d.keyValue(key, *values, at) })
	}}
}

func (d *draft) keyValue(key string, values map[string]Value, at place) {
	if n := d.reader.deref(at.node); n.kind == unresolvedNode {
		values[n.text] = Unresolved(n.text)
		d.places[entryOf(key, n.text)] = at
		return
	}
	var name, value Value
	errs := d.reader.counts[SeverityError]
	d.reader.object(at, fields{"Key": d.text("", &name), "Value": d.text("", &value)})
	_, repeated := values[name.Text]
	switch {
	case d.reader.counts[SeverityError] > errs:
	case name.IsUnset() || value.IsUnset():
		d.reader.fail(at, CodeRequired, "an entry needs a Key and a Value", "write it as - Key: ... and Value: ...")
	case repeated:
		d.reader.fail(at.member("Key", at.node), CodeDuplicateKey, fmt.Sprintf("the key %q is given twice", name.Text), "keep one")
	default:
		d.reader.addEntry(values, name, value)
		d.noteEntry(key, name, at)
	}
}

// cdkProperties reads the custom resource of the CDK, whose Config is in the
// words of the EKS API.
func (d *draft) cdkProperties(at place) bool {
	ok := false
	d.reader.open(at, fields{"Config": {"", func(at place) { ok = d.object(at, d.apiTable().with(ignored("clientRequestToken"))) }}})
	if !at.node.has("Config") {
		d.reader.fail(at.member("Config", at.node), CodeRequired, "the custom resource has no Config", "the profile is in Config, in the words of the EKS API")
	}
	return ok
}
