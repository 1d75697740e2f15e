// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import "time"

// Progress is what a look at EKS found.
type Progress struct {
	State
	// Expected is the share, from 0 to 1, of operations like this one that are
	// done at this age. Above 0.95 this one is unusually slow.
	Expected float64
	// Next is the time until the next look; zero when the wait is over.
	Next time.Duration
	// Err is an error that was tolerated, or the one that ends the wait.
	Err error
}
