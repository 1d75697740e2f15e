// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

// result is what became of one profile.
type result struct {
	Cluster  string            `json:"cluster"`
	Profile  string            `json:"profile"`
	Result   string            `json:"result"`
	Reason   fargate.Reason    `json:"reason,omitempty"`
	Message  string            `json:"message,omitempty"`
	Observed *fargate.Observed `json:"observed,omitempty"`
}

// The words of a result.
const (
	resultSettled  = "settled"
	resultGone     = "gone"
	resultReleased = "released"
	resultBlocked  = "blocked"
	resultStopped  = "stopped"
	resultFailed   = "failed"
)

// showReport writes what became of each profile.
func (a *app) showReport(r lifecycle.Report) error {
	results := []result{}
	for _, x := range r.Results {
		results = append(results, resultOf(x))
	}
	return a.showResults(results)
}

func (a *app) showResults(results []result) error {
	if done, err := a.encoded(results); done || err != nil {
		return err
	}
	if len(results) == 0 {
		return nil
	}
	rows := output.Rows{{"PROFILE", "RESULT", "NAME AT EKS", "STATUS", "REASON"}}
	for _, x := range results {
		name, status := "-", "-"
		if x.Observed != nil {
			name, status = x.Observed.Spec.Name, string(x.Observed.Status)
		}
		rows = append(rows, []string{x.Profile, x.Result, name, status, string(x.Reason)})
	}
	a.say("%s", rows)
	return nil
}

func resultOf(x lifecycle.Result) result {
	r := result{Cluster: x.Cluster, Profile: x.Profile, Observed: x.Observed}
	blocked, isBlocked := errors.AsType[*lifecycle.BlockedError](x.Err)
	stopped, isStopped := errors.AsType[*lifecycle.IncompleteError](x.Err)
	switch {
	case isBlocked:
		r.Result, r.Reason, r.Message, r.Observed = resultBlocked, blocked.Outcome.Reason, blocked.Outcome.Message, blocked.Outcome.Observed
	case isStopped:
		r.Result, r.Reason, r.Message, r.Observed = resultStopped, stopped.Outcome.Reason, stopped.Outcome.Message, stopped.Outcome.Observed
	case x.Err != nil:
		r.Result, r.Message = resultFailed, x.Err.Error()
	case x.Observed == nil:
		r.Result = resultGone
	default:
		r.Result = resultSettled
	}
	return r
}
