// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

// decisionTable is an expectation table and how its cells are built.
type decisionTable struct {
	path  string
	axes  []axis
	input func(cellOf) fargate.Input
	// redundant reports cells that are left out, since an axis means nothing there.
	redundant func(cellOf) bool
	count     int // of the cells that remain
}

func (d decisionTable) cells() []cellOf {
	var cells []cellOf
	for _, c := range product(d.axes) {
		if d.redundant == nil || !d.redundant(c) {
			cells = append(cells, c)
		}
	}
	return cells
}

func statuses() []string {
	return []string{"CREATING", "ACTIVE", "DELETING", "CREATE_FAILED", "DELETE_FAILED", string(statusUnknown)}
}

func decisionTables() []decisionTable {
	return []decisionTable{
		{
			path: "testdata/decide/one.txt",
			axes: []axis{
				{"desired", []string{"present", "absent"}},
				{"status", append(statuses(), "none")},
				{"ownership", []string{"owned", "unowned", "foreign", "contested"}},
				{"drift", []string{"none", "tags", "immutable"}},
				{"replacement", []string{"forbid", "deleteFirst", "createFirst"}},
				{"adoption", []string{"never", "whenEqual", "always"}},
				{"deletion", []string{"delete", "release"}},
			},
			input: oneProfile,
			// Nobody owns what is not there, and it does not differ.
			redundant: func(c cellOf) bool {
				return c["status"] == "none" && (c["ownership"] != "owned" || c["drift"] != "none")
			},
			count: 2 * (6*4*3 + 1) * 3 * 3 * 2,
		},
		{
			path: "testdata/decide/two.txt",
			axes: []axis{
				{"predecessor", statuses()},
				{"successor", statuses()},
				{"equal", []string{"none", "old", "new", "both"}},
				{"replacement", []string{"forbid", "deleteFirst", "createFirst"}},
				{"drain", []string{"none", "closed", "open"}},
			},
			input: twoProfiles,
			count: 6 * 6 * 4 * 3 * 3,
		},
		{
			path: "testdata/decide/two_absent.txt",
			axes: []axis{
				{"predecessor", statuses()},
				{"successor", statuses()},
				{"deletion", []string{"delete", "release"}},
			},
			input: twoUndesired,
			count: 6 * 6 * 2,
		},
	}
}

// oneProfile has at most one profile at EKS, under the logical name.
func oneProfile(c cellOf) fargate.Input {
	policy := fargate.Policy{
		Replacement: fargate.Replacement(c["replacement"]), Adoption: fargate.Adoption(c["adoption"]), Deletion: fargate.Deletion(c["deletion"]),
	}
	if policy.Replacement == fargate.ReplacementCreateFirst {
		policy.Name = fargate.NameDerived
	}
	in := about(wish(wishing(policy)))
	in.Absent = c["desired"] == "absent"
	if c["drift"] == "tags" {
		in.Desired.Spec.Tags = map[string]string{"team": "x"}
	}
	if c["status"] == "none" {
		return in
	}
	whose := map[string]func(*fargate.Observed){"owned": asIs, "unowned": ownerless, "foreign": foreign, "contested": contested}[c["ownership"]]
	o := seen("web", inStatus(fargate.Status(c["status"])), whose)
	if c["drift"] == "immutable" {
		other(&o)
	}
	in.Observed = &o
	return in
}

// twoProfiles are in the middle of a replacement.
func twoProfiles(c cellOf) fargate.Input {
	profiles := pair(inStatus(fargate.Status(c["predecessor"])), inStatus(fargate.Status(c["successor"])))
	if c["equal"] != "old" && c["equal"] != "both" {
		other(&profiles[0])
	}
	if c["equal"] != "new" && c["equal"] != "both" {
		other(&profiles[1])
	}
	policy := fargate.Policy{Replacement: fargate.Replacement(c["replacement"]), Name: fargate.NameDerived}
	in := about(wish(wishing(policy)), profiles...)
	if c["drain"] != "none" {
		in.Desired.Policy.Drain = fargate.DrainConfirmed
	}
	if c["drain"] == "open" {
		in.Desired.Drained = []string{oldName, newName}
	}
	return in
}

func twoUndesired(c cellOf) fargate.Input {
	profiles := pair(inStatus(fargate.Status(c["predecessor"])), inStatus(fargate.Status(c["successor"])))
	policy := createFirst()
	policy.Deletion = fargate.Deletion(c["deletion"])
	return undesired(wish(wishing(policy)), profiles...)
}

func TestDecideAgreesWithTheTables(t *testing.T) {
	for _, table := range decisionTables() {
		t.Run(table.path, func(t *testing.T) {
			want := expected(t, table)
			failures := 0
			for _, c := range table.cells() {
				text := c.text(table.axes)
				if got := verdict(fargate.Decide(table.input(c))); got != want[text] {
					failures++
					if failures <= 20 {
						t.Errorf("%s\n got %s\nwant %s", text, got, want[text])
					}
				}
			}
			if failures > 20 {
				t.Errorf("%d cells differ in all", failures)
			}
		})
	}
}

// The tables say something of every cell of the product, and of nothing twice.
func TestTheTablesCoverTheWholeProduct(t *testing.T) {
	for _, table := range decisionTables() {
		if got := len(expected(t, table)); got != table.count {
			t.Errorf("%s covers %d cells, the product has %d", table.path, got, table.count)
		}
	}
}
