// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crdcheck_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

const good = `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSFargateProfile
metadata: {name: web}
spec:
  clusterName: shop
  profileName: web
  selectors: [{namespace: web, labels: {tier: "1"}}]
`

// kinds are the refusals without the words that a version of Kubernetes has for them.
func kinds(refused []string) []string {
	var kinds []string
	for _, r := range refused {
		before, _, _ := strings.Cut(r, " value: ")
		if before != r {
			before += " value"
		}
		kinds = append(kinds, before)
	}
	return kinds
}

// TestTheDefinitionRefusesWhatItMust shows that the checks of this package can fail.
func TestTheDefinitionRefusesWhatItMust(t *testing.T) {
	tests := map[string]struct {
		patch string
		want  []string
	}{
		"nothing is wrong":    {"", nil},
		"a number as a label": {"spec: {clusterName: shop, selectors: [{labels: {tier: 1}}]}", []string{"spec.selectors[0].labels.tier: Invalid value"}},
		"an unknown field":    {"spec: {clusterName: shop, selector: []}", []string{"spec.selector: unknown field"}},
		"no cluster":          {"spec: {profileName: web}", []string{nameless}},
		"an empty cluster":    {`spec: {clusterName: ""}`, []string{"spec.clusterName: Invalid value"}},
		"a map for a list":    {"spec: {clusterName: shop, subnetIDs: {a: b}}", []string{"spec.subnetIDs.a: unknown field", "spec.subnetIDs: Invalid value"}},
		"null for a string":   {"spec: {clusterName: shop, roleName: null}", []string{"spec.roleName: Invalid value"}},
		"a name of no object": {"metadata: {name: Web_1}", []string{"metadata.name: Invalid value"}},
		"a version of before": {"apiVersion: infrastructure.cluster.x-k8s.io/v1beta1", []string{"infrastructure.cluster.x-k8s.io/v1beta1 AWSFargateProfile is not served"}},
		"another kind":        {"kind: FargateProfile", []string{"infrastructure.cluster.x-k8s.io/v1beta2 FargateProfile is not served"}},
	}
	d := published(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var object map[string]any
			for _, text := range []string{good, tt.patch} {
				if err := yaml.Unmarshal([]byte(text), &object); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, kinds(d.refuses(t.Context(), object))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRulesOfADefinitionAreHeld: the provider's definition has none today; one that it
// gets is not passed over.
func TestRulesOfADefinitionAreHeld(t *testing.T) {
	d, err := define([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {name: {type: string}}
            x-kubernetes-validations: [{rule: "self.name != 'web'", message: not web}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"web": {"spec: Invalid value"}, "api": nil} {
		object := map[string]any{"apiVersion": "example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": "x"}, "spec": map[string]any{"name": name}}
		if diff := cmp.Diff(want, kinds(d.refuses(t.Context(), object))); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", name, diff)
		}
	}
}
