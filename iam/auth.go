// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strings"

const (
	// NodeUsername is the Kubernetes user of a Fargate node.
	// Source: EKS user guide, "Grant IAM users and roles access to Kubernetes APIs".
	NodeUsername = "system:node:{{SessionName}}"
	// AccessEntryFargate is the type of the access entry for a pod execution role.
	AccessEntryFargate = "FARGATE_LINUX"
)

// AuthMap is one row of mapRoles in the ConfigMap aws-auth of a cluster.
type AuthMap struct {
	// RoleARN is the ARN of the role without its path.
	RoleARN string
	// Username is the Kubernetes user.
	Username string
	// Groups are the Kubernetes groups.
	Groups []string
}

// AuthMapping is the row of aws-auth that lets the Fargate nodes of a role join
// the cluster. EKS writes it when it creates a profile; other tools that rewrite
// aws-auth must keep it.
func AuthMapping(role RoleARN) AuthMap {
	return AuthMap{
		RoleARN:  role.AuthARN(),
		Username: NodeUsername,
		Groups:   []string{"system:bootstrappers", "system:nodes", "system:node-proxier"},
	}
}

// YAML writes the row as EKS does: an item of the list mapRoles.
func (m AuthMap) YAML() string {
	var b strings.Builder
	b.WriteString("- groups:\n")
	for _, group := range m.Groups {
		b.WriteString("  - " + group + "\n")
	}
	b.WriteString("  rolearn: " + m.RoleARN + "\n")
	b.WriteString("  username: " + m.Username + "\n")
	return b.String()
}

// AccessEntry is the input of CreateAccessEntry for a pod execution role.
type AccessEntry struct {
	// ClusterName is the name of the cluster.
	ClusterName string `json:"clusterName"`
	// PrincipalARN is the full ARN of the role: an access entry knows its path.
	PrincipalARN string `json:"principalArn"`
	// Type is [AccessEntryFargate].
	Type string `json:"type"`
	// Username is the Kubernetes user.
	Username string `json:"username"`
}

// AccessEntryFor is the access entry that lets the Fargate nodes of a role join a
// cluster whose authentication mode is API or API_AND_CONFIG_MAP. EKS makes it
// when it creates a profile. It holds the unique id of the role, so it is dead
// once the role has been deleted, also when another gets its name.
// Source: EKS user guide, "Create access entries".
func AccessEntryFor(cluster string, role RoleARN) AccessEntry {
	return AccessEntry{
		ClusterName:  cluster,
		PrincipalARN: role.String(),
		Type:         AccessEntryFargate,
		Username:     NodeUsername,
	}
}
