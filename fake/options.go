// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"math"
	"slices"
	"time"
)

// Options say how a Cloud starts and, where AWS's behaviour is not known, which
// of the possible behaviours it shows. The zero value is a usable default.
// New copies what it needs: later changes of an Options value have no effect.
type Options struct {
	// Account is the account of the default caller; "" means 111122223333.
	Account string
	// Region is the region of the default caller; "" means us-east-1. The
	// partition of every ARN follows from the region.
	Region string
	// Empty starts without cluster, subnets and role.
	Empty bool
	// Now is the clock; nil means time.Now. It is read at each call, so it may
	// stand in a testing/synctest bubble. Advance adds to it.
	Now func() time.Time
	// Seed makes identifiers, drawn delays and drawn faults repeatable. Two
	// Clouds with the same seed and the same calls answer the same.
	Seed uint64
	// Delays say how long EKS takes to finish what it has accepted.
	Delays Delays
	// Quotas are the limits of the account.
	Quotas Quotas
	// PageSize is the most names that a page of a list holds, whatever the
	// caller asks for; 0 means 100, which is also the most that AWS gives.
	PageSize int
	// EmptyFirstPage makes every list begin with an empty page that has a
	// token. AWS may do so; callers must go on.
	EmptyFirstPage bool
	// ListOrder is the order of listed names; "" means ListSorted.
	ListOrder ListOrder
	// EmptyLabels is how a selector without labels is reported; "" means
	// LabelsAbsent. All three have been seen.
	EmptyLabels LabelStyle
	// OmitHealth leaves the health of a profile out of replies, as EKS did
	// before 2024-06.
	OmitHealth bool
	// ReplayTokens makes a second CreateFargateProfile with the same
	// clientRequestToken and the same parameters return the first profile.
	// Without it such a call is refused because the name is taken, which is the
	// harder case for a caller. No public source says what EKS does.
	ReplayTokens bool
	// CreateWhileBusy accepts CreateFargateProfile in the hidden busy time that
	// follows ACTIVE. Without it create is refused as delete is, for which
	// there are reports.
	CreateWhileBusy bool
	// RefuseTagsInProgress refuses TagResource and UntagResource on a profile
	// that is CREATING or DELETING. Without it they succeed. No public source
	// says what EKS does.
	RefuseTagsInProgress bool
	// RefuseUpdatesInChange refuses UpdateClusterConfig and UpdateClusterVersion
	// while a profile of the cluster is CREATING or DELETING. Without it the update
	// begins. No public source says what EKS does.
	RefuseUpdatesInChange bool
	// AcceptRolePaths accepts a pod execution role whose ARN has a path other
	// than /. The user guide forbids such roles; what the API does is not known.
	AcceptRolePaths bool
	// PodsOutliveDeleting ends the pods of a profile when its deletion is
	// complete. Without it they end when it begins. The user guide says that
	// they are deleted with the profile, not when.
	PodsOutliveDeleting bool
	// Lenient is for suites that were written against simple emulators: a
	// profile is ACTIVE at once and gone at once, there are no quotas, and roles
	// and subnets are not checked. A request POST /moto-api/reset is a Reset.
	// Delays and Quotas do not count.
	Lenient bool
	// RequireSignature refuses HTTP requests without a signature of version 4
	// that is complete and well-formed. Whether it is right is not checked.
	RequireSignature bool
	// UnsupportedZones are the availability zones in which Fargate profiles are
	// refused; nil means ca-central-1d, the one with a public report.
	UnsupportedZones []string
	// JournalSize is how many calls the journal keeps, the newest ones; 0 means
	// 100000, negative means none. Counters are not limited by it.
	JournalSize int
}

// Quotas are limits that AWS raises on request. Zero fields mean the default.
type Quotas struct {
	// Clusters per region; default 100.
	Clusters int
	// Profiles per cluster; default 10.
	Profiles int
	// Selectors per profile; default 5.
	Selectors int
	// Labels per selector; default 5.
	Labels int
	// Roles per account; default 1000.
	Roles int
	// PoliciesPerRole are the managed policies of a role; default 10.
	PoliciesPerRole int
	// Policies per account, of those that the account manages; default 1500.
	Policies int
	// TrustPolicyLength is in characters that are not white space; default 2048.
	TrustPolicyLength int
}

// LabelStyle is how a selector without labels looks in a reply.
type LabelStyle string

// The three forms that replies of EKS have shown.
const (
	LabelsAbsent LabelStyle = "absent" // no labels member
	LabelsNull   LabelStyle = "null"   // "labels": null
	LabelsEmpty  LabelStyle = "empty"  // "labels": {}
)

// ListOrder is the order in which a list operation returns names.
type ListOrder string

// EKS promises no order, so a caller must do with each of these.
const (
	ListSorted   ListOrder = "sorted"   // by name
	ListCreated  ListOrder = "created"  // by time of creation, oldest first
	ListShuffled ListOrder = "shuffled" // in an order that only the seed explains
)

const (
	defaultAccount     = "111122223333"
	defaultRegion      = "us-east-1"
	maxPageSize        = 100
	defaultJournalSize = 100_000
)

func newOptions(optFns []func(*Options)) Options {
	var o Options
	for _, fn := range optFns {
		fn(&o)
	}
	o.Account = orString(o.Account, defaultAccount)
	o.Region = orString(o.Region, defaultRegion)
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // the default of the option that the rule asks for
	}
	if o.UnsupportedZones == nil {
		o.UnsupportedZones = []string{"ca-central-1d"}
	}
	o.UnsupportedZones = slices.Clone(o.UnsupportedZones)
	o.PageSize = min(orInt(o.PageSize, maxPageSize), maxPageSize)
	o.JournalSize = orInt(o.JournalSize, defaultJournalSize)
	if o.Lenient {
		o.Delays, o.Quotas = noDelays(), noQuotas()
	}
	o.Delays = o.Delays.withDefaults()
	o.Quotas = o.Quotas.withDefaults()
	return o
}

func (q Quotas) withDefaults() Quotas {
	return Quotas{
		Clusters:  orInt(q.Clusters, 100),
		Profiles:  orInt(q.Profiles, 10),
		Selectors: orInt(q.Selectors, 5),
		Labels:    orInt(q.Labels, 5),

		Roles:             orInt(q.Roles, 1000),
		PoliciesPerRole:   orInt(q.PoliciesPerRole, 10),
		Policies:          orInt(q.Policies, 1500),
		TrustPolicyLength: orInt(q.TrustPolicyLength, 2048),
	}
}

func noQuotas() Quotas {
	return Quotas{Clusters: math.MaxInt, Profiles: math.MaxInt, Selectors: math.MaxInt, Labels: math.MaxInt}
}

func orString(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func orInt(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}
