// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crashtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

// run is a Cloud and what was there before the program.
type run struct {
	opts    Options
	cloud   *fake.Cloud
	foreign map[string]string
}

// The names of what belongs to somebody else.
const (
	foreignName = "crashtest-foreign"
	foreignTag  = "crashtest.foreign/owner"
)

func (o Options) start() *run {
	r := &run{opts: o, cloud: o.Cloud()}
	if !o.NoForeign {
		r.plantForeign()
	}
	r.cloud.ForgetCalls()
	return r
}

// plantForeign puts a role and a profile of somebody else into the Cloud. A Cloud
// without the first cluster gets only the role.
func (r *run) plantForeign() {
	// Without the first cluster there is no profile, and the role must do.
	_, _ = r.cloud.AddProfile(fake.Profile{
		Name: foreignName, RoleARN: r.cloud.AddRole(foreignName, fake.PodTrust),
		Selectors: []fake.Selector{{Namespace: foreignName}},
		Tags:      map[string]string{foreignTag: "somebody else"},
	})
	r.foreign = r.foreignThings()
}

func (r *run) foreignThings() map[string]string {
	things := r.cloud.Inventory()
	maps.DeleteFunc(things, func(name, _ string) bool { return !strings.Contains(name, foreignName) })
	return things
}

// finish runs one life to its end, and lets all that goes on in AWS end, too.
func (r *run) finish(ctx context.Context, program Program) error {
	if err := r.live(ctx, program); err != nil {
		return err
	}
	return r.end()
}

func (r *run) end() error {
	r.cloud.Advance(24 * time.Hour)
	return r.checkForeign()
}

// live lets one instance work until it is done or its context ends.
func (r *run) live(ctx context.Context, program Program) error {
	step := program(Clients{EKS: r.cloud.EKS(), IAM: r.cloud.IAM(), HTTP: r.cloud.HTTPClient()})
	var last error
	for range r.opts.Steps {
		again, err := step(ctx)
		switch last = err; {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			again = r.opts.Retry
		case again == 0:
			return nil
		}
		r.cloud.Advance(again)
	}
	return errors.Join(fmt.Errorf("not done after %d steps", r.opts.Steps), last)
}

// crash kills a first life at a call, lets a second one finish the work, and
// compares the ends. It reports whether the first life got to that call.
func (r *run) crash(ctx context.Context, program Program, n int, moment fake.KillMoment, reference *run) (bool, error) {
	err := r.live(fake.KillAt(ctx, n, moment), program)
	killed := errors.Is(err, fake.ErrKilled)
	switch extra := r.calls() - effects(n, moment); {
	case killed && extra != 0:
		return true, fmt.Errorf("%d calls did not carry the context of their step", extra)
	case killed:
		err = r.finish(ctx, program)
	case err == nil:
		err = r.end()
	}
	if err != nil {
		return killed, err
	}
	return killed, compare(reference.cloud.Inventory(), r.cloud.Inventory())
}

// effects is how many calls take effect in a life that ends at the n-th.
func effects(n int, moment fake.KillMoment) int {
	if moment == fake.BeforeEffect {
		return n - 1
	}
	return n
}

// checkForeign finds writes to what belongs to somebody else, and what has
// become of it.
func (r *run) checkForeign() error {
	if r.foreign == nil {
		return nil
	}
	for call := range r.cloud.Writes() {
		if call.Target.Profile == foreignName || call.Target.Role == foreignName {
			return fmt.Errorf("touched what belongs to somebody else: %s", call)
		}
	}
	if err := compare(r.foreign, r.foreignThings()); err != nil {
		return fmt.Errorf("what belongs to somebody else has changed: %w", err)
	}
	return nil
}

// compare says what differs between two inventories.
func compare(want, got map[string]string) error {
	var problems []error
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, wanted := want[name]
		after, there := got[name]
		switch {
		case !wanted:
			problems = append(problems, fmt.Errorf("left over: %s %s", name, after))
		case !there:
			problems = append(problems, fmt.Errorf("missing: %s", name))
		case before != after:
			problems = append(problems, fmt.Errorf("different: %s is %s, without a crash %s", name, after, before))
		}
	}
	return errors.Join(problems...)
}

func (r *run) calls() int { return r.cloud.CallCount() }

func (r *run) failure(call int, moment fake.KillMoment, problem error) *RunError {
	return &RunError{Call: call, Moment: moment, Problem: problem, Transcript: r.cloud.Transcript()}
}
