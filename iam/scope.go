// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Scope says whose Fargate profiles may use a role: those of one cluster.
type Scope struct {
	// Partition is aws, aws-cn and so on. Empty means the partition of Region.
	Partition string
	// Region is the region of the cluster; * means any, and needs a Partition.
	Region string
	// Account is the id of the cluster's account, which is the role's too: EKS
	// takes no pod execution role of another account.
	Account string
	// Cluster is the name of the cluster; * means any of the account.
	Cluster string
	// Unconditional leaves the conditions out of the trust policy. Then EKS may
	// use the role for a profile of anybody who may pass it (the confused
	// deputy problem). The zero value is the safe one.
	Unconditional bool
}

// ScopeError is one fault of a [Scope].
type ScopeError struct {
	// Field is the name of the field.
	Field string
	// Reason says what is wrong, and what to do.
	Reason string
}

// Error names the field and says what is wrong.
func (e *ScopeError) Error() string { return fmt.Sprintf("iam scope: %s: %s", e.Field, e.Reason) }

// Validate reports every fault of the scope, each a [*ScopeError].
func (s Scope) Validate() error {
	var faults []error
	check := func(ok bool, field, reason string) {
		if !ok {
			faults = append(faults, &ScopeError{field, reason})
		}
	}
	check(s.Region == "*" || PartitionOf(s.Region) != "", "Region", "want a region such as us-east-1, or *")
	check(s.partition() != "", "Partition", "can't be told from the region; give it")
	check(s.partition() == "" || isPartition(s.partition()), "Partition", "want aws, aws-cn or the like")
	check(!s.contradicts(), "Partition", "the region "+s.Region+" is in "+PartitionOf(s.Region))
	check(isAccountID(s.Account), "Account", "want 12 digits")
	check(s.Cluster == "*" || isClusterName(s.Cluster), "Cluster", "want the name of a cluster, or *")
	return errors.Join(faults...)
}

// contradicts reports whether Partition is a known one and not that of Region. A
// partition that is newer than this package is taken as it is.
func (s Scope) contradicts() bool {
	of := PartitionOf(s.Region)
	return of != "" && of != s.partition() && slices.Contains(Partitions(), s.Partition)
}

func (s Scope) partition() string { return orDefault(s.Partition, PartitionOf(s.Region)) }

// ScopeOf is the scope of a cluster, given the ARN of the cluster or of one of
// its Fargate profiles. The error is an [*ARNError].
func ScopeOf(eksARN string) (Scope, error) {
	a, _ := splitARN(eksARN)
	m := regexp.MustCompile(`^(?:cluster|fargateprofile)/([^/]+)(?:/.*)?$`).FindStringSubmatch(a.resource)
	if a.service != "eks" || m == nil {
		return Scope{}, &ARNError{eksARN, "want the ARN of an EKS cluster or of a Fargate profile"}
	}
	s := Scope{Partition: a.partition, Region: a.region, Account: a.account, Cluster: m[1]}
	if err := s.Validate(); err != nil {
		return Scope{}, &ARNError{eksARN, err.Error()}
	}
	return s, nil
}

// SourceARN is the pattern of the ARNs of the scope's Fargate profiles.
// Source: EKS user guide, "Amazon EKS Pod execution IAM role".
func (s Scope) SourceARN() string { return s.resource("fargateprofile/" + s.Cluster + "/*") }

func (s Scope) resource(resource string) string {
	return arn{s.partition(), "eks", s.Region, s.Account, resource}.String()
}

// Request is the request that EKS will make for the profile of that name, also
// for one that does not exist yet. The id at the end of a profile's ARN can't be
// known before it exists; an id that no profile has stands for it, and is * in the
// message of a verdict.
func (s Scope) Request(profile string) Request {
	return ProfileRequest(s.resource("fargateprofile/" + s.Cluster + "/" + profile + "/" + unknownProfileID))
}

const unknownProfileID = "00000000-0000-0000-0000-000000000000"
