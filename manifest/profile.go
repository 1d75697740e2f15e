// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
)

// Format is a family of manifests. Formats are recognised by content.
type Format string

// The formats that are read. [Encode] writes those of them that it lists.
const (
	FormatEksctl         Format = "eksctl"         // ClusterConfig, fargateProfiles, eksctl get fargateprofile
	FormatCAPA           Format = "capa"           // AWSFargateProfile of Cluster API Provider AWS, and our own
	FormatACK            Format = "ack"            // FargateProfile of AWS Controllers for Kubernetes
	FormatCrossplane     Format = "crossplane"     // FargateProfile of the Crossplane providers
	FormatCloudFormation Format = "cloudformation" // templates, and the custom resource of the CDK
	FormatAWSCLI         Format = "awscli"         // output and --cli-input-json of the AWS CLI
	FormatTerraform      Format = "terraform"      // terraform show -json
	FormatKubernetes     Format = "kubernetes"     // Pods and what makes pods, for [ParsePods]
)

// Source says where a profile or a pod was found.
type Source struct {
	// File is the name that was given to the parser, "-" for standard input.
	File string `json:"file"`
	// Line and Column are where the object begins, counted from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Format is the format of the object.
	Format Format `json:"format"`
	// Field is the path of the object in its document, "" for the whole of it.
	Field string `json:"field,omitempty"`
}

// Profile is a Fargate profile as a manifest gives it. Each string may be unset
// or unresolved.
//
// A list or map that is one expression as a whole (Subnets: !Ref SubnetIds) is
// kept as a single unresolved element.
type Profile struct {
	ClusterName         Value `json:"clusterName"`
	Name                Value `json:"name"`
	PodExecutionRoleARN Value `json:"podExecutionRoleArn"`
	// PodExecutionRoleName is set by formats that name the role instead of
	// giving its ARN. It does not count as a role by [Profile.Spec].
	PodExecutionRoleName Value `json:"podExecutionRoleName,omitzero"`
	// Region is that of the cluster, where a ClusterConfig of eksctl says it. It is no
	// part of [Profile.Spec].
	Region Value `json:"region,omitzero"`
	// Subnets is nil if the manifest leaves the choice to AWS.
	Subnets   []Value    `json:"subnets"`
	Selectors []Selector `json:"selectors"`
	// Tags is nil if the manifest sets none. An unresolved key keeps its
	// expression as key, and its value counts as unresolved.
	Tags map[string]Value `json:"tags"`
	// ARN and Status are what output of EKS or of a tool says of an existing
	// profile, and empty in a manifest of what is desired.
	ARN    string         `json:"fargateProfileArn,omitempty"`
	Status fargate.Status `json:"status,omitempty"`
	Source Source         `json:"source"`
}

// Selector is one selector of a [Profile].
type Selector struct {
	Namespace Value `json:"namespace"`
	// Labels follows the rule for keys of Profile.Tags.
	Labels map[string]Value `json:"labels,omitempty"`
}

// UnresolvedError says which values of a profile are expressions.
type UnresolvedError struct {
	Source Source
	// Fields are paths in the words of the EKS API, each followed by its
	// expression.
	Fields []string
}

// Error implements error.
func (e *UnresolvedError) Error() string {
	return fmt.Sprintf("manifest: the profile at %s:%d holds values that the file alone does not settle: %s; replace them by literal values",
		e.Source.File, e.Source.Line, strings.Join(e.Fields, ", "))
}

// Spec returns the profile as a specification. Unset values come out empty:
// [fargate.Spec.Validate] finds the ones that are required. Of a profile that
// exists, the tags that AWS and this library put there themselves are left out.
// The error is an [*UnresolvedError] if any value is unresolved.
func (p Profile) Spec() (fargate.Spec, error) {
	var fields []string
	for key, v := range p.values() {
		if v.IsUnresolved() {
			fields = append(fields, fmt.Sprintf("%s (%s)", key, v.Text))
		}
	}
	if len(fields) > 0 {
		return fargate.Spec{}, &UnresolvedError{Source: p.Source, Fields: fields}
	}
	spec := p.spec(Value.known)
	if p.exists() {
		maps.DeleteFunc(spec.Tags, func(key, _ string) bool { return isForeignTag(key) })
	}
	return spec, nil
}

// exists reports whether the profile was read from output about one at EKS.
func (p Profile) exists() bool { return p.ARN != "" }

// spec builds a specification with what text makes of each value.
func (p Profile) spec(text func(Value) string) fargate.Spec {
	spec := fargate.Spec{
		ClusterName:         text(p.ClusterName),
		Name:                text(p.Name),
		PodExecutionRoleARN: text(p.PodExecutionRoleARN),
		Tags:                texts(p.Tags, text),
	}
	for _, subnet := range p.Subnets {
		spec.Subnets = append(spec.Subnets, text(subnet))
	}
	for _, s := range p.Selectors {
		spec.Selectors = append(spec.Selectors, selector.Selector{
			Namespace: text(s.Namespace),
			Labels:    texts(s.Labels, text),
		})
	}
	return spec
}

func texts(values map[string]Value, text func(Value) string) map[string]string {
	if values == nil {
		return nil
	}
	out := make(map[string]string, len(values))
	for key, v := range values {
		out[key] = text(v)
	}
	return out
}

// values walks every value of the profile with its path in the words of the EKS
// API, in a fixed order.
func (p Profile) values() func(yield func(string, Value) bool) {
	return func(yield func(string, Value) bool) {
		for _, e := range p.entries() {
			if !yield(e.key, e.value) {
				return
			}
		}
	}
}

type entry struct {
	key   string
	value Value
}

func (p Profile) entries() []entry {
	list := []entry{
		{keyCluster, p.ClusterName},
		{keyName, p.Name},
		{keyRole, p.PodExecutionRoleARN},
		{keyRoleName, p.PodExecutionRoleName},
	}
	for i, v := range p.Subnets {
		list = append(list, entry{index(keySubnets, i), v})
	}
	for i, s := range p.Selectors {
		at := index(keySelectors, i)
		list = append(list, entry{member(at, keyNamespace), s.Namespace})
		list = append(list, mapEntries(member(at, keyLabels), s.Labels)...)
	}
	return append(list, mapEntries(keyTags, p.Tags)...)
}

func mapEntries(at string, values map[string]Value) []entry {
	list := make([]entry, 0, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		list = append(list, entry{entryOf(at, key), values[key]})
	}
	return list
}

// IsUnresolved reports whether err says that a profile holds unresolved values.
func IsUnresolved(err error) bool {
	_, ok := errors.AsType[*UnresolvedError](err)
	return ok
}
