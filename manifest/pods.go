// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/selector"
)

// Pod is a pod as a manifest gives it: a Pod itself, or the template of a
// workload. Namespace, name, labels and annotations are those that EKS sees when
// it is created.
type Pod struct {
	selector.Pod

	// Kind is the kind of the object that the pod was found in.
	Kind string `json:"kind"`
	// Spec is the pod's spec as JSON, nil if the manifest gives none. Scalars
	// without quotes are what Kubernetes reads them as.
	Spec json.RawMessage `json:"-"`
	// Scheduler and Node are spec.schedulerName and spec.nodeName.
	Scheduler string `json:"-"`
	Node      string `json:"-"`
	// Created is metadata.creationTimestamp, zero for a pod that is yet to be.
	Created time.Time `json:"-"`
	Source  Source    `json:"source"`
}

// Placed returns the pod with what the manifest says of where it runs.
func (p Pod) Placed() selector.Placed {
	return selector.Placed{Pod: p.Pod, Scheduler: p.Scheduler, Node: p.Node, Created: p.Created}
}

// PodResult is what [ParsePods] found in one file.
type PodResult struct {
	Pods     []Pod     `json:"pods"`
	Problems []Problem `json:"problems"`
}

// Err returns a [*ProblemsError] with every problem that is more than a warning,
// or nil: what a label stands for decides where a pod runs, so that unlike a
// profile a pod with an unresolved one is of no use.
func (r PodResult) Err() error {
	problems := slices.Clone(r.Problems)
	for i := range problems {
		if problems[i].Severity == SeverityUnresolved {
			problems[i].Severity = SeverityError
		}
	}
	return problemsError(problems)
}

// ParsePods reads the pods of one manifest: Pod, Deployment, StatefulSet,
// ReplicaSet, ReplicationController, DaemonSet, Job, CronJob, PodTemplate and
// lists of them, in YAML or JSON, in one or several documents. Objects of other
// kinds are skipped. It reports and bounds like [Parse].
func ParsePods(name string, data []byte, optFns ...func(*Options)) PodResult {
	r := newReader(name)
	docs := slices.DeleteFunc(r.readDocuments(data, newOptions(optFns)), (*node).isNull)
	objects := slices.ContainsFunc(docs, isObject)
	for _, doc := range docs {
		r.podDocument(place{"", doc}, objects)
	}
	if len(r.pods) == 0 && len(r.problems) == 0 {
		r.warn(place{"", &node{line: 1, column: 1}}, CodeNotAPod, "there is no pod in this file", "the kinds are "+strings.Join(podKinds(), ", "))
	}
	sortProblems(r.problems)
	return PodResult{Pods: append([]Pod{}, r.pods...), Problems: append([]Problem{}, slices.Compact(r.problems)...)}
}

// podTemplates says where in an object of a kind the pod is: the path to what
// has its metadata and spec.
func podTemplates() map[string][]string {
	template := []string{"spec", "template"}
	return map[string][]string{
		"Pod":                   {},
		"PodTemplate":           {"template"},
		"Deployment":            template,
		"StatefulSet":           template,
		"ReplicaSet":            template,
		"ReplicationController": template,
		"DaemonSet":             template,
		"Job":                   template,
		"CronJob":               {"spec", "jobTemplate", "spec", "template"},
	}
}

