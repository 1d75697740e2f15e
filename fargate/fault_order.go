// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// fieldOrder is the order in which faults are reported.
func fieldOrder() []string {
	return []string{
		"spec.clusterName", "spec.fargateProfileName", "spec.podExecutionRoleArn", "spec.subnets", "spec.selectors", "spec.tags",
		"owner", "policy", "defaultTags", "generation", "drained",
	}
}

// rank is where a fault stands in that order. What is said of one entry of a list
// comes together, and what is said of the list itself before its entries.
type rank struct {
	field, index int
	key          string
}

func rankOf(field string) rank {
	root, below, isEntry := strings.Cut(field, "[")
	if !isEntry {
		return rank{field: indexOf(root), index: -1}
	}
	digits, _, _ := strings.Cut(below, "]")
	if n, err := strconv.Atoi(digits); err == nil {
		return rank{field: indexOf(root), index: n}
	}
	return rank{field: indexOf(root), key: below}
}

func indexOf(root string) int {
	return slices.IndexFunc(fieldOrder(), func(f string) bool { return strings.HasPrefix(root, f) })
}

func (r rank) compare(s rank) int {
	return cmp.Or(cmp.Compare(r.field, s.field), cmp.Compare(r.index, s.index), strings.Compare(r.key, s.key))
}
