// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"slices"
	"strings"
)

// Unsupported is what a pod may ask for and Fargate refuses.
type Unsupported struct {
	// HostNetwork is the network of the node.
	HostNetwork bool `json:"hostNetwork,omitempty"`
	// HostPort is a port of the node.
	HostPort bool `json:"hostPort,omitempty"`
	// Privileged is how many containers are privileged.
	Privileged int `json:"privileged,omitempty"`
	// PrivilegeEscalation is how many containers allow it.
	PrivilegeEscalation int `json:"privilegeEscalation,omitempty"`
	// Capabilities are those that are added, such as CAP_CHOWN.
	Capabilities []string `json:"capabilities,omitempty"`
	// Volumes are the names of volumes of other types than Fargate has.
	Volumes []string `json:"volumes,omitempty"`
}

// text is what the event says about it, "" for a pod that Fargate can run
// (texts: reported, for one or two of the parts at a time).
func (u Unsupported) text() string {
	var parts []string
	if u.HostNetwork {
		parts = append(parts, "fields not supported: HostNetwork")
	}
	if fields := u.securityContext(); fields != "" {
		parts = append(parts, "invalid SecurityContext fields: "+fields)
	}
	if u.HostPort {
		parts = append(parts, "port contains HostIP or HostPort")
	}
	for _, v := range u.Volumes {
		parts = append(parts, "volumes not supported: "+v+" is of an unsupported volume Type")
	}
	if len(parts) == 0 {
		return ""
	}
	return "Pod not supported on Fargate: " + strings.Join(parts, ", ")
}

func (u Unsupported) securityContext() string {
	fields := slices.Concat(
		slices.Repeat([]string{"Privileged"}, max(0, u.Privileged)),
		slices.Repeat([]string{"AllowPrivilegeEscalation"}, max(0, u.PrivilegeEscalation)),
	)
	if len(u.Capabilities) > 0 {
		fields = append(fields, "Capabilities added: "+strings.Join(u.Capabilities, ","))
	}
	return strings.Join(fields, ",")
}

// launchProblem says why a pod of a profile gets no node, or "". The role must
// still be one that EKS can assume and that the cluster admits (texts: reported).
func (t *tx) launchProblem(cl *cluster, p *pod, chosen *profile) string {
	const blocked = "Misconfigured Fargate Profile: fargate profile %s blocked for new launches due to: %s"
	text := p.Template.Unsupported.text()
	switch {
	case text != "":
		return text
	case t.cloud.opts.Lenient:
		return ""
	case !t.assumable(chosen):
		return fmt.Sprintf(blocked, chosen.Name, "Failed to assume PodExecutionRole; "+
			"Please make sure the role exists and trusts the eks-fargate-pods.amazonaws.com service principal")
	case !cl.admits(t.roleNow(chosen.RoleARN)):
		return fmt.Sprintf(blocked, chosen.Name, "Pod execution role is not found in auth config "+
			"or does not have all required permissions for launching fargate pods.")
	default:
		return ""
	}
}

// noNodeText is the default scheduler's: the only nodes are those of Fargate.
func noNodeText(nodes int) string {
	if nodes == 0 {
		return "no nodes available to schedule pods"
	}
	return fmt.Sprintf("0/%d nodes are available: %d node(s) had untolerated taint {eks.amazonaws.com/compute-type: fargate}.",
		nodes, nodes)
}
