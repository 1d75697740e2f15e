// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

// frontier holds the states that are to be expanded, by rank. The zero value is
// empty.
type frontier struct {
	byRank [][]int
	first  int // no list before it has a state
}

func (f *frontier) reset() {
	for i := range f.byRank {
		f.byRank[i] = f.byRank[i][:0]
	}
	f.first = 0
}

func (f *frontier) push(state, rank int) {
	for len(f.byRank) <= rank {
		f.byRank = append(f.byRank, nil)
	}
	f.byRank[rank] = append(f.byRank[rank], state)
	f.first = min(f.first, rank)
}

// pop takes the state that was pushed last of those with the least rank.
func (f *frontier) pop() (state int, found bool) {
	for ; f.first < len(f.byRank); f.first++ {
		list := f.byRank[f.first]
		if n := len(list) - 1; n >= 0 {
			f.byRank[f.first] = list[:n]
			return list[n], true
		}
	}
	return 0, false
}
