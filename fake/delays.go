// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"math/rand/v2"
	"time"
)

// Delay draws how long one asynchronous change takes. It must use no other
// source of chance than r, so that a seed repeats a run. A negative result
// counts as zero.
type Delay func(r *rand.Rand) time.Duration

// Delays are the times that EKS needs after it has accepted a change. A nil
// field means the default, which is fixed.
type Delays struct {
	// CreateFirst is the time from CREATING to ACTIVE of the first profile of a
	// cluster that uses a role; default 90 s. Reports: 1 to 6 minutes.
	CreateFirst Delay
	// Create is the same for a role that the cluster has used before; default
	// 15 s. Reports: 7 to 15 s.
	Create Delay
	// Busy is how long after ACTIVE the cluster has an update in progress that
	// DescribeCluster does not show; default 20 s. Reports: none to over ten
	// minutes.
	Busy Delay
	// Delete is the time from DELETING to gone; default 2 minutes. Reports: 2
	// to over 20 minutes.
	Delete Delay
	// Known is how long after ACTIVE a profile is unknown to those who place
	// pods; default none. Reports: up to two minutes in a new cluster.
	Known Delay
	// StartPod is the time from the creation of a pod on Fargate to its node;
	// default 45 s.
	StartPod Delay
	// CreateCluster and DeleteCluster are the same for clusters; defaults 9 and
	// 4 minutes.
	CreateCluster, DeleteCluster Delay
	// RoleRead is how long reads of IAM do not see a role that was created,
	// changed or deleted; default none. IAM is eventually consistent.
	RoleRead Delay
	// RoleTrust is how long CreateFargateProfile and AssumeRole do not see a
	// role that was created, or its changed trust document; default 10 s. People
	// wait 10 s to 2 minutes. Roles of New and AddRole are seen at once.
	RoleTrust Delay
	// UpdateCluster is the time of an update of a cluster that a caller asked
	// for; default 10 minutes.
	UpdateCluster Delay
}

// Fixed always takes d.
func Fixed(d time.Duration) Delay {
	return func(*rand.Rand) time.Duration { return d }
}

// Between takes any time from shortest to longest, each as likely as the other.
// With longest not above shortest it is Fixed(shortest).
func Between(shortest, longest time.Duration) Delay {
	return func(r *rand.Rand) time.Duration {
		if longest <= shortest {
			return shortest
		}
		return shortest + time.Duration(r.Int64N(int64(longest-shortest)))
	}
}

// ReportedDelays draws times in the shape of public reports of 2021 to 2025:
// the first use of a role is slow, the next ones are fast, and some deletes
// take more than twenty minutes.
func ReportedDelays() Delays {
	return Delays{
		CreateFirst: mixed(
			share{60, Between(63*time.Second, 131*time.Second)},
			share{25, Between(131*time.Second, 255*time.Second)},
			share{15, Between(300*time.Second, 360*time.Second)},
		),
		Create: Between(7*time.Second, 26*time.Second),
		Busy: mixed(
			share{70, Between(0, 30*time.Second)},
			share{25, Between(30*time.Second, 3*time.Minute)},
			share{5, Between(3*time.Minute, 12*time.Minute)},
		),
		Delete: mixed(
			share{45, Between(63*time.Second, 131*time.Second)},
			share{45, Between(131*time.Second, 262*time.Second)},
			share{10, Between(10*time.Minute, 25*time.Minute)},
		),
		Known:         mixed(share{80, Fixed(0)}, share{20, Between(0, 2*time.Minute)}),
		StartPod:      Between(30*time.Second, 90*time.Second),
		CreateCluster: Between(7*time.Minute, 12*time.Minute),
		DeleteCluster: Between(2*time.Minute, 6*time.Minute),
		RoleRead:      mixed(share{80, Fixed(0)}, share{20, Between(0, 3*time.Second)}),
		RoleTrust:     mixed(share{80, Between(5*time.Second, 15*time.Second)}, share{20, Between(15*time.Second, time.Minute)}),
		UpdateCluster: Between(5*time.Minute, 20*time.Minute),
	}
}

// share is one part of a mixture, weighted in percent.
type share struct {
	percent int
	delay   Delay
}

func mixed(shares ...share) Delay {
	return func(r *rand.Rand) time.Duration {
		left := r.IntN(100)
		for _, s := range shares {
			if left < s.percent {
				return s.delay(r)
			}
			left -= s.percent
		}
		return shares[len(shares)-1].delay(r)
	}
}

func (d Delays) withDefaults() Delays {
	return Delays{
		CreateFirst:   orDelay(d.CreateFirst, 90*time.Second),
		Create:        orDelay(d.Create, 15*time.Second),
		Busy:          orDelay(d.Busy, 20*time.Second),
		Delete:        orDelay(d.Delete, 2*time.Minute),
		Known:         orDelay(d.Known, 0),
		StartPod:      orDelay(d.StartPod, 45*time.Second),
		CreateCluster: orDelay(d.CreateCluster, 9*time.Minute),
		DeleteCluster: orDelay(d.DeleteCluster, 4*time.Minute),
		RoleRead:      orDelay(d.RoleRead, 0),
		RoleTrust:     orDelay(d.RoleTrust, 10*time.Second),
		UpdateCluster: orDelay(d.UpdateCluster, 10*time.Minute),
	}
}

func noDelays() Delays {
	zero := Fixed(0)
	return Delays{
		CreateFirst: zero, Create: zero, Busy: zero, Delete: zero, Known: zero, StartPod: zero,
		CreateCluster: zero, DeleteCluster: zero, UpdateCluster: zero,
	}
}

func orDelay(d Delay, fallback time.Duration) Delay {
	if d == nil {
		return Fixed(fallback)
	}
	return d
}
