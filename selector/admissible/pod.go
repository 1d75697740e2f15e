// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package admissible

// Pod has what matters of a pod. The zero value is admissible.
type Pod struct {
	// DaemonSet reports that a DaemonSet owns the pod.
	DaemonSet bool
	// HostNetwork, HostPID and HostIPC are spec.hostNetwork and so on.
	HostNetwork, HostPID, HostIPC bool
	// OS and Arch are what the pod asks for, by spec.os or by a node selector on
	// kubernetes.io/os and kubernetes.io/arch. Empty is any.
	OS, Arch string
	// Containers are all containers, in their order, init containers first.
	Containers []Container
	Volumes    []Volume
}

// Container has what matters of a container.
type Container struct {
	Name string
	// Privileged and AllowPrivilegeEscalation are fields of its securityContext
	// that are set to true; a field that isn't set is false here.
	Privileged, AllowPrivilegeEscalation bool
	// AddedCapabilities is securityContext.capabilities.add, as it is written.
	AddedCapabilities []string
	Ports             []Port
	// Resources are the names of what it requests or limits, such as cpu or
	// nvidia.com/gpu.
	Resources []string
	// VolumeDevices reports that it has volumeDevices.
	VolumeDevices bool
}

// Port has what matters of a container port.
type Port struct {
	// HostPort is hostPort. If the pod is on the host's network, Kubernetes sets
	// it to the container port where it isn't set, and so does [Check].
	HostPort int32
	HostIP   string
}

// Volume has what matters of a volume.
type Volume struct {
	Name string
	// Type is the name of the field that is set in the volume, such as emptyDir,
	// hostPath or persistentVolumeClaim.
	Type string
	// Claim is what is known of the claim of a persistentVolumeClaim. With nil,
	// nothing is known, and the claim is taken for good.
	Claim *Claim
}

// Claim is a persistent volume claim that was looked up in the cluster.
type Claim struct {
	Name  string
	Bound bool
	// Volume is the persistent volume that it is bound to.
	Volume string
	// CSIDriver is the driver of that volume. Empty says that it has none.
	CSIDriver string
}
