// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/internal/tagdiff"
	"github.com/eksfargate/eksfargate/selector"
)

// physical is a profile at EKS with what its name and its marks say.
type physical struct {
	Observed
	ownership  Ownership
	owners     []string
	generation int   // its place in the row of names
	marked     int64 // the generation of the desired state in its marks
}

// situation is an [Input] seen through its marks, with the zero values filled in.
// The rules read it and nothing else.
type situation struct {
	in      Input
	desired Desired
	policy  Policy
	limits  Limits
	tags    map[string]string // the user's desired tags
	row     []*physical       // the profiles of the logical name, oldest first
	before  Memory            // what was remembered before this look
	// version tells versions of the desired state apart. It is taken before the role
	// is filled in, so that it does not depend on who looked at the role.
	version string
}

func newSituation(in Input) *situation {
	d := in.Desired
	tags := d.Tags()
	d.Spec.Tags = tags
	d.Spec = d.Spec.Normalize()
	version := fingerprint(d.Spec)
	if d.Spec.PodExecutionRoleARN == "" && in.Role != nil {
		d.Spec.PodExecutionRoleARN = in.Role.ARN
	}
	s := &situation{in: in, desired: d, policy: d.Policy.withDefaults(), limits: in.Limits.withDefaults(), tags: tags, version: version}
	s.fillRow()
	s.before = in.Memory.known()
	s.in.Memory = s.before.observe(s.newest(), s.busiest(), s.fingerprint(), in.Now)
	return s
}

// fillRow lines up the profiles of the logical name. One that only the list of the
// cluster shows belongs to it, too: a writer that died or raced left it.
func (s *situation) fillRow() {
	if s.in.Observed != nil {
		s.add(*s.in.Observed)
	}
	for _, p := range s.in.Peers {
		s.add(p)
	}
	for _, p := range s.in.Cluster {
		if s.desired.Claims(p) {
			s.add(p)
		}
	}
	if len(s.row) == 0 && !s.in.Absent {
		s.addNamesake()
	}
	slices.SortFunc(s.row, func(a, b *physical) int {
		return cmp.Or(cmp.Compare(b.generation, a.generation), strings.Compare(b.Spec.Name, a.Spec.Name))
	})
}

// addNamesake lets a profile that is not ours stand for the logical name where it
// has the very name that we would give: creating it could never succeed.
func (s *situation) addNamesake() {
	for _, p := range slices.Concat(s.in.Strangers, s.in.Cluster) {
		if p.Spec.Name == s.firstName() {
			s.add(p)
		}
	}
}

// firstName is the physical name of a profile that has no predecessor.
func (s *situation) firstName() string {
	if s.policy.Name == NameDerived {
		return derivedName(s.desired.Spec.Name, firstGeneration, s.version)
	}
	return s.desired.Spec.Name
}

func (s *situation) add(o Observed) {
	if !slices.ContainsFunc(s.row, func(p *physical) bool { return p.Spec.Name == o.Spec.Name }) {
		s.row = append(s.row, s.physical(o))
	}
}

func (s *situation) fingerprint() string {
	if s.in.Absent {
		return "absent"
	}
	return s.version
}

func (s *situation) physical(o Observed) *physical {
	p := &physical{Observed: o}
	p.ownership, p.owners = owner.Of(o.Spec.Tags, s.desired.Owner.ID)
	// Our owner mark on the profile of another logical name is somebody else's.
	if ours := p.ownership == OwnershipOwned || p.ownership == OwnershipContested; ours && !s.desired.Claims(o) {
		p.ownership, p.owners = OwnershipForeign, append(p.owners, s.desired.Owner.ID+" for profile "+o.LogicalName())
	}
	p.generation, _ = generationOf(s.desired.Spec.Name, o.Spec.Name)
	p.marked = markedGeneration(o.Spec.Tags)
	return p
}

