// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "slices"

// armedFault is a fault and what has come of it.
type armedFault struct {
	Fault
	seen, struck int
}

// strike returns the fault that a call meets, or the zero Fault. Faults that
// were injected come before chaos. The caller holds the lock.
func (c *Cloud) strike(op *operation, target Target, needs func() []need) Fault {
	for i, f := range c.faults {
		if !f.matches(op.name, target) || !f.denies(needs) || !c.due(f) {
			continue
		}
		if f.struck++; f.struck == f.Count {
			c.faults = slices.Delete(slices.Clone(c.faults), i, i+1)
		}
		return f.Fault
	}
	return c.chaos.strike(op)
}

func (c *Cloud) due(f *armedFault) bool {
	if f.seen++; f.seen <= f.Skip {
		return false
	}
	return f.Probability == 0 || c.rand.Float64() < f.Probability
}

func (f *armedFault) matches(operation string, target Target) bool {
	return either(f.Operation, operation) && either(f.Cluster, target.Cluster) &&
		either(f.Profile, target.Profile) && either(f.Role, target.Role)
}

// either reports whether a wish is absent or fulfilled.
func either(want, got string) bool { return want == "" || want == got }

// denies reports whether a fault that denies a permission finds it among the
// needs of a call. Other faults concern all calls.
func (f *armedFault) denies(needs func() []need) bool {
	return f.Deny == "" || slices.ContainsFunc(needs(), f.forbids)
}

// forbids reports whether the fault denies a permission.
func (f Fault) forbids(n need) bool {
	return f.Deny != "" && matchesAction([]string{f.Deny}, n.Action)
}

func (f Fault) apiError() *apiError {
	if f.Code == "" {
		return nil
	}
	return &apiError{code: f.Code, message: f.Message, status: orInt(f.Status, statusOf(f.Code))}
}
