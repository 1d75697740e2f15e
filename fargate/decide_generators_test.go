// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// anyOf draws one of the values; the first ones come more often.
func anyOf[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

// usually draws the first value, and one of the others once in sixteen times.
func usually[T any](t *rapid.T, label string, usual T, rare ...T) T {
	for range 4 {
		if !rapid.Bool().Draw(t, "rare "+label) {
			return usual
		}
	}
	if len(rare) == 0 {
		return usual
	}
	return anyOf(t, label, rare...)
}

func anyVersion(t *rapid.T) fargate.Spec {
	s := wish().Spec
	s.Selectors = []selector.Selector{on(anyOf(t, "namespace", "web", "elsewhere", "third"))}
	s.PodExecutionRoleARN = usually(t, "role", roleR, roleOther, "")
	s.Subnets = anyOf(t, "subnets", nil, nil, []string{subnetA}, []string{subnetB, subnetA})
	return s
}

func anyPolicy(t *rapid.T) fargate.Policy {
	return fargate.Policy{
		Replacement:           anyOf(t, "replacement", fargate.ReplacementCreateFirst, fargate.ReplacementCreateFirst, fargate.ReplacementDeleteFirst, fargate.ReplacementForbid, ""),
		Name:                  usually(t, "name", fargate.NameDerived, fargate.NamePinned, ""),
		Drain:                 anyOf(t, "drain", "", fargate.DrainNone, fargate.DrainConfirmed),
		Adoption:              anyOf(t, "adoption", "", fargate.AdoptionNever, fargate.AdoptionWhenEqual, fargate.AdoptionAlways),
		TagMode:               anyOf(t, "tagMode", "", fargate.TagsMerge, fargate.TagsExact),
		Deletion:              usually(t, "deletion", anyOf(t, "deletion", fargate.DeletionDelete, fargate.DeletionRelease), "", "bad"),
		TakeOverFrom:          anyOf(t, "takeOverFrom", nil, nil, []string{you}, []string{capaKey}, []string{capaKey, you}),
		FallBackToDeleteFirst: rapid.Bool().Draw(t, "fallBack"), AllowUnverifiedRole: rapid.Bool().Draw(t, "unverified"),
		Attempts: rapid.IntRange(-1, 3).Draw(t, "attempts"),
	}
}

func anyDesired(t *rapid.T) fargate.Desired {
	d := wish(wishing(anyPolicy(t)))
	d.Spec = anyVersion(t)
	d.Spec.Tags = anyOf(t, "tags", nil, map[string]string{"team": "x"}, map[string]string{"team": "y", capaKey: "owned"})
	d.Spec.Name = usually(t, "logical", "web", "web-999-aaaaaaaa", "eks-web", "")
	d.Owner.ID = usually(t, "owner", me, you, "")
	d.Generation = usually(t, "generation", anyOf[int64](t, "generation", 6, 5), 4, 0, -1)
	d.Drained = anyOf(t, "drained", nil, []string{oldName}, []string{oldName, newName, "web"})
	return d
}

func anyTags(t *rapid.T) map[string]string {
	tags := map[string]string{}
	draw := func(key, usual string, rare ...string) {
		if value := usually(t, key, usual, rare...); value != "" {
			tags[key] = value
		}
	}
	draw(owner.Key(me), me, "", "torn")
	draw(owner.Key(you), "", you)
	draw(owner.ProfileKey, "web", "", "api")
	draw(owner.GenerationKey, anyOf(t, "marked", "5", ""), "6", "7", "torn", "-1")
	draw(owner.PeerKey, anyOf(t, "peer", "", oldName, newName), "elsewhere")
	draw(owner.TagsKey, anyOf(t, "memory", "", claimOf("team")), "1.", "torn")
	draw(capaKey, "", "owned")
	draw("team", anyOf(t, "team", "", "x"))
	draw("aws:x", "", "y")
	return tags
}

// anyProfiles draws profiles with names of their own.
func anyProfiles(t *rapid.T, most int) []fargate.Observed {
	names := []string{"web", oldName, newName, "web-997-aaaaaaaa", "web-000-aaaaaaaa", "web-999-aaaaaaaa", "api", "web-998"}
	names = rapid.Permutation(names).Draw(t, "names")[:rapid.IntRange(0, most).Draw(t, "profiles")]
	var out []fargate.Observed
	for _, name := range names {
		o := seen(name, inStatus(fargate.Status(anyOf(t, "status", slices.Concat([]string{"ACTIVE", "ACTIVE", "ACTIVE", "CREATE_FAILED", "DELETE_FAILED"}, statuses(), []string{""})...))))
		o.Spec = anyVersion(t)
		o.Spec.Name, o.Spec.Tags = name, anyTags(t)
		o.ARN = usually(t, "arn", o.ARN, "", "arn:aws:eks:eu-west-1:111122223333:fargateprofile/demo/web/0")
		o.CreatedAt = anyOf(t, "created", noon(), time.Time{})
		if rapid.Bool().Draw(t, "sick") {
			sick(&o)
		}
		out = append(out, o)
	}
	return out
}

func anyMemory(t *rapid.T) fargate.Memory {
	m := fargate.Memory{
		Version: anyOf(t, "version", 0, 1, 1, 1, 2), Physical: oldName, ARN: anyOf(t, "remembered", "", seen("web").ARN, "nonsense"),
		Status: fargate.StatusActive, Since: anyOf(t, "since", noon(), time.Time{}), Fingerprint: anyOf(t, "fingerprint", "", "aaaaaaaa"),
		QuotaRefused: rapid.Bool().Draw(t, "quotaRefused"),
	}
	for _, trouble := range []fargate.Trouble{fargate.TroubleCreateFailed, fargate.TroubleDeleteFailed} {
		if n := rapid.IntRange(-1, 4).Draw(t, string(trouble)); n != 0 {
			m.Attempts = map[fargate.Trouble]fargate.Attempt{trouble: {Count: n, First: noon(), Last: noon()}}
		}
	}
	return m
}

// anyInput draws inputs of all kinds, most of which a caller could meet.
func anyInput() *rapid.Generator[fargate.Input] {
	return rapid.Custom(func(t *rapid.T) fargate.Input {
		profiles := anyProfiles(t, 6)
		in := fargate.Input{
			Desired: anyDesired(t), Absent: anyOf(t, "absent", false, false, false, true), ClusterMissing: usually(t, "missing", 0, 1) == 1,
			Place:  usually(t, "place", fargate.Place{}, fargate.Place{Region: "us-east-1"}, fargate.Place{Account: "444455556666"}),
			Memory: anyMemory(t), Now: anyOf(t, "now", noon(), noon().Add(time.Hour), time.Time{}),
			Limits: fargate.Limits{Profiles: rapid.IntRange(-1, 4).Draw(t, "quota"), RoleOptional: rapid.Bool().Draw(t, "optional")},
			Role:   usually(t, "roleState", nil, &fargate.Role{}, &fargate.Role{ARN: roleOther, Trust: fargate.TrustGiven}, &fargate.Role{Wait: true}, &fargate.Role{Trust: fargate.TrustMissing}),
			Pods:   anyOf(t, "pods", nil, []selector.Placed{}, []selector.Placed{placedOn(oldName, "b"), placedOn(oldName, "a"), placedOn("web", "c")}),
		}
		seenInRow := min(len(profiles), usually(t, "row", anyOf(t, "row", 2, 1, 0), 3))
		if seenInRow > 0 {
			in.Observed, in.Peers = &profiles[0], profiles[1:seenInRow]
		}
		rest := profiles[seenInRow:]
		in.Strangers = rest[:rapid.IntRange(0, len(rest)).Draw(t, "strangers")]
		if rapid.Bool().Draw(t, "looked") {
			in.Cluster = profiles
		}
		return in
	})
}
