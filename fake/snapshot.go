// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"fmt"
	"time"
)

// snapshotVersion is the version of the format. A change that an older or newer
// reader would misunderstand needs another one.
const snapshotVersion = 1

// snapshot is the state of a Cloud, as JSON.
type snapshot struct {
	Version  int               `json:"version"`
	Now      time.Time         `json:"now"`
	Random   []byte            `json:"random"`
	Accounts map[string]any    `json:"accounts"` // *account
	Policies map[string]string `json:"policies"`
	Faults   []savedFault      `json:"faults"`
}

// savedFault is an armedFault.
type savedFault struct {
	Fault  Fault `json:"fault"`
	Seen   int   `json:"seen"`
	Struck int   `json:"struck"`
}

// Snapshot returns the state of the Cloud as JSON, for Restore: accounts, time,
// chance, faults and policies. Not in it are the options, the journal, chaos, what
// Before has planned, and the past that stale reads see. The same state gives the
// same bytes. The version in it says which releases can read it; the rest is not
// meant to be edited.
func (c *Cloud) Snapshot() ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	random, err := c.random.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("saving the fake: %w", err)
	}
	s := snapshot{
		Version: snapshotVersion, Now: c.now(), Random: random,
		Accounts: map[string]any{}, Policies: map[string]string{}, Faults: []savedFault{},
	}
	for id, a := range c.accounts {
		s.Accounts[id] = a
	}
	for caller, p := range c.policies {
		s.Policies[caller] = p.text
	}
	for _, f := range c.faults {
		s.Faults = append(s.Faults, savedFault{f.Fault, f.seen, f.struck})
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("saving the fake: %w", err)
	}
	return text, nil
}
