// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"unicode/utf8"
)

// placer finds the lines and columns of offsets. It goes through the text once if
// the offsets never go back.
type placer struct {
	data                 []byte
	offset, line, column int
}

func newPlacer(data []byte) *placer { return &placer{data: data, line: 1, column: 1} }

// place counts lines and columns from 1, columns in characters.
func (p *placer) place(offset int) (line, column int) {
	if offset < p.offset {
		p.offset, p.line, p.column = 0, 1, 1
	}
	passed := p.data[p.offset:offset]
	if newline := bytes.LastIndexByte(passed, '\n'); newline >= 0 {
		p.line += bytes.Count(passed, []byte("\n"))
		p.column = 1
		passed = passed[newline+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.offset = offset
	return p.line, p.column
}

// lineText returns a line, counted from 1, without its end.
func lineText(data []byte, number int) string {
	for line := range bytes.Lines(data) {
		if number--; number == 0 {
			return string(bytes.TrimRight(line, "\r\n"))
		}
	}
	return ""
}
