// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"

	"github.com/eksfargate/eksfargate/manifest"
)

func ExampleParse() {
	r := manifest.Parse("cluster.yaml", []byte(`
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata:
  name: shop
fargateProfiles:
  - name: web
    podExecutionRoleARN: arn:aws:iam::111122223333:role/pods
    selectors:
      - namespace: web
        labels:
          public: yes
`))
	fmt.Println(r.Outcome())
	for _, p := range r.Problems {
		fmt.Println(p)
	}
	// Output:
	// reject
	// cluster.yaml:12:19: error: fargateProfiles[0].selectors[0].labels["public"]: a string is due, and yes without quotes is a boolean to YAML readers; put it in quotes: "yes"
}

func ExampleProfile_Spec() {
	r := manifest.Parse("input.json", []byte(`{
		"clusterName": "shop", "fargateProfileName": "web",
		"podExecutionRoleArn": "arn:aws:iam::111122223333:role/pods",
		"selectors": [{"namespace": "web-*"}]
	}`))
	if err := r.Err(); err != nil {
		fmt.Println(err)
		return
	}
	spec, err := r.Profiles[0].Spec()
	fmt.Println(spec.ClusterName, spec.Name, spec.Selectors[0].Namespace, err)
	// Output: shop web web-* <nil>
}

func ExampleMerge() {
	a := manifest.Parse("a.yaml", []byte("fargateProfiles: [{name: a, selectors: [{namespace: a}]}]"))
	b := manifest.Parse("b.yaml", []byte("kind: Service\napiVersion: v1"))
	merged := manifest.Merge(a, b)
	fmt.Println(len(merged.Profiles), merged.Outcome())
	// Output: 1 ok
}

func ExamplePlaceholder() {
	fmt.Println(manifest.Placeholder("<your_cluster_name>"), manifest.Placeholder("my-cluster"))
	// Output: true false
}
