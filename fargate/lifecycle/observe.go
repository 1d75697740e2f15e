// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"context"
	"errors"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/awscall"
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
	l := r.lookup(in)
	if err := l.byName(ctx); err != nil {
		return err
	}
	if l.incomplete() {
		if err := l.byList(ctx); err != nil {
			return err
		}
	}
	if err := l.byPeer(ctx); err != nil {
		return err
	}
	l.sortOut()
	l.remember()
	if in.Observed == nil && in.Memory.ARN != "" {
		var err error
		in.Place, err = r.place(ctx, in.Desired.Spec)
		return err
	}
	return nil
}

func (r *Reconciler) lookup(in *fargate.Input) *lookup {
	return &lookup{caller: r.caller(in.Desired.Spec), desired: in.Desired, in: in, asked: map[string]*fargate.Observed{}}
}

// lookAtList looks for other profiles of the logical name, beside those that were
// found.
func (r *Reconciler) lookAtList(ctx context.Context, in *fargate.Input, d fargate.Decision) (bool, error) {
	if !slices.Contains(d.Unchecked, fargate.PreconditionList) {
		return false, nil
	}
	l := r.lookup(in)
	for _, o := range append([]fargate.Observed{*in.Observed}, in.Peers...) {
		l.asked[o.Spec.Name], l.ours = &o, append(l.ours, o)
	}
	if err := l.byList(ctx); err != nil || in.ClusterMissing {
		return true, err
	}
	l.sortOut()
	l.remember()
	return true, nil
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

// incomplete reports whether only the list can tell: of an absence, and where another
// profile may be there to which no mark leads. While one is CREATING nothing can be
// done about that.
func (l *lookup) incomplete() bool {
	creating := func(o fargate.Observed) bool { return o.Status == fargate.StatusCreating }
	switch {
	case l.in.ClusterMissing:
		return false
	case len(l.ours) == 0:
		return true
	case slices.ContainsFunc(l.ours, creating):
		return false
	}
	// A plain name is not what the policy would give: who has no memory cannot know
	// that it is all there is.
	plain := l.desired.Policy.Name == fargate.NameDerived && l.ours[0].Spec.Name == l.desired.Spec.Name
	return l.in.Memory.Unlisted || plain && l.in.Memory.Physical == "" && !l.in.Absent
}

// byList looks for derived names.
func (l *lookup) byList(ctx context.Context) error {
	names, err := l.caller.list(ctx)
	if awserr.Is(err, awserr.ClusterNotFound) {
		l.in.ClusterMissing = true
		return nil
	}
	if err != nil {
		return err
	}
	l.in.Listed = true
	for _, name := range names {
		if !fargate.MayBelong(l.desired.Spec.Name, name) {
			continue
		}
		if err := l.ask(ctx, name); err != nil || l.in.ClusterMissing {
			return err
		}
		l.meet(name)
	}
	return nil
}

// remember lets the next look read the list again while there are two without marks
// that lead from one to the other.
func (l *lookup) remember() {
	if l.in.Listed || len(l.ours) > 1 {
		l.in.Memory.Version, l.in.Memory.Unlisted = fargate.MemoryVersion, unlinked(l.ours)
	}
}

// unlinked reports whether no mark leads from the newest of several profiles, which
// the memory knows, to another.
func unlinked(row []fargate.Observed) bool {
	return len(row) > 1 && slices.ContainsFunc(row, func(o fargate.Observed) bool { return o.Peer() == "" })
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
		l.meet(peer)
	}
	return nil
}

// meet notes, once, a profile that is not ours and has a name that we would use.
func (l *lookup) meet(name string) {
	q := l.asked[name]
	known := func(o fargate.Observed) bool { return o.Spec.Name == name }
	if q == nil || l.desired.Claims(*q) || slices.ContainsFunc(l.in.Strangers, known) {
		return
	}
	l.in.Strangers = append(l.in.Strangers, *q)
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

// renew lets a newer look stand for the first one: what was ACTIVE then can be
// DELETING or gone by now. That a list leaves a profile out proves nothing.
func renew(in *fargate.Input, all []fargate.Observed, gone []string) {
	var row []fargate.Observed
	if in.Observed != nil {
		row = append(row, *in.Observed)
	}
	row = slices.DeleteFunc(append(row, in.Peers...), func(o fargate.Observed) bool { return slices.Contains(gone, o.Spec.Name) })
	for i, o := range row {
		if at := slices.IndexFunc(all, func(newer fargate.Observed) bool { return newer.Spec.Name == o.Spec.Name }); at >= 0 {
			row[i] = all[at]
		}
	}
	in.Observed, in.Peers = nil, nil
	if len(row) > 0 {
		in.Observed, in.Peers = &row[0], row[1:]
	}
}

// claims counts the profiles that bear our marks for the logical name.
func claims(d fargate.Desired, all []fargate.Observed) int {
	n := 0
	for _, o := range all {
		if d.Claims(o) {
			n++
		}
	}
	return n
}

// place finds out where the calls land, as far as anybody tells.
func (r *Reconciler) place(ctx context.Context, at fargate.Spec) (fargate.Place, error) {
	if r.options.Identity != nil {
		place, err := r.options.Identity(ctx)
		if err != nil {
			return fargate.Place{}, r.fail("asking for the identity", at, err)
		}
		return place, nil
	}
	return fargate.Place{Region: sdkconv.Region(r.api)}, nil
}

// readCluster describes every profile of the cluster. Those that went away after
// they were listed are told by name.
func (c caller) readCluster(ctx context.Context) (all []fargate.Observed, gone []string, err error) {
	names, err := c.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	all = make([]fargate.Observed, 0, len(names)) // not nil: somebody looked
	for _, name := range names {
		o, err := c.describe(ctx, name)
		switch {
		case awserr.Is(err, awserr.ProfileNotFound):
			gone = append(gone, name)
		case err != nil:
			return nil, nil, err
		default:
			all = append(all, o)
		}
	}
	return all, gone, nil
}

func (c caller) describe(ctx context.Context, name string) (fargate.Observed, error) {
	const op = "DescribeFargateProfile"
	in := &eks.DescribeFargateProfileInput{ClusterName: &c.cluster, FargateProfileName: &name}
	out, err := call(ctx, c, op, name, func() (*eks.DescribeFargateProfileOutput, error) {
		return c.api.DescribeFargateProfile(ctx, in)
	})
	switch {
	case err != nil:
		return fargate.Observed{}, err
	case out.FargateProfile == nil:
		return fargate.Observed{}, c.failed(op, name, awscall.ErrEmptyAnswer)
	}
	return sdkconv.Observed(out.FargateProfile), nil
}

// list reads the names of all pages.
func (c caller) list(ctx context.Context) ([]string, error) {
	const op = "ListFargateProfiles"
	var names []string
	err := awscall.Pages(func(token *string) (*string, error) {
		in := &eks.ListFargateProfilesInput{ClusterName: &c.cluster, NextToken: token}
		out, err := call(ctx, c, op, c.profile, func() (*eks.ListFargateProfilesOutput, error) {
			return c.api.ListFargateProfiles(ctx, in)
		})
		if err != nil {
			return nil, err
		}
		names = append(names, out.FargateProfileNames...)
		return out.NextToken, nil
	})
	if repeated, ok := errors.AsType[*RepeatedPageError](err); ok {
		return nil, c.failed(op, c.profile, repeated)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}
