// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
)

func twoSpecs() *rapid.Generator[fargate.Spec] { return rapid.OneOf(plausibleSpec(), anySpec()) }

func TestDiffOfWhatWasObservedIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := twoSpecs().Draw(t, "spec")
		observed := respelled(t, s)
		for _, o := range []fargate.Observed{observing(s), observing(observed), withMarks(observing(observed))} {
			if got := fargate.Diff(s, o); got != nil {
				t.Fatalf("Diff() = %v, want nil", got)
			}
		}
	})
}

func TestDiffOfImmutableFieldsIsSymmetric(t *testing.T) {
	differ, agree := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		one, other := plausibleSpec().Draw(t, "one"), plausibleSpec().Draw(t, "other")
		// What is unset agrees with anything, and that is no symmetric statement.
		one.Subnets, other.Subnets = append(one.Subnets, subnetA), append(other.Subnets, subnetA)
		if rapid.Bool().Draw(t, "same") {
			other.Selectors, other.Subnets = one.Selectors, one.Subnets
		}
		forth := fargate.Diff(one, observing(other)).RequiresReplacement()
		back := fargate.Diff(other, observing(one)).RequiresReplacement()
		if forth != back {
			t.Fatalf("there %v, back %v", forth, back)
		}
		if forth {
			differ++
		} else {
			agree++
		}
	})
	if differ == 0 || agree == 0 {
		t.Errorf("%d pairs differ and %d agree: the test says nothing", differ, agree)
	}
}

func TestDiffIgnoresTheSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		desired, observed := twoSpecs().Draw(t, "desired"), twoSpecs().Draw(t, "observed")
		mode := rapid.SampledFrom([]fargate.TagMode{"", fargate.TagsMerge, fargate.TagsExact}).Draw(t, "mode")
		set := func(o *fargate.DiffOptions) { o.TagMode = mode }
		want := fargate.Diff(desired, observing(observed), set)
		got := fargate.Diff(respelled(t, desired), observing(respelled(t, observed)), set)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("another spelling, another difference (-want +got):\n%s", diff)
		}
		normal := fargate.Diff(desired.Normalize(), observing(observed.Normalize()), set)
		if diff := cmp.Diff(want, normal); diff != "" {
			t.Fatalf("normalized, another difference (-want +got):\n%s", diff)
		}
	})
}

func TestDiffChangesNoInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		desired, observed := twoSpecs().Draw(t, "desired"), twoSpecs().Draw(t, "observed")
		before, beforeObserved := deepCopy(desired), deepCopy(observed)
		for _, c := range fargate.Diff(desired, observing(observed), exact) {
			for _, list := range [][]string{c.Desired, c.Observed} {
				for i := range list {
					list[i] = "changed"
				}
			}
		}
		if diff := cmp.Diff(before, desired); diff != "" {
			t.Fatalf("desired changed (-before +after):\n%s", diff)
		}
		if diff := cmp.Diff(beforeObserved, observed); diff != "" {
			t.Fatalf("observed changed (-before +after):\n%s", diff)
		}
	})
}

func TestEveryChangeSaysWhatDiffers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := fargate.Diff(twoSpecs().Draw(t, "desired"), observing(twoSpecs().Draw(t, "observed")), exact)
		replace := false
		for _, c := range changes {
			if len(c.Added())+len(c.Removed()) == 0 {
				t.Fatalf("%s differs in nothing that is shown: %+v", c.Field, c)
			}
			if c.Mutable != (c.Field == fargate.FieldTags) {
				t.Fatalf("%s says mutable %v", c.Field, c.Mutable)
			}
			replace = replace || c.Field != fargate.FieldTags
		}
		if changes.RequiresReplacement() != replace {
			t.Fatalf("RequiresReplacement() = %v for %v", changes.RequiresReplacement(), changes.Fields())
		}
	})
}

// What Diff reports of tags is what the tag writes then change.
func TestDiffOfTagsIsNilAfterTheTagsWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		desired, observed := plausibleSpec().Draw(t, "desired"), plausibleSpec().Draw(t, "observed")
		isExact := rapid.Bool().Draw(t, "exact")
		mode := func(o *fargate.DiffOptions) {
			if isExact {
				o.TagMode = fargate.TagsExact
			}
		}
		d := tagdiff.Compute(tagdiff.Input{Desired: desired.Tags, Observed: observed.Tags, Exact: isExact})
		if changed := fargate.Diff(desired, observing(observed), mode).Has(fargate.FieldTags); changed != d.User {
			t.Fatalf("Diff() sees tags: %v, the tag writes: %v", changed, d.User)
		}
		tags := cloneStrings(observed.Tags)
		for _, key := range d.Remove {
			delete(tags, key)
		}
		maps.Copy(tags, d.Set)
		observed.Tags = tags
		if fargate.Diff(desired, observing(observed), mode).Has(fargate.FieldTags) {
			t.Fatalf("tags still differ after the write: %v", tags)
		}
	})
}
