// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"maps"
	"slices"
	"time"
)

// forecast is a model of EKS in which every call succeeds and every wait ends. A
// plan is what Decide does to it.
type forecast struct {
	in       ClusterInput
	profiles map[string]Observed
	role     *Role // of the profile that is decided about; nil while nobody looked
	now      time.Time
}

func newForecast(in ClusterInput) *forecast {
	f := &forecast{in: in, profiles: map[string]Observed{}, now: in.Now}
	for _, o := range in.Observed {
		f.profiles[o.Spec.Name] = o
	}
	return f
}

// all are the profiles of the model by name.
func (f *forecast) all() []Observed {
	return slices.SortedFunc(maps.Values(f.profiles), func(a, b Observed) int {
		if a.Spec.Name < b.Spec.Name {
			return -1
		}
		return 1
	})
}

// maxForecast bounds the decisions about one profile. The longest way, from a
// third spec in the middle of a replacement with failures, takes about twenty.
const maxForecast = 100

// run decides until nothing is left to do, and returns what was decided on the
// way. A decision that repeats itself is told once.
func (f *forecast) run(d Desired, absent bool) []Decision {
	var out []Decision
	var mem Memory
	f.role = nil
	if role, looked := f.in.Roles[d.Spec.Name]; looked {
		f.role = &role
	}
	for n := 1; ; n++ {
		decision := Decide(f.input(d, absent, mem))
		mem = decision.Memory
		if decision.Action == ActionNoOp || n == maxForecast {
			return out
		}
		told := decision.Reason == ReasonConfirming // nobody else creates in this model: it says nothing
		if n := len(out); !told && (n == 0 || out[n-1].Reason != decision.Reason || out[n-1].Profile != decision.Profile) {
			out = append(out, decision)
		}
		if decision.Action == ActionBlocked {
			return out
		}
		f.advance(&d, decision)
	}
}

// input is what a look at the model would bring.
func (f *forecast) input(d Desired, absent bool, mem Memory) Input {
	in := Input{Desired: d, Absent: absent, Cluster: f.all(), Role: f.role, Pods: f.in.Pods, Limits: f.in.Limits, Memory: mem, Now: f.now}
	if in.Cluster == nil {
		in.Cluster = []Observed{} // somebody looked
	}
	for _, o := range in.Cluster {
		if !d.Claims(o) {
			continue
		}
		if in.Observed == nil {
			in.Observed = &o
		} else {
			in.Peers = append(in.Peers, o)
		}
	}
	if o, named := f.profiles[d.Spec.Name]; in.Observed == nil && named {
		in.Observed = &o
	}
	return in
}

// roleToBe stands for the ARN of a role that is made while a plan is carried out.
const roleToBe = "a role that is made before"

func (f *forecast) roleARN(profile string) string {
	if f.role != nil && f.role.ARN != "" {
		return f.role.ARN
	}
	return or(f.profiles[profile].Spec.PodExecutionRoleARN, roleToBe)
}

// advance makes the call, or lets the wait end.
func (f *forecast) advance(d *Desired, decision Decision) {
	switch {
	case decision.Call != nil:
		f.apply(*decision.Call)
	case decision.Reason == ReasonDrainNotConfirmed:
		d.Drained = append(slices.Clone(d.Drained), decision.Profile)
	case decision.Reason == ReasonRoleNotReady:
		f.role = &Role{ARN: f.roleARN(decision.Profile), Trust: TrustGiven}
	case decision.Reason == ReasonBackingOff:
	default:
		f.finish(decision.Profile)
	}
	f.now = f.now.Add(decision.RequeueAfter)
}

func (f *forecast) apply(c Call) {
	o := f.profiles[c.Profile]
	switch c.Operation {
	case OperationCreate:
		f.profiles[c.Profile] = Observed{Spec: *c.Spec, Status: StatusCreating, CreatedAt: f.now}
		return
	case OperationDelete:
		o.Status = StatusDeleting
	case OperationTag, OperationUntag:
		o.Spec.Tags = c.TagsAfter(o.Spec.Tags)
	}
	f.profiles[c.Profile] = o
}

// finish ends what is in progress, and takes an unknown status and a degraded
// profile for healthy in the end.
func (f *forecast) finish(name string) {
	o := f.profiles[name]
	if o.Status == StatusDeleting {
		delete(f.profiles, name)
		return
	}
	o.Status, o.Issues = StatusActive, nil
	f.profiles[name] = o
}
