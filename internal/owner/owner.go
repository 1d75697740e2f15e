// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package owner

import (
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"slices"
	"strings"
)

// The tag keys of the marks.
const (
	Prefix        = "eksfargate.io/"
	KeyPrefix     = Prefix + "owner."
	ProfileKey    = Prefix + "profile"
	GenerationKey = Prefix + "generation"
	PeerKey       = Prefix + "peer"
	TagsKey       = Prefix + "tags"
	Tags2Key      = Prefix + "tags2"
)

// MaxMarks is the largest number of tags that the marks of one resource take of
// the 50 that AWS allows.
const MaxMarks = 6

// The marks by which other tools claim a resource; <cluster> follows. The value
// is "owned".
const (
	capaPrefix       = "sigs.k8s.io/cluster-api-provider-aws/cluster/"
	kubernetesPrefix = "kubernetes.io/cluster/"
	legacyValue      = "owned"
)

// hashChars characters of base32 are 50 bits: two owners of one account collide
// about once in 10^15.
const hashChars = 10

// State says how a resource is owned, seen from one owner.
type State string

// The states of ownership.
const (
	// Owned: exactly our mark is there.
	Owned State = "owned"
	// Unowned: no mark is there.
	Unowned State = "unowned"
	// Foreign: somebody else's mark is there and ours is not.
	Foreign State = "foreign"
	// Contested: our mark is there and somebody else's, too.
	Contested State = "contested"
)

// Key returns the tag key of the mark of an owner id.
func Key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return KeyPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:hashChars])
}

// Keys are the tag keys of all marks that the owner id can set: no more than
// [MaxMarks].
func Keys(id string) []string {
	return []string{Key(id), ProfileKey, GenerationKey, PeerKey, TagsKey, Tags2Key}
}

// IsMark reports whether a tag key lies under our prefix and so is never the
// user's. Case does not matter, so that no key can be mistaken for a mark.
func IsMark(key string) bool {
	return len(key) >= len(Prefix) && strings.EqualFold(key[:len(Prefix)], Prefix)
}

// Of returns the state of the tags seen from the owner id, and the other owners
// that claim the resource, sorted. A mark whose value does not fit its key
// counts as somebody else's: only an exact mark is ours.
//
// Marks of other tools ("owned" under sigs.k8s.io/cluster-api-provider-aws/cluster/
// or kubernetes.io/cluster/) make a resource foreign as long as no owner mark of
// ours is there; the other owner is then named by the tag key.
func Of(tags map[string]string, id string) (State, []string) {
	ours, others := marks(tags, id)
	switch {
	case ours && len(others) == 0:
		return Owned, nil
	case ours:
		return Contested, others
	case len(others) == 0:
		others = Legacy(tags)
	}
	if len(others) == 0 {
		return Unowned, nil
	}
	return Foreign, others
}

// marks splits the owner marks into ours and the names of the others.
func marks(tags map[string]string, id string) (ours bool, others []string) {
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		switch {
		case !strings.HasPrefix(key, KeyPrefix):
		case tags[key] == id && key == Key(id) && id != "":
			ours = true
		default:
			others = append(others, name(key, tags[key]))
		}
	}
	slices.Sort(others)
	return ours, others
}

// name is what a mark says of its owner, or its key where the value lies.
func name(key, value string) string {
	if value != "" && key == Key(value) {
		return value
	}
	return key
}

// Legacy returns the keys by which other tools claim the resource, sorted.
func Legacy(tags map[string]string) []string {
	var keys []string
	for key, value := range tags {
		if value == legacyValue && (strings.HasPrefix(key, capaPrefix) || strings.HasPrefix(key, kubernetesPrefix)) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// MarkKey returns the tag key behind an owner as [Of] names it: the key of an
// owner id's mark, or the key itself where the owner is named by one.
func MarkKey(tags map[string]string, named string) (string, bool) {
	for _, key := range []string{Key(named), named} {
		if _, ok := tags[key]; ok {
			return key, true
		}
	}
	return "", false
}