func podKinds() []string {
	var kinds []string
	for kind := range podTemplates() {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return append(kinds, "List")
}

func isObject(n *node) bool { return n.get("kind").word() != "" }

// podDocument reads one document. Beside Kubernetes objects, anything else is
// skipped.
func (r *reader) podDocument(at place, besideObjects bool) {
	switch {
	case isObject(at.node):
		r.podObject(at)
	case besideObjects:
		r.warn(at, CodeSkipped, "this document is no Kubernetes object and is skipped", "give the file that has the pods, if this is not meant")
	default:
		r.fail(at, CodeUnknownFormat, "this is no Kubernetes object: it has no kind", "the kinds with pods are "+strings.Join(podKinds(), ", "))
	}
}

func (r *reader) podObject(at place) {
	kind := at.node.get("kind").word()
	if path, ok := podTemplates()[kind]; ok && isPodGroup(at.node) {
		r.pod(at, kind, path)
		return
	}
	if items := at.node.get("items"); items != nil && strings.HasSuffix(kind, "List") {
		r.list(at.member("items", items), func(_ int, item place) {
			if isObject(item.node) {
				r.podObject(item)
			} else if path, ok := podTemplates()[strings.TrimSuffix(kind, "List")]; ok {
				r.pod(item, strings.TrimSuffix(kind, "List"), path)
			}
		})
	}
}

// isPodGroup tells the workloads of Kubernetes from others of the same name.
func isPodGroup(object *node) bool {
	group, _ := splitAPIVersion(object.get("apiVersion").word())
	return group == "" || group == "apps" || group == "batch" || group == "extensions"
}

// pod reads the object at the place, whose template is below it at the path. The
// pod of a workload is in the namespace of the workload.
func (r *reader) pod(at place, kind string, path []string) {
	template := at
	for _, name := range path {
		n := template.node.get(name)
		if n == nil {
			r.fail(template.member(name, template.node), CodeMissingTemplate, "the "+kind+" has no pod template", "the pod is in "+strings.Join(path, "."))
			return
		}
		template = template.member(name, n)
	}
	p := Pod{Kind: kind, Source: Source{File: r.file, Line: at.node.line, Column: at.node.column, Format: FormatKubernetes, Field: at.path}}
	p.Namespace = cmp.Or(r.podText(at, "metadata", "namespace"), "default")
	p.Name = cmp.Or(r.podText(at, "metadata", "name"), r.podText(at, "metadata", "generateName"))
	p.Labels = r.podLabels(template)
	p.Annotations = r.podAnnotations(template)
	p.Created, _ = time.Parse(time.RFC3339, at.node.get("metadata").get("creationTimestamp").word())
	if spec := template.node.get("spec"); spec != nil && spec.kind == mappingNode {
		p.Spec = appendJSON(nil, spec)
		p.Scheduler, p.Node = spec.get("schedulerName").word(), spec.get("nodeName").word()
	}
	r.pods = append(r.pods, p)
}

// podText reads a string below the place, "" if it is not there.
func (r *reader) podText(at place, path ...string) string {
	for _, name := range path {
		n := at.node.get(name)
		if n == nil {
			return ""
		}
		at = at.member(name, n)
	}
	v, _ := r.str(at)
	r.podUnresolved(at, v)
	return v.Text
}

func (r *reader) podLabels(template place) map[string]string {
	at, n := template.member("metadata", nil), template.node.get("metadata").get("labels")
	if n == nil {
		return nil
	}
	values := r.stringMap(at.member("labels", n), func(key, value Value, at place) {
		if key.IsUnresolved() {
			value = key
		}
		r.podUnresolved(at, value)
	})
	return texts(values, func(v Value) string { return v.Text })
}

// podAnnotations is strict about the one annotation that EKS looks at. The others
// may well hold templates or variables.
func (r *reader) podAnnotations(template place) map[string]string {
	at, n := template.member("metadata", nil), template.node.get("metadata").get("annotations")
	if n == nil || n.kind != mappingNode {
		return nil
	}
	values := make(map[string]string, len(n.pairs))
	for _, p := range n.pairs {
		values[p.key.text] = p.value.word()
	}
	if values[selector.ComputeTypeAnnotation] != "" {
		values[selector.ComputeTypeAnnotation] = r.podText(at.member("annotations", n), selector.ComputeTypeAnnotation)
	}
	return values
}

func (r *reader) podUnresolved(at place, v Value) {
	if v.IsUnresolved() {
		r.report(SeverityUnresolved, at, CodeUnresolved, "the value can't be known from this file: "+v.Text, "render the manifest first")
	}
}
