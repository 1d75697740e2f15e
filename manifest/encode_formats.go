// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"fmt"
	"strings"
)

// eksctl writes one ClusterConfig for each cluster, and a bare list for the
// profiles that name none.
func (e *encoder) eksctl(profiles []Profile) []object {
	var clusters []Value
	groups := map[Value][]Profile{}
	for _, p := range profiles {
		if groups[p.ClusterName] == nil {
			clusters = append(clusters, p.ClusterName)
		}
		groups[p.ClusterName] = append(groups[p.ClusterName], p)
	}
	var documents []object
	for _, cluster := range clusters {
		documents = append(documents, e.clusterConfig(cluster, groups[cluster]))
	}
	return documents
}

func (e *encoder) clusterConfig(cluster Value, profiles []Profile) object {
	var list []any
	for _, p := range profiles {
		e.noteRoleByName(p)
		list = append(list, object{}.
			add("name", p.Name).
			add("podExecutionRoleARN", p.PodExecutionRoleARN).
			add("selectors", selectorList(p.Selectors)).
			add("subnets", textList(p.Subnets)).
			add("tags", textMap(p.Tags)))
	}
	if cluster.IsUnset() {
		return object{}.add(eksctlProfiles, list)
	}
	region := e.region(profiles[0])
	if region.IsUnset() {
		e.note(profiles[0], keyRegion, "a ClusterConfig needs metadata.region, which the profile does not say", "add it")
	}
	metadata := object{}.add("name", cluster).add("region", region)
	return object{}.
		add("apiVersion", eksctlGroup+"/"+eksctlVersion).
		add("kind", "ClusterConfig").
		add("metadata", metadata).
		add(eksctlProfiles, list)
}

// region is that of the options, of the ARN of a profile that exists, or of the
// manifest.
func (e *encoder) region(p Profile) Value {
	parts := strings.Split(p.ARN, ":")
	switch {
	case e.options.Region != "":
		return Known(e.options.Region)
	case len(parts) > 3:
		return knownOrUnset(parts[3])
	default:
		return p.Region
	}
}

func (e *encoder) noteRoleByName(p Profile) {
	if p.PodExecutionRoleARN.IsUnset() && !p.PodExecutionRoleName.IsUnset() {
		e.note(p, keyRole, fmt.Sprintf("the role %q is given by name, and the format needs its ARN", p.PodExecutionRoleName.Text), "add the ARN")
	}
}

// capa writes one AWSFargateProfile for each profile.
func (e *encoder) capa(profiles []Profile) []object {
	names := map[string]bool{}
	var documents []object
	for _, p := range profiles {
		if p.ClusterName.IsUnset() {
			e.note(p, keyCluster, "no cluster is named, and the format needs one", "add it")
		} else {
			e.note(p, keyCluster, "spec.clusterName is the name of the Cluster API object, and the EKS name is written there", "replace it if they differ")
		}
		spec := object{}.
			add("clusterName", p.ClusterName).
			add("profileName", p.Name).
			add("roleName", e.roleName(p)).
			add("subnetIDs", textList(p.Subnets)).
			add("additionalTags", textMap(p.Tags)).
			add("selectors", selectorList(p.Selectors))
		documents = append(documents, e.kubernetesObject(p, "infrastructure.cluster.x-k8s.io/v1beta2", "AWSFargateProfile", names, spec))
	}
	return documents
}

// roleName is all of a role's ARN that CAPA takes.
func (e *encoder) roleName(p Profile) Value {
	if !p.PodExecutionRoleARN.IsKnown() {
		return p.PodExecutionRoleARN.Or(p.PodExecutionRoleName)
	}
	arn := p.PodExecutionRoleARN.Text
	e.note(p, keyRole, "the role is written by its name: the account and the path of "+arn+" are not carried", "CAPA looks the name up in the account of the cluster")
	return Known(arn[strings.LastIndexByte(arn, '/')+1:])
}

