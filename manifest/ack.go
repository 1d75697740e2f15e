// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

// ackKinds reads FargateProfile of the EKS controller of AWS Controllers for
// Kubernetes.
func ackKinds() []kind {
	return []kind{{format: FormatACK, group: "eks.services.k8s.aws", name: "FargateProfile", versions: []string{"v1alpha1"}, read: readACK}}
}

func readACK(r *reader, at place, k kind) {
	d := r.newDraft(k.format, at)
	var meta objectMeta
	if d.kubernetesObject(at, &meta, func(at place) { d.object(at, d.ackTable()) }) {
		d.finish()
	}
}

func (d *draft) ackTable() fields {
	return ignored("clientRequestToken").with(fields{
		"name":                d.text(keyName, &d.Name),
		"clusterName":         d.text(keyCluster, &d.ClusterName),
		"clusterRef":          d.reference(keyCluster, &d.ClusterName, d.ackReference),
		"podExecutionRoleARN": d.text(keyRole, &d.PodExecutionRoleARN),
		"podExecutionRoleRef": d.reference(keyRole, &d.PodExecutionRoleARN, d.ackReference),
		"selectors":           d.selectors(d.plainSelector),
		"subnets":             d.subnets(),
		"subnetRefs":          d.subnetReferences(d.ackReference),
		"tags":                d.tags(),
	})
}

// ackReference reads from: {name, namespace}.
func (d *draft) ackReference(at place) string {
	var name, namespace Value
	d.reader.object(at, fields{"from": {"", func(at place) {
		d.reader.object(at, fields{"name": d.text("", &name), "namespace": d.text("", &namespace)})
	}}})
	return "reference to " + qualified(namespace, name)
}

func qualified(namespace, name Value) string {
	if namespace.IsUnset() {
		return name.Text
	}
	return namespace.Text + "/" + name.Text
}
