// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// story tells on w what happens to the profiles of a stage.
type story struct {
	*stage
	w     io.Writer
	name  string
	begun time.Time
	// reconciler is all that a program of yours needs beside its client.
	reconciler *lifecycle.Reconciler
	memories   map[string]fargate.Memory
}

func newStory(w io.Writer, name string, s *stage) *story {
	return &story{
		stage: s, w: w, name: name, begun: s.cloud.Now(), memories: map[string]fargate.Memory{},
		reconciler: lifecycle.New(s.client, func(o *lifecycle.Options) { o.Now = s.cloud.Now }),
	}
}

func (s *story) tell(ctx context.Context) error {
	for _, chapter := range []func(context.Context) error{s.read, s.plan, s.create, s.applyAgain, s.tag, s.replace, s.remove} {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	s.count()
	return nil
}

func (s *story) title(text string) { s.say("\n%s\n", text) }

func (s *story) say(format string, args ...any) {
	// A reader that went away ends the program by itself.
	_, _ = fmt.Fprintf(s.w, format, args...)
}

func (s *story) read(context.Context) error {
	noun := "profiles"
	if len(s.profiles) == 1 {
		noun = "profile"
	}
	s.say("%s: %d Fargate %s in the format of %s\n", s.name, len(s.profiles), noun, s.format)
	for _, note := range s.notes {
		s.say("  %s\n", note)
	}
	return nil
}

func (s *story) plan(ctx context.Context) error {
	s.title("PLAN")
	for _, d := range s.profiles {
		if err := s.preview(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// preview says what would happen, and why, without doing it.
func (s *story) preview(ctx context.Context, d fargate.Desired) error {
	decision, err := s.reconciler.Preview(ctx, d, s.memories[key(d)])
	if err != nil {
		return err
	}
	s.say("  %-12s %s: %s\n", decision.Action, decision.Reason, decision.Message)
	for _, c := range decision.Drift {
		for _, v := range c.Removed() {
			s.say("               - %s %s\n", c.Field, v)
		}
		for _, v := range c.Added() {
			s.say("               + %s %s\n", c.Field, v)
		}
	}
	for _, w := range decision.Warnings {
		s.say("               ! %s\n", w.Message)
	}
	return nil
}

func (s *story) create(ctx context.Context) error {
	s.title("CREATE: one profile of a cluster changes at a time")
	return s.all(ctx, s.settle)
}

func (s *story) applyAgain(ctx context.Context) error {
	s.title("APPLY AGAIN: the same manifest, its selectors in another order")
	writes := s.writes()
	for i := range s.profiles {
		slices.Reverse(s.profiles[i].Spec.Selectors)
	}
	if err := s.all(ctx, s.settle); err != nil {
		return err
	}
	s.say("  %d write calls\n", s.writes()-writes)
	return nil
}

func (s *story) tag(ctx context.Context) error {
	s.title("TAG: the one thing that can change in place")
	d := &s.profiles[0]
	tags := maps.Clone(d.Spec.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	d.Spec.Tags = tags
	tags["quickstart"] = "tagged"
	if d.Validate() != nil { // there is no room for one more
		delete(tags, "quickstart")
		tags[slices.Min(slices.Collect(maps.Keys(tags)))] = "tagged"
	}
	return s.settle(ctx, *d)
}

func (s *story) replace(ctx context.Context) error {
	s.title("REPLACE: selectors are immutable")
	d := &s.profiles[0]
	d.Spec.Selectors = edited(d.Spec.Selectors)
	s.say("  by default nothing is replaced:\n")
	if err := s.preview(ctx, *d); err != nil {
		return err
	}
	d.Policy = fargate.Policy{Replacement: fargate.ReplacementCreateFirst, Name: fargate.NameDerived}
	if d.Validate() != nil { // the name is too long for a second one beside it
		d.Policy = fargate.Policy{Replacement: fargate.ReplacementDeleteFirst}
	}
	s.say("  with the policy %s:\n", d.Policy.Replacement)
	if err := s.preview(ctx, *d); err != nil {
		return err
	}
	return s.settle(ctx, *d)
}

// edited is a list of selectors that selects something else and stays in the quota.
func edited(selectors []selector.Selector) []selector.Selector {
	out := slices.Clone(selectors)
	if len(out) >= 5 {
		out = out[:4]
	}
	namespace := "quickstart"
	for slices.ContainsFunc(out, func(s selector.Selector) bool { return s.Namespace == namespace }) {
		namespace += "-2"
	}
	return append(out, selector.Selector{Namespace: namespace})
}

func (s *story) remove(ctx context.Context) error {
	s.title("DELETE")
	return s.all(ctx, func(ctx context.Context, d fargate.Desired) error {
		return s.repeat(ctx, d, s.reconciler.StepDelete)
	})
}

func (s *story) all(ctx context.Context, do func(context.Context, fargate.Desired) error) error {
	for _, d := range s.profiles {
		if err := do(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (s *story) settle(ctx context.Context, d fargate.Desired) error {
	return s.repeat(ctx, d, s.reconciler.Step)
}

// patience is on the clock of the fake, on which everything takes minutes.
const patience = time.Hour

type step func(context.Context, fargate.Desired, fargate.Memory) (lifecycle.Outcome, error)

// repeat is the loop that Reconciler.Run has for you, written out: a controller
// would return RequeueAfter where this turns the clock.
func (s *story) repeat(ctx context.Context, d fargate.Desired, step step) error {
	begun := s.cloud.Now()
	for {
		out, err := step(ctx, d, s.memories[key(d)])
		if err != nil {
			return err
		}
		s.memories[key(d)] = out.Memory
		s.show(d, out)
		switch {
		case out.Settled, out.Gone:
			return nil
		case out.Action == fargate.ActionBlocked:
			return &lifecycle.BlockedError{Cluster: d.Spec.ClusterName, Profile: d.Spec.Name, Outcome: out}
		case s.cloud.Now().Sub(begun) > patience:
			return fmt.Errorf("profile %s is not settled after %s: %s: %s", d.Spec.Name, patience, out.Reason, out.Message)
		}
		s.cloud.Advance(out.RequeueAfter)
	}
}

// show tells what is new.
func (s *story) show(d fargate.Desired, out lifecycle.Outcome) {
	if len(out.Events) == 0 {
		return
	}
	s.say("  +%-8s %-10s %-12s %s: %s\n", s.cloud.Now().Sub(s.begun).Round(time.Second), d.Spec.Name, out.Action, out.Reason, out.Message)
}

func (s *story) writes() int {
	return s.cloud.CallCount("CreateFargateProfile", "DeleteFargateProfile", "TagResource", "UntagResource")
}

func (s *story) count() {
	s.title("CALLS to AWS")
	for _, op := range []string{"CreateFargateProfile", "DescribeFargateProfile", "ListFargateProfiles", "DeleteFargateProfile", "TagResource", "UntagResource"} {
		s.say("  %5d %s\n", s.cloud.CallCount(op), op)
	}
	s.say("in %s on the clock of the fake\n", s.cloud.Now().Sub(s.begun).Round(time.Second))
}

func key(d fargate.Desired) string { return d.Spec.ClusterName + "/" + d.Spec.Name }
