// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/eksfargate/eksfargate/fake"
)

// process is a program in another language that reads requests, one a line, and
// answers each with a line.
type process struct {
	mu     sync.Mutex // one request at a time
	input  io.WriteCloser
	output *bufio.Scanner
	stderr strings.Builder
}

// request is one line to a process.
type request struct {
	Do        string `json:"do"` // call, list or wait
	Endpoint  string `json:"endpoint"`
	Service   string `json:"service"`
	Operation string `json:"operation"` // or the name of a waiter
	Input     object `json:"input"`
}

// response is one line from a process.
type response struct {
	Output    object   `json:"output"`
	Error     *failure `json:"error"`
	Names     []string `json:"names"`
	Complaint string   `json:"complaint"`
	Bug       string   `json:"bug"` // the program itself failed
}

// run starts a program that lives until the test ends. Its first line says that
// it is ready.
func run(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{}
	cmd.Stderr = &p.stderr
	var err error
	if p.input, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.output = bufio.NewScanner(output)
	p.output.Buffer(nil, 1<<20)
	t.Cleanup(func() {
		_ = p.input.Close() // tells the program to end
		_ = cmd.Wait()      // it was of use or the test has failed by now
	})
	if !p.output.Scan() {
		_ = cmd.Wait() // so that all of its complaint is there
		t.Skipf("%s does not start: %s", cmd.Args[0], lastLine(p.stderr.String()))
	}
	t.Log(p.output.Text())
	return p
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func (p *process) ask(t *testing.T, r request) response {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := fmt.Fprintf(p.input, "%s\n", text); err != nil {
		t.Fatal(err)
	}
	if !p.output.Scan() {
		t.Fatalf("the program ended: %v", p.output.Err())
	}
	var out response
	if err := json.Unmarshal(p.output.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, p.output.Text())
	}
	if out.Bug != "" {
		t.Fatalf("%s %s: %s", r.Do, r.Operation, out.Bug)
	}
	return out
}

// processClient is a process that talks to one Cloud.
type processClient struct {
	process  *process
	endpoint string
}

func (p *process) bind(t *testing.T, c *fake.Cloud) client {
	t.Helper()
	return processClient{p, listen(t, c)}
}

func (p processClient) call(t *testing.T, service, operation string, input object) answer {
	t.Helper()
	out := p.process.ask(t, request{"call", p.endpoint, service, operation, input})
	return answer{out.Output, out.Error}
}

func (p processClient) list(t *testing.T, cluster string, pageSize int) []string {
	t.Helper()
	input := object{"clusterName": cluster, "pageSize": pageSize}
	return p.process.ask(t, request{"list", p.endpoint, "eks", "ListFargateProfiles", input}).Names
}

func (p processClient) wait(t *testing.T, waiter string, input object) string {
	t.Helper()
	return p.process.ask(t, request{"wait", p.endpoint, "eks", waiter, input}).Complaint
}

func startBoto3(t *testing.T) func(*testing.T, *fake.Cloud) client {
	t.Helper()
	if testing.Short() {
		t.Skip("boto3 takes seconds")
	}
	return run(t, program(t, "", "python3", filepath.Join("testdata", "boto3", "client.py"))).bind
}

// startJavaScript installs the pinned SDK into a folder of its own: nothing of it
// is kept.
func startJavaScript(t *testing.T) func(*testing.T, *fake.Cloud) client {
	t.Helper()
	requested(t, "js")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "js"))); err != nil {
		t.Fatal(err)
	}
	node := program(t, dir, "node", "client.mjs")
	install := program(t, dir, "npm", "ci", "--no-audit", "--no-fund")
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install the SDK: %v: %s", err, lastLine(string(out)))
	}
	return run(t, node).bind
}
