// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"
)

// RoleIdentity is what a generated role name stands for.
type RoleIdentity struct {
	// Partition, Account, Region and Cluster say which cluster.
	Partition, Account, Region, Cluster string
	// Profile is the logical name of the profile. Empty means the role that the
	// profiles of the cluster share.
	Profile string
}

// RoleName is a name for the pod execution role of a profile or of a cluster:
// readable at the front, with a hash of the whole identity at the end.
//
// It is stable, legal and at most [MaxRoleName] characters long. Different
// identities get different names, also where they differ only in case, in the
// region, or in where the cluster's name ends and the profile's begins: 80 bits
// of SHA-256 tell them apart. The hash is lower case, for IAM compares the names
// of roles without regard to case.
func RoleName(id RoleIdentity) string {
	hash := id.hash()
	room := MaxRoleName - len(rolePrefix) - len("-") - len(hash)
	return rolePrefix + readable(id.Cluster, id.Profile, room) + "-" + hash
}

const rolePrefix = "fargate-"

func (id RoleIdentity) hash() string {
	h := sha256.New()
	for _, part := range []string{id.Partition, id.Account, id.Region, id.Cluster, id.Profile} {
		// With its length in front, no part can run into the next.
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil)[:10]))
}

// readable joins the names in at most room characters. Where they are too long,
// each keeps half of the room and what the other leaves.
func readable(cluster, profile string, room int) string {
	cluster, profile = legalName(cluster), legalName(profile)
	if profile == "" {
		return cut(cluster, room)
	}
	room -= len("-")
	half := room / 2
	return cut(cluster, max(half, room-len(profile))) + "-" + cut(profile, max(room-half, room-len(cluster)))
}

// roleNamePattern matches the names of the roles of a cluster. It matches those
// of a cluster whose name goes on where this one ends, too: the hash at the end
// of a name can't be a pattern.
func roleNamePattern(cluster string) string {
	switch legal := legalName(cluster); {
	case cluster == "*":
		return rolePrefix + "*"
	case len(legal) > shortestCluster:
		return rolePrefix + cut(legal, shortestCluster) + "*"
	default:
		return rolePrefix + legal + "-*"
	}
}

// shortestCluster is how much of a cluster's name every role name holds, where
// it has that much.
const shortestCluster = 19

func cut(s string, n int) string { return s[:min(len(s), n)] }

// legalName replaces what the name of a role can't hold.
func legalName(s string) string {
	return strings.Map(func(r rune) rune {
		if isRoleName(string(r)) {
			return r
		}
		return '-'
	}, s)
}
