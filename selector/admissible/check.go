// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package admissible

import (
	"fmt"
	"slices"
	"strings"
)

const efsDriver = "efs.csi.aws.com"

// Check says whether Fargate can run the pod, and everything that keeps it from
// it.
func Check(p Pod) Verdict {
	var v Verdict
	for _, rule := range rules() {
		v.Problems = append(v.Problems, rule(p)...)
	}
	return v
}

// rules are all rules, in the order of the event's text; those without a place
// in it come last.
func rules() []func(Pod) []Problem {
	return []func(Pod) []Problem{
		daemonSet,
		hostNamespaces,
		securityContexts,
		volumes,
		volumeDevices,
		hostPorts,
		gpus,
		arch,
		os,
	}
}

func problem(code Code, wording Wording, message, remedy string) []Problem {
	return []Problem{{Code: code, Message: message, Wording: wording, Remedy: remedy}}
}

func daemonSet(p Pod) []Problem {
	if !p.DaemonSet {
		return nil
	}
	return problem(CodeDaemonSet, WordingLikely, "DaemonSet not supported",
		"run it as a sidecar, or keep its pods off Fargate nodes")
}

func hostNamespaces(p Pod) []Problem {
	var fields []string
	wording := WordingReported
	if p.HostNetwork {
		fields = append(fields, "HostNetwork")
	}
	if p.HostPID {
		fields, wording = append(fields, "HostPID"), WordingLikely
	}
	if p.HostIPC {
		fields, wording = append(fields, "HostIPC"), WordingLikely
	}
	if len(fields) == 0 {
		return nil
	}
	return problem(CodeHostNamespace, wording, "fields not supported: "+strings.Join(fields, ", "),
		"a Fargate pod has a host of its own: leave these fields out")
}

func securityContexts(p Pod) []Problem {
	var containers []string
	for _, c := range p.Containers {
		if fields := c.invalidFields(); len(fields) > 0 {
			containers = append(containers, strings.Join(fields, ", "))
		}
	}
	if len(containers) == 0 {
		return nil
	}
	return problem(CodeSecurityContext, WordingReported,
		"invalid SecurityContext fields: "+strings.Join(containers, ","),
		"leave these fields out; allowPrivilegeEscalation may be false or unset")
}

func (c Container) invalidFields() []string {
	var fields []string
	refused := slices.DeleteFunc(slices.Clone(c.AddedCapabilities), isGiven)
	if len(refused) > 0 {
		fields = append(fields, "Capabilities added: "+strings.Join(refused, ", "))
	}
	if c.AllowPrivilegeEscalation {
		fields = append(fields, "AllowPrivilegeEscalation")
	}
	if c.Privileged {
		fields = append(fields, "Privileged")
	}
	return fields
}

// isGiven reports whether every container has the capability anyway, unless it
// drops it: to add one of these is fine, by its name without CAP_. The user guide
// says that capabilities can't be added at all, but pods that add
// NET_BIND_SERVICE were refused for other fields only.
func isGiven(capability string) bool {
	return slices.Contains([]string{
		"AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD",
		"NET_BIND_SERVICE", "NET_RAW", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
	}, capability)
}

func volumes(p Pod) []Problem {
	var refused []string
	wording := WordingReported
	for _, v := range p.Volumes {
		message, known := v.fault()
		if message == "" {
			continue
		}
		refused = append(refused, message)
		if !known {
			wording = WordingLikely
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return problem(CodeVolume, wording, "volumes not supported: "+strings.Join(refused, ", "),
		"use emptyDir, configMap, secret, projected, downwardAPI, nfs, or a claim bound to an EFS volume")
}

// fault says what is wrong with a volume, if anything, and whether the words
// were reported.
func (v Volume) fault() (message string, reported bool) {
	switch v.Type {
	case "emptyDir", "secret", "configMap", "projected", "downwardAPI", "nfs":
		return "", true
	case "persistentVolumeClaim":
		if v.Claim == nil {
			return "", true
		}
		why, reported := v.Claim.fault()
		if why == "" {
			return "", true
		}
		return fmt.Sprintf("%s not supported because: PVC %s %s", v.Name, v.Claim.Name, why), reported
	default:
		return v.Name + " is of an unsupported volume Type", true
	}
}

func (c Claim) fault() (why string, reported bool) {
	switch {
	case !c.Bound:
		return "not bound", true
	case c.CSIDriver == "":
		return fmt.Sprintf("bound to invalid PV %s with nil CSI spec", c.Volume), false
	case c.CSIDriver != efsDriver:
		return fmt.Sprintf("bound to invalid PV %s with CSI Driver: %s", c.Volume, c.CSIDriver), true
	default:
		return "", true
	}
}

func volumeDevices(p Pod) []Problem {
	if !slices.ContainsFunc(p.Containers, func(c Container) bool { return c.VolumeDevices }) {
		return nil
	}
	return problem(CodeVolumeDevice, WordingLikely, "volumeDevices not supported", "use a file system instead of a block device")
}

func hostPorts(p Pod) []Problem {
	for _, c := range p.Containers {
		for _, port := range c.Ports {
			if port.HostPort > 0 || port.HostIP != "" || p.HostNetwork {
				return problem(CodeHostPort, WordingReported, "port contains HostIP or HostPort",
					"leave hostPort and hostIP out: the pod has an address of its own")
			}
		}
	}
	return nil
}

func gpus(p Pod) []Problem {
	for _, c := range p.Containers {
		for _, name := range c.Resources {
			if strings.HasSuffix(name, "/gpu") || strings.HasPrefix(name, "nvidia.com/") {
				return problem(CodeGPU, WordingOurs, fmt.Sprintf("container %s wants %s, but Fargate has no GPUs", c.Name, name),
					"run it on EC2 nodes")
			}
		}
	}
	return nil
}

func arch(p Pod) []Problem {
	if p.Arch == "" || p.Arch == "amd64" {
		return nil
	}
	return problem(CodeArch, WordingOurs, fmt.Sprintf("the pod wants architecture %s, but Fargate nodes are amd64", p.Arch),
		"build the image for amd64, or run it on EC2 nodes")
}

func os(p Pod) []Problem {
	if p.OS == "" || p.OS == "linux" {
		return nil
	}
	return problem(CodeOS, WordingOurs, fmt.Sprintf("the pod wants system %s, but Fargate nodes run Linux", p.OS),
		"run it on EC2 nodes")
}
