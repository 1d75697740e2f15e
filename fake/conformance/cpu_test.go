// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package conformance_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cpuTime is what this process has used so far, and another one if pid is not 0.
func cpuTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	own := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	if pid == 0 {
		return own
	}
	return own + cpuTimeOf(t, pid)
}

// cpuTimeOf reads it from where Linux shows it; elsewhere it is 0.
func cpuTimeOf(t *testing.T, pid int) time.Duration {
	t.Helper()
	const tick = 10 * time.Millisecond // what Linux counts in, for all programs
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name, which may hold anything, is in brackets. The times are the 12th and
	// the 13th field after it.
	_, fields, _ := strings.Cut(string(text), ") ")
	var skipped string
	var user, system int64
	_, err = fmt.Sscan(fields, &skipped, &skipped, &skipped, &skipped, &skipped, &skipped, &skipped,
		&skipped, &skipped, &skipped, &skipped, &user, &system)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return time.Duration(user+system) * tick
}
