// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/iam"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew; commit them only when the change is understood")

// policyFile is what fargatectl policy controller prints for the sample.
var policyFile = filepath.Join("testdata", "policy.json")

// TestTheStoryOfTheSample lets the program do what the policy allows and nothing else.
func TestTheStoryOfTheSample(t *testing.T) {
	var got bytes.Buffer
	if err := run(t.Context(), []string{"-policy", policyFile}, &got, io.Discard); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "story.txt")
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the story changed (-want +got):\n%s", diff)
	}
}

// writeManifest puts text into a file and returns its path.
func writeManifest(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbered fills a number into each of n copies of a text.
func numbered(n int, format string) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}

func TestManifestsEndWithEveryProfileGone(t *testing.T) {
	tests := map[string]struct {
		manifest string
		profiles int
		says     []string
	}{
		"a Cluster API profile whose cluster is a variable": {
			profiles: 1, says: []string{`cluster "${CLUSTER}" is filled in as demo`},
			manifest: `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSFargateProfile
metadata: {name: shop}
spec:
  clusterName: ${CLUSTER}
  selectors: [{namespace: shop}]
`,
		},
		"an eksctl file with placeholders and ids that are none": {
			profiles: 2, says: []string{`cluster "<cluster>" is filled in as demo`, `"subnet-prod" is no subnet id`, `role "arn:aws:iam::123:role/root" is filled in`},
			manifest: `
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: <cluster>, region: eu-west-1}
fargateProfiles:
- name: a
  podExecutionRoleARN: arn:aws:iam::123:role/root
  subnets: [subnet-prod]
  selectors: [{namespace: a, labels: null}]
- name: b
  selectors: [{namespace: b, labels: {}}, {namespace: b2}]
`,
		},
		"a profile that uses all selectors and a role and subnets of its own": {
			profiles: 1,
			manifest: `
fargateProfiles:
- name: full
  podExecutionRoleARN: arn:aws:iam::111122223333:role/team/full-exec
  subnets: [subnet-0aaa, subnet-0bbb]
  selectors: [{namespace: a}, {namespace: b}, {namespace: c}, {namespace: d}, {namespace: e}]
`,
		},
		"two clusters that are variables, with a profile of the same name in each": {
			profiles: 2, says: []string{"is filled in as demo\n", "is filled in as demo-2\n"},
			manifest: `
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: <one>, region: eu-west-1}
fargateProfiles: [{name: a, selectors: [{namespace: a}]}]
---
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: <two>, region: eu-west-1}
fargateProfiles: [{name: a, selectors: [{namespace: b}]}]
`,
		},
		"more profiles than the default quota": {
			profiles: 12, manifest: "fargateProfiles:\n" + strings.Join(numbered(12, "- {name: p%d, selectors: [{namespace: quickstart}]}\n"), ""),
		},
		"as many tags as the marks leave room for": {
			profiles: 1,
			manifest: "fargateProfiles:\n- name: a\n  selectors: [{namespace: a}]\n  tags:\n" + strings.Join(numbered(44, "    t%d: x\n"), ""),
		},
		"roles of one name under two paths, which no account has": {
			profiles: 3, says: []string{"since an account has one role of a name"},
			manifest: `
fargateProfiles:
- {name: a, podExecutionRoleARN: arn:aws:iam::111122223333:role/x/exec, selectors: [{namespace: a}]}
- {name: b, podExecutionRoleARN: arn:aws:iam::111122223333:role/y/Exec, selectors: [{namespace: b}]}
- {name: c, podExecutionRoleARN: arn:aws:iam::111122223333:role/z/fargate-pods, selectors: [{namespace: c}]}
`,
		},
		"a name that leaves no room for a successor is replaced delete-first": {
			profiles: 1, says: []string{"with the policy deleteFirst"},
			manifest: "fargateProfiles:\n- name: " + strings.Repeat("n", 95) + "\n  selectors: [{namespace: a}]\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := run(t.Context(), []string{"-f", writeManifest(t, tt.manifest)}, &out, io.Discard); err != nil {
				t.Fatalf("%v\n%s", err, out.String())
			}
			if got := strings.Count(out.String(), " Gone:"); got != tt.profiles {
				t.Errorf("%d profiles are gone, want %d:\n%s", got, tt.profiles, out.String())
			}
			for _, want := range append(tt.says, "\n  0 write calls\n") {
				if !strings.Contains(out.String(), want) {
					t.Errorf("it does not say %q:\n%s", want, out.String())
				}
			}
		})
	}
}

