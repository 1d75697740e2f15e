// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// HasChanges reports whether carrying out the plan would write anything.
func (p Plan) HasChanges() bool {
	return slices.ContainsFunc(p.Steps, func(s PlanStep) bool { return s.Action != ActionWait && s.Action != ActionBlocked })
}

// Blocked are the steps that somebody must do something about.
func (p Plan) Blocked() []PlanStep {
	var out []PlanStep
	for _, s := range p.Steps {
		if s.Action == ActionBlocked {
			out = append(out, s)
		}
	}
	return out
}

// Stale says, in one line for each difference, how the profiles of the cluster
// have changed since the plan was made. A plan with any must not be carried out.
func (p Plan) Stale(observed []Observed) []string {
	before, after := byName(p.Observed), byName(observed)
	names := slices.Collect(maps.Keys(before))
	names = append(names, slices.Collect(maps.Keys(after))...)
	var out []string
	for _, name := range sortedSet(names) {
		o, was := before[name]
		n, is := after[name]
		switch {
		case !was:
			out = append(out, "profile "+name+" is new")
		case !is:
			out = append(out, "profile "+name+" is gone")
		default:
			out = append(out, changed(o, n)...)
		}
	}
	return out
}

func byName(observed []Observed) map[string]Observed {
	out := map[string]Observed{}
	for _, o := range observed {
		out[o.Spec.Name] = o
	}
	return out
}

// changed compares everything that a decision reads.
func changed(a, b Observed) []string {
	var out []string
	note := func(same bool, what string) {
		if !same {
			out = append(out, "profile "+a.Spec.Name+" has another "+what)
		}
	}
	note(a.ARN == b.ARN, "ARN")
	note(a.Status == b.Status, "status: "+string(b.Status))
	note(a.Spec.PodExecutionRoleARN == b.Spec.PodExecutionRoleARN, "role")
	note(slices.Equal(sortedSet(a.Spec.Subnets), sortedSet(b.Spec.Subnets)), "list of subnets")
	note(slices.Equal(selectorTexts(a.Spec.Selectors), selectorTexts(b.Spec.Selectors)), "list of selectors")
	note(maps.Equal(a.Spec.Tags, b.Spec.Tags), "set of tags")
	return out
}

// Text is the plan for people, like a diff: a step a paragraph, with its reason,
// what changes field by field, and what it costs. What an earlier step of the
// same profile has told is not told again.
func (p Plan) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cluster %s: %s\n", p.Cluster, p.summary())
	told := map[string]bool{}
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "\n%s %s %s (%s)\n    %s\n", sign(s.Action), s.Action, s.Name, s.Reason, s.Message)
		if drift := s.Drift.Text(); !told[s.Name+drift] {
			told[s.Name+drift] = true
			for line := range strings.Lines(drift) {
				b.WriteString("    " + line)
			}
		}
		writeWarnings(&b, "    ", slices.DeleteFunc(slices.Clone(s.Warnings), func(w Warning) bool {
			again := told[s.Name+w.Message]
			told[s.Name+w.Message] = true
			return again
		}))
	}
	if len(p.Unmanaged) > 0 {
		b.WriteString("\nleft alone:\n")
		for _, u := range p.Unmanaged {
			fmt.Fprintf(&b, "    %s (%s)\n", u.Name, strings.Join(append([]string{string(u.Ownership)}, u.Owners...), ", "))
		}
	}
	if len(p.Warnings) > 0 {
		b.WriteString("\n")
		writeWarnings(&b, "", p.Warnings)
	}
	return b.String()
}

func writeWarnings(b *strings.Builder, indent string, warnings []Warning) {
	for _, w := range warnings {
		b.WriteString(indent + "! " + w.Message + "\n")
		for _, pod := range w.Pods {
			b.WriteString(indent + "    " + pod + "\n")
		}
	}
}

// summary counts the profiles by what becomes of them.
func (p Plan) summary() string {
	first := map[string]Action{}
	for _, s := range p.Steps {
		if _, seen := first[s.Name]; !seen || first[s.Name] == ActionWait {
			first[s.Name] = s.Action
		}
	}
	count := map[Action]int{}
	for _, a := range first {
		count[a]++
	}
	var parts []string
	for _, a := range []Action{ActionCreate, ActionUpdateTags, ActionReplace, ActionDelete, ActionWait, ActionBlocked} {
		if count[a] > 0 {
			parts = append(parts, fmt.Sprintf("%d to %s", count[a], a))
		}
	}
	if len(parts) == 0 {
		return "nothing to do"
	}
	return strings.Replace(strings.Join(parts, ", "), "to blocked", "blocked", 1)
}

func sign(a Action) string {
	switch a {
	case ActionCreate:
		return "+"
	case ActionDelete:
		return "-"
	case ActionUpdateTags, ActionReplace:
		return "~"
	case ActionBlocked:
		return "x"
	case ActionWait, ActionNoOp:
	}
	return " "
}
