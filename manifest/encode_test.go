// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/selector"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/eksfargate/eksfargate/manifest"
)

func samples() []manifest.Profile {
	full := manifest.FromSpec(fargate.Spec{
		ClusterName: "shop", Name: "Web_1", PodExecutionRoleARN: "arn:aws:iam::222233334444:role/pods/shop", Subnets: []string{"subnet-01234567"},
		Selectors: []selector.Selector{{Namespace: "*"}, {Namespace: "web-*", Labels: map[string]string{"app": "yes", "v": "1.10", "e": ""}}},
		Tags:      map[string]string{"team": "shop", "note": "a: b # c", "empty": ""},
	})
	byName := manifest.FromSpec(fargate.Spec{ClusterName: "shop", Name: "web-1", Selectors: []selector.Selector{{Namespace: "batch"}}})
	byName.PodExecutionRoleName = manifest.Known("shop-pods")
	open := manifest.Profile{
		ClusterName: manifest.Unresolved("${CLUSTER}"), Name: manifest.Known("open"), PodExecutionRoleARN: manifest.Unresolved("!GetAtt Role.Arn"),
		Subnets: []manifest.Value{manifest.Unresolved("$SUBNET")}, Selectors: []manifest.Selector{{Namespace: manifest.Known("open")}},
		Tags: map[string]manifest.Value{"${K}": manifest.Unresolved("v")}, Source: manifest.Source{File: "open.yaml", Line: 3, Column: 1},
	}
	exists := manifest.FromSpec(fargate.Spec{Name: "seen", Selectors: []selector.Selector{{Namespace: "seen"}}, Tags: map[string]string{"aws:a": "b", "eksfargate.io/profile": "seen", "mine": "x"}})
	exists.ARN, exists.Status = "arn:aws:eks:eu-west-1:222233334444:fargateprofile/shop/seen/id", fargate.StatusActive
	elsewhere := exists
	elsewhere.ClusterName, elsewhere.Name = manifest.Known("elsewhere"), manifest.Known("elsewhere")
	return []manifest.Profile{full, byName, open, exists, elsewhere}
}

func TestEncodeFiles(t *testing.T) {
	t.Parallel()
	for _, format := range manifest.EncodeFormats() {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			got, err := manifest.Encode(format, samples())
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			b.Write(got.Data)
			b.WriteString("\nnotes:\n")
			for _, note := range got.Notes {
				fmt.Fprintf(&b, "%s [%s]\n", note, note.Code)
			}
			golden(t, "testdata/encode/"+string(format)+".golden", b.String())
		})
	}
}

func TestEncodeUsesTheOptions(t *testing.T) {
	t.Parallel()
	options := func(o *manifest.EncodeOptions) { o.Region, o.Namespace = "us-east-2", "clusters" }
	for format, want := range map[manifest.Format]string{manifest.FormatEksctl: "region: us-east-2", manifest.FormatCAPA: "namespace: clusters"} {
		got, err := manifest.Encode(format, samples()[:1], options)
		if err != nil || !strings.Contains(string(got.Data), want) {
			t.Errorf("%s: %v, no %q in\n%s", format, err, want, got.Data)
		}
	}
}

func TestEncodeUnknownFormat(t *testing.T) {
	t.Parallel()
	_, err := manifest.Encode(manifest.FormatTerraform, nil)
	e, ok := errors.AsType[*manifest.FormatError](err)
	if !ok || e.Format != manifest.FormatTerraform || !slices.Equal(e.Formats, manifest.EncodeFormats()) {
		t.Fatalf("got %v", err)
	}
	if want := `manifest: the format "terraform" is not written; the formats are ack, awscli, capa, cloudformation, eksctl`; err.Error() != want {
		t.Errorf("got %s", err)
	}
}

func TestObjectNamesAreLegalAndUnique(t *testing.T) {
	t.Parallel()
	var profiles []manifest.Profile
	for _, name := range []string{"A_b", "a-b", "a.b", "___", "", strings.Repeat("x", 300), "日本"} {
		profiles = append(profiles, manifest.FromSpec(fargate.Spec{ClusterName: "c", Name: name}))
	}
	got, err := manifest.Encode(manifest.FormatACK, profiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"name: a-b\n", "name: a-b-2\n", "name: a-b-3\n", "name: profile\n", "name: profile-2\n", "name: profile-3\n", "name: " + strings.Repeat("x", 200) + "\n"} {
		if strings.Count(string(got.Data), "metadata:\n  "+want) != 1 {
			t.Errorf("no %q in\n%s", want, got.Data)
		}
	}
}

// carried are the formats that hold everything of a profile but its state.
func carried() []manifest.Format {
	return []manifest.Format{manifest.FormatEksctl, manifest.FormatACK, manifest.FormatCloudFormation, manifest.FormatAWSCLI}
}

// TestRoundTripThroughEveryPairOfFormats: decode(encode(x)) is x, whatever text
// the values hold.
func TestRoundTripThroughEveryPairOfFormats(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := profiles().Draw(t, "profiles")
		got := want
		for range 2 {
			got = again(t, rapid.SampledFrom(carried()).Draw(t, "format"), got)
		}
		compare(t, want, got)
	})
}

