// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"slices"
	"sync"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
)

const (
	// remembered bounds what a history keeps of each kind: what AWS did long ago
	// says little of today.
	remembered = 64
	// modelWeight is what the built-in durations weigh together, as against one for
	// each wait that was seen.
	modelWeight = 2
	// blur widens what was seen, as the next one won't take exactly as long.
	blur = 0.1
)

// History learns from waits how long operations take. Share one among waits that
// are alike: those of a region, or of a cluster. The zero value is ready to use
// and knows [CreateDurations] and [DeleteDurations]. It is safe for concurrent use
// and must not be copied.
type History struct {
	mu               sync.Mutex
	creates, deletes lessons
}

// lessons are what is remembered of one kind of operation.
type lessons struct {
	seen    []Span
	learned timetable
	fresh   bool // whether learned follows from seen
}

// Record notes an operation of the kind (StatusCreating or StatusDeleting; others
// are ignored) that was still in progress at the age after and done at the age by.
// Waits that were given the History do so themselves. Only the last 64 of each
// kind are kept.
func (h *History) Record(kind fargate.Status, after, by time.Duration) {
	after = max(after, 0)
	if by <= after {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.lessons(kind); l != nil {
		l.add(Span{From: after, To: by, Weight: 1})
	}
}

func (h *History) lessons(kind fargate.Status) *lessons {
	switch kind {
	case fargate.StatusCreating:
		return &h.creates
	case fargate.StatusDeleting:
		return &h.deletes
	default:
		return nil
	}
}

func (l *lessons) add(s Span) {
	if len(l.seen) == remembered {
		l.seen = slices.Delete(l.seen, 0, 1)
	}
	l.seen, l.fresh = append(l.seen, s), false
}

// Len returns how many operations of the kind are remembered.
func (h *History) Len(kind fargate.Status) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.lessons(kind); l != nil {
		return len(l.seen)
	}
	return 0
}

// Durations returns what is known of the kind: what was seen, beside the built-in
// durations, which count less the more was seen.
func (h *History) Durations(kind fargate.Status) Durations {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch kind {
	case fargate.StatusCreating:
		return blend(CreateDurations(), h.creates.seen)
	case fargate.StatusDeleting:
		return blend(DeleteDurations(), h.deletes.seen)
	default:
		return nil
	}
}

func blend(model Durations, seen []Span) Durations {
	model = slices.Clone(model)
	share := modelWeight / model.weight()
	for i := range model {
		model[i].Weight *= share
	}
	for _, s := range seen {
		s.From, s.To = scaled(s.From, 1-blur), scaled(s.To, 1+blur)
		model = append(model, s)
	}
	return model
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// Schedule returns the best schedule for what is known, at [DefaultPrices]. It is
// computed anew only after something was recorded, which takes about a
// millisecond.
func (h *History) Schedule() Schedule {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, prices := DefaultSchedule(), DefaultPrices()
	return Schedule{
		creating: h.creates.timetable(s.creating, prices.Create),
		deleting: h.deletes.timetable(s.deleting, prices.Delete),
	}
}

// timetable returns the best timetable, which is the given one while nothing was
// seen.
func (l *lessons) timetable(untaught timetable, p Price) timetable {
	if len(l.seen) == 0 {
		return untaught
	}
	if !l.fresh {
		l.learned, l.fresh = newTimetable(blend(untaught.durations, l.seen), p), true
	}
	return l.learned
}
