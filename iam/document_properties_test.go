// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/iam"
)

func TestDocument_RoundTripLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := documents().Draw(t, "document")
		for _, text := range []string{d.String(), d.Indent(), url.PathEscape(d.Indent())} {
			got, err := iam.ParseDocument(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if got.String() != d.String() {
				t.Fatalf("(-want +got):\n%s", cmp.Diff(d.String(), got.String()))
			}
		}
	})
}

func TestEquivalent_DoesNotDependOnOrderNorRepetition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := documents().Draw(t, "document")
		shuffled, err := iam.ParseDocument(d.String())
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for i := range shuffled.Statements {
			s := &shuffled.Statements[i]
			s.Sid = "renamed"
			s.Action = shuffle(random, s.Action)
			s.NotAction = shuffle(random, s.NotAction)
			for _, lists := range s.Condition {
				for key := range lists {
					lists[key] = shuffle(random, lists[key])
				}
			}
		}
		shuffled.Statements = shuffle(random, shuffled.Statements)
		if !iam.Equivalent(d, shuffled) {
			t.Fatalf("not equivalent:\n%s\n%s", d.Indent(), shuffled.Indent())
		}
	})
}

// shuffle gives the list in another order and with its first item twice.
func shuffle[T any](random *rand.Rand, list []T) []T {
	if len(list) == 0 {
		return list
	}
	list = append(slices.Clone(list), list[0])
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func TestEquivalent_DocumentsAreEvaluatedAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := documents().Draw(t, "a"), documents().Draw(t, "b")
		r := requests().Draw(t, "request")
		if !iam.Equivalent(a, b) {
			// Documents drawn apart are seldom equivalent: make a spelling of a.
			b = respell(a)
		}
		if !iam.Equivalent(a, b) {
			t.Fatalf("not equivalent:\n%s\n%s", a.Indent(), b.Indent())
		}
		if va, vb := iam.Evaluate(a, r), iam.Evaluate(b, r); va.Result != vb.Result {
			t.Fatalf("%s for\n%s\n%s for\n%s", va.Result, a.Indent(), vb.Result, b.Indent())
		}
	})
}

// respell writes a document otherwise, with the same meaning.
func respell(d iam.Document) iam.Document {
	text := strings.NewReplacer(
		`"ArnEquals"`, `"ArnLike"`, `"ArnNotEquals"`, `"ArnNotLike"`, `"sts:AssumeRole"`, `"STS:assumeROLE"`,
		`"Principal":"*"`, `"Principal":{"AWS":"*"}`, `"arn:aws:iam::111122223333:root"`, `"111122223333"`,
	).Replace(d.String())
	respelled, err := iam.ParseDocument(text)
	if err != nil {
		// The document had both spellings of one operator.
		return d
	}
	slices.Reverse(respelled.Statements)
	return respelled
}

func FuzzParseDocument(f *testing.F) {
	f.Add(`{"Version":"2012-10-17","Statement":[{"Sid":"x","Effect":"Allow","Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole","Condition":{"ArnLike":{"aws:SourceArn":["a","b"]},"Bool":{"k":true}}}]}`)
	f.Add(`%7B%22Statement%22%3A%7B%22Principal%22%3A%22*%22%2C%22X%22%3A%5B1e999%5D%7D%7D`)
	f.Add(`{"a":{"a":1,"a":2}}`)
	f.Add(`{"Statement":{"Condition":{"":{"":[]}},"Principal":{}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := iam.ParseDocument(text)
		if err != nil {
			return
		}
		written := d.String()
		again, err := iam.ParseDocument(written)
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, written)
		}
		if again.String() != written {
			t.Fatalf("reading and writing again changes\n%s\nto\n%s", written, again.String())
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Fatalf("reading again changes the document (-first +second):\n%s", diff)
		}
		if !iam.Equivalent(d, again) {
			t.Fatalf("not equivalent to itself: %s", written)
		}
	})
}
