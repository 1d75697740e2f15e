// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package output

import (
	"strings"
	"unicode/utf8"
)

// Rows is a table: cells in lines, the first of which is the heading.
type Rows [][]string

// String is the table as text, with aligned columns, two blanks between them and none
// at the end of a line.
func (r Rows) String() string {
	widths := r.widths()
	var b strings.Builder
	for _, row := range r {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func (r Rows) widths() []int {
	var widths []int
	for _, row := range r {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}
