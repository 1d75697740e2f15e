// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

// serving is what fake serve is asked for.
type serving struct {
	listen      string
	allowRemote bool
	seed        uint64
	scale       float64
	reported    string
	lenient     bool
	empty       bool
	state       string
}

// The words of --delays.
const (
	delaysFixed    = "fixed"
	delaysReported = "reported"
)

func (a *app) fakeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "fake",
		GroupID: groupOther,
		Short:   "A fake AWS for tests",
		Args:    noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.serveCommand())
	return cmd
}

func (a *app) serveCommand() *cobra.Command {
	s := &serving{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve EKS, IAM and STS on one port",
		Long: `Serve EKS, IAM and STS on one port, for any client of AWS, until Ctrl-C. The address is
printed as one line: listening on http://127.0.0.1:PORT. At the start there are a cluster
demo with private subnets and a role fargate-pods.

Changes take as long as at AWS; --time-scale makes the clock faster.`,
		Example: example(
			"fargatectl fake serve --listen 127.0.0.1:4566 --time-scale 30",
			"AWS_ENDPOINT_URL=http://127.0.0.1:4566 aws eks list-fargate-profiles --cluster-name demo",
		),
		Args: onlyFlags,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), s) },
	}
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:0", "the `address`; port 0 is any free one")
	f.BoolVar(&s.allowRemote, "allow-remote", false, "allow an address that other machines can reach; whoever reaches it can do anything with the fake")
	f.Uint64Var(&s.seed, "seed", 0, "the `number` that repeats ids, delays and faults")
	f.Float64Var(&s.scale, "time-scale", 1, "how many seconds of the fake pass in one `second`")
	choiceFlag(cmd, &s.reported, "delays", "how long changes take: always the same, or drawn from public reports",
		word[string]{delaysFixed, delaysFixed}, word[string]{delaysReported, delaysReported})
	f.BoolVar(&s.lenient, "lenient", false, "no quotas, no checks of roles and subnets, no delays: for tests that were written against simpler fakes")
	f.BoolVar(&s.empty, "empty", false, "start without cluster, subnets and role")
	f.StringVar(&s.state, "state", "", "keep the fake in this `file`")
	return cmd
}

func (s *serving) check() error {
	if s.scale <= 0 {
		return failure("give a number above 0, such as 30", "a time scale of %v stops the clock", s.scale)
	}
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return advise(fmt.Errorf("the address %q: %w", s.listen, err), "write HOST:PORT, such as 127.0.0.1:0")
	}
	ip := net.ParseIP(host)
	if s.allowRemote || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return failure("listen on 127.0.0.1, or give --allow-remote if you mean it", "other machines could reach %s, and do anything with the fake", s.listen)
}

// scaled is a clock that begins now and runs faster.
func scaled(scale float64) func() time.Time {
	begun := time.Now()
	return func() time.Time {
		return begun.Add(time.Duration(float64(time.Since(begun)) * scale))
	}
}

func (a *app) serve(ctx context.Context, s *serving) error {
	if err := s.check(); err != nil {
		return err
	}
	cloud := fake.New(func(o *fake.Options) {
		o.Region, o.Seed, o.Empty, o.Lenient = a.region, s.seed, s.empty, s.lenient
		o.Now = scaled(s.scale)
		if s.reported == delaysReported {
			o.Delays = fake.ReportedDelays()
		}
	})
	if !s.empty {
		if err := connect.Equip(ctx, cloud, a.region); err != nil {
			return err
		}
	}
	state, err := connect.Restore(cloud, s.state)
	if err != nil {
		return err
	}
	if err := connect.Restrict(cloud, a.fakePolicy); err != nil {
		return err
	}
	server, err := cloud.Start(s.listen)
	if err != nil {
		return advise(err, "choose another address with --listen, or port 0 for any free one")
	}
	a.say("listening on %s\n", server.URL)
	keep(ctx, cloud, state, s.state != "")
	err = server.Close()
	if s.state != "" {
		err = errors.Join(err, connect.Lift(cloud, a.fakePolicy), state.Save(cloud))
	}
	return err
}

// saveInterval is how often the state is saved while calls come.
const saveInterval = 5 * time.Second

// keep serves until the context ends, and saves the state now and then, so that
// little is lost when the process is killed.
func keep(ctx context.Context, cloud *fake.Cloud, state *connect.State, save bool) {
	ticker := time.NewTicker(saveInterval)
	defer ticker.Stop()
	saved := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if calls := cloud.CallCount(); save && calls != saved {
			saved = calls
			_ = state.Save(cloud) // the last save, at the end, tells what keeps it from saving
		}
	}
}
