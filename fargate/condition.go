// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

// Condition maps one to one onto a metav1.Condition of Kubernetes. The time of the
// last transition is left to whoever stores the conditions, since only they know
// the ones of before; meta.SetStatusCondition does it.
type Condition struct {
	Type               ConditionType   `json:"type"`
	Status             ConditionStatus `json:"status"`
	ObservedGeneration int64           `json:"observedGeneration,omitempty"`
	Reason             Reason          `json:"reason"`
	Message            string          `json:"message"`
}

// ConditionType names a condition.
type ConditionType string

// The conditions. Ready is good when true; the others say something unusual when
// true, by the convention of kstatus.
const (
	// ConditionReady says that the profile is ACTIVE, equal and settled.
	ConditionReady ConditionType = "Ready"
	// ConditionReconciling says that something is in progress or about to be done.
	ConditionReconciling ConditionType = "Reconciling"
	// ConditionStalled says that somebody must change something first.
	ConditionStalled ConditionType = "Stalled"
	// ConditionDegraded says that EKS reports health issues or a failed state.
	ConditionDegraded ConditionType = "Degraded"
	// ConditionDrifted says that the profile differs from the desired state.
	ConditionDrifted ConditionType = "Drifted"
)

// ConditionStatus is True or False.
type ConditionStatus string

// The states of a condition.
const (
	ConditionTrue  ConditionStatus = "True"  // ConditionTrue means that it holds.
	ConditionFalse ConditionStatus = "False" // ConditionFalse means that it does not.
)

const (
	reasonHealthy  Reason = "Healthy"
	reasonNoDrift  Reason = "NoDrift"
	reasonDrift    Reason = "Differs"
	reasonUnhappy  Reason = "HealthIssues"
	reasonNotNow   Reason = "Settled"
	reasonNotStuck Reason = "NotStalled"
)

// Conditions says a decision in the form of Kubernetes conditions, always all
// five in the same order.
func (d Decision) Conditions(generation int64) []Condition {
	moving := !d.Reached && d.Action != ActionNoOp && d.Action != ActionBlocked
	condition := func(t ConditionType, holds bool, yes, no Reason, message string) Condition {
		c := Condition{Type: t, Status: ConditionFalse, ObservedGeneration: generation, Reason: no}
		if holds {
			c.Status, c.Reason = ConditionTrue, yes
		}
		if holds || t == ConditionReady {
			c.Message = message
		}
		return c
	}
	return []Condition{
		condition(ConditionReady, d.Reached, d.Reason, d.Reason, d.Message),
		condition(ConditionReconciling, moving, d.Reason, reasonNotNow, d.Message),
		condition(ConditionStalled, d.Action == ActionBlocked, d.Reason, reasonNotStuck, d.Message),
		condition(ConditionDegraded, len(d.Issues) > 0 || d.failed(), reasonUnhappy, reasonHealthy, issuesText(d.Issues)),
		condition(ConditionDrifted, len(d.Drift) > 0, reasonDrift, reasonNoDrift, d.Drift.String()),
	}
}

// failed reports whether the decision is about a profile in a failed state.
func (d Decision) failed() bool {
	return d.Status == StatusCreateFailed || d.Status == StatusDeleteFailed
}
