// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/iam"
)

// TestDecideRole_Matrix pins the decision for the whole product of mode,
// ownership, fitness, users and mark. Each line of the golden file is one cell.
func TestDecideRole_Matrix(t *testing.T) {
	modes := []iam.Mode{iam.ModeBringYourOwn, iam.ModeVerify, iam.ModeEnsure, iam.ModeDelete}
	owners := []string{"absent", "unowned", "foreign", "contested", "owned"}
	fitness := []string{"good", "no policy", "wrong trust"}
	users := []string{"users unknown", "in use", "unused"}
	marks := []string{"", "young mark", "old mark"}
	var b strings.Builder
	cells := 0
	for _, mode := range modes {
		for _, own := range owners {
			for _, fit := range fitness {
				for _, use := range users {
					for _, mark := range marks {
						d := iam.DecideRole(matrixInput(mode, own, fit, use, mark))
						fmt.Fprintf(&b, "%-12s | %-9s | %-11s | %-13s | %-10s -> %s\n", mode, own, fit, use, mark, matrixLine(d))
						cells++
					}
				}
			}
		}
	}
	if want := 4 * 5 * 3 * 3 * 3; cells != want {
		t.Errorf("%d cells, want %d", cells, want)
	}
	golden(t, "decisions.txt", b.String())
}

func matrixInput(mode iam.Mode, own, fit, use, mark string) iam.RoleInput {
	in := iam.RoleInput{Desired: desired(), Now: now}
	in.Desired.Mode, in.Desired.ARN = mode, roleARN
	changes := map[string]func(*iam.ObservedRole){
		"unowned": unowned, "foreign": foreign, "contested": contested,
		"no policy": bare, "wrong trust": trusting(`{}`),
		"young mark": marked(time.Second), "old mark": marked(time.Hour),
	}
	if own != "absent" {
		in.Observed = observed()
		for _, name := range []string{own, fit, mark} {
			if change := changes[name]; change != nil {
				change(in.Observed)
			}
		}
	}
	in.Users.Known = use != "users unknown"
	if use == "in use" {
		in.Users.Profiles = []string{"fp-b"}
	}
	return in
}

func matrixLine(d iam.RoleDecision) string {
	line := fmt.Sprintf("%s %s", d.Action, d.Reason)
	if d.Call != nil {
		line += " " + string(d.Call.Operation)
	}
	return line
}
