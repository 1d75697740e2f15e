// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

func createAccessEntry(t *tx, in *eks.CreateAccessEntryInput) (*eks.CreateAccessEntryOutput, error) {
	cl, err := t.clusterWithEntries(in.ClusterName)
	if err != nil {
		return nil, err
	}
	principal := aws.ToString(in.PrincipalArn)
	id, err := t.principalID(principal)
	if err != nil {
		return nil, err
	}
	if cl.Entries[principal] != nil {
		return nil, inUse(cl.Name, "The specified access entry resource is already in use on this cluster.")
	}
	if problem := tagProblem(in.Tags); problem != "" {
		return nil, invalidParameter("%s", problem)
	}
	entry := t.newEntry(cl, principal, id, orString(aws.ToString(in.Type), entryStandard), aws.ToString(in.Username))
	entry.Groups, entry.Tags = slices.Clone(in.KubernetesGroups), cloneTags(in.Tags)
	t.edit(cl).putEntry(entry)
	return &eks.CreateAccessEntryOutput{AccessEntry: showEntry(cl, entry)}, nil
}

func describeAccessEntry(t *tx, in *eks.DescribeAccessEntryInput) (*eks.DescribeAccessEntryOutput, error) {
	cl, entry, err := t.accessEntry(in.ClusterName, in.PrincipalArn)
	if err != nil {
		return nil, err
	}
	return &eks.DescribeAccessEntryOutput{AccessEntry: showEntry(cl, entry)}, nil
}

func deleteAccessEntry(t *tx, in *eks.DeleteAccessEntryInput) (*eks.DeleteAccessEntryOutput, error) {
	cl, entry, err := t.accessEntry(in.ClusterName, in.PrincipalArn)
	if err != nil {
		return nil, err
	}
	delete(t.edit(cl).Entries, entry.PrincipalARN)
	return &eks.DeleteAccessEntryOutput{}, nil
}

func listAccessEntries(t *tx, in *eks.ListAccessEntriesInput) (*eks.ListAccessEntriesOutput, error) {
	cl, err := t.clusterWithEntries(in.ClusterName)
	if err != nil {
		return nil, err
	}
	created := func(name string) int64 { return cl.Entries[name].CreatedAt.UnixMilli() }
	names, next, err := t.page(t.listing(slices.Sorted(maps.Keys(cl.Entries)), created), in.MaxResults, in.NextToken)
	if err != nil {
		return nil, err
	}
	return &eks.ListAccessEntriesOutput{AccessEntries: orEmpty(names), NextToken: next}, nil
}

// clusterWithEntries refuses a cluster whose mode has no access entries.
func (t *tx) clusterWithEntries(name *string) (*cluster, error) {
	cl, err := t.cluster(aws.ToString(name))
	if err != nil {
		return nil, err
	}
	if cl.AuthMode == string(types.AuthenticationModeConfigMap) {
		return nil, apiErrorf(codeInvalidRequest, "The cluster's authentication mode must be set to one of "+
			"[API, API_AND_CONFIG_MAP] to perform this operation.")
	}
	return cl, nil
}

func (t *tx) accessEntry(clusterName, principal *string) (*cluster, *accessEntry, error) {
	cl, err := t.clusterWithEntries(clusterName)
	if err != nil {
		return nil, nil, err
	}
	entry := cl.Entries[aws.ToString(principal)]
	if entry == nil {
		return nil, nil, apiErrorf(codeResourceNotFound, "The specified principalArn could not be found: %s.", aws.ToString(principal))
	}
	return cl, entry, nil
}

// principalID returns the unique id of a role of this account, which must
// exist. Other principals are taken as they are.
func (t *tx) principalID(principal string) (string, error) {
	_, accountID, _, _, isRole := splitRole(principal)
	a, isARN := parseARN(principal)
	switch {
	case !isARN || a.Service != "iam":
		return "", invalidParameter("The specified principalArn is invalid: invalid ARN.")
	case !isRole || accountID != t.caller.Account:
		return principal, nil
	}
	r := t.roleNow(principal)
	if r == nil {
		return "", invalidParameter("The specified principalArn is invalid: invalid principal.")
	}
	return r.UniqueID, nil
}

func (t *tx) newEntry(cl *cluster, principal, id, kind, username string) *accessEntry {
	a, _ := parseARN(principal)
	what, name, _ := strings.Cut(a.Resource, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	resource := strings.Join([]string{"access-entry", cl.Name, what, a.Account, name, requestID(t.cloud.rand)}, "/")
	return &accessEntry{
		PrincipalARN: principal, PrincipalID: id, ARN: t.eksARN(resource),
		Type: kind, Username: orString(username, principal), Tags: map[string]string{},
		CreatedAt: t.now, ModifiedAt: t.now,
	}
}

func showEntry(cl *cluster, e *accessEntry) *types.AccessEntry {
	return &types.AccessEntry{
		AccessEntryArn: aws.String(e.ARN), ClusterName: aws.String(cl.Name),
		CreatedAt: aws.Time(e.CreatedAt), ModifiedAt: aws.Time(e.ModifiedAt),
		KubernetesGroups: append([]string{}, e.Groups...),
		PrincipalArn:     aws.String(e.PrincipalARN), Tags: cloneTags(e.Tags),
		Type: aws.String(e.Type), Username: aws.String(e.Username),
	}
}
