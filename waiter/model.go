// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import "time"

// CreateDurations is the model of how long a create takes: the fourteen durations
// that were found in public, each with the same weight and spread evenly over the
// span in which it is known to lie. Eleven come from a tool whose looks double the
// distance each time, so that "2m10s" means between 63 and 127 seconds. The first
// use of a role in a cluster takes minutes, each later one seconds.
//
// Sources: logs of 2021 to 2025, aws-samples/eks-workshop, eksctl#6375 and
// containers-roadmap#2392.
func CreateDurations() Durations {
	return Durations{
		span(7, 15, 3),
		span(25, 27, 1),
		span(63, 127, 6),
		span(127, 255, 2),
		span(305, 345, 1),
		span(355, 365, 1),
	}
}

// DeleteDurations is the model of how long a delete takes: seven durations that
// were measured between 2021 and 2025, and two statements of 2021 ("over 20
// minutes, about half of the time"; "often over 10 minutes") that no later report
// repeats and that share half of one weight.
//
// Sources: logs, containers-roadmap#1211 and #2392, terraform-aws-eks#1610.
func DeleteDurations() Durations {
	return Durations{
		span(63, 127, 2),
		span(110, 130, 1),
		span(127, 255, 4),
		span(600, 1200, 0.25),
		span(1200, 1800, 0.25),
	}
}

func span(from, to int, weight float64) Span {
	return Span{From: time.Duration(from) * time.Second, To: time.Duration(to) * time.Second, Weight: weight}
}
