// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

// syntax is the set of names of one kind that Kubernetes accepts, as an
// automaton that also counts characters, part by part.
type syntax struct {
	// letters are all legal characters. The first ordinary of them are
	// interchangeable, and good: each is legal wherever a name can go on, and
	// whatever may follow another letter (breaks apart) may follow it, too.
	letters  string
	ordinary int
	// breaks end a part and begin the next one.
	breaks string
	start  []phase
	next   func(phase, byte) phase
	phases []phaseInfo
}

// phase is how far the reading of a name has come. The zero value is dead.
type phase uint8

type phaseInfo struct {
	accepting bool // a name may end here
	first     bool // a break was just read: a part begins
	limit     int  // the length of this part
	after     int  // the length of all later parts, breaks included
}

const (
	dead phase = iota

	// Of a namespace, a label value, and the name part of a label key.
	nameStart // nothing yet
	nameAlnum // the last character is a letter or a digit
	nameOther // the last character may not end a name

	// Of the prefix of a label key: dot-separated DNS labels.
	prefixStart
	prefixAlnum
	prefixOther

	maxName     = 63
	maxPrefix   = 253
	longestName = maxPrefix + 1 + maxName
)

const (
	lowerAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789"
	upper          = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// namespaceSyntax is a DNS-1123 label.
func namespaceSyntax() *syntax {
	return &syntax{
		letters:  lowerAndDigits + "-",
		ordinary: len(lowerAndDigits),
		start:    []phase{nameStart},
		next:     nextOfNamespace,
		phases:   namePhases(false),
	}
}

// valueSyntax is a label value: empty, or like the name of a label key.
func valueSyntax() *syntax {
	return &syntax{
		letters:  lowerAndDigits + upper + "-_.",
		ordinary: len(lowerAndDigits + upper),
		start:    []phase{nameStart},
		next:     nextOfName,
		phases:   namePhases(true),
	}
}

// keySyntax is a label key: a name, with a DNS-1123 subdomain and a slash before
// it or not. Which of both it is going to be is guessed at the start.
func keySyntax() *syntax {
	prefix := phaseInfo{limit: maxPrefix, after: 1 + maxName}
	return &syntax{
		letters:  lowerAndDigits + upper + "-_.",
		ordinary: len(lowerAndDigits),
		breaks:   "/",
		start:    []phase{nameStart, prefixStart},
		next:     nextOfKey,
		phases:   append(namePhases(false), prefix, prefix, prefix),
	}
}

func namePhases(mayBeEmpty bool) []phaseInfo {
	return []phaseInfo{
		dead:      {},
		nameStart: {accepting: mayBeEmpty, first: true, limit: maxName},
		nameAlnum: {accepting: true, limit: maxName},
		nameOther: {limit: maxName},
	}
}

func nextOfNamespace(p phase, c byte) phase {
	switch {
	case isLowerOrDigit(c):
		return nameAlnum
	case c == '-' && p != nameStart:
		return nameOther
	default:
		return dead
	}
}

func nextOfName(p phase, c byte) phase {
	switch {
	case isLowerOrDigit(c) || 'A' <= c && c <= 'Z':
		return nameAlnum
	case (c == '-' || c == '_' || c == '.') && p != nameStart:
		return nameOther
	default:
		return dead
	}
}

func nextOfKey(p phase, c byte) phase {
	switch {
	case p < prefixStart:
		return nextOfName(p, c)
	case isLowerOrDigit(c):
		return prefixAlnum
	case c == '-' && p != prefixStart:
		return prefixOther
	case c == '.' && p == prefixAlnum:
		return prefixStart
	case c == '/' && p == prefixAlnum:
		return nameStart
	default:
		return dead
	}
}

func isLowerOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

// step reads one character after length characters of a part.
func (s *syntax) step(p phase, length int, c byte) (phase, int) {
	p = s.next(p, c)
	info := &s.phases[p]
	if info.first {
		return p, 0
	}
	if length++; length > info.limit {
		return dead, 0
	}
	return p, length
}

// room is how many characters can still follow.
func (s *syntax) room(p phase, length int) int {
	info := &s.phases[p]
	return info.limit - length + info.after
}

// accepts reports whether word is legal.
func (s *syntax) accepts(word string) bool {
	for _, p := range s.start {
		var length int
		for i := 0; i < len(word) && p != dead; i++ {
			p, length = s.step(p, length, word[i])
		}
		if s.phases[p].accepting {
			return true
		}
	}
	return false
}
