// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/eksfargate/eksfargate/fake"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

// program is the command of a process that runs the program, away from the machine's
// own AWS configuration.
func program(t *testing.T, endpoint string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...) //nolint:gosec // it is this test itself
	home := t.TempDir()
	cmd.Env = []string{
		programVariable + "=1", "HOME=" + home, "XDG_CONFIG_HOME=" + home, "PATH=" + os.Getenv("PATH"),
		"AWS_ENDPOINT_URL=" + endpoint, "TERM=xterm",
	}
	return cmd
}

// screen is what a terminal shows, and lets a test wait for a text on it.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	news chan struct{}
}

// onTerminal starts a command on a pseudo-terminal.
func onTerminal(t *testing.T, cmd *exec.Cmd) (*os.File, *screen) {
	t.Helper()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Skipf("there is no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	s := &screen{news: make(chan struct{}, 1)}
	go func() { _, _ = io.Copy(s, terminal) }() // ends with the process
	return terminal, s
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for !strings.Contains(s.String(), text) {
		select {
		case <-s.news:
		case <-limit:
			t.Fatalf("the terminal does not show %q:\n%s", text, s)
		}
	}
}

// webFile is a manifest with a profile of the cluster of the fake.
func webFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "web.yaml")
	text := `
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: demo, region: us-east-1}
iam: {fargatePodExecutionRoleARN: "arn:aws:iam::111122223333:role/fargate-pods"}
fargateProfiles:
- name: web
  selectors: [{namespace: web}]
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// serve starts a fake whose time the test turns.
func serve(t *testing.T) (*fake.Cloud, string) {
	t.Helper()
	cloud := fake.New()
	server, err := cloud.Start("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return cloud, server.URL
}

func TestCtrlCStopsBetweenStepsAndTheSameCommandContinues(t *testing.T) {
	t.Parallel()
	cloud, endpoint := serve(t)
	file := webFile(t)
	args := []string{"apply", "-f", file, "--owner", "me/try", "--role", "ignore"}

	first := program(t, endpoint, args...)
	terminal, shown := onTerminal(t, first)
	shown.await(t, "[y/N]")
	if _, err := terminal.WriteString("y\n"); err != nil {
		t.Fatal(err)
	}
	shown.await(t, "web      CREATING")
	if _, err := terminal.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if code := exitStatus(first.Wait()); code != 130 {
		t.Fatalf("exit status %d after Ctrl-C, want 130:\n%s", code, shown)
	}
	shown.await(t, "the same command again")
	for _, want := range []string{"\x1b[1mPROFILE", "ELAPSED", "\x1b[2A\r\x1b[K", "stopped"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("the terminal does not show %q:\n%q", want, shown)
		}
	}

	cloud.Advance(10 * time.Minute)
	second := program(t, endpoint, append(args, "--yes")...)
	out, err := second.Output()
	if err != nil || !strings.Contains(string(out), "settled") {
		t.Fatalf("the same command again: %v\n%s", err, out)
	}
	if n := cloud.CallCount("CreateFargateProfile"); n != 1 {
		t.Errorf("the profile was created %d times", n)
	}
}

// TestNewSelectorsLeaveNoNewPodWithoutAProfile has a pod made every few milliseconds,
// which are seconds of the fake, while a profile is replaced.
func TestNewSelectorsLeaveNoNewPodWithoutAProfile(t *testing.T) {
	t.Parallel()
	const scale = 100
	begun := time.Now()
	cloud := fake.New(func(o *fake.Options) {
		o.Now = func() time.Time { return begun.Add(time.Since(begun) * scale) }
	})
	server, err := cloud.Start("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	file := webFile(t)
	args := []string{"apply", "-f", file, "--owner", "me/try", "--role", "ignore", "--yes", "--replacement", "create-first"}
	apply := func() {
		if out, err := program(t, server.URL, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	apply()
	edit(t, file, "{namespace: web}", "{namespace: web}, {namespace: shop}")

	done, pods := make(chan struct{}), make(chan int)
	go func() { pods <- makePods(cloud, done) }()
	apply()
	close(done)
	if n := <-pods; n < 100 {
		t.Errorf("only %d pods were made", n)
	}
	profiles := map[string]int{}
	for _, p := range cloud.Pods() {
		profiles[p.Profile]++
	}
	if profiles[""] > 0 || len(profiles) != 1 {
		t.Errorf("pods by profile: %v; all must be on the successor, and none on no profile", profiles)
	}
	for _, moment := range cloud.PodStats(fake.ClusterName).Unmatched {
		if moment.Pods > 0 {
			t.Errorf("%d pods matched nothing at %s", moment.Pods, moment.Since)
		}
	}
}

// makePods makes pods until it is told to stop, and returns how many.
func makePods(cloud *fake.Cloud, done <-chan struct{}) int {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-done:
			return n
		case <-ticker.C:
			_, _ = cloud.RunPod(fake.Pod{Namespace: "web", Name: fmt.Sprintf("pod-%d", n), Replicated: true})
		}
	}
}

// edit replaces a text in a file.
func edit(t *testing.T, file, before, after string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(before), []byte(after), 1), 0o600); err != nil { //nolint:gosec // a file of the test
		t.Fatal(err)
	}
}

func TestASettledProfileOnATerminalIsGreen(t *testing.T) {
	t.Parallel()
	cloud, endpoint := serve(t)
	apply := program(t, endpoint, "apply", "-f", webFile(t), "--owner", "me/try", "--role", "ignore", "--yes")
	_, shown := onTerminal(t, apply)
	shown.await(t, "web      CREATING")
	cloud.Advance(10 * time.Minute)
	if err := apply.Wait(); err != nil {
		t.Fatalf("apply: %v\n%s", err, shown)
	}
	shown.await(t, "\x1b[32mweb")
	shown.await(t, "\x1b[32m+ create web (Absent)")
}

func TestAServedFakeHoldsTheCallerToAPolicy(t *testing.T) {
	t.Parallel()
	policy := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(policy, []byte(`{"Statement":{"Effect":"Allow","Action":"eks:List*","Resource":"*"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "aws.json")
	for _, round := range []struct {
		flags  []string
		denied bool
	}{
		{[]string{"--fake-policy", policy}, true},
		{nil, false}, // the policy is not kept with the state
	} {
		server := program(t, "", append([]string{"fake", "serve", "--state", state}, round.flags...)...)
		url := started(t, server)
		out, err := program(t, url, "preflight", "-f", webFile(t)).CombinedOutput()
		if exitStatus(err) != 0 || strings.Contains(string(out), "is not authorized to perform: eks:DescribeCluster") != round.denied {
			t.Errorf("preflight with %v: %v\n%s", round.flags, err, out)
		}
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := server.Wait(); err != nil {
			t.Errorf("the server with %v ended with %v", round.flags, err)
		}
	}
}

