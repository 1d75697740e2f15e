// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package role_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam"
	"github.com/eksfargate/eksfargate/iam/role"
)

// logged writes what is told at level info.
func logged(b *bytes.Buffer) func(*role.Options) {
	return func(o *role.Options) { o.Logger = slog.New(slog.NewTextHandler(b, nil)) }
}

// told are the reasons in a log, in order.
func told(b *bytes.Buffer) string {
	var reasons []string
	for line := range strings.Lines(b.String()) {
		_, rest, _ := strings.Cut(line, " reason=")
		reason, _, _ := strings.Cut(rest, " ")
		reasons = append(reasons, reason)
	}
	return strings.Join(reasons, " ")
}

// Whoever polls is told once what does not change.
func TestTheSameDecisionIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settled(t, c, "web", "api")
		var log bytes.Buffer
		r := newRoles(c, logged(&log))
		retire := func(profile string) {
			t.Helper()
			for range 20 {
				if _, err := r.Retire(t.Context(), desiredProfile(profile)); err != nil {
					t.Fatal(err)
				}
				time.Sleep(5 * time.Second)
			}
		}
		retire("web")
		if got := told(&log); got != "RoleInUse RoleReady" {
			t.Errorf("in use: %s", got)
		}
		log.Reset()
		for _, name := range []string{"web", "api"} {
			if err := newReconciler(c, func(o *role.Options) { o.Mode = "" }).Delete(within(t, time.Hour), desiredProfile(name)); err != nil {
				t.Fatal(err)
			}
		}
		retire("api")
		if got, want := told(&log), "DeletionAnnounced RoleUnused RoleUnused RoleGone"; got != want {
			t.Errorf("going: %s, want %s", got, want)
		}
		log.Reset()
		retire("web")
		if got := told(&log); got != "" {
			t.Errorf("gone for long: %s", got)
		}
	})
}

// A warning that appears is told, whatever the decision was before.
func TestANewWarningIsTold(t *testing.T) {
	c := fake.New()
	var log bytes.Buffer
	r := newRoles(c, logged(&log))
	d := desiredRole(named("fp-exec"), func(d *iam.DesiredRole) { d.Scope.Unconditional = true })
	addRole(t, c, "fp-exec", fake.PodTrust, true, managed)
	var mem iam.RoleMemory
	look := func() {
		t.Helper()
		for range 3 {
			out, err := r.Step(t.Context(), d, mem)
			if err != nil || out.Reason != iam.ReasonRoleReady {
				t.Fatalf("Step() = %+v, %v", out, err)
			}
			mem = out.Memory
		}
	}
	look()
	if got := told(&log); got != "RoleReady" {
		t.Errorf("ready: %s", got)
	}
	log.Reset()
	putTrust(t, c, "fp-exec", bothTrust)
	look()
	if got := told(&log); got != "RoleReady SharedWithNodes" {
		t.Errorf("with nodes: %s", got)
	}
}
