// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import "strings"

// Place is where a resource lives. The zero value means unknown.
type Place struct {
	Partition string `json:"partition,omitempty"`
	Account   string `json:"account,omitempty"`
	Region    string `json:"region,omitempty"`
}

// PlaceOf reads the place out of the ARN of a Fargate profile. It reports false
// for anything else.
func PlaceOf(arn string) (Place, bool) {
	part := strings.SplitN(arn, ":", 6)
	if len(part) != 6 || part[0] != "arn" || part[2] != "eks" || !strings.HasPrefix(part[5], "fargateprofile/") {
		return Place{}, false
	}
	return Place{Partition: part[1], Account: part[4], Region: part[3]}, true
}

// Contradicts reports whether two places differ in something that both know.
func (p Place) Contradicts(q Place) bool {
	return differ(p.Partition, q.Partition) || differ(p.Account, q.Account) || differ(p.Region, q.Region)
}

func differ(a, b string) bool { return a != "" && b != "" && a != b }

// String returns what is known of the place, for messages.
func (p Place) String() string {
	return "account " + or(p.Account, "unknown") + ", region " + or(p.Region, "unknown")
}

// roleARN is the ARN of an IAM role in its parts.
type roleARN struct {
	partition, account, path, name string
}

// parseRoleARN reads an ARN of the form of patternRoleARN.
func parseRoleARN(arn string) (roleARN, bool) {
	part := strings.SplitN(arn, ":", 6)
	if len(part) != 6 || part[0] != "arn" || part[2] != "iam" || part[3] != "" {
		return roleARN{}, false
	}
	resource, ok := strings.CutPrefix(part[5], "role/")
	slash := strings.LastIndexByte(resource, '/')
	r := roleARN{partition: part[1], account: part[4], path: "/" + resource[:slash+1], name: resource[slash+1:]}
	return r, ok && isPartition(r.partition) && isAccount(r.account) && isRoleName(r.name) && isPath(r.path)
}

func isPartition(s string) bool {
	rest, ok := strings.CutPrefix(s, "aws")
	if !ok || rest != "" && rest[0] != '-' {
		return false
	}
	for word := range strings.SplitSeq(strings.TrimPrefix(rest, "-"), "-") {
		if rest != "" && word == "" {
			return false
		}
	}
	return each(rest, func(c byte) bool { return isLower(c) || c == '-' })
}

func isAccount(s string) bool { return len(s) == 12 && each(s, isDigit) }

func isRoleName(s string) bool {
	return s != "" && len(s) <= maxRoleName &&
		each(s, func(c byte) bool { return isAlnum(c) || strings.IndexByte("_+=,.@-", c) >= 0 })
}

// isPath is the form of a path (IAM API reference, pathType): a slash alone, or
// with something between it and the slash at the end.
func isPath(s string) bool {
	return s != "//" && len(s) <= maxRolePath && each(s, func(c byte) bool { return '!' <= c && c <= '~' })
}

// sameRole reports whether two ARNs name one role. The path is not compared: role
// names are unique in an account whatever their path, and IAM compares them
// without regard to case. Source: IAM user guide, "IAM identifiers".
func sameRole(a, b string) bool {
	if a == b {
		return true
	}
	p, okA := parseRoleARN(a)
	q, okB := parseRoleARN(b)
	return okA && okB && p.partition == q.partition && p.account == q.account && strings.EqualFold(p.name, q.name)
}
