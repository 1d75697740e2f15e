// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package crdcheck_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/manifest"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"pgregory.net/rapid"
)

// objects reads a stream as kubectl does.
func objects(t rapid.TB, stream []byte) []map[string]any {
	t.Helper()
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(stream), 4096)
	var all []map[string]any
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("kubectl does not read what was written: %v\n%s", err, stream)
		}
		all = append(all, object)
	}
}

// nameless is what a server says of an object for a profile whose cluster nobody knows.
const nameless = "spec.clusterName: Required value"

// checkWritten writes profiles for the provider and has each object judged. Nothing may
// be refused but what a note announced: that no cluster is named.
func checkWritten(ctx context.Context, t rapid.TB, d *definition, profiles []manifest.Profile) {
	t.Helper()
	written, err := manifest.Encode(manifest.FormatCAPA, profiles)
	if err != nil {
		t.Fatalf("writing: %v", err)
	}
	all := objects(t, written.Data)
	if len(all) != len(profiles) {
		t.Fatalf("%d objects of %d profiles:\n%s", len(all), len(profiles), written.Data)
	}
	names := map[any]bool{}
	for i, object := range all {
		refused := d.refuses(ctx, object)
		if profiles[i].ClusterName.IsUnset() && slices.Equal(refused, []string{nameless}) && announced(written.Notes) {
			refused = nil
		}
		if len(refused) > 0 {
			t.Fatalf("object %d is refused: %s\n%s", i, strings.Join(refused, "\n"), written.Data)
		}
		names[object["metadata"].(map[string]any)["name"]] = true
	}
	if len(names) != len(all) {
		t.Fatalf("%d names of %d objects: one would overwrite another\n%s", len(names), len(all), written.Data)
	}
}

func announced(notes []manifest.Problem) bool {
	return slices.ContainsFunc(notes, func(p manifest.Problem) bool {
		return p.Code == manifest.CodeNotCarried && p.Field == "clusterName" && strings.Contains(p.Message, "the format needs one")
	})
}

// TestEveryManifestOfTheTestDataIsAccepted converts what package manifest is tested
// with, as far as convert takes it.
func TestEveryManifestOfTheTestDataIsAccepted(t *testing.T) {
	d := published(t)
	converted := 0
	folder := filepath.Join("..", "..", "manifest", "testdata")
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".golden") || strings.Contains(path, "fuzz") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r := manifest.Parse(path, text)
		if outcome := r.Outcome(); outcome == manifest.OutcomeReject || outcome == manifest.OutcomeNone {
			return nil
		}
		converted++
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			checkWritten(t.Context(), t, d, r.Profiles)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if converted < 20 {
		t.Errorf("only %d manifests were converted", converted)
	}
}

// TestWhateverTextTheValuesHoldIsAccepted writes words that a careless writer would leave
// bare, and everything that no one would put into a profile.
func TestWhateverTextTheValuesHoldIsAccepted(t *testing.T) {
	d := published(t)
	rapid.Check(t, func(t *rapid.T) {
		checkWritten(t.Context(), t, d, rapid.SliceOfN(rapid.Custom(profile), 1, 4).Draw(t, "profiles"))
	})
}

func profile(t *rapid.T) manifest.Profile {
	values := rapid.MapOfN(text(), value(), 0, 4)
	selectors := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) manifest.Selector {
		return manifest.Selector{Namespace: value().Draw(t, "namespace"), Labels: values.Draw(t, "labels")}
	}), 0, 3)
	return manifest.Profile{
		ClusterName:          rapid.SampledFrom([]manifest.Value{{}, manifest.Known("shop"), manifest.Known("no"), manifest.Unresolved("${CLUSTER}")}).Draw(t, "cluster"),
		Name:                 value().Draw(t, "name"),
		PodExecutionRoleARN:  rapid.OneOf(value(), rapid.Just(manifest.Known("arn:aws:iam::111122223333:role/team/010"))).Draw(t, "role"),
		PodExecutionRoleName: value().Draw(t, "role name"),
		Subnets:              rapid.SliceOfN(value(), 0, 2).Draw(t, "subnets"),
		Selectors:            selectors.Draw(t, "selectors"),
		Tags:                 values.Draw(t, "tags"),
	}
}

func value() *rapid.Generator[manifest.Value] {
	return rapid.OneOf(rapid.Just(manifest.Value{}), rapid.Map(text(), manifest.Known), rapid.Map(text(), manifest.Unresolved))
}

func text() *rapid.Generator[string] {
	words := []string{
		"yes", "NO", "on", "y", "~", "null", "true", "010", "0x1F", "0o7", "1_000", "1.10", ".5", ".inf", "1e3", "12:30:45", "2024-01-31", "",
		" a ", "- a", "a: b", "# c", "&a", "*", "!Ref x", "<<", "=", "%", "@", "`", "'", "\"", "\\", "[", "{", "|", ">", "?", "a:", "---", "a\n---\nb",
		"\u2028", "\u0085", "\ufeff", "😀", "a\nb", "\ta", "a\n", "${K}",
	}
	return rapid.OneOf(rapid.SampledFrom(words), rapid.String(), rapid.StringMatching(`[A-Za-z0-9._-]{1,300}`))
}
