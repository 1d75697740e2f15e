// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/waiter"
)

// update rewrites the tables in docs/waiter.md. Commit the change only when it is
// understood.
var update = flag.Bool("update", false, "rewrite the tables in docs/waiter.md")

// documented is how many samples the table in docs/waiter.md is made of.
const documented = 10_000

var samples = flag.Int("samples", documented, "how many creates and deletes TestTable measures")

// TestTable measures the waits, checks the budgets, and keeps the tables of
// docs/waiter.md true. To see them: go test ./waiter -run TestTable -v.
func TestTable(t *testing.T) {
	methods := func() []method {
		return []method{
			sdkWaiter(), paced("eksctl's backoff", doubling), paced("every 10 s", tenSeconds),
			ours("waiter"), ours("waiter, told Since", told),
		}
	}
	create := measure(t, creates(waiter.CreateDurations()), *samples, methods()...)
	remove := measure(t, deletes(waiter.DeleteDurations()), *samples, methods()...)

	for _, results := range [][]result{create, remove} {
		sdk, plain, since := results[0], results[3], results[4]
		within(t, plain, sdk, 1.0/3)
		within(t, since, sdk, 1.0/3)
	}

	rows := append(table(create), table(remove)[2:]...)
	if *samples != documented {
		t.Log("\n" + strings.Join(rows, "\n"))
		return
	}
	keep(t, "model", rows)
}

// TestLearningTable does the same for a region whose operations all take about as
// long, where a history has something to learn.
func TestLearningTable(t *testing.T) {
	const samples = 100
	var rows []string
	for _, op := range []operation{
		creates(waiter.Durations{{From: 40 * time.Second, To: 50 * time.Second, Weight: 1}}),
		deletes(waiter.Durations{{From: 140 * time.Second, To: 160 * time.Second, Weight: 1}}),
	} {
		var history waiter.History
		learning := func(o *waiter.Options) { o.History = &history }
		results := measure(t, op, samples, sdkWaiter(), ours("waiter, told Since", told), ours("the same with a History", told, learning))
		within(t, results[2], results[0], 0.2)
		if results[2].mean >= results[1].mean {
			t.Errorf("%s: with a history %s late, without %s", op.name, results[2].mean, results[1].mean)
		}
		if len(rows) == 0 {
			rows = table(nil)
		}
		rows = append(rows, table(results)[2:]...)
	}
	keep(t, "learning", rows)
}

// within checks the budget: at most share of the SDK's mean lag, with no more
// calls.
func within(t *testing.T, got, sdk result, share float64) {
	t.Helper()
	if ratio := got.mean.Seconds() / sdk.mean.Seconds(); ratio > share || got.calls > sdk.calls {
		t.Errorf("%s, %s: %.3f of the SDK's lag (budget %.3f) with %.2f calls (budget %.2f)",
			got.operation, got.method, ratio, share, got.calls, sdk.calls)
	}
}

// table renders results; the first result of an operation is what the others are
// measured against.
func table(results []result) []string {
	rows := []string{
		"| operation | method | mean lag | p95 lag | of the SDK's | calls |",
		"|---|---|---:|---:|---:|---:|",
	}
	for _, r := range results {
		rows = append(rows, fmt.Sprintf("| %s | %s | %.1f s | %.1f s | %.2f | %.2f |",
			r.operation, r.method, r.mean.Seconds(), r.p95.Seconds(), r.mean.Seconds()/results[0].mean.Seconds(), r.calls))
	}
	return rows
}

// keep compares a table with its copy in docs/waiter.md, between two comments that
// carry its name.
func keep(t *testing.T, name string, rows []string) {
	t.Helper()
	const path = "waiter.md"
	docs, err := os.OpenRoot(filepath.Join("..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	text, err := docs.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- table "+name+" -->\n", "\n<!-- end -->"
	head, rest, found := strings.Cut(string(text), begin)
	kept, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no table %q", path, name)
	}
	got := strings.Join(rows, "\n")
	t.Logf("%s\n%s", name, got)
	if *update {
		if err := docs.WriteFile(path, []byte(head+begin+got+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(kept, got); diff != "" {
		t.Errorf("docs/waiter.md is out of date; run go test ./waiter -run Table -update (-kept +measured):\n%s", diff)
	}
}

func TestTheDocumentedPollsAreTheRealOnes(t *testing.T) {
	var rows []string
	for _, kind := range []fargate.Status{fargate.StatusCreating, fargate.StatusDeleting} {
		var ages []string
		for _, at := range waiter.DefaultSchedule().Polls(kind) {
			ages = append(ages, fmt.Sprint(int(at.Seconds())))
		}
		rows = append(rows, "- "+string(kind)+": "+strings.Join(ages, ", "))
	}
	keep(t, "polls", rows)
}
