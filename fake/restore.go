// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
)

// restoredSnapshot is snapshot with accounts that are not decoded yet.
type restoredSnapshot struct {
	snapshot
	Accounts map[string]json.RawMessage `json:"accounts"`
}

// Restore replaces the state of the Cloud by that of a snapshot. Its time goes
// on from the time of the snapshot. An error leaves the Cloud as it was.
func (c *Cloud) Restore(text []byte) error {
	if err := c.restore(text); err != nil {
		return fmt.Errorf("restoring the fake: %w", err)
	}
	return nil
}

func (c *Cloud) restore(text []byte) error {
	var s restoredSnapshot
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	if s.Version != snapshotVersion {
		return fmt.Errorf("the snapshot has version %d, and this release reads version %d", s.Version, snapshotVersion)
	}
	random := &rand.PCG{}
	if err := random.UnmarshalBinary(s.Random); err != nil {
		return err
	}
	accounts, err := restoreAccounts(s.Accounts)
	if err != nil {
		return err
	}
	policies, err := restorePolicies(s.Policies)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset = s.Now.Sub(c.opts.Now())
	c.random, c.rand = random, rand.New(random)
	c.accounts, c.policies = accounts, policies
	c.faults, c.staleness = nil, 0
	for _, f := range s.Faults {
		c.faults = append(c.faults, &armedFault{f.Fault, f.Seen, f.Struck})
		c.remember(f.Fault.Stale)
	}
	return nil
}

func restorePolicies(texts map[string]string) (map[string]callerPolicy, error) {
	out := map[string]callerPolicy{}
	for caller, text := range texts {
		p := callerPolicy{text: text}
		if err := json.Unmarshal([]byte(text), &p.policyDocument); err != nil {
			return nil, fmt.Errorf("the policy of %q: %w", caller, err)
		}
		out[caller] = p
	}
	return out, nil
}

func restoreAccounts(raw map[string]json.RawMessage) (map[string]*account, error) {
	fresh := &Cloud{accounts: map[string]*account{}}
	for id, text := range raw {
		a := fresh.account(id)
		if err := json.Unmarshal(text, a); err != nil {
			return nil, fmt.Errorf("account %q: %w", id, err)
		}
		a.ID = id
		if err := a.complete(); err != nil {
			return nil, fmt.Errorf("account %q: %w", id, err)
		}
	}
	return fresh.accounts, nil
}

// complete makes what follows from the rest, and refuses what cannot be.
func (a *account) complete() error {
	makeMaps(reflect.ValueOf(a).Elem())
	if hasHole(reflect.ValueOf(a)) {
		return errors.New("a list or an object has null in it")
	}
	for name, record := range a.Roles {
		if len(record.Versions) == 0 {
			return fmt.Errorf("role %q has no version", name)
		}
	}
	for name, r := range a.Regions {
		r.Name = name
		makeMaps(reflect.ValueOf(r).Elem())
		if err := r.complete(); err != nil {
			return fmt.Errorf("region %q: %w", name, err)
		}
	}
	return nil
}

// makeMaps gives a struct the maps that it lacks.
func makeMaps(v reflect.Value) {
	for _, f := range v.Fields() {
		if f.Kind() == reflect.Map && f.IsNil() && f.CanSet() {
			f.Set(reflect.MakeMap(f.Type()))
		}
	}
}

// hasHole reports whether a list or a map holds a nil pointer, at any depth:
// the state never does.
func hasHole(v reflect.Value) bool {
	for child := range children(v) {
		nilElement := child.Kind() == reflect.Pointer && child.IsNil() && v.Kind() != reflect.Struct
		if nilElement || hasHole(child) {
			return true
		}
	}
	return false
}

// children yields what a value consists of.
func children(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				yield(v.Elem())
			}
		case reflect.Struct:
			for _, f := range v.Fields() {
				if !yield(f) {
					return
				}
			}
		case reflect.Map, reflect.Slice:
			for _, element := range v.Seq2() {
				if !yield(element) {
					return
				}
			}
		default: // has no parts
		}
	}
}

func (r *region) complete() error {
	clusters := r.Clusters.all()
	r.Names = slices.Sorted(maps.Keys(clusters))
	for name, cl := range clusters {
		if len(cl.ID) != clusterIDLength {
			return fmt.Errorf("cluster %q has no id of %d characters", name, clusterIDLength)
		}
		cl.complete()
		r.Clusters.put(cl)
	}
	return nil
}

func (cl *cluster) complete() {
	if cl.UsedRoles == nil {
		cl.UsedRoles = map[string]bool{}
	}
	if cl.Pods == nil {
		cl.Pods = &podStore{}
	}
	cl.Names = cl.Profiles.names()
	cl.Changing = slices.Clone(cl.Names) // looks at all once, and drops those at rest
}
