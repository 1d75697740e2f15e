// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/manifest"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) explainCommand() *cobra.Command {
	var paths, pods []string
	var cases string
	cmd := &cobra.Command{
		Use:     "explain [-f PROFILES] --pod PODS",
		GroupID: groupFiles,
		Short:   "Say which profile a pod goes to, and why",
		Long: `Say for each pod which Fargate profile takes it when it is created, and why; for a pod
that none takes, what comes nearest. Pods are read from Pods and from what makes pods:
Deployments, StatefulSets, Jobs and the like. The profiles are those of the files or,
without any, those of --cluster.

The outcome is fargate, none, optedOut (an annotation keeps the pod off Fargate) or
unsupported (a profile takes the pod, but Fargate can't run its spec).

With --cases, a JSON file of cases is judged instead, and the answers come in one line
of JSON each: [{"id":"x","profiles":[{"name":"a","selectors":[...]}],"pod":{...}}].`,
		Example: example(
			"fargatectl explain -f cluster.yaml --pod deployment.yaml",
			"kubectl get pod web-0 -o yaml | fargatectl explain -f cluster.yaml --pod -",
			"fargatectl explain --cluster demo --pod deployment.yaml",
			"fargatectl explain --cases cases.json",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cases != "" {
				return a.explainCases(cases)
			}
			return a.explain(cmd.Context(), paths, pods)
		},
	}
	filesFlag(cmd, &paths, "the profiles")
	podsFlag(cmd, &pods)
	casesFlag(cmd, &cases)
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) explain(ctx context.Context, paths, podPaths []string) error {
	profiles, _, err := a.profilesToJudge(ctx, paths)
	if err != nil {
		return err
	}
	pods, err := a.readPods(podPaths)
	if err != nil {
		return err
	}
	matcher, err := selector.Compile(profiles...)
	if err != nil {
		return advise(err, "give each profile of a cluster a name of its own")
	}
	results := []explained{}
	for _, p := range pods {
		e, err := explainPod(matcher, p)
		if err != nil {
			return advise(fmt.Errorf("%s:%d: %w", p.Source.File, p.Source.Line, err), "compare the spec with kubectl explain pod.spec")
		}
		results = append(results, e)
	}
	if done, err := a.encoded(results); done || err != nil {
		return err
	}
	for _, e := range results {
		a.showExplained(e)
	}
	return nil
}

// selectorProfiles are the profiles as matching needs them.
func selectorProfiles(specs []fargate.Spec) []selector.Profile {
	profiles := make([]selector.Profile, len(specs))
	for i, s := range specs {
		profiles[i] = selector.Profile{Name: s.Name, Selectors: s.Selectors}
	}
	return profiles
}

// nearMisses is how many selectors are shown that nearly select a pod.
const nearMisses = 3

func (a *app) showExplained(e explained) {
	style := a.style()
	severity := map[selector.Outcome]string{selector.OutcomeFargate: "ok", selector.OutcomeOptedOut: "warning"}[e.Outcome]
	if severity == "" {
		severity = "error"
	}
	a.say("%s: %s\n", style.Bold(podName(e.Pod.Pod)), style.Severity(severity, string(e.Outcome)))
	misses := 0
	for _, r := range e.Reasons {
		if r.miss {
			told := strings.Contains(e.Reasons[0].Message, r.Message)
			if misses++; e.Outcome != selector.OutcomeNone || misses > nearMisses || told {
				continue
			}
		}
		a.say("    %s\n", r.Message)
		if r.Remedy != "" {
			a.say("        %s\n", r.Remedy)
		}
	}
}

func podName(p selector.Pod) string {
	namespace := p.Namespace
	if namespace == "" {
		namespace = "default"
	}
	return namespace + "/" + p.Name
}

// explained is what becomes of a pod, and why.
type explained struct {
	Pod        manifest.Pod     `json:"pod"`
	Outcome    selector.Outcome `json:"outcome"`
	Profile    *string          `json:"profile"`
	Candidates []string         `json:"candidates"`
	Ambiguous  bool             `json:"ambiguous"`
	Reasons    []reason         `json:"reasons"`
	// Event is the event that Kubernetes is going to show for an unsupported pod.
	Event string `json:"event,omitempty"`
}

// reason is one part of why.
type reason struct {
	Code     string `json:"code"`
	Profile  string `json:"profile,omitempty"`
	Selector *int   `json:"selector,omitempty"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy,omitempty"`

	miss bool // about a selector that doesn't match
}
