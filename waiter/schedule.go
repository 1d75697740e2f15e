// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"slices"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
)

// Schedule says when to look next. It is an immutable value and a pure function of
// the status and the age; the zero value is [DefaultSchedule].
type Schedule struct {
	creating, deleting timetable
	every              time.Duration
}

// timetable is when to look at an operation of one kind.
type timetable struct {
	durations Durations
	polls     []time.Duration
}

// NewSchedule returns the schedule that is best for creates and deletes that take
// as long as the two say, where a call costs what the prices say. Computing it
// takes some milliseconds. Empty durations look at a steady pace.
func NewSchedule(create, remove Durations, prices Prices) Schedule {
	return Schedule{
		creating: newTimetable(create, prices.Create),
		deleting: newTimetable(remove, prices.Delete),
	}
}

func newTimetable(d Durations, p Price) timetable {
	return timetable{durations: d.clean(), polls: BestPolls(d, p)}
}

// Prices are the prices of a call during a create and during a delete.
type Prices struct {
	Create, Delete Price
}

// DefaultPrices are the prices of the default schedule. They were chosen so that
// a wait, told [Options.Since] or not, makes no more calls than the SDK's waiter.
func DefaultPrices() Prices {
	return Prices{
		Create: Price{Call: 3 * time.Second, Growth: 0.005},
		Delete: Price{Call: 3400 * time.Millisecond},
	}
}

// Every returns the schedule that looks every d, at whatever age. Zero or less
// gives the default schedule.
func Every(d time.Duration) Schedule { return Schedule{every: max(d, 0)} }

// DefaultSchedule returns what [NewSchedule] makes of [CreateDurations],
// [DeleteDurations] and [DefaultPrices]. It is kept as a table, so that it costs
// nothing and can be read.
func DefaultSchedule() Schedule {
	return Schedule{
		creating: timetable{CreateDurations(), seconds(createPolls()...)},
		deleting: timetable{DeleteDurations(), seconds(deletePolls()...)},
	}
}

func seconds(ages ...int) []time.Duration {
	out := make([]time.Duration, 0, len(ages))
	for _, a := range ages {
		out = append(out, time.Duration(a)*time.Second)
	}
	return out
}

func (s Schedule) isZero() bool {
	return s.every == 0 && s.creating.polls == nil && s.deleting.polls == nil
}

func (s Schedule) orDefault() Schedule {
	if s.isZero() {
		return DefaultSchedule()
	}
	return s
}

// Next returns how long to wait before the next look at a profile that was just
// seen with the status, at the age since EKS accepted the operation. The delay is
// at least half a second and at most two minutes, or five minutes from that age on.
// A status that is neither CREATING nor DELETING has a steady pace that slows down
// with the age, since nothing is known of how long it lasts.
func (s Schedule) Next(status fargate.Status, age time.Duration) time.Duration {
	s, age = s.orDefault(), max(age, 0)
	if s.every > 0 {
		return s.every
	}
	t, ok := s.timetable(status)
	if !ok {
		return pace(age)
	}
	return t.next(age)
}

// Expected returns the share, from 0 to 1, of operations like this one that are
// done at the age. It is 0 for a status that is neither CREATING nor DELETING and
// for a schedule made by [Every], which knows no durations.
func (s Schedule) Expected(status fargate.Status, age time.Duration) float64 {
	t, ok := s.orDefault().timetable(status)
	if !ok || len(t.durations) == 0 {
		return 0
	}
	return t.durations.Done(age)
}

// Polls returns the ages at which a create (StatusCreating) or a delete
// (StatusDeleting) is looked at, if each look is on time.
func (s Schedule) Polls(status fargate.Status) []time.Duration {
	t, _ := s.orDefault().timetable(status)
	return slices.Clone(t.polls)
}

func (s Schedule) timetable(status fargate.Status) (timetable, bool) {
	switch status {
	case fargate.StatusCreating:
		return s.creating, true
	case fargate.StatusDeleting:
		return s.deleting, true
	default:
		return timetable{}, false
	}
}

// next finds the first planned look that is still worth making: one that is due
// almost now, because this look came late, is dropped.
func (t timetable) next(age time.Duration) time.Duration {
	var before time.Duration
	for _, at := range t.polls {
		if at-age > (at-before)/4 {
			return min(at-age, gapBound(age))
		}
		before = at
	}
	return pace(age)
}

// pace is the rule for ages that nothing is known about.
func pace(age time.Duration) time.Duration {
	return min(max(age/10, 5*time.Second), longestGap)
}
