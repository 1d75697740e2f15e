// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/manifest"
)

// TestSeverityOfWhatEKSRefuses pins the line between what is an error in a
// manifest and what a caller may still put right.
func TestSeverityOfWhatEKSRefuses(t *testing.T) {
	t.Parallel()
	const selectors = "selectors: [{namespace: a}]"
	for name, c := range map[string]struct {
		text  string
		want  manifest.Severity // "" for no problem
		field string
	}{
		"no selectors":                      {eksctl("tags: {}"), manifest.SeverityError, "fargateProfiles[0].selectors"},
		"an empty list of selectors":        {eksctl("selectors: []"), manifest.SeverityError, "fargateProfiles[0].selectors"},
		"a selector without a namespace":    {eksctl("selectors: [{labels: {a: b}}]"), manifest.SeverityError, "fargateProfiles[0].selectors[0].namespace"},
		"five selectors":                    {eksctl("selectors: [{namespace: a}, {namespace: b}, {namespace: c}, {namespace: d}, {namespace: e}]"), "", ""},
		"six selectors":                     {eksctl("selectors: [{namespace: a}, {namespace: b}, {namespace: c}, {namespace: d}, {namespace: e}, {namespace: f}]"), manifest.SeverityError, "fargateProfiles[0].selectors"},
		"five labels":                       {eksctl("selectors: [{namespace: a, labels: {" + manyKeys("l", 5) + "}}]"), "", ""},
		"six labels":                        {eksctl("selectors: [{namespace: a, labels: {" + manyKeys("l", 6) + "}}]"), manifest.SeverityError, "fargateProfiles[0].selectors[0].labels"},
		"a namespace no pod can have":       {eksctl("selectors: [{namespace: UPPER}]"), manifest.SeverityWarning, "fargateProfiles[0].selectors[0].namespace"},
		"a label value no pod can have":     {eksctl("selectors: [{namespace: a, labels: {k: -x}}]"), manifest.SeverityWarning, `fargateProfiles[0].selectors[0].labels["k"]`},
		"a selector twice":                  {eksctl("selectors: [{namespace: a}, {namespace: a}]"), manifest.SeverityWarning, "fargateProfiles[0].selectors[1]"},
		"44 tags":                           {eksctl(selectors, "tags: {"+manyKeys("t", 44)+"}"), "", ""},
		"45 tags leave no room for marks":   {eksctl(selectors, "tags: {"+manyKeys("t", 45)+"}"), manifest.SeverityWarning, "fargateProfiles[0].tags"},
		"51 tags":                           {eksctl(selectors, "tags: {"+manyKeys("t", 51)+"}"), manifest.SeverityError, "fargateProfiles[0].tags"},
		"an empty tag value":                {eksctl(selectors, `tags: {k: ""}`), "", ""},
		"an empty tag key":                  {eksctl(selectors, `tags: {"": v}`), manifest.SeverityError, `fargateProfiles[0].tags[""]`},
		"a tag key of 128 characters":       {eksctl(selectors, "tags: {"+strings.Repeat("k", 128)+": v}"), "", ""},
		"a tag value of 257 characters":     {eksctl(selectors, "tags: {k: "+strings.Repeat("v", 257)+"}"), manifest.SeverityError, `fargateProfiles[0].tags["k"]`},
		"a tag key that AWS reserves":       {eksctl(selectors, `tags: {"AWS:x": v}`), manifest.SeverityError, `fargateProfiles[0].tags["AWS:x"]`},
		"a tag value that AWS reserves":     {eksctl(selectors, `tags: {k: "aws:x"}`), manifest.SeverityError, `fargateProfiles[0].tags["k"]`},
		"a tag key that is one of our own":  {eksctl(selectors, "tags: {eksfargate.io/profile: v}"), manifest.SeverityWarning, `fargateProfiles[0].tags["eksfargate.io/profile"]`},
		"a subnet of the wrong form":        {eksctl(selectors, "subnets: [private-a]"), manifest.SeverityWarning, "fargateProfiles[0].subnets[0]"},
		"a subnet twice":                    {eksctl(selectors, "subnets: [subnet-01, subnet-01]"), manifest.SeverityWarning, "fargateProfiles[0].subnets[1]"},
		"unresolved subnets are no repeats": {eksctl(selectors, "subnets: [$A, $A]"), manifest.SeverityUnresolved, "fargateProfiles[0].subnets[0]"},
		"unresolved selectors are counted":  {eksctl("selectors: [{namespace: $A}, {namespace: $A}, {namespace: $A}, {namespace: $A}, {namespace: $A}, {namespace: $A}]"), manifest.SeverityError, "fargateProfiles[0].selectors"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := parse(c.text)
			var got manifest.Severity
			var field string
			if len(r.Problems) > 0 {
				got, field = r.Problems[0].Severity, r.Problems[0].Field
			}
			if got != c.want || field != c.field {
				t.Errorf("got %q at %q, want %q at %q: %v", got, field, c.want, c.field, r.Problems)
			}
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]manifest.Severity{
		"web": "", "a_B-9": "", "eks": "", "aeks-": "", strings.Repeat("n", 100): "",
		"eks-web":                manifest.SeverityError,
		strings.Repeat("n", 101): manifest.SeverityError,
		`""`:                     manifest.SeverityError,
		"a b":                    manifest.SeverityWarning,
		"-a":                     manifest.SeverityWarning,
	} {
		r := parse("fargateProfiles: [{name: " + name + ", podExecutionRoleARN: 'arn:aws:iam::222233334444:role/a', selectors: [{namespace: a}]}]\nmetadata: {name: c}")
		var got manifest.Severity
		if len(r.Problems) > 0 {
			got = r.Problems[0].Severity
		}
		if got != want {
			t.Errorf("%s: got %q, want %q: %v", name, got, want, r.Problems)
		}
	}
}

func TestClusterNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]manifest.Code{
		"demo": "", "my-cluster": "", "xx": "",
		"<your_cluster_name>": manifest.CodePlaceholder, "REPLACE_ME_NAME": manifest.CodePlaceholder, "change-me": manifest.CodePlaceholder,
		"changeme": manifest.CodePlaceholder, "YOUR_CLUSTER": manifest.CodePlaceholder, "xxxx": manifest.CodePlaceholder, "TODO": manifest.CodePlaceholder,
		"a b": "InvalidSyntax", strings.Repeat("c", 101): "TooLong", "''": manifest.CodeRequired,
	} {
		r := parse(strings.Replace(eksctl("selectors: [{namespace: a}]"), "demo", name, 1))
		if got := code(r); got != want || r.Outcome() != manifest.OutcomeOK || len(r.Problems) > 1 {
			t.Errorf("%s: got %q, want %q: %v", name, got, want, r.Problems)
		}
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	for arn, valid := range map[string]bool{
		"arn:aws:iam::222233334444:role/pods": true, "arn:aws-us-gov:iam::222233334444:role/a/b/pods": true,
		"arn:aws:iam::2222:role/pods": false, "arn:aws:iam:222233334444:role/pods": false, "<arn>": false, "pods": false,
		"arn:aws:iam::222233334444:user/pods": false, "arn:aws:sts::222233334444:role/pods": false,
	} {
		r := parse(strings.Replace(eksctl("selectors: [{namespace: a}]"), "arn:aws:iam::222233334444:role/pods", fmt.Sprintf("%q", arn), 1))
		if r.Outcome() != manifest.OutcomeOK || len(r.Problems) == 0 != valid {
			t.Errorf("%s: %v", arn, r.Problems)
		}
	}
}

