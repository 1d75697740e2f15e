// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/manifest"
)

func TestPodFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/pods/*.*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pods to read: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			r := manifest.ParsePods(filepath.ToSlash(file), data)
			for _, p := range r.Problems {
				fmt.Fprintf(&b, "%s [%s]\n", p, p.Code)
			}
			for _, p := range r.Pods {
				fmt.Fprintf(&b, "%s\nspec: %s\n", indented(t, p), p.Spec)
			}
			golden(t, file+".golden", b.String())
		})
	}
}

func TestPodWithAnUnresolvedLabelIsAnError(t *testing.T) {
	t.Parallel()
	r := manifest.ParsePods("in", []byte("apiVersion: v1\nkind: Pod\nmetadata: {labels: {a: $A}}\n"))
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), `metadata.labels["a"]`) {
		t.Errorf("got %v", err)
	}
	if r.Problems[0].Severity != manifest.SeverityUnresolved {
		t.Error("Err changed the problems of the result")
	}
	r = manifest.ParsePods("in", []byte("apiVersion: v1\nkind: Pod\nmetadata: {labels: {a: A}}\n"))
	if err := r.Err(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsNoKubernetesObjectHasNoPods(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]manifest.Code{"a: b\n": manifest.CodeUnknownFormat, "- a\n": manifest.CodeUnknownFormat, "": manifest.CodeNotAPod} {
		r := manifest.ParsePods("in", []byte(text))
		if len(r.Problems) != 1 || r.Problems[0].Code != want {
			t.Errorf("%q: got %v, want %s", text, r.Problems, want)
		}
	}
}

func TestPlaced(t *testing.T) {
	t.Parallel()
	r := manifest.ParsePods("in", []byte(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "creationTimestamp": "2026-01-02T03:04:05Z"},
		"spec": {"schedulerName": "fargate-scheduler", "nodeName": "fargate-1"}}`))
	got := r.Pods[0].Placed()
	if got.Name != "a" || got.Scheduler != "fargate-scheduler" || got.Node != "fargate-1" ||
		!got.Created.Equal(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)) {
		t.Errorf("got %+v", got)
	}
}

func TestNumbersOfAPodSpecAreWhatKubernetesReads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1": "1", "010": "8", "0x1F": "31", "0b11": "3", "1_000": "1000", "+5": "5", ".5": "0.5", "1.": "1", "1.5e3": "1.5e3", "-0.25": "-0.25",
		"12:30:45": `"12:30:45"`, ".inf": `".inf"`, "099": "99", "1_0.5": "10.5", "99999999999999999999999": "99999999999999999999999",
		"yes": "true", "Off": "false", "~": "null", `"5"`: `"5"`, "2024-01-31": `"2024-01-31"`, "'<>'": `"<>"`,
	} {
		r := manifest.ParsePods("in", []byte("apiVersion: v1\nkind: Pod\nspec: {x: ["+text+"]}\n"))
		var spec struct{ X json.RawMessage }
		if err := json.Unmarshal(r.Pods[0].Spec, &spec); err != nil {
			t.Fatalf("%s: %v in %s", text, err, r.Pods[0].Spec)
		}
		if got := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(spec.X)); got != "["+want+"]" {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzParsePods holds for any input: no panic, and a spec that is JSON.
func FuzzParsePods(f *testing.F) {
	files, err := filepath.Glob("testdata/pods/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := manifest.ParsePods("in", data)
		for _, p := range r.Pods {
			if p.Spec != nil && !json.Valid(p.Spec) {
				t.Errorf("no JSON: %s", p.Spec)
			}
		}
		if len(r.Pods) == 0 && len(r.Problems) == 0 {
			t.Error("no pod, and no word why")
		}
	})
}

func ExampleParsePods() {
	r := manifest.ParsePods("web.yaml", []byte(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    metadata: {labels: {app: web}}
`))
	for _, p := range r.Pods {
		fmt.Println(p.Kind, p.Namespace, p.Name, p.Labels)
	}
	// Output: Deployment shop web map[app:web]
}
