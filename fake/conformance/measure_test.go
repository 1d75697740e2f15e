// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

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

// server is something that answers DescribeFargateProfile.
type server struct {
	name    string
	address string
	best    float64 // requests per second
}

// How many requests per second does the fake answer over a socket, moto's server,
// and a handler that does nothing but write the same bytes, for one client?
func TestMeasureThroughput(t *testing.T) {
	measured(t)
	c := fake.New(func(o *fake.Options) { o.JournalSize = 1000 })
	session{T: t, c: c}.active("web")
	ours := &server{name: "fake", address: addressOf(listen(t, c))}
	stub := &server{name: "net/http stub", address: startStub(t, ours.address)}
	servers := []*server{ours, stub}
	moto := startMoto(t)
	if moto != nil {
		servers = append(servers, moto)
	}
	for range *rounds {
		for _, s := range servers {
			s.best = max(s.best, requestsPerSecond(t, s.address))
		}
	}
	for _, s := range servers {
		t.Logf("%-14s %8.0f requests per second", s.name, s.best)
	}
	t.Logf("fake : stub = %.2f (budget: at least 0.50)", ours.best/stub.best)
	if moto != nil {
		t.Logf("fake : moto = %.0f (budget: at least 50)", ours.best/moto.best)
	}
}

// requestsPerSecond counts what a few clients get done together.
func requestsPerSecond(t *testing.T, address string) float64 {
	t.Helper()
	const clients, length = 4, time.Second
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var done atomic.Int64
	var wg sync.WaitGroup
	started := time.Now()
	for range clients {
		wg.Go(func() {
			client := newRawClient(address, describePath)
			defer client.close()
			for ctx.Err() == nil {
				if _, err := client.get(context.WithoutCancel(ctx)); err != nil {
					t.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(started).Seconds()
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
