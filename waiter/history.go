// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
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
	creates, deletes []Span
	learned          *Schedule // nil after each change
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
	seen := Span{From: after, To: by, Weight: 1}
	switch kind {
	case fargate.StatusCreating:
		h.creates = remember(h.creates, seen)
	case fargate.StatusDeleting:
		h.deletes = remember(h.deletes, seen)
	default:
		return
	}
	h.learned = nil
}

func remember(spans []Span, s Span) []Span {
	if len(spans) == remembered {
		spans = append(spans[:0], spans[1:]...)
	}
	return append(spans, s)
}

// Len returns how many operations of the kind are remembered.
func (h *History) Len(kind fargate.Status) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch kind {
	case fargate.StatusCreating:
		return len(h.creates)
	case fargate.StatusDeleting:
		return len(h.deletes)
	default:
		return 0
	}
}

// Durations returns what is known of the kind: what was seen, beside the built-in
// durations, which count less the more was seen.
func (h *History) Durations(kind fargate.Status) Durations {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch kind {
	case fargate.StatusCreating:
		return blend(CreateDurations(), h.creates)
	case fargate.StatusDeleting:
		return blend(DeleteDurations(), h.deletes)
	default:
		return nil
	}
}

func blend(model Durations, seen []Span) Durations {
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
// computed anew only after something was recorded.
func (h *History) Schedule() Schedule {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.creates)+len(h.deletes) == 0 {
		return DefaultSchedule()
	}
	if h.learned == nil {
		s := NewSchedule(blend(CreateDurations(), h.creates), blend(DeleteDurations(), h.deletes), DefaultPrices())
		h.learned = &s
	}
	return *h.learned
}