// What a manifest lacks is said of all its profiles, whichever part of the library
// finds it.
func TestEveryFaultOfEveryProfileIsNamed(t *testing.T) {
	tests := map[string]struct {
		manifest string
		says     []string
	}{
		"faults that the format shows, beside others": {
			says: []string{"fargateProfiles[0].name: ", "fargateProfiles[0].selectors[1].namespace: ", `"UPPER"`, "fargateProfiles[1].selectors: "},
			manifest: `
fargateProfiles:
- name: eks-web
  selectors: [{namespace: UPPER}, {namespace: "${NS}"}]
- name: many
  selectors: [{namespace: a}, {namespace: b}, {namespace: c}, {namespace: d}, {namespace: e}, {namespace: f}]
`,
		},
		"placeholders in two profiles and a fault in a third": {
			says: []string{"${FIRST}", "${SECOND}", `profile "third"`, `"UPPER"`},
			manifest: `
fargateProfiles:
- name: first
  selectors: [{namespace: "${FIRST}"}]
- name: second
  selectors: [{namespace: "${SECOND}"}]
- name: third
  selectors: [{namespace: UPPER}]
`,
		},
		"one name for two profiles": {
			says: []string{"profile twice of cluster demo is there twice"},
			manifest: `
fargateProfiles:
- name: twice
  selectors: [{namespace: a}]
- name: twice
  selectors: [{namespace: b}]
`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(t.Context(), []string{"-f", writeManifest(t, tt.manifest)}, &out, io.Discard)
			if err == nil || out.Len() > 0 {
				t.Fatalf("err = %v, and it says:\n%s", err, out.String())
			}
			for _, want := range tt.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("it does not say %q:\n%v", want, err)
				}
			}
		})
	}
}

func TestAskingForHelpIsNoFault(t *testing.T) {
	var help bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, io.Discard, &help); err != nil || !strings.Contains(help.String(), "-f") {
		t.Errorf("err = %v, and it says %q", err, help.String())
	}
}

func TestAFileWithoutItsFlagIsNotIgnored(t *testing.T) {
	if err := run(t.Context(), []string{"my.yaml"}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "-f my.yaml") {
		t.Errorf("err = %v", err)
	}
}

func TestFaultsAreReportedAtOnceAndNothingIsDone(t *testing.T) {
	path := writeManifest(t, `
fargateProfiles:
- name: eks-web
  selectors: [{namespace: a}, {namespace: b}, {namespace: c}, {namespace: d}, {namespace: e}, {labels: {app: x}}]
`)
	var out bytes.Buffer
	err := run(t.Context(), []string{"-f", path}, &out, io.Discard)
	if err == nil {
		t.Fatal("an invalid manifest was accepted")
	}
	for _, field := range []string{"fargateProfiles[0].name", "fargateProfiles[0].selectors", "fargateProfiles[0].selectors[5].namespace"} {
		if !strings.Contains(err.Error(), field+":") {
			t.Errorf("the error does not name %s: %v", field, err)
		}
	}
	if out.Len() > 0 {
		t.Errorf("it began all the same:\n%s", out.String())
	}
}

// TestEveryStatementOfThePolicyIsNeeded takes each away in turn. EKS makes its own role
// only once in an account, and the fake has it.
func TestEveryStatementOfThePolicyIsNeeded(t *testing.T) {
	text, err := os.ReadFile(policyFile)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := iam.ParseDocument(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range whole.Statements {
		if s.Sid == iam.SidServiceLinkedRole {
			continue
		}
		less := iam.Document{Version: whole.Version, Statements: slices.Delete(slices.Clone(whole.Statements), i, i+1)}
		path := writeManifest(t, less.String())
		if err := run(t.Context(), []string{"-policy", path}, io.Discard, io.Discard); err == nil {
			t.Errorf("without %s nothing fails", s.Sid)
		}
	}
}

func TestBadArguments(t *testing.T) {
	tests := map[string][]string{
		"a file that is not there":      {"-f", filepath.Join(t.TempDir(), "none.yaml")},
		"a policy that is not there":    {"-policy", filepath.Join(t.TempDir(), "none.json")},
		"a policy that is none":         {"-policy", writeManifest(t, "[")},
		"a file without a profile":      {"-f", writeManifest(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")},
		"a flag that does not exist":    {"-x"},
		"a profile that is there twice": {"-f", writeManifest(t, "fargateProfiles: [{name: a, selectors: [{namespace: a}]}, {name: a, selectors: [{namespace: b}]}]\n")},
	}
	for name, args := range tests {
		t.Run(name, func(t *testing.T) {
			if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
				t.Error("no error")
			}
		})
	}
}
