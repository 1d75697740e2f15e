// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"container/heap"
	"time"
)

// entry is one wait of a Poller. Only one worker at a time has it; while it is in
// the queue, nobody has.
type entry struct {
	watch *watch
	done  func(Result)
	due   time.Time
	order uint64 // breaks ties: who came first
	index int    // the place in the heap; -1 while it is not in the queue
}

func (e *entry) target() Target {
	return Target{Ref: e.watch.ref, Goal: e.watch.goal, Since: e.watch.since}
}

func (e *entry) key() key { return e.target().key() }

// dueQueue holds entries by the time at which they are due, earliest first.
type dueQueue struct {
	entries entryHeap
	added   uint64
}

func (q *dueQueue) add(e *entry) {
	q.added++
	e.order = q.added
	heap.Push(&q.entries, e)
}

// remove takes e out; it does nothing if e is not in the queue.
func (q *dueQueue) remove(e *entry) {
	if e.index >= 0 && e.index < len(q.entries) && q.entries[e.index] == e {
		heap.Remove(&q.entries, e.index)
	}
}

func (q *dueQueue) head() *entry {
	if len(q.entries) == 0 {
		return nil
	}
	return q.entries[0]
}

// entryHeap implements heap.Interface.
type entryHeap []*entry

func (h entryHeap) Len() int { return len(h) }

func (h entryHeap) Less(i, j int) bool {
	if c := h[i].due.Compare(h[j].due); c != 0 {
		return c < 0
	}
	return h[i].order < h[j].order
}

func (h entryHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push adds x, which is an *entry.
func (h *entryHeap) Push(x any) {
	e, ok := x.(*entry)
	if !ok {
		return
	}
	e.index = len(*h)
	*h = append(*h, e)
}

// Pop removes the last entry.
func (h *entryHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	e.index = -1
	return e
}
