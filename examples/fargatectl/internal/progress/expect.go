// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package progress

import (
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

// expectation says how long something usually takes, after a separator; empty where
// nothing is known.
func expectation(s fargate.Status, separator string) string {
	usual, most := expected(s)
	if usual == 0 {
		return ""
	}
	return separator + "usually " + seconds(usual) + ", nearly always less than " + seconds(most)
}

// expected is how long half, and nine in ten, of such changes take, by the public
// reports that package waiter has collected.
func expected(s fargate.Status) (usual, most time.Duration) {
	switch s {
	case fargate.StatusCreating:
		return shareDone(waiter.CreateDurations(), 0.5), shareDone(waiter.CreateDurations(), 0.9)
	case fargate.StatusDeleting:
		return shareDone(waiter.DeleteDurations(), 0.5), shareDone(waiter.DeleteDurations(), 0.9)
	default:
		return 0, 0
	}
}

// shareDone is by when a share of all operations is done, to the second.
func shareDone(d waiter.Durations, share float64) time.Duration {
	age := time.Duration(0)
	for d.Done(age) < share && age < d.Longest() {
		age += time.Second
	}
	return age
}
