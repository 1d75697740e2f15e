// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package progress

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/eksfargate/eksfargate/fargate"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/output"
)

// draw draws the table in the place of the one before.
func (d *Display) draw() {
	var b strings.Builder
	if d.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", d.drawn)
	}
	rows := output.Rows{{"PROFILE", "STATE", "ELAPSED", "USUALLY", ""}}
	for _, r := range d.rows {
		rows = append(rows, d.cells(r))
	}
	lines := strings.Split(strings.TrimSuffix(rows.String(), "\n"), "\n")
	for i, line := range lines {
		b.WriteString("\r\x1b[K" + d.paint(i, clip(line, output.Width(d.w))) + "\n")
	}
	d.drawn = len(lines)
	_, _ = fmt.Fprint(d.w, b.String()) // a reader that went away must not stop the run
}

func (d *Display) cells(r *row) []string {
	if r.at.IsZero() {
		return []string{r.profile, "queued", "", "", ""}
	}
	o := r.last.Outcome
	if r.last.Err != nil {
		return []string{r.profile, "retry", seconds(r.last.Elapsed), "", oneLine(r.last.Err.Error())}
	}
	switch {
	case o.Settled, o.Gone:
		return []string{r.profile, string(o.Reason), seconds(r.last.Elapsed), "", ""}
	case o.Action == fargate.ActionBlocked:
		return []string{r.profile, "blocked", seconds(r.last.Elapsed), "", oneLine(o.Message)}
	}
	usual := ""
	if half, _ := expected(o.Status); half > 0 {
		usual = seconds(half)
	}
	return []string{r.profile, state(o), seconds(r.last.Elapsed + d.now().Sub(r.at)), usual, oneLine(o.Message)}
}

// paint colours a line of the table by what its profile is doing.
func (d *Display) paint(i int, line string) string {
	if i == 0 {
		return d.style.Bold(line)
	}
	o := d.rows[i-1].last.Outcome
	switch {
	case d.rows[i-1].last.Err != nil, o.Action == fargate.ActionBlocked:
		return d.style.Severity("error", line)
	case o.Settled, o.Gone:
		return d.style.Severity("ok", line)
	}
	return line
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// clip cuts a line that would not fit, since a table with broken lines can't be drawn
// anew.
func clip(line string, width int) string {
	if utf8.RuneCountInString(line) < width || width < 5 {
		return line
	}
	return string([]rune(line)[:width-4]) + "..."
}
