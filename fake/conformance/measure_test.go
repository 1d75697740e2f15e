// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package conformance_test

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

// Measurements print ratios of one run; they fail only when something does not
// work. Rounds alternate between what is compared, and the best round of each
// counts, for the machine may be busy with other things.
var (
	measure = flag.Bool("measure", false, "run the measurements, which take half a minute")
	rounds  = flag.Int("measure.rounds", 8, "how many rounds of a measurement to run")
)

func measured(t *testing.T) {
	t.Helper()
	if !*measure {
		t.Skip("measurements run with -measure only")
	}
	t.Logf("%s %s/%s, %d CPUs", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

const describePath = "/clusters/demo/fargate-profiles/web"

// server is something that answers DescribeFargateProfile, and the best that was
// measured of it.
type server struct {
	name    string
	address string
	pid     int           // of a process of its own; 0 for servers in this one
	rate    float64       // requests per second
	cpu     time.Duration // for one request, client included; 0 where it cannot be told
}

// How many requests per second does the fake answer over a socket, moto's server,
// and a handler that does nothing but write the same bytes, for one client? And
// what does a request cost? The second question has an answer on a busy machine.
func TestMeasureThroughput(t *testing.T) {
	measured(t)
	c := fake.New(func(o *fake.Options) { o.JournalSize = 1000 })
	session{T: t, c: c}.active("web")
	ours := &server{name: "fake", address: addressOf(listen(t, c))}
	servers := []*server{ours, {name: "net/http stub", address: startStub(t, ours.address)}}
	if moto := startMoto(t); moto != nil {
		servers = append(servers, moto)
	}
	for range *rounds {
		for _, s := range servers {
			s.measure(t)
		}
	}
	for _, s := range servers {
		t.Logf("%-14s %8.0f requests per second, the fake %6.2f times as many; %5d us of CPU time for one, %6.2f times the fake's",
			s.name, s.rate, ours.rate/s.rate, s.cpu.Microseconds(), float64(s.cpu)/float64(ours.cpu))
	}
	t.Log("budgets: at least 0.50 of the stub, at least 50 times moto")
}

// measure lets a few clients get done together what they can.
func (s *server) measure(t *testing.T) {
	t.Helper()
	const clients, length = 4, time.Second
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var done atomic.Int64
	var wg sync.WaitGroup
	started, used := time.Now(), cpuTime(t, s.pid)
	for range clients {
		wg.Go(func() { done.Add(s.ask(ctx, t)) })
	}
	wg.Wait()
	s.rate = max(s.rate, float64(done.Load())/time.Since(started).Seconds())
	if cost := (cpuTime(t, s.pid) - used) / time.Duration(done.Load()); s.cpu == 0 || cost < s.cpu {
		s.cpu = cost
	}
}

// ask makes one request after the other until the context ends, and counts them.
func (s *server) ask(ctx context.Context, t *testing.T) (done int64) {
	t.Helper()
	client := newRawClient(s.address, describePath)
	defer client.close()
	for ctx.Err() == nil {
		if _, err := client.get(context.WithoutCancel(ctx)); err != nil {
			t.Error(err)
			break
		}
		done++
	}
	return max(done, 1) // who failed has said so; nobody divides by zero
}

// startStub serves the bytes that the fake answers.
func startStub(t *testing.T, address string) (stub string) {
	t.Helper()
	client := newRawClient(address, describePath)
	defer client.close()
	body, err := client.get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return addressOf(server.URL)
}

func addressOf(endpoint string) string { return strings.TrimPrefix(endpoint, "http://") }