// A server that is killed has no time to lift its policy from what it keeps.
func TestAPolicyThatAKilledServerLeftHoldsNobody(t *testing.T) {
	t.Parallel()
	cloud, err := connect.Embedded(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := cloud.SetPolicy("", `{"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}`); err != nil {
		t.Fatal(err)
	}
	text, err := cloud.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "aws.json")
	if err := os.WriteFile(state, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := program(t, "", "get", "--cluster", "demo", "--fake-state", state).CombinedOutput(); err != nil {
		t.Errorf("get: %v\n%s", err, out)
	}
}

// started starts a server and returns its address.
func started(t *testing.T, server *exec.Cmd) string {
	t.Helper()
	stdout, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Fatalf("the first line is %q", line)
	}
	return url
}

func TestFakeServeUntilCtrlCAndAgain(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "aws.json")
	for round, want := range []string{"settled", "nothing to do"} {
		server := program(t, "", "fake", "serve", "--time-scale", "1000", "--state", state)
		url := started(t, server)
		out, err := program(t, "", "apply", "-f", webFile(t), "--owner", "me/try", "--yes", "--endpoint-url", url).CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("round %d: apply: %v, want %q:\n%s", round, err, want, out)
		}
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := server.Wait(); err != nil {
			t.Errorf("round %d: the server ended with %v", round, err)
		}
	}
}
