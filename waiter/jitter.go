// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"math/rand/v2"
	"sync"
	"time"
)

const (
	jitterShare = 0.01
	jitterMost  = 500 * time.Millisecond
)

// defaultJitter stays small: polls are placed where they help most, and moving
// them costs the lag that the schedule saves.
func defaultJitter(d time.Duration) time.Duration {
	return d + time.Duration(rand.Float64()*min(jitterShare*float64(d), float64(jitterMost)))
}

// SeededJitter returns a jitter that moves each delay by up to share of it, up or
// down, and repeats itself for the same seed. It is safe for concurrent use, but
// waits that share it draw in the order in which they happen to ask. A share of
// zero or less leaves delays as they are.
func SeededJitter(seed uint64, share float64) func(time.Duration) time.Duration {
	if share <= 0 {
		return func(d time.Duration) time.Duration { return d }
	}
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, seed))
	return func(d time.Duration) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return d + time.Duration((2*r.Float64()-1)*min(share, 1)*float64(d))
	}
}
