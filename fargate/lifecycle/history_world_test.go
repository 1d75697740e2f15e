// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// history is one random history. All chance comes from the seed, and only one
// thing happens at a time, so that a seed repeats it to the letter.
type history struct {
	seed      uint64
	rand      *rand.Rand
	cloud     *fake.Cloud
	eks       *fake.EKS // the truth, and the hands of others
	iam       *fake.IAM // likewise
	roles     bool      // the library makes the roles
	clusters  []string
	objects   []*object
	processes []*process
	regretted *object                      // whose last edit is about to be taken back
	foreign   map[string]map[string]string // by cluster/name: profiles that were never ours, and their tags
	moment    int                          // counts what happened
	changes   int                          // counts the writes and the deeds
	lie       *lie                         // what is broken on purpose; nil for nothing
	failing   float64                      // the share of creates and deletes that fail on their way
	calm      bool                         // no faults any more
	broken    error                        // the first rule that was broken
	told      bool                         // what happens is written down
	log       []string
	tally     tally
}

// object is one logical profile of one owner, as a user declares it.
type object struct {
	cluster, name, owner string
	twin                 bool                         // has had a twin that only a derived name finds
	rival                bool                         // of another owner that has the name, too
	greedy               bool                         // was ever allowed to take what is not its own
	wish                 wish                         // what the user wants now
	former               fargate.Spec                 // what the user wanted before
	keys                 map[string]map[string]string // the tags that we set, by the resource
}

// wish is a version of what the user wants.
type wish struct {
	fargate.Desired
	absent bool
}

func (o *object) String() string { return o.cluster + "/" + o.name + " of " + o.owner }

// tally counts what a history was made of.
type tally struct {
	Steps, Calls, Writes, Faults, Kills, Edits, Deeds int
	Reasons                                           map[fargate.Reason]int
}

func (t *tally) add(o tally) {
	t.Steps, t.Calls, t.Writes, t.Faults = t.Steps+o.Steps, t.Calls+o.Calls, t.Writes+o.Writes, t.Faults+o.Faults
	t.Kills, t.Edits, t.Deeds = t.Kills+o.Kills, t.Edits+o.Edits, t.Deeds+o.Deeds
	for r, n := range o.Reasons {
		t.Reasons[r] += n
	}
}

// brokenRuleError is a rule that was broken, and how.
type brokenRuleError struct{ rule, how string }

func (e *brokenRuleError) Error() string { return e.rule + ": " + e.how }

// breaks records that a rule is broken. Only the first counts.
func (h *history) breaks(rule, format string, args ...any) {
	if h.broken == nil {
		h.broken = &brokenRuleError{rule, fmt.Sprintf(format, args...)}
		h.note("BROKEN %v", h.broken)
	}
}

