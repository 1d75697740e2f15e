// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"

	"golang.org/x/crypto/blake2b"
)

// ownGroup is the API group of this project's own controller.
const ownGroup = "eksfargate.io"

// capaKinds reads AWSFargateProfile of Cluster API Provider AWS, and the kind of
// this project, which has the same fields.
func capaKinds() []kind {
	return []kind{
		{
			format: FormatCAPA, group: "infrastructure.cluster.x-k8s.io", name: "AWSFargateProfile",
			versions: []string{"v1alpha3", "v1alpha4", "v1beta1", "v1beta2"}, read: readCAPA,
		},
		{format: FormatCAPA, group: ownGroup, name: "AWSFargateProfile", versions: []string{"v1beta1"}, read: readCAPA},
	}
}

func readCAPA(r *reader, at place, k kind) {
	d := r.newDraft(k.format, at)
	var meta objectMeta
	if !d.kubernetesObject(at, &meta, func(at place) { d.object(at, d.capaTable(k)) }) {
		return
	}
	if d.Name.IsUnset() && !d.broken[keyName] || d.Name == Known("") {
		d.capaName(at, meta)
	}
	if _, noted := d.places[keyRole]; !noted {
		d.places[keyRole] = d.place(keyRoleName)
	}
	if k.group != ownGroup && d.ClusterName.IsKnown() {
		r.warn(d.place(keyCluster), CodeClusterName, "clusterName is the Cluster API object, and the EKS cluster may have another name",
			"compare it with spec.eksClusterName of the AWSManagedControlPlane")
	}
	d.finish()
}

func (d *draft) capaTable(k kind) fields {
	table := fields{
		"clusterName":    d.text(keyCluster, &d.ClusterName),
		"profileName":    d.text(keyName, &d.Name),
		"subnetIDs":      d.subnets(),
		"additionalTags": d.tags(),
		"roleName":       d.text(keyRoleName, &d.PodExecutionRoleName),
		"selectors":      d.selectors(d.plainSelector),
	}
	if k.group == ownGroup {
		table["podExecutionRoleARN"] = d.text(keyRole, &d.PodExecutionRoleARN)
	}
	if k.version == "v1beta2" || k.group == ownGroup {
		table = table.with(ignored("rolePath", "rolePermissionsBoundary"))
	}
	return table
}

// capaName gives a profile without a name the one that CAPA's webhook gives it.
func (d *draft) capaName(at place, meta objectMeta) {
	d.places[keyName] = at.member("metadata.name", at.node)
	if where, ok := d.places[keyMetaName]; ok {
		d.places[keyName] = where
	}
	namespace := meta.namespace
	switch {
	case meta.name.IsUnset() && meta.generated:
		d.Name = Unresolved("metadata.generateName")
		return
	case meta.name.IsUnset():
		return
	case namespace.IsUnset():
		namespace = Known("default")
		d.reader.warn(d.places[keyName], CodeAssumed, "the profile is named after the object and its namespace, which is not given: default is assumed",
			"set spec.profileName or metadata.namespace")
	}
	name := namespace.Text + "_" + strings.ReplaceAll(meta.name.Text, ".", "_")
	if namespace.IsUnresolved() || meta.name.IsUnresolved() {
		d.Name = Unresolved(name)
		return
	}
	d.Name = Known(capaShortName(name))
}

// capaMaxName is where CAPA begins to hash: a name of this length is hashed too.
const capaMaxName = 100

// capaShortName hashes a long name as CAPA does: capa_ and 27 characters, each a
// byte of a BLAKE2b digest of 27 bytes modulo 36.
// Source: pkg/eks and pkg/hash of kubernetes-sigs/cluster-api-provider-aws.
func capaShortName(name string) string {
	if len(name) < capaMaxName {
		return name
	}
	const prefix, size, digits = "capa_", 27, "0123456789abcdefghijklmnopqrstuvwxyz"
	short := []byte(prefix)
	for _, b := range digest(size, name) {
		short = append(short, digits[int(b)%len(digits)])
	}
	return string(short)
}

func digest(size int, text string) []byte {
	hash, err := blake2b.New(size, nil)
	if err != nil {
		return nil // never: the size is legal and there is no key
	}
	hash.Write([]byte(text))
	return hash.Sum(nil)
}
