// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// clusterVersion is a Kubernetes version of EKS with its calendar (user guide).
type clusterVersion struct {
	version                           string
	release, endStandard, endExtended date
}

type date struct {
	year  int
	month time.Month
	day   int
}

func (d date) time() time.Time { return time.Date(d.year, d.month, d.day, 0, 0, 0, 0, time.UTC) }

// clusterVersions lists the newest first.
func clusterVersions() []clusterVersion {
	return []clusterVersion{
		{"1.34", date{2025, 10, 2}, date{2026, 12, 2}, date{2027, 12, 2}},
		{"1.33", date{2025, 5, 29}, date{2026, 7, 29}, date{2027, 7, 29}},
		{"1.32", date{2025, 1, 23}, date{2026, 3, 23}, date{2027, 3, 23}},
		{"1.31", date{2024, 9, 26}, date{2025, 11, 26}, date{2026, 11, 26}},
		{"1.30", date{2024, 5, 23}, date{2025, 7, 23}, date{2026, 7, 23}},
	}
}

func knownVersions() []string {
	var out []string
	for _, v := range clusterVersions() {
		out = append(out, v.version)
	}
	return out
}

// isNextMinor reports whether to is one minor version after from.
func isNextMinor(from, to string) bool {
	major, minor, _ := strings.Cut(from, ".")
	n, err := strconv.Atoi(minor)
	return err == nil && to == major+"."+strconv.Itoa(n+1)
}

func (v clusterVersion) status(now time.Time) types.VersionStatus {
	switch {
	case now.Before(v.endStandard.time()):
		return types.VersionStatusStandardSupport
	case now.Before(v.endExtended.time()):
		return types.VersionStatusExtendedSupport
	default:
		return types.VersionStatusUnsupported
	}
}

// describeClusterVersions leaves out what is no longer supported, unless asked
// for all or by name.
func describeClusterVersions(t *tx, in *eks.DescribeClusterVersionsInput) (*eks.DescribeClusterVersionsOutput, error) {
	var names []string
	for _, v := range clusterVersions() {
		if wantsVersion(in, v, t.now) {
			names = append(names, v.version)
		}
	}
	newestFirst := func(name string) string { return fmt.Sprintf("%02d", slices.Index(knownVersions(), name)) }
	page, next, err := t.page(listing{names, newestFirst}, in.MaxResults, in.NextToken)
	if err != nil {
		return nil, err
	}
	out := &eks.DescribeClusterVersionsOutput{NextToken: next}
	for _, v := range clusterVersions() {
		if slices.Contains(page, v.version) {
			out.ClusterVersions = append(out.ClusterVersions, v.show(t.now))
		}
	}
	return out, nil
}

func wantsVersion(in *eks.DescribeClusterVersionsInput, v clusterVersion, now time.Time) bool {
	status := v.status(now)
	switch {
	case aws.ToBool(in.DefaultOnly) && v.version != defaultVersion:
		return false
	case in.VersionStatus != "" && in.VersionStatus != status:
		return false
	case len(in.ClusterVersions) > 0:
		return slices.Contains(in.ClusterVersions, v.version)
	default:
		return aws.ToBool(in.IncludeAll) || in.VersionStatus != "" || status != types.VersionStatusUnsupported
	}
}

func (v clusterVersion) show(now time.Time) types.ClusterVersionInformation {
	status := v.status(now)
	return types.ClusterVersionInformation{
		ClusterType:              aws.String("eks"),
		ClusterVersion:           aws.String(v.version),
		DefaultPlatformVersion:   aws.String("eks.1"),
		DefaultVersion:           v.version == defaultVersion,
		EndOfExtendedSupportDate: aws.Time(v.endExtended.time()),
		EndOfStandardSupportDate: aws.Time(v.endStandard.time()),
		KubernetesPatchVersion:   aws.String(v.version + ".1"),
		ReleaseDate:              aws.Time(v.release.time()),
		Status:                   types.ClusterVersionStatus(strings.ReplaceAll(strings.ToLower(string(status)), "_", "-")),
		VersionStatus:            status,
	}
}
