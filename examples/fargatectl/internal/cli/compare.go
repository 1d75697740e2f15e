// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/selector"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

func (a *app) compareCommand() *cobra.Command {
	var cases string
	cmd := &cobra.Command{
		Use:     "compare A B",
		GroupID: groupFiles,
		Short:   "Say how the pods of two selectors are related",
		Long: `Say how the pods that selector A selects are related to those that B selects: Equal,
Subset (every pod of A is one of B, and not the other way round), Superset, Overlaps or
Disjoint, with a pod that proves it. A selector is NAMESPACE{KEY=VALUE,...}, or JSON as
in the EKS API.

With --cases, a JSON file of cases is judged instead, and the answers come in one line
of JSON each: [{"id":"x","a":{"namespace":"web"},"b":{"namespace":"*"}}].`,
		Example: example(
			"fargatectl compare 'prod-*{app=api}' 'prod-eu'",
			"fargatectl compare --cases cases.json",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			if cases != "" {
				return onlyFlags(cmd, args)
			}
			if err := cobra.ExactArgs(2)(cmd, args); err != nil {
				return usage(cmd, err)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if cases != "" {
				return a.compareCases(cases)
			}
			return a.compare(args[0], args[1])
		},
	}
	casesFlag(cmd, &cases)
	formats(cmd, output.Table, output.JSON, output.YAML)
	return cmd
}

func (a *app) compare(first, second string) error {
	x, err := parseSelector(first)
	if err != nil {
		return err
	}
	y, err := parseSelector(second)
	if err != nil {
		return err
	}
	relation := selector.Compare(x, y)
	if done, err := a.encoded(relation); done || err != nil {
		return err
	}
	a.say("%s\n", a.style().Bold(string(relation.Kind)))
	for _, proof := range []struct {
		pod  *selector.Pod
		text string
	}{{relation.Both, "matches both"}, {relation.OnlyA, "matches only " + first}, {relation.OnlyB, "matches only " + second}} {
		if proof.pod != nil {
			a.say("    %s: a pod like %s\n", proof.text, podText(*proof.pod))
		}
	}
	return nil
}

// podText shows a pod as web{app=api}.
func podText(p selector.Pod) string {
	return selectorText(selector.Selector{Namespace: p.Namespace, Labels: p.Labels})
}

// parseSelector reads NAMESPACE{KEY=VALUE,...}, or JSON.
func parseSelector(text string) (selector.Selector, error) {
	const next = "write NAMESPACE{KEY=VALUE,KEY=VALUE}, in quotes for the shell, or JSON"
	var s selector.Selector
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		err := json.Unmarshal([]byte(text), &s)
		return s, advise(wrap(err, "reading the selector %s", text), next)
	}
	namespace, labels, some := strings.Cut(text, "{")
	s.Namespace = namespace
	if !some {
		return s, nil
	}
	body, closed := strings.CutSuffix(labels, "}")
	if !closed {
		return s, failure(next, "the selector %s has no closing brace", text)
	}
	s.Labels = map[string]string{}
	for pair := range strings.SplitSeq(body, ",") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return s, failure(next, "the selector %s has a label without a value: %q", text, pair)
		}
		s.Labels[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return s, nil
}

// wrap says what was being done; nil stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}
