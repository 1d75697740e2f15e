// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "strings"

// arn is an Amazon resource name in its six parts, less the literal "arn".
type arn struct {
	Partition, Service, Region, Account, Resource string
}

func parseARN(s string) (arn, bool) {
	parts := strings.SplitN(s, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[1] == "" || parts[2] == "" || parts[5] == "" {
		return arn{}, false
	}
	return arn{parts[1], parts[2], parts[3], parts[4], parts[5]}, true
}

func (a arn) String() string {
	return strings.Join([]string{"arn", a.Partition, a.Service, a.Region, a.Account, a.Resource}, ":")
}

// partitionOf returns the partition that a region belongs to.
func partitionOf(region string) string {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		return "aws-us-gov"
	case strings.HasPrefix(region, "us-isob-"):
		return "aws-iso-b"
	case strings.HasPrefix(region, "us-isof-"):
		return "aws-iso-f"
	case strings.HasPrefix(region, "us-iso-"):
		return "aws-iso"
	case strings.HasPrefix(region, "eu-isoe-"):
		return "aws-iso-e"
	case strings.HasPrefix(region, "eusc-"):
		return "aws-eusc"
	default:
		return "aws"
	}
}

// dnsSuffixOf returns the domain under which a region's endpoints live.
func dnsSuffixOf(region string) string {
	if partitionOf(region) == "aws-cn" {
		return "amazonaws.com.cn"
	}
	return "amazonaws.com"
}

// splitRole returns account, path ("/" or "/a/b/") and name of a role's ARN.
func splitRole(s string) (partition, account, path, name string, ok bool) {
	a, ok := parseARN(s)
	rest, isRole := strings.CutPrefix(a.Resource, "role/")
	if !ok || !isRole || a.Service != "iam" || len(a.Account) != 12 {
		return "", "", "", "", false
	}
	i := strings.LastIndexByte(rest, '/')
	path, name = "/"+rest[:i+1], rest[i+1:]
	return a.Partition, a.Account, path, name, name != ""
}