// ack writes one FargateProfile for each profile.
func (e *encoder) ack(profiles []Profile) []object {
	names := map[string]bool{}
	var documents []object
	for _, p := range profiles {
		e.noteMissing(p)
		spec := object{}.
			add("name", p.Name).
			add("clusterName", p.ClusterName).
			add("podExecutionRoleARN", p.PodExecutionRoleARN).
			add("subnets", textList(p.Subnets)).
			add("selectors", selectorList(p.Selectors)).
			add("tags", textMap(p.Tags))
		documents = append(documents, e.kubernetesObject(p, "eks.services.k8s.aws/v1alpha1", "FargateProfile", names, spec))
	}
	return documents
}

func (e *encoder) kubernetesObject(p Profile, apiVersion, kind string, names map[string]bool, spec object) object {
	name := unique(names, objectName(p.Name.Text), "-")
	metadata := object{}.add("name", name).add("namespace", knownOrUnset(e.options.Namespace))
	return object{}.add("apiVersion", apiVersion).add("kind", kind).add("metadata", metadata).add("spec", spec)
}

// objectName makes a legal name of an object (RFC 1123) of any text.
func objectName(text string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			return c
		case 'A' <= c && c <= 'Z':
			return c + 'a' - 'A'
		default:
			return '-'
		}
	}, text)
	const longest = 200 // leaves room to make it unique within 253
	name = strings.Trim(name[:min(len(name), longest)], "-")
	return cmp.Or(name, "profile")
}

// unique appends a number to a name that is taken.
func unique(taken map[string]bool, name, separator string) string {
	candidate := name
	for i := 2; taken[candidate]; i++ {
		candidate = fmt.Sprintf("%s%s%d", name, separator, i)
	}
	taken[candidate] = true
	return candidate
}

// awsCLI writes the input of create-fargate-profile, one JSON value a profile.
func (e *encoder) awsCLI(profiles []Profile) []object {
	var documents []object
	for _, p := range profiles {
		e.noteMissing(p)
		documents = append(documents, object{}.
			add("fargateProfileName", p.Name).
			add("clusterName", p.ClusterName).
			add("podExecutionRoleArn", p.PodExecutionRoleARN).
			add("subnets", textList(p.Subnets)).
			add("selectors", selectorList(p.Selectors)).
			add("tags", textMap(p.Tags)))
	}
	return documents
}

// cloudFormation writes one template. EKS changes one profile of a cluster at a
// time, so each profile depends on the one before it.
func (e *encoder) cloudFormation(profiles []Profile) []object {
	ids := map[string]bool{}
	before := map[Value]string{}
	var resources object
	for _, p := range profiles {
		e.noteMissing(p)
		id := unique(ids, logicalID(p.Name.Text), "")
		resource := object{}.add("Type", cloudFormationType).add("DependsOn", knownOrUnset(before[p.ClusterName])).add("Properties", e.properties(p))
		resources = append(resources, property{id, resource})
		before[p.ClusterName] = id
	}
	return []object{object{}.add("AWSTemplateFormatVersion", "2010-09-09").add("Resources", resources)}
}

func (e *encoder) properties(p Profile) object {
	var selectors []any
	for _, s := range p.Selectors {
		selectors = append(selectors, object{}.add("Namespace", s.Namespace).add("Labels", keyValueList(s.Labels)))
	}
	for _, entry := range p.entries() {
		if entry.value == Known("") && strings.Contains(entry.key, "[") {
			e.note(p, entry.key, "CloudFormation accepts no empty value here", "give it a value, or set it with the EKS API")
		}
	}
	return object{}.
		add("ClusterName", p.ClusterName).
		add("FargateProfileName", p.Name).
		add("PodExecutionRoleArn", p.PodExecutionRoleARN).
		add("Subnets", textList(p.Subnets)).
		add("Selectors", selectors).
		add("Tags", keyValueList(p.Tags))
}

func keyValueList(values map[string]Value) []any {
	var list []any
	for _, p := range textMap(values) {
		list = append(list, object{{"Key", p.key}, {"Value", p.value}})
	}
	return list
}

// logicalID makes the id of a resource, which has only letters and digits.
func logicalID(name string) string {
	var b strings.Builder
	upper := true
	for _, c := range objectName(name) {
		switch {
		case c == '-':
			upper = true
		case upper:
			b.WriteString(strings.ToUpper(string(c)))
			upper = false
		default:
			b.WriteRune(c)
		}
	}
	return "FargateProfile" + b.String()
}
