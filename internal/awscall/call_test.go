// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awscall_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"github.com/eksfargate/eksfargate/internal/awscall"
)

func TestDoTellsHookAndLogOfACallAndReturnsItsError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var took time.Duration
		refused := errors.New("refused")
		f := awscall.Frame{
			Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Now:    time.Now,
			Attrs:  []slog.Attr{slog.String("role", "r")},
			Ended:  func(d time.Duration, _ error) { took = d },
		}
		got, err := awscall.Do(t.Context(), f, "GetRole", func() (*int, error) {
			time.Sleep(time.Second)
			return new(7), refused
		})
		if *got != 7 || !errors.Is(err, refused) || took != time.Second {
			t.Errorf("Do() = %d, %v, after %v", got, err, took)
		}
		for _, want := range []string{"operation=GetRole", "role=r", "took=1s", "error=refused"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log lacks %s: %s", want, log.String())
			}
		}
	})
}

// A proxy or a test double can answer with success and nothing.
func TestDoTakesNoAnswerForAnError(t *testing.T) {
	var told error
	f := awscall.Frame{Logger: slog.New(slog.DiscardHandler), Now: time.Now, Ended: func(_ time.Duration, err error) { told = err }}
	_, err := awscall.Do(t.Context(), f, "GetRole", func() (*int, error) { return nil, nil }) //nolint:nilnil // the empty answer is what is tested
	if !errors.Is(err, awscall.ErrEmptyAnswer) || !errors.Is(told, awscall.ErrEmptyAnswer) {
		t.Errorf("Do() = %v, and the hook was told %v", err, told)
	}
}

func TestDoStaysWithinTheRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := awscall.Frame{Rate: rate.NewLimiter(1, 1), Logger: slog.New(slog.DiscardHandler), Now: time.Now}
		start := time.Now()
		for range 3 {
			if _, err := awscall.Do(t.Context(), f, "GetRole", func() (*int, error) { return new(0), nil }); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 2*time.Second {
			t.Errorf("three calls at one a second took %v", took)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		called := false
		_, err := awscall.Do(ctx, f, "GetRole", func() (*int, error) { called = true; return new(0), nil })
		if !errors.Is(err, context.Canceled) || called {
			t.Errorf("after the end of the context: %v, called: %v", err, called)
		}
	})
}

func TestSleepEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := awscall.Sleep(t.Context(), time.Minute); err != nil {
			t.Errorf("Sleep() = %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := awscall.Sleep(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Sleep() = %v", err)
		}
	})
}
