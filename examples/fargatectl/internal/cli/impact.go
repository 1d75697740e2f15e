// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) impactCommand() *cobra.Command {
	var paths, pods []string
	cmd := &cobra.Command{
		Use:     "impact -f BEFORE -f AFTER --pod PODS",
		GroupID: groupFiles,
		Short:   "Say what a change of profiles does to each pod",
		Long: `Say what becomes of each pod when the profiles of a cluster change from those of the
first file to those of the second: it stays, moves to another profile, goes pending,
starts on Fargate, or must be created again. Both files must hold all profiles of the
cluster. Give the pods as kubectl get pods -o yaml shows them, so that it is known where
each runs; one that was never placed, such as a Deployment's, is yet to be created.`,
		Example: example(
			"kubectl get pods -A -o json > pods.json",
			"fargatectl impact -f before.yaml -f after.yaml --pod pods.json",
		),
		Args: onlyFlags,
		RunE: func(*cobra.Command, []string) error { return a.impact(paths, pods) },
	}
	filesFlag(cmd, &paths, "the profiles before, and those after")
	podsFlag(cmd, &pods)
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) impact(paths, podPaths []string) error {
	if len(paths) != 2 {
		return failure("give -f BEFORE -f AFTER", "impact compares two files, and %d are given", len(paths))
	}
	var lists [2][]selector.Profile
	for i, path := range paths {
		set, err := a.resolveProfiles([]string{path})
		if err != nil {
			return err
		}
		lists[i] = selectorProfiles(set.Specs())
		if _, err := selector.Compile(lists[i]...); err != nil {
			return advise(err, "give each profile of a cluster a name of its own")
		}
	}
	pods, err := a.readPods(podPaths)
	if err != nil {
		return err
	}
	placed := make([]selector.Placed, len(pods))
	for i, p := range pods {
		placed[i] = p.Placed()
	}
	moves := append([]selector.Move{}, selector.Impact(lists[0], lists[1], placed)...)
	if done, err := a.encoded(moves); done || err != nil {
		return err
	}
	a.showMoves(moves)
	return nil
}

func (a *app) showMoves(moves []selector.Move) {
	rows := output.Rows{{"POD", "IMPACT", "FROM", "TO", "REASON"}}
	counts := map[selector.MoveKind]int{}
	for _, m := range moves {
		counts[m.Kind]++
		rows = append(rows, []string{
			podName(selector.Pod{Namespace: m.Namespace, Name: m.Name}), string(m.Kind), orDash(m.From), orDash(m.To), string(m.Reason),
		})
	}
	a.say("%s\n", rows)
	a.say("%s: %d stay, %d move, %d go pending, %d start, %d must be created again\n", count(len(moves), "pod"),
		counts[selector.MoveStays], counts[selector.MoveMoves], counts[selector.MovePending], counts[selector.MoveStarts], counts[selector.MoveRecreate])
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
