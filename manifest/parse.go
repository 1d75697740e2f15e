// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Parse reads the profiles of one manifest. The name is that of the file, for
// messages; the format is recognised by content. Parse keeps no reference to
// data, never fails half-way and never panics: everything that is wrong is a
// [Problem] of the result. It is safe for concurrent use.
func Parse(name string, data []byte, optFns ...func(*Options)) Result {
	r, o := newReader(name), newOptions(optFns)
	r.cluster = o.Cluster
	docs := r.readDocuments(data, o)
	r.documents(docs, len(r.problems) > 0)
	result := empty()
	result.Profiles = append(result.Profiles, r.profiles...)
	result.Problems = append(append(result.Problems, r.problems...), duplicateProfiles(r.profiles)...)
	sortProblems(result.Problems)
	result.Problems = slices.Compact(result.Problems)
	return result
}

// readDocuments turns text into nodes, and reports what is wrong with the text.
func (r *reader) readDocuments(data []byte, o Options) []*node {
	docs, f := documents(data, o)
	if f != nil {
		r.fail(place{"", &node{line: f.line, column: f.column}}, f.code, f.message, f.help)
	}
	return docs
}

func documents(data []byte, o Options) ([]*node, *fault) {
	data = plain(data)
	lines := newPlacer(data)
	if f := checkText(data, lines, o); f != nil {
		return nil, f
	}
	docs, f := readAny(data, o)
	if f != nil {
		f = explain(f, data)
	}
	if f != nil && f.code == CodeSyntax || onlyText(docs) {
		f = cmp.Or(terraformSource(data, lines), f)
	}
	return docs, f
}

// plain drops what changes nothing and what a parser stumbles over: byte order marks,
// which files bring along that were put into one, and the version of YAML, which makes
// no difference to what is read here.
func plain(data []byte) []byte {
	const mark = "\uFEFF"
	data = bytes.TrimPrefix(data, []byte(mark))
	data = bytes.ReplaceAll(data, []byte("\n"+mark), []byte("\n"))
	return regexp.MustCompile(`(?m)^%YAML 1\.[0-9]`).ReplaceAll(data, []byte("%YAML 1.1"))
}

// readAny reads JSON, or YAML, of which some begins like JSON.
func readAny(data []byte, o Options) ([]*node, *fault) {
	if !looksLikeJSON(data) {
		return readYAML(data, o)
	}
	docs, f := readJSON(data, o)
	if f == nil || f.code != CodeSyntax {
		return docs, f
	}
	if yamlDocs, yamlFault := readYAML(data, o); yamlFault == nil || yamlFault.code != CodeSyntax {
		return yamlDocs, yamlFault
	}
	return docs, f
}

// onlyText reports whether the documents are what YAML makes of prose.
func onlyText(docs []*node) bool {
	return len(docs) > 0 && !slices.ContainsFunc(docs, func(n *node) bool { return n.kind != scalarNode })
}

func looksLikeJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return bytes.HasPrefix(data, []byte("{")) && !bytes.HasPrefix(data, []byte("{{")) && !bytes.HasPrefix(data, []byte("{%")) ||
		bytes.HasPrefix(data, []byte("["))
}

// checkText finds what makes a file no text at all.
func checkText(data []byte, lines *placer, o Options) *fault {
	if len(data) > o.MaxBytes {
		return &fault{CodeTooLarge, 1, 1, fmt.Sprintf("the file has %d bytes, more than %d", len(data), o.MaxBytes), "split it, or raise Options.MaxBytes"}
	}
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			line, column := lines.place(at)
			return &fault{CodeEncoding, line, column, "the text is not UTF-8 here", "save the file as UTF-8"}
		}
		if isForbidden(c) {
			line, column := lines.place(at)
			return &fault{CodeEncoding, line, column, fmt.Sprintf("the control character %U is not allowed", c), "remove it"}
		}
		at += size
	}
	return nil
}

// isForbidden reports whether YAML does not allow a character even in quotes.
func isForbidden(c rune) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f
}

// explain says more of a syntax fault than a parser can know.
func explain(f *fault, data []byte) *fault {
	if f.code != CodeSyntax {
		return f
	}
	if line, column := firstTemplate(data); line > 0 {
		return &fault{
			CodeTemplate, line, column, templateMessage,
			"render it (helm template, or the tool that the template is for) and pass the result",
		}
	}
	text := lineText(data, f.line)
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " "), "\t"):
		f.help = "YAML is indented with spaces, never with tabs"
	case strings.Contains(text, "`"):
		f.help = "a backtick begins nothing in YAML; a shell has to fill this in first"
	case strings.Contains(text, "${"):
		f.help = "put ${...} in quotes inside brackets and braces"
	}
	return f
}

const templateMessage = "this is an unrendered template: {{ }}, {% %} or <% %> must be filled in first"

// firstTemplate finds an action of a template where YAML expects a value or a
// line. One in the middle of a word is not taken for it.
func firstTemplate(data []byte) (line, column int) {
	for text := range bytes.Lines(data) {
		line++
		if column := templateColumn(string(text)); column > 0 {
			return line, column
		}
	}
	return 0, 0
}

func templateColumn(text string) int {
	for _, mark := range templateMarks() {
		at := strings.Index(text, mark)
		if at < 0 || strings.HasPrefix(strings.TrimSpace(text), "#") {
			continue
		}
		if before := strings.TrimRight(text[:at], ` "'`+"`"); at == 0 || len(before) < at {
			return at + 1
		}
	}
	return 0
}
