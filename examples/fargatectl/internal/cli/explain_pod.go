// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/eksfargate/eksfargate/selector/admissible"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/admit"
)

// explainPod says what becomes of a pod, with its spec where the manifest gives one.
func explainPod(m *selector.Matcher, p manifest.Pod) (explained, error) {
	template, runsOn := templateOf(p)
	why := m.Explain(template)
	out := explained{Pod: p, Outcome: why.Outcome(), Candidates: []string{}, Ambiguous: why.Ambiguous}
	if why.Profile != "" {
		out.Profile = &why.Profile
	}
	for _, c := range why.Candidates {
		out.Candidates = append(out.Candidates, c.Profile)
	}
	out.Reasons = append(out.Reasons, reasonOf(why))
	if err := out.admit(p, why.Match); err != nil {
		return explained{}, err
	}
	if runsOn != "" {
		out.Reasons = append(out.Reasons, reason{
			Code: "RunsOn", Profile: runsOn,
			Message: "it runs on Fargate profile " + runsOn + " now: a pod is placed when it is created, and stays there",
		})
	}
	if out.Outcome == selector.OutcomeFargate && isElsewhere(p) {
		out.Reasons = append(out.Reasons, createdBefore(p))
	}
	for _, miss := range why.Misses {
		out.Reasons = append(out.Reasons, missReason(miss))
	}
	return out, nil
}

// templateOf is what EKS saw of the pod when it was created. On a pod that runs on
// Fargate the profile label is EKS's own word of where it is, and no pin.
func templateOf(p manifest.Pod) (selector.Pod, string) {
	template := p.Pod
	runsOn := p.Labels[selector.ProfileLabel]
	if p.Scheduler != selector.FargateScheduler || runsOn == "" {
		return template, ""
	}
	template.Labels = maps.Clone(p.Labels)
	delete(template.Labels, selector.ProfileLabel)
	return template, runsOn
}

// isElsewhere reports whether a pod exists and was not given to Fargate.
func isElsewhere(p manifest.Pod) bool {
	exists := p.Kind == "Pod" && (p.Node != "" || !p.Created.IsZero())
	return exists && p.Scheduler != selector.FargateScheduler
}

// createdBefore says why a pod is not where it would go now.
func createdBefore(p manifest.Pod) reason {
	scheduler := ""
	if p.Scheduler != "" {
		scheduler = " (its scheduler is " + p.Scheduler + ")"
	}
	return reason{
		Code:    "CreatedBefore",
		Message: "but it exists and was not given to Fargate" + scheduler + ": EKS looks at a pod only when it is created, and then no ACTIVE profile took it",
		Remedy:  "delete it, so that what made it makes it anew",
	}
}

// remedies say what to do about a pod that does not go to Fargate.
func remedies() map[selector.Reason]string {
	return map[selector.Reason]string{
		selector.ReasonNoMatch:                   "change the namespace or the labels of the pod, or the selectors of a profile; then make the pod anew",
		selector.ReasonOptedOut:                  "remove the annotation from the template of the pod, if it is to run on Fargate",
		selector.ReasonPinnedProfileNotFound:     "correct or remove the label " + selector.ProfileLabel + " in the template of the pod",
		selector.ReasonPinnedProfileDoesNotMatch: "correct or remove the label " + selector.ProfileLabel + " in the template of the pod",
	}
}

func reasonOf(why selector.Explanation) reason {
	r := reason{Code: string(why.Reason), Profile: why.Profile, Message: why.String(), Remedy: remedies()[why.Reason]}
	if why.Reason == selector.ReasonNoMatch && len(why.Misses) == 0 {
		r.Remedy = "make a profile that selects it"
	}
	if why.Selector != selector.NoSelector {
		r.Selector = new(why.Selector)
	}
	return r
}

func missReason(miss selector.Miss) reason {
	r := reason{Code: string(miss.Reason), Profile: miss.Profile, Message: miss.String(), miss: true}
	if miss.Selector != selector.NoSelector {
		r.Selector = new(miss.Selector)
	}
	return r
}

// admit judges the spec of a pod, if there is one.
func (e *explained) admit(p manifest.Pod, match selector.Match) error {
	if p.Spec == nil {
		return nil
	}
	pod, err := admit.Pod(p.Kind, p.Spec)
	if err != nil {
		return err
	}
	verdict := admissible.Check(pod)
	e.Outcome = verdict.Outcome(match)
	if e.Outcome != selector.OutcomeUnsupported {
		return nil
	}
	e.Event = verdict.Event()
	for _, problem := range verdict.Problems {
		e.Reasons = append(e.Reasons, reason{Code: string(problem.Code), Profile: match.Profile, Message: problem.Message, Remedy: problem.Remedy})
	}
	return nil
}
