// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package planview

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
)

const indent = "    "

// view is a plan on its way to a text.
type view struct {
	text strings.Builder
	plan fargate.Plan
	told map[string]bool // what an earlier step of the same profile has told
}

// Text is the plan, a step a paragraph: its sign, what is done and why, what differs
// field by field, and what it costs. It says what a new profile will be, and tells
// nothing twice. Each line that matters begins with a sign: + - ~ x !
func Text(plan fargate.Plan) string {
	v := &view{plan: plan, told: map[string]bool{}}
	summary, _, _ := strings.Cut(plan.Text(), "\n")
	v.line("", summary)
	for i, s := range plan.Steps {
		if goesOn := i > 0 && plan.Steps[i-1].Name == s.Name; goesOn && s.Action == fargate.ActionWait {
			v.line(indent, fmt.Sprintf("then wait: %s (%s)", s.Message, s.Reason))
			continue
		}
		v.step(s)
	}
	v.unmanaged()
	if len(plan.Warnings) > 0 {
		v.line("", "")
		v.warnings("", "", plan.Warnings)
	}
	return v.text.String()
}

func (v *view) line(indent, text string) { v.text.WriteString(indent + text + "\n") }

func (v *view) step(s fargate.PlanStep) {
	v.line("", "")
	v.line("", fmt.Sprintf("%s %s %s (%s)", sign(s.Action), s.Action, s.Name, s.Reason))
	v.line(indent, s.Message)
	v.drift(s)
	if creates(s) {
		v.spec(s)
	}
	v.warnings(indent, s.Name, s.Warnings)
}

// drift tells how the profile differs, once.
func (v *view) drift(s fargate.PlanStep) {
	text := s.Drift.Text()
	if v.again(s.Name, text) {
		return
	}
	for line := range strings.Lines(text) {
		v.text.WriteString(indent + line)
	}
}

// again reports whether a text was told of the profile before.
func (v *view) again(name, text string) bool {
	key := name + "\x00" + text
	defer func() { v.told[key] = true }()
	return v.told[key]
}

func creates(s fargate.PlanStep) bool {
	return s.Action == fargate.ActionCreate || s.Reason == fargate.ReasonCreatingSuccessor
}

// spec tells what a new profile will be.
func (v *view) spec(s fargate.PlanStep) {
	for _, d := range v.plan.Desired {
		if d.Spec.Name != s.Name {
			continue
		}
		v.field("podExecutionRoleArn", cmp.Or(d.Spec.PodExecutionRoleARN, "(a role that is made for the cluster)"))
		v.field("subnets", cmp.Or(strings.Join(d.Spec.Subnets, " "), "(AWS chooses)"))
		for _, x := range d.Spec.Selectors {
			v.field("selector", fargate.SelectorText(x))
		}
		tags := d.Tags()
		for _, key := range slices.Sorted(maps.Keys(tags)) {
			v.field("tag", key+"="+tags[key])
		}
	}
}

func (v *view) field(name, value string) { v.line(indent, fmt.Sprintf("+ %-19s  %s", name, value)) }

func (v *view) warnings(indent, name string, warnings []fargate.Warning) {
	for _, w := range warnings {
		if v.again(name, w.Message) {
			continue
		}
		v.line(indent, "! "+w.Message)
		for _, pod := range w.Pods {
			v.line(indent, "    "+pod)
		}
	}
}

func (v *view) unmanaged() {
	if len(v.plan.Unmanaged) == 0 {
		return
	}
	v.line("", "\nleft alone:")
	for _, u := range v.plan.Unmanaged {
		v.line(indent, fmt.Sprintf("%s (%s)", u.Name, strings.Join(append([]string{string(u.Ownership)}, u.Owners...), ", ")))
	}
}

func sign(a fargate.Action) string {
	switch a {
	case fargate.ActionCreate:
		return "+"
	case fargate.ActionDelete:
		return "-"
	case fargate.ActionUpdateTags, fargate.ActionReplace:
		return "~"
	case fargate.ActionBlocked:
		return "x"
	default:
		return " "
	}
}
