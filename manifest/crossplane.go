// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

// externalNameAnnotation gives a Crossplane object's resource its name.
const externalNameAnnotation = "crossplane.io/external-name"

// crossplaneKinds reads FargateProfile of the community provider and of the two
// generations of the Upbound provider, which differ in their words.
func crossplaneKinds() []kind {
	return []kind{
		{format: FormatCrossplane, group: "eks.aws.crossplane.io", name: "FargateProfile", read: readCrossplane((*draft).crossplaneTable)},
		{format: FormatCrossplane, group: "eks.aws.upbound.io", name: "FargateProfile", read: readCrossplane((*draft).upboundTable)},
		{format: FormatCrossplane, group: "eks.aws.m.upbound.io", name: "FargateProfile", read: readCrossplane((*draft).upboundTable)},
	}
}

func readCrossplane(table func(*draft) fields) func(*reader, place, kind) {
	return func(r *reader, at place, k kind) {
		d := r.newDraft(k.format, at)
		var meta objectMeta
		if !d.kubernetesObject(at, &meta, func(at place) { r.object(at, d.crossplaneSpec(table)) }) {
			return
		}
		d.crossplaneName(at, meta)
		d.finish()
	}
}

// crossplaneSpec reads initProvider first: what forProvider says wins.
func (d *draft) crossplaneSpec(table func(*draft) fields) fields {
	return ignored("deletionPolicy", "managementPolicy", "managementPolicies", "providerConfigRef", "providerRef",
		"publishConnectionDetailsTo", "writeConnectionSecretToRef").with(fields{
		"forProvider":  {"", func(at place) { d.object(at, table(d)) }},
		"initProvider": {"", func(at place) { d.initProvider(at, table) }},
	})
}

// initProvider fills in what forProvider leaves out, whichever comes first.
func (d *draft) initProvider(at place, table func(*draft) fields) {
	initial := d.reader.newDraft(d.Source.Format, d.at)
	initial.object(at, table(initial))
	d.initial = initial
}

// crossplaneName names the profile as the provider does.
func (d *draft) crossplaneName(at place, meta objectMeta) {
	d.fillFrom(d.initial)
	d.places[keyName] = at.member("metadata.name", at.node)
	key := keyMetaName
	d.Name = meta.name
	switch {
	case !meta.externalName.IsUnset():
		d.Name, key = meta.externalName, keyExternalName
	case meta.name.IsUnset() && meta.generated:
		d.Name = Unresolved("metadata.generateName")
	}
	if where, ok := d.places[key]; ok {
		d.places[keyName] = where
	}
}

func (d *draft) crossplaneTable() fields {
	return d.crossplaneCommon().with(fields{
		"selectors":      d.selectors(d.plainSelector),
		"subnets":        d.subnets(),
		"subnetRefs":     d.subnetReferences(d.crossplaneReference),
		"subnetSelector": d.subnetSelector(),
	})
}

func (d *draft) upboundTable() fields {
	return d.crossplaneCommon().with(fields{
		"selector":         d.selectors(d.plainSelector),
		"subnetIds":        d.subnets(),
		"subnetIdRefs":     d.subnetReferences(d.crossplaneReference),
		"subnetIdSelector": d.subnetSelector(),
	})
}

func (d *draft) crossplaneCommon() fields {
	return ignored("region").with(fields{
		"clusterName":                 d.text(keyCluster, &d.ClusterName),
		"clusterNameRef":              d.reference(keyCluster, &d.ClusterName, d.crossplaneReference),
		"clusterNameSelector":         d.reference(keyCluster, &d.ClusterName, d.crossplaneSelector),
		"podExecutionRoleArn":         d.text(keyRole, &d.PodExecutionRoleARN),
		"podExecutionRoleArnRef":      d.reference(keyRole, &d.PodExecutionRoleARN, d.crossplaneReference),
		"podExecutionRoleArnSelector": d.reference(keyRole, &d.PodExecutionRoleARN, d.crossplaneSelector),
		"tags":                        d.tags(),
	})
}

// crossplaneReference reads {name, policy}, and the namespace of newer ones.
func (d *draft) crossplaneReference(at place) string {
	var name, namespace Value
	d.reader.object(at, ignored("policy").with(fields{"name": d.text("", &name), "namespace": d.text("", &namespace)}))
	return "reference to " + qualified(namespace, name)
}

// crossplaneSelector reads what picks the object to refer to. Its labels are
// those of Crossplane objects, never of pods.
func (d *draft) crossplaneSelector(at place) string {
	d.reader.object(at, ignored("matchControllerRef", "matchLabels", "policy", "namespace"))
	return "the object that " + expression(at.node) + " selects"
}

// subnetSelector is one selector for all subnets.
func (d *draft) subnetSelector() field {
	return field{"", func(at place) {
		if len(d.Subnets) == 0 {
			d.Subnets = []Value{Unresolved(d.crossplaneSelector(at))}
			d.places[index(keySubnets, 0)] = at
		}
	}}
}
