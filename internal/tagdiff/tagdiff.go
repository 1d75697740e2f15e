// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package tagdiff

import (
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/internal/owner"
)

// awsPrefix is reserved by AWS, in any case of its letters.
const awsPrefix = "aws:"

// IsAWS reports whether a tag key or value is reserved by AWS.
func IsAWS(s string) bool {
	return len(s) >= len(awsPrefix) && strings.EqualFold(s[:len(awsPrefix)], awsPrefix)
}

// Input is what a tag diff depends on.
type Input struct {
	// Desired are the user's tags. They hold no mark and no aws: key.
	Desired map[string]string
	// Observed are all tags of the resource.
	Observed map[string]string
	// Untagged are keys that we removed for sure, although the memory may still claim
	// them: what is there under such a key now, others have set.
	Untagged []string
	// Exact removes every tag that is not desired, but for aws: keys and marks.
	// Without it only keys that we set before are removed.
	Exact bool
}

// Diff is what must change. Removals come first: a call that is lost between the
// two leaves the memory too large, which the next diff mends, never too small. Too
// large is safe but for a tag that others set in between under a key that was just
// removed: only who remembers the removal, as [Input.Untagged], can tell it from ours.
type Diff struct {
	// Remove are keys to untag, sorted.
	Remove []string
	// Set are the tags to write, the memory of claimed keys among them.
	Set map[string]string
	// User says whether a tag of the user differs; otherwise only the memory does.
	User bool
}

// Empty reports whether nothing must change.
func (d Diff) Empty() bool { return len(d.Remove) == 0 && len(d.Set) == 0 }

// Compute compares desired and observed tags.
func Compute(in Input) Diff {
	claims := ReadClaims(in.Observed).without(in.Untagged)
	d := Diff{Set: map[string]string{}}
	var claimed []string
	for key, value := range in.Desired {
		observed, there := in.Observed[key]
		same := there && observed == value
		if !same {
			d.Set[key] = value
		}
		// A key that already has the desired value is not claimed: it may be
		// somebody else's, and then it must outlive our wish.
		if !same || claims.Has(key) {
			claimed = append(claimed, key)
		}
	}
	d.Remove = removals(in, claims)
	d.User = len(d.Set) > 0 || len(d.Remove) > 0
	d.addMemory(in.Observed, WriteClaims(claimed))
	return d
}

func removals(in Input, claims Claims) []string {
	var keys []string
	for key := range in.Observed {
		if _, wanted := in.Desired[key]; wanted || IsAWS(key) || owner.IsMark(key) {
			continue
		}
		if in.Exact || claims.Has(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// addMemory brings the memory tags to what is claimed after the change. A tag that is
// needed no more goes together with the keys that it claims, or else only when another
// one holds them: it is emptied in the call that writes the other one, and removed by
// itself.
func (d *Diff) addMemory(observed, memory map[string]string) {
	for _, key := range []string{owner.TagsKey, owner.Tags2Key} {
		want, wanted := memory[key]
		have, there := observed[key]
		switch {
		case wanted && have != want:
			d.Set[key] = want
		case wanted || !there:
		case len(memory) == 0, have == NoClaims:
			d.Remove = append(d.Remove, key)
		default:
			d.Set[key] = NoClaims
		}
	}
	slices.Sort(d.Remove)
}

// New returns all tags of a resource that we create: the user's, and the memory
// that claims each of them.
func New(desired map[string]string) map[string]string {
	tags := WriteClaims(slices.Collect(maps.Keys(desired)))
	maps.Copy(tags, desired)
	return tags
}
