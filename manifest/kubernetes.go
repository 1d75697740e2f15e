// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kind is a kind of Kubernetes object that is a Fargate profile.
type kind struct {
	format Format
	group  string
	name   string
	// versions that are read. Nil: all of them, since they do not differ.
	versions []string
	read     func(r *reader, at place, k kind)
	// version is that of the object that is read.
	version string
}

// kinds are all that are read. A new one is a file of its own and one line here.
func kinds() []kind {
	return slices.Concat(capaKinds(), ackKinds(), crossplaneKinds())
}

// profileSuffix ends the name of every kind that looks like a Fargate profile.
const profileSuffix = "fargateprofile"

func kubernetesFormat() format {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name+" of "+k.group)
	}
	return format{
		name:  FormatKubernetes,
		about: "Kubernetes: " + strings.Join(names, ", ") + ", and lists of them",
		recognizes: func(root *node) bool {
			kind := root.get("kind").word()
			return kind != "" && (root.get("apiVersion").word() != "" || looksLikeProfile(kind))
		},
		read: (*reader).kubernetesObject,
	}
}

func looksLikeProfile(kind string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(kind), "list"), profileSuffix)
}

// kubernetesObject reads an object if it is a profile or a list of them, and
// skips any other.
func (r *reader) kubernetesObject(at place) {
	name := at.node.get("kind").word()
	group, version := splitAPIVersion(at.node.get("apiVersion").word())
	if k, ok := findKind(group, name); ok {
		r.kubernetesProfile(at, k, version)
		return
	}
	_, ofKnownKind := findKind(group, strings.TrimSuffix(name, "List"))
	switch {
	case name == "List" && group == "" || ofKnownKind:
		r.kubernetesList(at, strings.TrimSuffix(name, "List"))
	case looksLikeProfile(name):
		r.unknownKind(at, group, name)
	case group == eksctlGroup:
		r.fail(at.member("kind", at.node.get("kind")), CodeUnknownKind, fmt.Sprintf("%s has no kind %s", group, name), "its kind is ClusterConfig")
	}
}

func splitAPIVersion(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

func findKind(group, name string) (kind, bool) {
	for _, k := range kinds() {
		if k.group == group && k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

func (r *reader) kubernetesProfile(at place, k kind, version string) {
	if k.versions != nil && !slices.Contains(k.versions, version) {
		r.fail(at.member("apiVersion", cmp.Or(at.node.get("apiVersion"), at.node)), CodeUnknownVersion,
			fmt.Sprintf("%s has no version %q that is read", k.group, version), "the versions are "+strings.Join(k.versions, ", "))
		return
	}
	k.version = version
	k.read(r, at, k)
}

// kubernetesList reads the items of kubectl get -o yaml. An item of a typed list
// may leave out its kind.
func (r *reader) kubernetesList(at place, itemKind string) {
	r.open(at, fields{"items": {"", func(items place) {
		r.list(items, func(_ int, item place) {
			if item.node.kind != mappingNode || item.node.has("kind") {
				r.kubernetesObject(item)
				return
			}
			group, version := splitAPIVersion(at.node.get("apiVersion").word())
			if k, ok := findKind(group, itemKind); ok {
				r.kubernetesProfile(item, k, version)
			}
		})
	}}})
}

func (r *reader) unknownKind(at place, group, name string) {
	var served, groups []string
	for _, k := range kinds() {
		groups = append(groups, k.group)
		if k.group == group {
			served = append(served, k.name)
		}
	}
	node := at.node.get("apiVersion")
	switch {
	case len(served) > 0:
		r.fail(at.member("kind", at.node.get("kind")), CodeUnknownKind, fmt.Sprintf("%s has no kind %s", group, name), "its kind is "+served[0])
	case node == nil:
		r.fail(at, CodeRequired, "the object has no apiVersion, so it is not known whose "+name+" this is", "the groups are "+strings.Join(groups, ", "))
	default:
		help := "the groups are " + strings.Join(groups, ", ")
		if meant := nearest(group, groups); meant != "" {
			help = "did you mean " + meant + "? " + help
		}
		r.fail(at.member("apiVersion", node), CodeUnknownGroup, fmt.Sprintf("no API group %q is known to serve %s", cmp.Or(group, node.word()), name), help)
	}
}

// objectMeta is what profiles need of an object's metadata.
type objectMeta struct {
	name, namespace, externalName Value
	// generated: the API server makes up the name.
	generated bool
}

// kubernetesObject reads the frame of an object. The metadata is there when spec
// is called. It reports whether there was a spec.
func (d *draft) kubernetesObject(at place, meta *objectMeta, spec func(at place)) bool {
	d.reader.open(at, fields{"metadata": {"", func(at place) { d.metadata(at, meta) }}})
	d.reader.object(at, ignored("apiVersion", "kind", "metadata", "status").with(fields{"spec": {"", spec}}))
	if !at.node.has("spec") {
		d.reader.fail(at.member("spec", at.node), CodeRequired, "the object has no spec", "the profile is in spec")
		return false
	}
	return true
}

func (d *draft) metadata(at place, meta *objectMeta) {
	d.reader.open(at, fields{
		"name":         d.text(keyMetaName, &meta.name),
		"namespace":    d.text("metadata.namespace", &meta.namespace),
		"generateName": {"", func(place) { meta.generated = true }},
		"annotations": {"", func(at place) {
			d.reader.open(at, fields{externalNameAnnotation: d.text(keyExternalName, &meta.externalName)})
		}},
	})
}

// Places of metadata, which is no part of a profile but may name it.
const (
	keyMetaName     = "metadata.name"
	keyExternalName = "metadata.annotations"
)
