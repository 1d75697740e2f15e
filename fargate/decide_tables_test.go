// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// The expectation tables under testdata/decide are for people. A line stands for
// all cells of the product of its columns: a value, several as a|b, all but some
// as !a|b, or * for all; the expected decision follows after an arrow. A line that
// starts with # is a comment. Every cell must be covered by exactly one line.

// axis is one column of a table.
type axis struct {
	name   string
	values []string
}

// expectation is one line of a table.
type expectation struct {
	line  int
	match []string
	want  string
}

// cellOf is one point of the product, by the names of the axes.
type cellOf map[string]string

func readExpectations(t *testing.T, path string, axes []axis) []expectation {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []expectation
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		left, want, ok := strings.Cut(line, "->")
		e := expectation{line: i + 1, match: strings.Fields(left), want: strings.Join(strings.Fields(want), " ")}
		if !ok || len(e.match) != len(axes) {
			t.Fatalf("%s:%d: want %d columns, an arrow and a decision: %s", path, i+1, len(axes), line)
		}
		for j, pattern := range e.match {
			checkPattern(t, fmt.Sprintf("%s:%d", path, i+1), pattern, axes[j])
		}
		lines = append(lines, e)
	}
	return lines
}

// checkPattern finds words that match nothing: a line with a typing error would
// else say less than it seems to.
func checkPattern(t *testing.T, place, pattern string, a axis) {
	t.Helper()
	if pattern == "*" {
		return
	}
	for word := range strings.SplitSeq(strings.TrimPrefix(pattern, "!"), "|") {
		if !slices.Contains(a.values, word) {
			t.Fatalf("%s: column %s has no value %q", place, a.name, word)
		}
	}
}

func matchesPattern(pattern, value string) bool {
	if pattern == "*" {
		return true
	}
	words, negated := strings.CutPrefix(pattern, "!")
	return slices.Contains(strings.Split(words, "|"), value) != negated
}

func (e expectation) covers(axes []axis, c cellOf) bool {
	for i, a := range axes {
		if !matchesPattern(e.match[i], c[a.name]) {
			return false
		}
	}
	return true
}

// product is every cell of the axes.
func product(axes []axis) []cellOf {
	cells := []cellOf{{}}
	for _, a := range axes {
		var next []cellOf
		for _, c := range cells {
			for _, v := range a.values {
				grown := cellOf{a.name: v}
				maps.Copy(grown, c)
				next = append(next, grown)
			}
		}
		cells = next
	}
	return cells
}

func (c cellOf) text(axes []axis) string {
	words := make([]string, 0, len(axes))
	for _, a := range axes {
		words = append(words, a.name+"="+c[a.name])
	}
	return strings.Join(words, " ")
}

// expected is what the table says of each cell. A cell without a line, a cell with
// two, and a line without a cell are faults of the table.
func expected(t *testing.T, table decisionTable) map[string]string {
	t.Helper()
	lines := readExpectations(t, table.path, table.axes)
	used := make([]int, len(lines))
	want := map[string]string{}
	for _, c := range table.cells() {
		text := c.text(table.axes)
		for i, e := range lines {
			if !e.covers(table.axes, c) {
				continue
			}
			used[i]++
			if first, twice := want[text]; twice {
				t.Errorf("%s:%d: a line before covers the cell too and says %s: %s", table.path, e.line, first, text)
			}
			want[text] = e.want
		}
		if _, ok := want[text]; !ok {
			t.Errorf("%s: no line covers the cell %s", table.path, text)
		}
	}
	for i, e := range lines {
		if used[i] == 0 {
			t.Errorf("%s:%d: the line covers no cell", table.path, e.line)
		}
	}
	return want
}
