// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"maps"
	"strings"
)

const (
	eksctlGroup    = "eksctl.io"
	eksctlVersion  = "v1alpha5"
	eksctlProfiles = "fargateProfiles"
)

// eksctlFormat reads the configuration file of eksctl, a part of one, and what
// eksctl get fargateprofile prints.
func eksctlFormat() format {
	return format{
		name:  FormatEksctl,
		about: "eksctl: ClusterConfig, a bare fargateProfiles list, output of eksctl get fargateprofile",
		recognizes: func(root *node) bool {
			return isClusterConfig(root) || isProfileFragment(root) || isEksctlOutput(root)
		},
		read: readEksctl,
	}
}

func isClusterConfig(root *node) bool {
	group, version := splitAPIVersion(root.get("apiVersion").word())
	return root.get("kind").word() == "ClusterConfig" && (group == eksctlGroup || group+version == "")
}

func isProfileFragment(root *node) bool {
	return root.kind == mappingNode && !root.has("kind") && !root.has("apiVersion") && profilesKey(root) != nil
}

// profilesKey finds the key of the profiles, also with its letters in the wrong
// case.
func profilesKey(root *node) *node {
	for _, p := range root.pairs {
		if p.key.kind == scalarNode && strings.EqualFold(p.key.text, eksctlProfiles) {
			return p.key
		}
	}
	return nil
}

func isEksctlOutput(root *node) bool {
	if root.kind != sequenceNode || len(root.items) == 0 {
		return false
	}
	first := root.items[0]
	return first.has("name") && (first.has("selectors") || first.has("podExecutionRoleARN"))
}

func readEksctl(r *reader, root place) {
	if root.node.kind == sequenceNode {
		r.eksctlProfiles(root, r.newDraft(FormatEksctl, root))
		return
	}
	if root.node.has("kind") && !r.eksctlVersion(root) {
		return
	}
	r.misspelledProfiles(root)
	shared := r.eksctlShared(root)
	r.open(root, fields{eksctlProfiles: {"", func(at place) { r.eksctlProfiles(at, shared) }}})
}

func (r *reader) eksctlVersion(root place) bool {
	apiVersion := root.node.get("apiVersion")
	_, version := splitAPIVersion(apiVersion.word())
	switch version {
	case eksctlVersion:
		return true
	case "":
		r.fail(root.member("apiVersion", root.node), CodeRequired, "a ClusterConfig needs an apiVersion", "write apiVersion: "+eksctlGroup+"/"+eksctlVersion)
	default:
		r.fail(root.member("apiVersion", apiVersion), CodeUnknownVersion, fmt.Sprintf("%s has no version %q that is read", eksctlGroup, version), "the version is "+eksctlVersion)
	}
	return false
}

// misspelledProfiles finds a list of profiles that would be overlooked.
func (r *reader) misspelledProfiles(root place) {
	for _, p := range root.node.pairs {
		if p.key.kind == scalarNode && p.key.text != eksctlProfiles && nearest(p.key.text, []string{eksctlProfiles}) != "" {
			r.fail(root.member(p.key.text, p.key), CodeUnknownField, fmt.Sprintf("unknown field %q", p.key.text), "did you mean "+eksctlProfiles+"?")
		}
	}
}

// eksctlShared reads what the profiles of a file have in common.
func (r *reader) eksctlShared(root place) *draft {
	shared := r.newDraft(FormatEksctl, root)
	shared.places[keyCluster] = root.member("metadata.name", root.node)
	r.open(root, fields{
		"metadata": {"", func(at place) {
			r.open(at, fields{
				"name":   shared.text(keyCluster, &shared.ClusterName),
				"region": shared.text(keyRegion, &shared.Region),
			})
		}},
		"iam": {"", func(at place) {
			r.open(at, fields{"fargatePodExecutionRoleARN": shared.text(keyRole, &shared.PodExecutionRoleARN)})
		}},
	})
	return shared
}

func (r *reader) eksctlProfiles(at place, shared *draft) {
	r.list(at, func(_ int, at place) {
		d := r.newDraft(FormatEksctl, at)
		maps.Copy(d.places, shared.places)
		d.ClusterName, d.PodExecutionRoleARN, d.Region = shared.ClusterName, shared.PodExecutionRoleARN, shared.Region
		if d.object(at, d.eksctlTable()) {
			d.finish()
		}
	})
}

func (d *draft) eksctlTable() fields {
	return fields{
		"name":                d.text(keyName, &d.Name),
		"podExecutionRoleARN": d.text(keyRole, &d.PodExecutionRoleARN),
		"selectors":           d.selectors(d.plainSelector),
		"subnets":             d.subnets(),
		"tags":                d.tags(),
		"status":              d.observedStatus(),
	}
}
