// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"slices"
	"strings"
)

// Result is what was found in one file, or in several after [Merge].
type Result struct {
	// Profiles are in the order of the file. They may be incomplete while
	// Problems holds an error: ask Err first.
	Profiles []Profile `json:"profiles"`
	// Problems are in the order of the file.
	Problems []Problem `json:"problems"`
}

// Outcome is the verdict on a [Result].
type Outcome string

// The outcomes, from the worst to the best.
const (
	// OutcomeReject: there is an error.
	OutcomeReject Outcome = "reject"
	// OutcomePartial: no error, but some value is unresolved.
	OutcomePartial Outcome = "partial"
	// OutcomeNone: the file is fine and holds no profile.
	OutcomeNone Outcome = "none"
	// OutcomeOK: every profile is there, with nothing worse than warnings.
	OutcomeOK Outcome = "ok"
)

// Outcome returns the verdict on the result.
func (r Result) Outcome() Outcome {
	switch {
	case r.has(SeverityError):
		return OutcomeReject
	case r.has(SeverityUnresolved):
		return OutcomePartial
	case len(r.Profiles) == 0:
		return OutcomeNone
	default:
		return OutcomeOK
	}
}

func (r Result) has(s Severity) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Severity == s })
}

// Err returns a [*ProblemsError] with the problems of severity error, or nil.
func (r Result) Err() error { return problemsError(r.Problems) }

func problemsError(problems []Problem) error {
	var errs []Problem
	for _, p := range problems {
		if p.Severity == SeverityError {
			errs = append(errs, p)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return &ProblemsError{Problems: errs}
}

// ProblemsError holds all errors of a manifest at once.
type ProblemsError struct {
	// Problems has at least one element, each of severity error.
	Problems []Problem
}

// Error implements error: one line a problem, each beginning with its place as
// editors look for it.
func (e *ProblemsError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Merge joins the results of several files. A profile that two files give is
// reported like one that a single file gives twice.
func Merge(results ...Result) Result {
	merged := empty()
	for _, r := range results {
		merged.Profiles = append(merged.Profiles, r.Profiles...)
		for _, p := range r.Problems {
			if p.Code != CodeDuplicate {
				merged.Problems = append(merged.Problems, p)
			}
		}
	}
	merged.Problems = append(merged.Problems, duplicateProfiles(merged.Profiles)...)
	sortProblems(merged.Problems)
	return merged
}

// empty is a result whose JSON has lists and no null.
func empty() Result { return Result{Profiles: []Profile{}, Problems: []Problem{}} }

// duplicateProfiles warns of names that a cluster can only have once. It is no
// error: output of two commands on one profile may well be in one file.
func duplicateProfiles(profiles []Profile) []Problem {
	type identity struct{ cluster, name Value }
	first := map[identity]Source{}
	var problems []Problem
	for _, p := range profiles {
		id := identity{p.ClusterName, p.Name}
		earlier, seen := first[id]
		switch {
		case !p.Name.IsKnown():
		case !seen:
			first[id] = p.Source
		default:
			problems = append(problems, Problem{
				Severity: SeverityWarning, File: p.Source.File, Line: p.Source.Line, Column: p.Source.Column,
				Field: p.Source.Field, Code: CodeDuplicate,
				Message: fmt.Sprintf("profile %q is given before, at %s:%d", p.Name.Text, earlier.File, earlier.Line),
				Help:    "a cluster has one profile of a name; remove one or rename it",
			})
		}
	}
	return problems
}
