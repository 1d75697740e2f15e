// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// durationText is a duration that JSON shows as text, such as "1m30s".
type durationText time.Duration

// MarshalText writes what time.Duration.String writes.
func (d durationText) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads, less negative ones.
func (d *durationText) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("reading a duration: %w", err)
	}
	if parsed < 0 {
		return errors.New("reading a duration: it is negative")
	}
	*d = durationText(parsed)
	return nil
}

type (
	plainFault   Fault
	plainOutcome Outcome
)

// The members with durations take the place of the plain ones.
type faultJSON struct {
	plainFault
	Stale durationText `json:"stale,omitempty"`
	Delay durationText `json:"delay,omitempty"`
}

type outcomeJSON struct {
	plainOutcome
	After durationText `json:"after,omitempty"`
}

// unmarshalStrictly refuses members that it does not know: a misspelt fault would
// match every call.
func unmarshalStrictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// MarshalJSON writes durations as text.
func (f Fault) MarshalJSON() ([]byte, error) {
	return json.Marshal(faultJSON{plainFault(f), durationText(f.Stale), durationText(f.Delay)})
}

// UnmarshalJSON reads what MarshalJSON writes: durations are text such as "30s".
// Members that it does not know are an error.
func (f *Fault) UnmarshalJSON(text []byte) error {
	var in faultJSON
	if err := unmarshalStrictly(text, &in); err != nil {
		return err
	}
	*f = Fault(in.plainFault)
	f.Stale, f.Delay = time.Duration(in.Stale), time.Duration(in.Delay)
	return nil
}

// MarshalJSON writes durations as text.
func (o Outcome) MarshalJSON() ([]byte, error) {
	return json.Marshal(outcomeJSON{plainOutcome(o), durationText(o.After)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Outcome) UnmarshalJSON(text []byte) error {
	var in outcomeJSON
	if err := unmarshalStrictly(text, &in); err != nil {
		return err
	}
	*o = Outcome(in.plainOutcome)
	o.After = time.Duration(in.After)
	return nil
}
