// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package output

import (
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Style colours text, if it is for a terminal and nobody objects. The zero value
// leaves text as it is.
type Style struct{ on bool }

// StyleFor is the style of a stream: colours if it is a terminal, unless NO_COLOR is
// set to anything or TERM is dumb. See https://no-color.org.
func StyleFor(w io.Writer) Style {
	return Style{on: Terminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// Terminal reports whether a stream is a terminal.
func Terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is the number of columns of a terminal; 80 for what is none.
func Width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// The colours of what is good, bad, to be noticed, and beside the point.
func (s Style) good(text string) string   { return s.paint("32", text) }
func (s Style) notice(text string) string { return s.paint("33", text) }
func (s Style) faint(text string) string  { return s.paint("2", text) }

// Bad colours what is wrong.
func (s Style) Bad(text string) string { return s.paint("31", text) }

// Bold makes text stand out.
func (s Style) Bold(text string) string { return s.paint("1", text) }

func (s Style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Diff colours each line of a text by its first sign: + added, - removed or
// deleted, ~ changed, x blocked, ! a warning.
func (s Style) Diff(text string) string {
	if !s.on {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		b.WriteString(s.sign(body) + line[len(body):])
	}
	return b.String()
}

func (s Style) sign(line string) string {
	sign, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch sign {
	case "+":
		return s.good(line)
	case "-", "x":
		return s.Bad(line)
	case "~", "!":
		return s.notice(line)
	}
	return line
}

// Severity colours text by how grave it is: error, warning, unresolved, or less.
func (s Style) Severity(severity, text string) string {
	switch severity {
	case "error":
		return s.Bad(text)
	case "warning", "unresolved":
		return s.notice(text)
	case "ok":
		return s.good(text)
	}
	return s.faint(text)
}
