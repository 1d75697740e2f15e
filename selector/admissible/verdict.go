// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package admissible

import (
	"strings"

	"github.com/eksfargate/eksfargate/selector"
)

// Code says what is wrong. The zero value is invalid.
type Code string

// What keeps a pod off Fargate.
const (
	// CodeDaemonSet: a DaemonSet owns the pod.
	CodeDaemonSet Code = "DaemonSet"
	// CodeHostNamespace: the pod wants the host's network, processes or IPC.
	CodeHostNamespace Code = "HostNamespace"
	// CodeSecurityContext: a container is privileged, may escalate its privileges,
	// or adds capabilities that Fargate doesn't give.
	CodeSecurityContext Code = "SecurityContext"
	// CodeVolume: a volume is of a type that Fargate doesn't have, or its claim
	// isn't bound to an EFS volume.
	CodeVolume Code = "Volume"
	// CodeVolumeDevice: a container wants a raw block device.
	CodeVolumeDevice Code = "VolumeDevice"
	// CodeHostPort: a container wants a port or an address of the host.
	CodeHostPort Code = "HostPort"
	// CodeGPU: a container wants a GPU.
	CodeGPU Code = "GPU"
	// CodeArch: the pod wants another processor than amd64.
	CodeArch Code = "Arch"
	// CodeOS: the pod wants another system than Linux.
	CodeOS Code = "OS"
)

// Wording says where the words of a [Problem] come from. The zero value is
// invalid.
type Wording string

// Where words come from.
const (
	// WordingReported: from an event of a real cluster that somebody reported.
	WordingReported Wording = "reported"
	// WordingLikely: from the source of a kubelet whose other words agree with
	// reported events.
	WordingLikely Wording = "likely"
	// WordingOurs: ours. That Fargate can't run the pod is documented; in which
	// words it says so isn't.
	WordingOurs Wording = "ours"
)

// Problem is one reason why Fargate can't run a pod.
type Problem struct {
	Code Code `json:"code"`
	// Message is the part of the event's text that is about this.
	Message string  `json:"message"`
	Wording Wording `json:"wording"`
	// Remedy says what to change.
	Remedy string `json:"remedy"`
}

// Verdict is the answer of [Check].
type Verdict struct {
	// Problems are in the order of the event's text. There are none if Fargate
	// can run the pod.
	Problems []Problem `json:"problems,omitempty"`
}

// Admissible reports whether Fargate can run the pod.
func (v Verdict) Admissible() bool { return len(v.Problems) == 0 }

// Event is the text of the event that the Fargate scheduler is going to record,
// as far as its words are known. It is empty if there is no problem, or none whose
// words are known. Newer clusters put "[POD_UNSUPPORTED_ON_FARGATE] " before it.
//
// The order of the parts is that of reported events; where volumes and volume
// devices stand beside ports was never reported.
func (v Verdict) Event() string {
	var parts []string
	for _, p := range v.Problems {
		if p.Wording != WordingOurs {
			parts = append(parts, p.Message)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Pod not supported on Fargate: " + strings.Join(parts, ", ")
}

// Outcome is what becomes of a pod with this verdict: what match says of it, or
// [selector.OutcomeUnsupported] if it goes to Fargate and can't run there.
func (v Verdict) Outcome(match selector.Match) selector.Outcome {
	outcome := match.Outcome()
	if outcome == selector.OutcomeFargate && !v.Admissible() {
		return selector.OutcomeUnsupported
	}
	return outcome
}
