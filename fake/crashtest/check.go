// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crashtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

// Clients are what a program under test works with. All lead to one Cloud.
type Clients struct {
	// EKS and IAM are typed clients; they fit where code takes an interface.
	EKS *fake.EKS
	IAM *fake.IAM
	// HTTP is for clients of the SDK: give it to them as Options.HTTPClient, with
	// any credentials and the region of the Cloud.
	HTTP *http.Client
}

// Program starts one life of the program under test: a new instance, with
// nothing remembered of earlier lives but what is in AWS.
type Program func(Clients) Step

// Step lets an instance work. It returns after how long it wants to be called
// again, or 0 when it is done. After an error it is called again, too. Every call
// to AWS must carry ctx, or a context that was made from it.
type Step func(ctx context.Context) (again time.Duration, err error)

// Options say how a Check goes. The zero value is a usable default.
type Options struct {
	// Cloud makes the Cloud that every run begins with, including all that is
	// there before the program; nil means fake.New().
	Cloud func() *fake.Cloud
	// Steps is how many steps a life may take to be done; 0 means 200.
	Steps int
	// Retry is the time until the next step after an error; 0 means 10 s.
	Retry time.Duration
	// Settled checks the end of the run without a crash, such as that a profile is
	// there; nil means that any end is fine. The other runs must end the same.
	Settled func(*fake.Cloud) error
	// NoForeign leaves out the profile in the first cluster and the role, both of
	// somebody else, that are put beside the program's own things: for a program
	// that owns all that is there.
	NoForeign bool
}

// Report says what a Check has done.
type Report struct {
	// Calls is how many calls the program makes when nothing kills it.
	Calls int
	// Runs is how many runs had a crash: two for each call, less those in which a
	// program that does not always do the same was done before.
	Runs int
}

// String says it in a few words.
func (r Report) String() string {
	return fmt.Sprintf("%d calls, %d runs with a crash", r.Calls, r.Runs)
}

// RunError is one run that went wrong.
type RunError struct {
	// Call is the number of the call at which the program was killed, from 1; 0
	// for the run without a crash.
	Call int
	// Moment is whether that was before or after the effect of the call.
	Moment fake.KillMoment
	// Problem is what is wrong.
	Problem error
	// Transcript is every call of the run, one a line.
	Transcript string
}

// Error says at which call, what is wrong, and which calls were made.
func (e *RunError) Error() string {
	if e.Call == 0 {
		return fmt.Sprintf("crashtest: without a crash: %v\n%s", e.Problem, e.Transcript)
	}
	return fmt.Sprintf("crashtest: killed %s the effect of call %d: %v\n%s", e.Moment, e.Call, e.Problem, e.Transcript)
}

// Unwrap returns the problem.
func (e *RunError) Unwrap() error { return e.Problem }

// Check runs a program with a crash at each of its calls. The error joins a
// *RunError for each run that went wrong; a run without a crash that goes wrong
// ends the Check.
func Check(ctx context.Context, program Program, optFns ...func(*Options)) (Report, error) {
	opts := newOptions(optFns)
	reference := opts.start()
	if err := reference.finish(ctx, program); err != nil {
		return Report{}, reference.failure(0, "", err)
	}
	if err := opts.Settled(reference.cloud); err != nil {
		return Report{}, reference.failure(0, "", fmt.Errorf("the end is not right: %w", err))
	}
	report := Report{Calls: reference.calls()}
	var failures []error
	for n := 1; n <= report.Calls; n++ {
		for _, moment := range []fake.KillMoment{fake.BeforeEffect, fake.AfterEffect} {
			r := opts.start()
			killed, err := r.crash(ctx, program, n, moment, reference)
			if killed {
				report.Runs++
			}
			if err != nil {
				failures = append(failures, r.failure(n, moment, err))
			}
		}
	}
	return report, errors.Join(failures...)
}

func newOptions(optFns []func(*Options)) Options {
	opts := Options{Steps: 200, Retry: 10 * time.Second}
	for _, fn := range optFns {
		fn(&opts)
	}
	if opts.Cloud == nil {
		opts.Cloud = func() *fake.Cloud { return fake.New() }
	}
	if opts.Settled == nil {
		opts.Settled = func(*fake.Cloud) error { return nil }
	}
	return opts
}