func TestCAPANames(t *testing.T) {
	t.Parallel()
	const object = "apiVersion: infrastructure.cluster.x-k8s.io/v1beta2\nkind: AWSFargateProfile\nmetadata: {%s}\nspec: {clusterName: c, roleName: r, selectors: [{namespace: a}]}\n"
	for metadata, want := range map[string]manifest.Value{
		"name: a.b.c":                 manifest.Known("default_a_b_c"),
		"name: web, namespace: team":  manifest.Known("team_web"),
		"name: web, namespace: $TEAM": manifest.Unresolved("$TEAM_web"),
		"generateName: web-":          manifest.Unresolved("metadata.generateName"),
		"namespace: team":             {},
		"name: 5":                     {},
		"namespace: ns, name: " + strings.Repeat("a", 96): manifest.Known("ns_" + strings.Repeat("a", 96)),
		// 100 characters are hashed, though EKS would take them.
		"namespace: clusters, name: " + strings.Repeat("a", 91): manifest.Known("capa_fs0ggqutgvmtp761lnpvi3s3ubr"),
		"namespace: clusters, name: " + strings.Repeat("a", 95): manifest.Known("capa_292bdzz2zcvf7fpydwg49ekikk4"),
	} {
		r := parse(fmt.Sprintf(object, metadata))
		if got := r.Profiles[0].Name; got != want {
			t.Errorf("%s: got %v, want %v", metadata, got, want)
		}
		if want.IsUnset() && r.Outcome() != manifest.OutcomeReject {
			t.Errorf("%s: outcome %s, want reject", metadata, r.Outcome())
		}
	}
}
