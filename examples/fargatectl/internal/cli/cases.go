// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/source"
)

// casesFlag adds --cases to a command.
func casesFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "cases", "", "judge the cases in this JSON `file`, and write one line of JSON for each")
	_ = cmd.MarkFlagFilename("cases", "json") // fails only for a flag that is not there
}

// explainCase is a case for explain. Other fields, such as the answer that is
// expected, are no matter here.
type explainCase struct {
	ID       string             `json:"id"`
	Profiles []selector.Profile `json:"profiles"`
	Pod      struct {
		selector.Pod

		Kind string          `json:"kind"`
		Spec json.RawMessage `json:"spec"`
	} `json:"pod"`
}

// explainAnswer is the answer to a case.
type explainAnswer struct {
	ID         string           `json:"id"`
	Outcome    selector.Outcome `json:"outcome"`
	Profile    *string          `json:"profile"`
	Candidates []string         `json:"candidates"`
	Ambiguous  bool             `json:"ambiguous"`
	Reasons    []reason         `json:"reasons"`
}

func (a *app) explainCases(path string) error {
	return eachCase(a, path, func(c explainCase) (string, any, error) {
		matcher, err := selector.Compile(c.Profiles...)
		if err != nil {
			return c.ID, nil, err
		}
		e, err := explainPod(matcher, manifest.Pod{Pod: c.Pod.Pod, Kind: c.Pod.Kind, Spec: c.Pod.Spec})
		if err != nil {
			return c.ID, nil, err
		}
		return c.ID, explainAnswer{c.ID, e.Outcome, e.Profile, e.Candidates, e.Ambiguous, e.Reasons}, nil
	})
}

// compareCase is a case for compare.
type compareCase struct {
	ID string            `json:"id"`
	A  selector.Selector `json:"a"`
	B  selector.Selector `json:"b"`
}

// compareAnswer is the answer to a case.
type compareAnswer struct {
	ID string `json:"id"`
	selector.Relation
}

func (a *app) compareCases(path string) error {
	return eachCase(a, path, func(c compareCase) (string, any, error) {
		return c.ID, compareAnswer{c.ID, selector.Compare(c.A, c.B)}, nil
	})
}

// failedCase is a case that can't be judged.
type failedCase struct {
	ID    string `json:"id"`
	Error string `json:"error"`
}

// eachCase writes the answer to each case of a file. One that can't be judged does
// not keep the others from it.
func eachCase[C any](a *app, path string, judge func(C) (id string, answer any, err error)) error {
	data, err := source.Load(path, a.In)
	if err != nil {
		return err
	}
	var cases []C
	if err := json.Unmarshal(data, &cases); err != nil {
		return advise(fmt.Errorf("reading the cases of %s: %w", path, err), "see --help for the form of a file of cases")
	}
	failed := 0
	for _, c := range cases {
		id, answer, err := judge(c)
		if err != nil {
			failed++
			answer = failedCase{id, err.Error()}
		}
		if err := output.Line(a.Out, answer); err != nil {
			return err
		}
	}
	if failed > 0 {
		return failure("mend the cases whose line has an error", "%s of %d can't be judged", count(failed, "case"), len(cases))
	}
	return nil
}
