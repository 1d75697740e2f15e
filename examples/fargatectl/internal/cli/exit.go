// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
)

// The exit statuses.
const (
	exitOK          = 0
	exitError       = 1
	exitChanges     = 2   // plan: there are changes
	exitUnknown     = 3   // validate: something can't be known from the file alone
	exitInterrupted = 130 // as shells say it of a program that Ctrl-C ended
)

// status ends a command with an exit status. Its error, if any, is reported.
type status struct {
	code int
	err  error
}

func (s *status) Error() string {
	if s.err == nil {
		return fmt.Sprintf("exit status %d", s.code)
	}
	return s.err.Error()
}

func (s *status) Unwrap() error { return s.err }

// advised is an error with what to do next.
type advised struct {
	err  error
	next string
}

func (e *advised) Error() string { return e.err.Error() }
func (e *advised) Unwrap() error { return e.err }

// advise says what to do about an error; nil stays nil.
func advise(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &advised{err, fmt.Sprintf(format, args...)}
}

// failure is an error with what to do next.
func failure(next, format string, args ...any) error {
	return &advised{fmt.Errorf(format, args...), next}
}

// report tells an error and what to do next, and returns the exit status.
func (a *app) report(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	code := exitError
	if s, ok := errors.AsType[*status](err); ok {
		code = s.code
		if s.err == nil {
			return code
		}
	}
	style := a.errStyle()
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		a.note(style.Bold("interrupted:"), "everything is safe: what is half done is found by the next run")
		a.note(style.Bold("next:"), "give the same command again: it continues where this one stopped")
		return exitInterrupted
	}
	if problems, ok := errors.AsType[*manifest.ProblemsError](err); ok {
		for _, p := range problems.Problems {
			a.tell(a.problemLine(style, p) + "\n")
		}
		err = advise(fmt.Errorf("%s", count(len(problems.Problems), "error")+" in the files"), "%s", nextStep(err))
	}
	a.note(style.Bad("error:"), err.Error())
	a.note(style.Bold("next:"), nextStep(err))
	return code
}

// indented keeps the lines of a text together.
func indented(text string) string {
	return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}