// TestRoundTripThroughCAPA carries all but the role's ARN.
func TestRoundTripThroughCAPA(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := profiles().Draw(t, "profiles")
		for i := range want {
			want[i].PodExecutionRoleARN, want[i].PodExecutionRoleName = manifest.Value{}, manifest.Known(text().Draw(t, "role"))
		}
		compare(t, want, again(t, manifest.FormatCAPA, want))
	})
}

func again(t *rapid.T, format manifest.Format, profiles []manifest.Profile) []manifest.Profile {
	encoded, err := manifest.Encode(format, profiles)
	if err != nil {
		t.Fatal(err)
	}
	r := manifest.Parse("in", encoded.Data)
	for _, p := range r.Problems {
		if slices.Contains([]manifest.Code{manifest.CodeSyntax, manifest.CodeNeedsQuotes, manifest.CodeUnknownField, manifest.CodeType, manifest.CodeUnresolved}, p.Code) {
			t.Fatalf("%s does not read what it wrote: %v\n%s", format, p, encoded.Data)
		}
	}
	return r.Profiles
}

func compare(t *rapid.T, want, got []manifest.Profile) {
	ignore := cmpopts.IgnoreFields(manifest.Profile{}, "Source")
	order := cmpopts.SortSlices(func(a, b manifest.Profile) bool { return a.Name.Text < b.Name.Text })
	if diff := cmp.Diff(want, got, ignore, order, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

// text is anything that is not taken for a variable or a template.
func text() *rapid.Generator[string] {
	words := []string{"yes", "NO", "~", "null", "010", "1.10", "0x1F", "12:30:45", "2024-01-31", "", " a ", "- a", "a: b", "# c", "&a", "*", "!Ref x", "<<", "=", "%", "@", "`", "'", "\"", "\\", "[", "{", "|", ">", "?", "a:", "\u2028", "\u0085", "\ufeff", "😀", "a\nb", "\ta", "a\n", "<a>"}
	return rapid.OneOf(
		rapid.SampledFrom(words),
		rapid.StringOfN(rapid.RuneFrom([]rune("abzAZ019 -_./:*?#'\"\\[],é\u00a0\n\t")), 0, 20, -1),
		rapid.StringMatching(`[a-z][a-z0-9-]{0,20}`),
	)
}

func profiles() *rapid.Generator[[]manifest.Profile] {
	values := rapid.MapOfN(text(), rapid.Map(text(), manifest.Known), 0, 4)
	one := rapid.Custom(func(t *rapid.T) manifest.Profile {
		return manifest.Profile{
			ClusterName:         manifest.Known(rapid.SampledFrom([]string{"one", "two", "yes"}).Draw(t, "cluster")),
			PodExecutionRoleARN: manifest.Known(text().Draw(t, "role")),
			Subnets:             rapid.SliceOfN(rapid.Map(text(), manifest.Known), 0, 3).Draw(t, "subnets"),
			Tags:                values.Draw(t, "tags"),
			Selectors: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) manifest.Selector {
				return manifest.Selector{Namespace: manifest.Known(text().Draw(t, "namespace")), Labels: values.Draw(t, "labels")}
			}), 1, 4).Draw(t, "selectors"),
		}
	})
	return rapid.Custom(func(t *rapid.T) []manifest.Profile {
		list := rapid.SliceOfN(one, 1, 4).Draw(t, "list")
		for i := range list {
			list[i].Name = manifest.Known(fmt.Sprintf("%d%s", i, rapid.StringMatching(`[A-Za-z_-]{1,10}`).Draw(t, "name")))
		}
		return list
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		want := profiles().Draw(t, "profiles")
		compare(t, want, again(t, rapid.SampledFrom(carried()).Draw(t, "format"), want))
	}))
}

func ExampleEncode() {
	r := manifest.Parse("input.json", []byte(`{
		"clusterName": "shop", "fargateProfileName": "web",
		"podExecutionRoleArn": "arn:aws:iam::111122223333:role/pods",
		"selectors": [{"namespace": "web", "labels": {"public": "yes"}}]
	}`))
	encoded, err := manifest.Encode(manifest.FormatACK, r.Profiles)
	fmt.Print(string(encoded.Data), err)
	// Output:
	// apiVersion: eks.services.k8s.aws/v1alpha1
	// kind: FargateProfile
	// metadata:
	//   name: web
	// spec:
	//   name: web
	//   clusterName: shop
	//   podExecutionRoleARN: arn:aws:iam::111122223333:role/pods
	//   selectors:
	//     - namespace: web
	//       labels:
	//         public: "yes"
	// <nil>
}

func ExampleFromSpec() {
	p := manifest.FromSpec(fargate.Spec{ClusterName: "shop", Name: "web", Selectors: []selector.Selector{{Namespace: "web"}}})
	encoded, err := manifest.Encode(manifest.FormatAWSCLI, []manifest.Profile{p})
	fmt.Print(string(encoded.Data), err)
	// Output:
	// {
	//     "fargateProfileName": "web",
	//     "clusterName": "shop",
	//     "selectors": [
	//         {
	//             "namespace": "web"
	//         }
	//     ]
	// }
	// <nil>
}

func ExampleEncodeFormats() {
	fmt.Println(manifest.EncodeFormats())
	// Output: [ack awscli capa cloudformation eksctl]
}
