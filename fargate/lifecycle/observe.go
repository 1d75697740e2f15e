// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awserr"
	"github.com/eksfargate/eksfargate/internal/sdkconv"
)

// lookup is the search for the profiles of one logical name.
type lookup struct {
	caller  caller
	desired fargate.Desired
	in      *fargate.Input
	asked   map[string]*fargate.Observed // what each name brought; nil for nothing
	ours    []fargate.Observed
}

// observe makes the reads that every decision needs: one call where nothing is
// unusual.
func (r *Reconciler) observe(ctx context.Context, in *fargate.Input) error {
	l := &lookup{caller: r.caller(in.Desired.Spec), desired: in.Desired, in: in, asked: map[string]*fargate.Observed{}}
	if err := l.byName(ctx); err != nil {
		return err
	}
	if err := l.byList(ctx); err != nil {
		return err
	}
	if err := l.byPeer(ctx); err != nil {
		return err
	}
	l.sortOut()
	if in.Observed == nil && in.Memory.ARN != "" {
		return r.locate(ctx, in)
	}
	return nil
}

// byName asks for the remembered and the logical name. A memory of another profile
// leads nowhere.
func (l *lookup) byName(ctx context.Context) error {
	for _, name := range []string{l.in.Memory.Physical, l.desired.Spec.Name} {
		if len(l.ours) > 0 || !fargate.MayBelong(l.desired.Spec.Name, name) {
			continue
		}
		if err := l.ask(ctx, name); err != nil || l.in.ClusterMissing {
			return err
		}
	}
	return nil
}

// byList looks for derived names: only after it is a profile absent.
func (l *lookup) byList(ctx context.Context) error {
	if len(l.ours) > 0 || l.in.ClusterMissing {
		return nil
	}
	names, err := l.caller.list(ctx)
	if awserr.Is(err, awserr.ClusterNotFound) {
		l.in.ClusterMissing = true
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range names {
		if !fargate.MayBelong(l.desired.Spec.Name, name) {
			continue
		}
		if err := l.ask(ctx, name); err != nil || l.in.ClusterMissing {
			return err
		}
		l.noteStranger(name)
	}
	return nil
}

// noteStranger keeps a profile that has a name of ours and is not ours.
func (l *lookup) noteStranger(name string) {
	q := l.asked[name]
	if q == nil || l.desired.Claims(*q) || slices.ContainsFunc(l.in.Strangers, func(o fargate.Observed) bool { return o.Spec.Name == name }) {
		return
	}
	l.in.Strangers = append(l.in.Strangers, *q)
}

// byPeer follows the marks of a replacement. A mark that cannot be ours is not
// followed: nobody knows what AWS says about names that it would not give.
func (l *lookup) byPeer(ctx context.Context) error {
	for _, o := range slices.Clone(l.ours) {
		peer := o.Peer()
		if !fargate.MayBelong(l.desired.Spec.Name, peer) {
			continue
		}
		if err := l.ask(ctx, peer); err != nil {
			return err
		}
		l.noteStranger(peer)
	}
	return nil
}

// ask describes a profile once.
func (l *lookup) ask(ctx context.Context, name string) error {
	if _, done := l.asked[name]; done {
		return nil
	}
	o, err := l.caller.describe(ctx, name)
	switch kind := awserr.Classify(err).Kind; {
	case kind == awserr.ProfileNotFound:
		l.asked[name] = nil
		return nil
	case kind == awserr.ClusterNotFound:
		l.in.ClusterMissing = true
		return nil
	case err != nil:
		return err
	}
	l.asked[name] = &o
	if l.desired.Claims(o) {
		l.ours = append(l.ours, o)
	}
	return nil
}

// sortOut fills the input: what is ours stands for the logical name, else what
// bears the name itself.
func (l *lookup) sortOut() {
	if len(l.ours) == 0 {
		l.in.Observed = l.asked[l.desired.Spec.Name]
		return
	}
	l.in.Observed = &l.ours[0]
	l.in.Peers = l.ours[1:]
}

// locate finds out where the calls land, before an absence is believed.
func (r *Reconciler) locate(ctx context.Context, in *fargate.Input) error {
	if r.options.Identity != nil {
		place, err := r.options.Identity(ctx)
		if err != nil {
			return r.fail("asking for the identity", in.Desired.Spec, err)
		}
		in.Place = place
		return nil
	}
	if client, ok := r.api.(interface{ Options() eks.Options }); ok {
		in.Place.Region = client.Options().Region
	}
	return nil
}

// readCluster describes every profile of the cluster.
func (c caller) readCluster(ctx context.Context) ([]fargate.Observed, error) {
	names, err := c.list(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]fargate.Observed, 0, len(names))
	for _, name := range names {
		o, err := c.describe(ctx, name)
		if awserr.Is(err, awserr.ProfileNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

func (c caller) describe(ctx context.Context, name string) (fargate.Observed, error) {
	in := &eks.DescribeFargateProfileInput{ClusterName: &c.cluster, FargateProfileName: &name}
	out, err := call(ctx, c, "DescribeFargateProfile", name, func() (*eks.DescribeFargateProfileOutput, error) {
		return c.api.DescribeFargateProfile(ctx, in)
	})
	if err != nil {
		return fargate.Observed{}, err
	}
	return sdkconv.Observed(out.FargateProfile), nil
}

// list reads all pages. An empty page may have a next one.
func (c caller) list(ctx context.Context) ([]string, error) {
	var names []string
	in := &eks.ListFargateProfilesInput{ClusterName: &c.cluster}
	for {
		out, err := call(ctx, c, "ListFargateProfiles", c.profile, func() (*eks.ListFargateProfilesOutput, error) {
			return c.api.ListFargateProfiles(ctx, in)
		})
		if err != nil {
			return nil, err
		}
		names = append(names, out.FargateProfileNames...)
		if out.NextToken == nil || *out.NextToken == "" {
			slices.Sort(names)
			return slices.Compact(names), nil
		}
		in.NextToken = out.NextToken
	}
}