// markedGeneration reads the mark; a torn one counts as none.
func markedGeneration(tags map[string]string) int64 {
	n, err := strconv.ParseInt(tags[owner.GenerationKey], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// single is the profile when there is exactly one.
func (s *situation) single() (*physical, bool) {
	if len(s.row) != 1 {
		return nil, false
	}
	return s.row[0], true
}

// replacing returns predecessor and successor while both are there.
func (s *situation) replacing() (predecessor, successor *physical, ok bool) {
	if len(s.row) != 2 {
		return nil, nil, false
	}
	return s.row[0], s.row[1], true
}

// newest is the profile that the desired state is compared with.
func (s *situation) newest() *physical {
	if len(s.row) == 0 {
		return nil
	}
	return s.row[len(s.row)-1]
}

// busiest is the profile that things wait for: the oldest that is not ACTIVE, else
// the newest.
func (s *situation) busiest() *physical {
	for _, p := range s.row {
		if p.Status != StatusActive {
			return p
		}
	}
	return s.newest()
}

func (s *situation) find(status ...Status) *physical {
	for _, p := range s.row {
		if slices.Contains(status, p.Status) {
			return p
		}
	}
	return nil
}

func (s *situation) drift(p *physical) Changes {
	return Diff(s.desired.Spec, p.Observed, func(o *DiffOptions) { o.TagMode = s.policy.TagMode })
}

// equal reports whether nothing immutable differs.
func (s *situation) equal(p *physical) bool { return !s.drift(p).RequiresReplacement() }

// decision starts a decision about p, which may be nil.
func (s *situation) decision(a Action, r Reason, p *physical, format string, args ...any) Decision {
	d := Decision{Action: a, Reason: r, Message: fmt.Sprintf(format, args...), Memory: s.in.Memory}
	if p == nil {
		return d
	}
	d.Profile, d.Status, d.Ownership, d.Owners, d.Issues = p.Spec.Name, p.Status, p.ownership, p.owners, p.Issues
	if !s.in.Absent {
		d.Drift = s.drift(p)
	}
	return d
}

func (s *situation) blocked(r Reason, p *physical, format string, args ...any) Decision {
	d := s.decision(ActionBlocked, r, p, format, args...)
	d.RequeueAfter = blockedAfter
	return d
}

func (s *situation) wait(r Reason, p *physical, after time.Duration, format string, args ...any) Decision {
	d := s.decision(ActionWait, r, p, format, args...)
	d.RequeueAfter = after
	return d
}

// When to look again.
const (
	afterWrite   = time.Second
	afterChange  = 5 * time.Second // a create or a delete was just accepted
	blockedAfter = 5 * time.Minute
	gateAfter    = 15 * time.Second
	roleAfter    = 5 * time.Second
)

// progressAfter says when to look again at a profile that has been in progress
// for a while: a second use of a role takes about 15 seconds, a first one minutes,
// and a delete two to four minutes.
func progressAfter(age time.Duration) time.Duration {
	switch {
	case age < time.Minute:
		return 5 * time.Second
	case age < 10*time.Minute:
		return 10 * time.Second
	default:
		return 30 * time.Second
	}
}

// name calls the profile for messages.
func (s *situation) name() string {
	return "profile " + s.desired.Spec.Name + " of cluster " + s.desired.Spec.ClusterName
}

// newTags are all tags of a profile that we create: a successor names its
// predecessor, and any other profile itself, until somebody has looked whether it is
// the only one.
func (s *situation) newTags(peer string) map[string]string {
	tags := tagdiff.New(s.tags)
	maps.Copy(tags, s.ownTags())
	tags[owner.PeerKey] = peer
	return tags
}

// ownTags are the marks of an owned profile outside of a replacement.
func (s *situation) ownTags() map[string]string {
	marks := map[string]string{
		owner.Key(s.desired.Owner.ID): s.desired.Owner.ID,
		owner.ProfileKey:              s.desired.Spec.Name,
	}
	if s.desired.Generation > 0 {
		marks[owner.GenerationKey] = strconv.FormatInt(s.desired.Generation, 10)
	}
	return marks
}

func (s *situation) tag(p *physical, tags map[string]string) *Call {
	return &Call{Operation: OperationTag, Cluster: s.desired.Spec.ClusterName, Profile: p.Spec.Name, ARN: p.ARN, SetTags: tags}
}

func (s *situation) untag(p *physical, keys ...string) *Call {
	slices.Sort(keys)
	return &Call{Operation: OperationUntag, Cluster: s.desired.Spec.ClusterName, Profile: p.Spec.Name, ARN: p.ARN, RemoveTags: keys}
}

func (s *situation) create(name, peer string) *Call {
	spec := s.desired.Spec
	spec.Name, spec.Tags = name, s.newTags(peer)
	return &Call{Operation: OperationCreate, Cluster: spec.ClusterName, Profile: name, Spec: &spec}
}

func (s *situation) delete(p *physical) *Call {
	return &Call{Operation: OperationDelete, Cluster: s.desired.Spec.ClusterName, Profile: p.Spec.Name}
}

// tagsFit checks the limit on the union of what is there and what is added.
func (s *situation) tagsFit(p *physical, set map[string]string, removed ...string) (count int, fit bool) {
	for key := range p.Spec.Tags {
		if _, again := set[key]; !again && !tagdiff.IsAWS(key) && !slices.Contains(removed, key) {
			count++
		}
	}
	count += len(set)
	return count, count <= s.limits.Tags
}

// podsOn lists the pods that run on a profile, and whether anybody looked.
func (s *situation) podsOn(profile string) ([]string, bool) {
	return podNames(s.in.Pods, func(p selector.Placed) bool { return p.OnProfile() == profile }), s.in.Pods != nil
}

// pinsTo lists the pods whose template names the profile.
func (s *situation) pinsTo(profile string) []string {
	return podNames(s.in.Pods, func(p selector.Placed) bool {
		return p.Template != nil && p.Template.Labels[selector.ProfileLabel] == profile
	})
}

func podNames(pods []selector.Placed, keep func(selector.Placed) bool) []string {
	var names []string
	for _, p := range pods {
		if keep(p) {
			names = append(names, p.Namespace+"/"+p.Name)
		}
	}
	slices.SortFunc(names, strings.Compare)
	return names
}
