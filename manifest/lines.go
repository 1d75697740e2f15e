// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// lineIndex finds the line and column of an offset.
type lineIndex struct {
	data   []byte
	starts []int
}

func newLineIndex(data []byte) lineIndex {
	starts := []int{0}
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			return lineIndex{data, starts}
		}
		at += i + 1
		starts = append(starts, at)
	}
}

// place counts lines and columns from 1, columns in characters.
func (l lineIndex) place(offset int) (line, column int) {
	line = sort.SearchInts(l.starts, offset+1)
	return line, 1 + utf8.RuneCount(l.data[l.starts[line-1]:offset])
}

// line returns the text of a line, counted from 1, without its end.
func (l lineIndex) line(number int) string {
	if number < 1 || number > len(l.starts) {
		return ""
	}
	text := l.data[l.starts[number-1]:]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return string(bytes.TrimRight(text, "\r"))
}