// note writes down what happens, when somebody wants to read it: it takes longer
// than the rest.
func (h *history) note(format string, args ...any) {
	if !h.told {
		return
	}
	h.log = append(h.log, h.cloud.Now().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

func (h *history) transcript() string { return strings.Join(h.log, "\n") }

// The draws.

func (h *history) chance(share float64) bool { return h.rand.Float64() < share }

func pick[T any](h *history, of ...T) T { return of[h.rand.IntN(len(of))] }

func (h *history) between(shortest, longest time.Duration) time.Duration {
	return shortest + time.Duration(h.rand.Int64N(int64(longest-shortest)))
}

const otherRole = "fargate-pods-2"

// longestStale is how old a stale read is at most: less than any change takes.
const longestStale = 2 * time.Second

// newHistory draws a world.
func newHistory(seed uint64, l *lie) *history {
	h := &history{
		seed: seed, rand: rand.New(rand.NewPCG(seed, 7)), lie: l,
		foreign: map[string]map[string]string{}, tally: tally{Reasons: map[fargate.Reason]int{}},
	}
	h.failing = pick(h, 0.05, 0.05, 0.6)
	quota := pick(h, 10, 10, 10, 4)
	order := pick(h, fake.ListSorted, fake.ListCreated, fake.ListShuffled)
	h.cloud = fake.New(func(o *fake.Options) {
		now := time.UnixMilli(1_700_000_000_000)
		o.Now = func() time.Time { return now }
		o.Seed, o.JournalSize = seed, -1
		o.Quotas.Profiles, o.ListOrder, o.EmptyFirstPage = quota, order, seed%5 == 0
		o.EmptyLabels = pick(h, fake.LabelsAbsent, fake.LabelsNull, fake.LabelsEmpty)
		o.RefuseTagsInProgress, o.ReplayTokens = h.chance(0.5), h.chance(0.5)
		o.Delays = fake.Delays{
			CreateFirst: fake.Between(3*time.Second, 40*time.Second), Create: fake.Between(3*time.Second, 20*time.Second),
			Delete: fake.Between(3*time.Second, 30*time.Second), Busy: fake.Between(0, 15*time.Second),
			DeleteCluster: fake.Between(3*time.Second, 30*time.Second), RoleTrust: fake.Between(0, 10*time.Second),
		}
	})
	h.cloud.AddRole(otherRole, fake.PodTrust)
	h.eks, h.iam, h.roles = h.cloud.EKS(), h.cloud.IAM(), h.chance(0.25)
	h.clusters = []string{fake.ClusterName}
	if h.chance(0.3) {
		h.clusters = append(h.clusters, "second")
		h.cloud.AddCluster(fake.Cluster{Name: "second"})
	}
	// The past is kept from here on, so that reads can be stale.
	h.cloud.Inject(fake.Fault{Operation: "none", Stale: longestStale})
	h.cloud.Advance(time.Minute)
	h.addObjects()
	for i := range 1 + h.rand.IntN(3) {
		h.processes = append(h.processes, newProcess(h, i))
	}
	return h
}

// addObjects draws the logical profiles. One name looks like one that is derived
// from another.
func (h *history) addObjects() {
	generations := h.chance(0.7)
	for _, cluster := range h.clusters {
		for i, name := range []string{"web", "web-998-abcdefgh", "api"}[:pick(h, 1, 1, 2, 3)] {
			o := &object{cluster: cluster, name: name, owner: fmt.Sprintf("install/ns%d/%s", i, cluster)}
			h.objects = append(h.objects, o)
			if h.chance(0.15) {
				h.objects = append(h.objects, &object{cluster: cluster, name: name, owner: "rival/" + name, rival: true})
			}
		}
	}
	for _, o := range h.objects {
		o.keys = map[string]map[string]string{}
		o.wish.Spec = fargate.Spec{ClusterName: o.cluster, Name: o.name, PodExecutionRoleARN: h.drawRole(o)}
		o.wish.Owner.ID = o.owner
		if generations {
			o.wish.Generation = 1
		}
		o.wish.Policy = h.drawPolicy()
		o.greedy = o.wish.Policy.Adoption != fargate.AdoptionNever || len(o.wish.Policy.TakeOverFrom) > 0
		o.wish.Spec.Selectors = h.drawSelectors(o)
		o.wish.Spec.Tags = h.drawTags()
		o.wish.absent, o.former = h.chance(0.1), o.wish.Spec
	}
}

// view is the truth about a cluster, by name.
func (h *history) view(cluster string) map[string]*types.FargateProfile {
	return h.viewIn(context.Background(), cluster)
}

func (h *history) viewIn(ctx context.Context, cluster string) map[string]*types.FargateProfile {
	all := map[string]*types.FargateProfile{}
	pages := eks.NewListFargateProfilesPaginator(h.eks, &eks.ListFargateProfilesInput{ClusterName: &cluster})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if lifecycle.Classify(err).Kind == lifecycle.FaultClusterNotFound {
			return all
		}
		if err != nil {
			panic(err)
		}
		for _, name := range page.FargateProfileNames {
			all[name] = h.profile(ctx, cluster, name)
		}
	}
	return all
}

// profile is the truth about a profile; nil where there is none.
func (h *history) profile(ctx context.Context, cluster, name string) *types.FargateProfile {
	out, err := h.eks.DescribeFargateProfile(ctx, &eks.DescribeFargateProfileInput{ClusterName: &cluster, FargateProfileName: aws.String(name)})
	if err != nil {
		return nil
	}
	return out.FargateProfile
}

// play plays the history of a seed: a while of chaos, then calm, in which
// everything must come to rest as far as others let it, then the others let go,
// and all must be as desired.
func play(seed uint64, l *lie) *history { return newHistory(seed, l).play() }

// tell plays a history and writes down what happens.
func tell(seed uint64, l *lie) *history {
	h := newHistory(seed, l)
	h.told = true
	return h.play()
}

func (h *history) play() *history {
	h.chaos()
	for _, ending := range []func(){h.comeToRest, h.comeToTheEnd} {
		if h.broken == nil {
			ending()
		}
	}
	return h
}

func (h *history) chaos() {
	for range 60 + h.rand.IntN(300) {
		if h.happen(); h.broken != nil {
			break
		}
	}
	for _, p := range h.processes {
		p.kill("the end of the chaos")
	}
}

// happen lets one thing happen.
func (h *history) happen() {
	h.moment++
	h.regret()
	switch draw := h.rand.Float64(); {
	case draw < 0.70:
		pick(h, h.processes...).goOn()
	case draw < 0.86:
		h.wait()
	case draw < 0.95:
		h.edit()
	default:
		h.others()
	}
}

func (h *history) wait() {
	d := h.between(50*time.Millisecond, 2*time.Second)
	switch draw := h.rand.Float64(); {
	case draw < 0.3:
		d = h.between(time.Second, 30*time.Second)
	case draw < 0.32:
		d = h.between(time.Minute, 15*time.Minute)
	}
	h.cloud.Advance(d)
}

// sortedNames are the names of a view in order.
func sortedNames(view map[string]*types.FargateProfile) []string {
	names := make([]string, 0, len(view))
	for name := range view {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
