// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how much a [Finding] matters. The zero value is invalid.
type Severity string

// The severities, gravest first.
const (
	// SeverityError: something has no effect, so it can't be meant.
	SeverityError Severity = "error"
	// SeverityWarning: pods may not go where people think they do.
	SeverityWarning Severity = "warning"
	// SeverityInfo: good to know.
	SeverityInfo Severity = "info"
)

// FindingCode says what was found. The zero value is invalid.
type FindingCode string

// What [Analyze] finds.
const (
	// FindingBadName: a profile without a name, or with the name of another. An
	// error; which of them wins can't be said.
	FindingBadName FindingCode = "BadName"
	// FindingNoSelectors: a profile without selectors. An error.
	FindingNoSelectors FindingCode = "NoSelectors"
	// FindingUnreachable: a selector that matches no pod that Kubernetes accepts.
	// An error.
	FindingUnreachable FindingCode = "Unreachable"
	// FindingDuplicate: a selector that matches the same pods as an earlier one of
	// its profile, however it is written. Info: it uses up a place.
	FindingDuplicate FindingCode = "Duplicate"
	// FindingRedundant: a selector all of whose pods match others of its profile,
	// taken together. Info.
	FindingRedundant FindingCode = "Redundant"
	// FindingIdentical: a profile that matches the same pods as one of an earlier
	// name, so that it gets only pods that are pinned to it. A warning.
	FindingIdentical FindingCode = "Identical"
	// FindingShadowed: a profile, or one selector of it, all of whose pods match
	// profiles of earlier names, taken together, so that it gets only pods that
	// are pinned to its profile. A warning.
	FindingShadowed FindingCode = "Shadowed"
	// FindingAmbiguous: two profiles that match some pods both, and the earlier
	// name gets them. A warning; info if the later profile matches all that the
	// earlier one does, for then the name makes an exception win over a rule.
	FindingAmbiguous FindingCode = "Ambiguous"
	// FindingAllNamespaces: a selector that takes every namespace. A warning; info
	// if it has labels.
	FindingAllNamespaces FindingCode = "AllNamespaces"
	// FindingKubeSystem: a selector that takes kube-system. A warning if a
	// wildcard does, info otherwise or if it has labels.
	FindingKubeSystem FindingCode = "KubeSystem"
	// FindingCoreDNSCovered: a profile takes CoreDNS as EKS ships it, once it no
	// longer opts out. Info.
	FindingCoreDNSCovered FindingCode = "CoreDNSCovered"
	// FindingCoreDNSNotCovered: no profile does. Info: a cluster without EC2 nodes
	// has no name service then.
	FindingCoreDNSNotCovered FindingCode = "CoreDNSNotCovered"
	// FindingUndecided: a question about the profile was too large; see [Compare].
	// Info.
	FindingUndecided FindingCode = "Undecided"
)

// Finding is something about a list of profiles that its owner should know.
type Finding struct {
	Code     FindingCode `json:"code"`
	Severity Severity    `json:"severity"`
	// Profile is the profile it is about; empty if it is about all of them.
	Profile string `json:"profile,omitempty"`
	// Selector is the index of the selector it is about, or [NoSelector].
	Selector int `json:"selector"`
	// Others are the profiles that have to do with it, by name.
	Others []string `json:"others,omitempty"`
	// OtherSelectors are the indexes of the selectors of the same profile that
	// have to do with it.
	OtherSelectors []int `json:"otherSelectors,omitempty"`
	// Witness is a pod that shows it, if one can.
	Witness *Pod `json:"witness,omitempty"`
	// Message says what was found, Remedy what to do.
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
}

// String is the finding for people, in one line.
func (f Finding) String() string {
	where := f.Profile
	if f.Selector != NoSelector {
		where = fmt.Sprintf("%s selector %d", f.Profile, f.Selector)
	}
	if where != "" {
		where += ": "
	}
	return fmt.Sprintf("%s: %s%s (%s); %s", f.Severity, where, f.Message, f.Code, f.Remedy)
}

// compareFindings puts the gravest first, then goes by profile and selector.
func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Severity.rank(), b.Severity.rank()),
		strings.Compare(a.Profile, b.Profile),
		cmp.Compare(a.Selector, b.Selector),
		strings.Compare(string(a.Code), string(b.Code)),
		slices.Compare(a.Others, b.Others),
	)
}

func (s Severity) rank() int {
	switch s {
	case SeverityError:
		return 0
	case SeverityWarning:
		return 1
	default:
		return 2
	}
}
