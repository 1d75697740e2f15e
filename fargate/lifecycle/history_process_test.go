// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
	"github.com/eksfargate/eksfargate/selector"
)

// process is one reconciler with its own memory and its own, perhaps old, copy of
// what users want. It makes one step at a time, and stops before and after calls,
// where others go on, or where it is killed.
type process struct {
	h          *history
	id         int
	reconciler *lifecycle.Reconciler
	memory     map[*object]fargate.Memory
	wishes     map[*object]wish
	due        map[*object]time.Time
	step       *stepping
	held       time.Time // until when the step under way is held up
	withPods   bool
	quota      int
}

// stepping is a step under way, and what it saw so far.
type stepping struct {
	object *object
	wish   wish
	memory fargate.Memory
	yield  func(string) bool
	next   func() (string, bool)
	stop   func()
	dead   bool
	begun  int // how much had changed
	wrote  []string
	failed string              // the read that failed
	stale  bool                // some read was
	seen   map[string]*sight   // by name
	listed []string            // the names that lists told; nil for no list
	user   string              // a profile that was seen to use the role
	pods   map[string][]string // by profile, as the step was told; nil for not
	out    lifecycle.Outcome
	err    error
}

// sight is what a step saw of a profile: nil for its absence.
type sight struct{ *types.FargateProfile }

func newProcess(h *history, id int) *process {
	p := &process{h: h, id: id, wishes: map[*object]wish{}}
	p.withPods, p.quota = h.chance(0.3), pick(h, 0, 0, 4)
	p.boot()
	p.forget()
	return p
}

// boot starts a reconciler.
func (p *process) boot() {
	p.reconciler = lifecycle.New(p, func(o *lifecycle.Options) {
		o.Now, o.Limits.Profiles = p.h.cloud.Now, p.quota
		if p.withPods {
			o.Pods = p.lookAtPods
		}
		if p.h.roles {
			o.Roles = p.newRoles()
		}
	})
}

func (p *process) forget() {
	p.memory, p.due = map[*object]fargate.Memory{}, map[*object]time.Time{}
}

func (p *process) note(format string, args ...any) {
	if !p.h.told {
		return
	}
	p.h.note("#%d %s", p.id, fmt.Sprintf(format, args...))
}

// goOn begins a step, or lets the one under way go on to its next stop. Now and
// then it is killed instead, or learns what users want.
func (p *process) goOn() {
	h := p.h
	switch {
	case p.step != nil && h.cloud.Now().Before(p.held):
	case p.step == nil && h.chance(0.02):
		p.note("restarts with an empty memory")
		p.boot()
		p.forget()
	case p.step == nil:
		o := pick(h, h.objects...)
		if due := p.due[o]; h.cloud.Now().Before(due) && h.chance(0.7) {
			return
		}
		if _, known := p.wishes[o]; !known || h.chance(0.7) {
			p.wishes[o] = o.wish
		}
		p.begin(o)
		p.resume()
	case h.chance(0.02):
		p.kill("a crash")
	default:
		p.resume()
	}
}

func (p *process) begin(o *object) {
	w := p.wishes[o]
	s := &stepping{object: o, wish: w, memory: p.memory[o], seen: map[string]*sight{}, begun: p.h.changes}
	p.step = s
	p.h.tally.Steps++
	do := p.reconciler.Step
	if w.absent {
		do = p.reconciler.StepDelete
	}
	// Now and then the reconciler gets copies of its own, through JSON as a controller
	// keeps them, and what it does to what is desired shows.
	desired, memory, compared := w.Desired, s.memory, p.h.chance(0.1)
	if compared {
		memory = copyOf(memory)
	}
	if compared || p.h.lie != nil {
		desired = copyOf(desired)
	}
	if p.h.lie != nil && p.h.lie.desired != nil {
		p.h.lie.desired(&desired)
	}
	told := ""
	if compared {
		told = text(desired)
	}
	s.next, s.stop = iter.Pull(func(yield func(string) bool) {
		s.yield = yield
		s.out, s.err = do(context.Background(), desired, memory)
		if compared {
			p.h.judgeInput(told, text(desired))
		}
	})
}

