// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package admit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/eksfargate/eksfargate/selector/admissible"
)

// daemonSet is the kind of the objects whose pods Fargate never runs.
const daemonSet = "DaemonSet"

// podSpec is the part of a pod spec that matters.
type podSpec struct {
	HostNetwork bool `json:"hostNetwork"`
	HostPID     bool `json:"hostPID"`
	HostIPC     bool `json:"hostIPC"`
	OS          struct {
		Name string `json:"name"`
	} `json:"os"`
	NodeSelector   map[string]string `json:"nodeSelector"`
	InitContainers []container       `json:"initContainers"`
	Containers     []container       `json:"containers"`
	Volumes        []volume          `json:"volumes"`
}

// Pod reads a pod spec, given as JSON, of a pod in an object of a kind.
func Pod(kind string, spec []byte) (admissible.Pod, error) {
	var s podSpec
	if err := json.Unmarshal(spec, &s); err != nil {
		return admissible.Pod{}, fmt.Errorf("reading the pod spec: %w", err)
	}
	pod := admissible.Pod{
		DaemonSet: kind == daemonSet, HostNetwork: s.HostNetwork, HostPID: s.HostPID, HostIPC: s.HostIPC,
		OS: s.OS.Name, Arch: s.NodeSelector["kubernetes.io/arch"],
	}
	if os := s.NodeSelector["kubernetes.io/os"]; os != "" {
		pod.OS = os
	}
	for _, c := range slices.Concat(s.InitContainers, s.Containers) {
		pod.Containers = append(pod.Containers, c.admissible())
	}
	for _, v := range s.Volumes {
		pod.Volumes = append(pod.Volumes, v.admissible())
	}
	return pod, nil
}

type container struct {
	Name            string          `json:"name"`
	SecurityContext securityContext `json:"securityContext"`
	Ports           []struct {
		HostPort int32  `json:"hostPort"`
		HostIP   string `json:"hostIP"`
	} `json:"ports"`
	Resources struct {
		Requests map[string]any `json:"requests"`
		Limits   map[string]any `json:"limits"`
	} `json:"resources"`
	VolumeDevices []any `json:"volumeDevices"`
}

type securityContext struct {
	Privileged               bool `json:"privileged"`
	AllowPrivilegeEscalation bool `json:"allowPrivilegeEscalation"`
	Capabilities             struct {
		Add []string `json:"add"`
	} `json:"capabilities"`
}

func (c container) admissible() admissible.Container {
	out := admissible.Container{
		Name: c.Name, Privileged: c.SecurityContext.Privileged,
		AllowPrivilegeEscalation: c.SecurityContext.AllowPrivilegeEscalation,
		AddedCapabilities:        c.SecurityContext.Capabilities.Add,
		VolumeDevices:            len(c.VolumeDevices) > 0,
	}
	for _, p := range c.Ports {
		out.Ports = append(out.Ports, admissible.Port{HostPort: p.HostPort, HostIP: p.HostIP})
	}
	names := maps.Clone(c.Resources.Limits)
	if names == nil {
		names = map[string]any{}
	}
	maps.Copy(names, c.Resources.Requests)
	out.Resources = slices.Sorted(maps.Keys(names))
	return out
}

// volume has a name, and its source in a field that is named after its type.
type volume map[string]json.RawMessage

func (v volume) admissible() admissible.Volume {
	out := admissible.Volume{Type: "emptyDir"} // what Kubernetes makes of a volume without a source
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if key != "name" {
			out.Type = key
		}
	}
	// A name that is no text is no matter here: Kubernetes refuses it.
	_ = json.Unmarshal(v["name"], &out.Name)
	return out
}
