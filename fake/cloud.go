// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Cloud is an AWS in memory: accounts with IAM, and regions with EKS. All its
// methods, and all clients and handlers made from it, are safe for concurrent
// use. It starts no goroutine: what changes with time is computed when somebody
// looks.
type Cloud struct {
	opts       Options
	operations map[string]*operation // by service and name; read-only after New
	routes     []*operation          // those with a path; read-only after New
	queries    map[string]*operation // those of the query protocol; read-only after New
	authority  func() string         // the certificate of every cluster's endpoint

	mu              sync.Mutex // guards everything below; one call at a time
	offset          time.Duration
	random          *rand.PCG // what rand draws from
	rand            *rand.Rand
	accounts        map[string]*account
	policies        map[string]callerPolicy // by the caller's ARN
	faults          []*armedFault
	chaos           *chaos
	staleness       time.Duration // how far back the past is kept; 0 keeps none
	rememberedSince time.Time
	hooks           []*hook
	hooksRunning    int
	journal         journal
}

// New returns a Cloud with a cluster "demo" that is ACTIVE, three private
// subnets and a public one in its VPC, and a role that EKS Fargate may assume.
// Set Options.Empty to start with nothing.
func New(optFns ...func(*Options)) *Cloud {
	opts := newOptions(optFns)
	all := slices.Concat(eksOperations(), iamOperations(), stsOperations())
	c := &Cloud{
		opts:       opts,
		operations: operationTable(all),
		routes:     restRoutes(all),
		queries:    queryTable(all),
	}
	c.authority = sync.OnceValue(func() string { return certificateAuthority(opts.Seed) })
	c.Reset()
	return c
}

// Reset brings the Cloud back to what New has made of its options: state, time,
// chance, faults, policies and journal.
func (c *Cloud) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = 0
	c.random = rand.NewPCG(c.opts.Seed, seedStream)
	c.rand = rand.New(c.random)
	c.accounts = map[string]*account{}
	c.policies = map[string]callerPolicy{}
	c.faults, c.chaos, c.staleness = nil, nil, 0
	c.hooks = nil
	c.journal = newJournal(c.opts.JournalSize)
	if !c.opts.Empty {
		c.populate()
	}
}

// Advance moves the time of the Cloud forward by d, on top of Options.Now. A
// negative d moves it back, which AWS never does.
func (c *Cloud) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
}

// Now returns the time of the Cloud: Options.Now plus all that was advanced, in
// UTC and in whole milliseconds, as AWS reports times.
func (c *Cloud) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is Now for those who hold the lock.
func (c *Cloud) now() time.Time {
	return c.opts.Now().Add(c.offset).UTC().Round(0).Truncate(time.Millisecond)
}

// draw takes a time from a delay; the caller holds the lock.
func (c *Cloud) draw(d Delay) time.Duration { return max(0, d(c.rand)) }