// copyOf copies by way of JSON, as a controller that keeps a memory does.
func copyOf[T any](v T) T {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out T
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

// resume lets the step go on to its next stop or to its end.
func (p *process) resume() {
	if _, more := p.step.next(); more {
		return
	}
	s := p.step
	p.step = nil
	if s.dead {
		return
	}
	p.note("%s: %s %s (%s), %v", s.object, s.out.Action, s.out.Reason, s.out.Message, s.err)
	p.h.tally.Reasons[s.out.Reason]++
	if p.h.lie != nil && p.h.lie.outcome != nil {
		p.h.lie.outcome(&s.out)
	}
	p.h.judgeOutcome(s)
	p.memory[s.object] = s.out.Memory
	delete(p.due, s.object)
	if s.out.RequeueAfter > 0 {
		p.due[s.object] = p.h.cloud.Now().Add(s.out.RequeueAfter)
	}
	if s.out.Gone {
		p.memory[s.object] = fargate.Memory{}
	}
}

// kill ends the process in the middle of a step. It starts again with what it had
// stored before the step, or with nothing.
func (p *process) kill(why string) {
	if p.step == nil {
		return
	}
	p.note("%s: is killed: %s", p.step.object, why)
	p.h.tally.Kills++
	p.step.dead = true
	p.step.stop()
	p.step = nil
	p.boot()
	if p.h.chance(0.5) {
		p.forget()
	}
}

// stopHere lets others go on. It reports false where the process dies.
func (s *stepping) stopHere(at string) bool { return !s.dead && s.yield(at) }

func reads(op string) bool {
	return strings.HasPrefix(op, "Describe") || strings.HasPrefix(op, "List") || strings.HasPrefix(op, "Get")
}

func changes(op string) bool { return op == "CreateFargateProfile" || op == "DeleteFargateProfile" }

// strike injects what the next call meets, and reports whether a read is stale.
func (h *history) strike(op string) (stale bool) {
	f := fake.Fault{Operation: op}
	if changes(op) && !h.calm && h.chance(h.failing) {
		f.Outcome = fake.FailAfter(h.between(time.Second, 20*time.Second), "InternalFailure", "An internal error occurred.")
		h.note("   it will fail")
		h.cloud.Inject(f)
		return false
	}
	if h.calm || !h.chance(0.1) {
		return false
	}
	switch h.rand.IntN(6) {
	case 0:
		f = fake.Throttle(op, 1)
	case 1:
		f.Code, f.Message = "ServerException", "An internal error occurred."
	case 2:
		f.LoseRequest = true
	case 3:
		f.LoseReply = true
	case 4:
		f.Code, f.Message = "AccessDeniedException", "User: u is not authorized to perform: eks:"+op
	default:
		if !reads(op) || !strings.Contains(op, "FargateProfile") {
			return false
		}
		f.Stale = h.between(time.Millisecond, longestStale)
	}
	h.tally.Faults++
	h.note("   fault %+v", f)
	h.cloud.Inject(f)
	return f.Stale > 0
}

// through makes one call of a step.
func through[O any](p *process, op string, do func() (*O, error), about string) (*O, error) {
	s, h := p.step, p.h
	if op == "CreateFargateProfile" && h.chance(0.2) && !h.calm {
		// It is held up for longer than any look is true.
		p.held = h.cloud.Now().Add(h.between(20*time.Second, 3*time.Minute))
		p.note("   is held up")
	}
	if !s.stopHere("before " + op) {
		return nil, errKilled
	}
	h.tally.Calls++
	s.stale = h.strike(op) || s.stale
	out, err := do()
	if !reads(op) {
		h.changes++
	}
	p.note("   %s %s: %v", op, about, err)
	if h.chance(0.3) && !h.calm && !s.stopHere("after "+op) {
		return nil, errKilled
	}
	return out, err
}

// write makes one call that writes, and looks at what became of it.
func write[O any](ctx context.Context, p *process, op string, do func() (*O, error), about string) (*O, error) {
	p.step.wrote = append(p.step.wrote, op+" "+about)
	p.h.judgeStep(p.step)
	out, err := through(p, op, do, about)
	if err == nil {
		p.h.tally.Writes++
	}
	p.h.judgeCluster(ctx, p.step.object.cluster)
	return out, err
}

func (p *process) CreateFargateProfile(ctx context.Context, in *eks.CreateFargateProfileInput, _ ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error) {
	if p.h.lie != nil && p.h.lie.create != nil {
		p.h.lie.create(in)
	}
	p.h.judgeCreate(p.step, in)
	s := p.step
	o := s.object
	out, err := write(ctx, p, "CreateFargateProfile", func() (*eks.CreateFargateProfileOutput, error) {
		out, err := p.h.eks.CreateFargateProfile(ctx, in)
		if err == nil {
			p.h.landed(ctx, o, *in.FargateProfileName)
		}
		return out, err
	}, aws.ToString(in.FargateProfileName))
	if err == nil && p.h.alone(s) {
		// Now it is known what is on the profile; what was tried before is not. A create
		// that is held up can still land, after this profile is gone again.
		o.keys[nextARN(o, *in.FargateProfileName)] = maps.Clone(in.Tags)
	}
	return out, err
}

func (p *process) DeleteFargateProfile(ctx context.Context, in *eks.DeleteFargateProfileInput, _ ...func(*eks.Options)) (*eks.DeleteFargateProfileOutput, error) {
	p.h.judgeDelete(p.step, aws.ToString(in.FargateProfileName))
	return write(ctx, p, "DeleteFargateProfile", func() (*eks.DeleteFargateProfileOutput, error) { return p.h.eks.DeleteFargateProfile(ctx, in) }, aws.ToString(in.FargateProfileName))
}

func (p *process) TagResource(ctx context.Context, in *eks.TagResourceInput, _ ...func(*eks.Options)) (*eks.TagResourceOutput, error) {
	p.h.judgeTag(p.step, in)
	s := p.step
	out, err := write(ctx, p, "TagResource", func() (*eks.TagResourceOutput, error) { return p.h.eks.TagResource(ctx, in) }, fmt.Sprint(aws.ToString(in.ResourceArn), in.Tags))
	if _, remembered := in.Tags[memoryMark]; err == nil && remembered {
		p.h.unset(s, aws.ToString(in.ResourceArn))
	}
	return out, err
}

func (p *process) UntagResource(ctx context.Context, in *eks.UntagResourceInput, _ ...func(*eks.Options)) (*eks.UntagResourceOutput, error) {
	p.h.judgeUntag(p.step, in)
	s := p.step
	out, err := write(ctx, p, "UntagResource", func() (*eks.UntagResourceOutput, error) { return p.h.eks.UntagResource(ctx, in) }, fmt.Sprint(aws.ToString(in.ResourceArn), in.TagKeys))
	if err == nil && slices.Contains(in.TagKeys, memoryMark) {
		p.h.unset(s, aws.ToString(in.ResourceArn))
	}
	return out, err
}

func (p *process) ListFargateProfiles(ctx context.Context, in *eks.ListFargateProfilesInput, _ ...func(*eks.Options)) (*eks.ListFargateProfilesOutput, error) {
	out, err := through(p, "ListFargateProfiles", func() (*eks.ListFargateProfilesOutput, error) { return p.h.eks.ListFargateProfiles(ctx, in) }, aws.ToString(in.ClusterName))
	switch {
	case lifecycle.Classify(err).Kind == lifecycle.FaultClusterNotFound:
	case err != nil:
		p.step.failed = "ListFargateProfiles"
	default:
		p.step.listed = append(append([]string{}, p.step.listed...), out.FargateProfileNames...)
	}
	return out, err
}

func (p *process) DescribeFargateProfile(ctx context.Context, in *eks.DescribeFargateProfileInput, _ ...func(*eks.Options)) (*eks.DescribeFargateProfileOutput, error) {
	name := aws.ToString(in.FargateProfileName)
	out, err := through(p, "DescribeFargateProfile", func() (*eks.DescribeFargateProfileOutput, error) { return p.h.eks.DescribeFargateProfile(ctx, in) }, name)
	switch {
	case err == nil:
		p.step.seen[name] = &sight{out.FargateProfile}
	case lifecycle.Classify(err).Kind == lifecycle.FaultProfileNotFound, lifecycle.Classify(err).Kind == lifecycle.FaultClusterNotFound:
		p.step.seen[name] = &sight{}
	default:
		p.step.failed = "DescribeFargateProfile"
	}
	if p.h.lie != nil {
		return p.h.lie.tell(p.step, out, err)
	}
	return out, err
}

// lookAtPods shows the pods of the fake to the reconciler.
func (p *process) lookAtPods(_ context.Context, cluster string) ([]selector.Placed, error) {
	p.step.pods = map[string][]string{}
	placed := placedPods(p.h.cloud, cluster)
	for _, pod := range placed {
		p.step.pods[pod.Profile] = append(p.step.pods[pod.Profile], pod.Name)
	}
	return placed, nil
}
