// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"
)

// refusesTags is quick, and refuses tags on a profile in progress.
func refusesTags(o *fake.Options) {
	quick(o)
	o.RefuseTagsInProgress = true
}

func retagged(c *fake.Cloud) fargate.Desired {
	d := oldSpec(c)
	d.Spec.Tags = map[string]string{"team": "y", "new": "1"}
	return d
}

// Somebody deletes the profile between the look and the tag call that follows from
// it: the refusal is a wait, and the next look tells.
func TestATagCallOnAProfileThatJustBecameDELETING(t *testing.T) {
	for call, before := range map[string]int{"untag": 1, "tag": 2} {
		t.Run(call, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := fake.New(refusesTags)
				settle(oldSpec)(t, c)
				r := lifecycle.New(c.EKS())
				var mem fargate.Memory
				for range before {
					out, err := r.Step(t.Context(), oldSpec(c), mem)
					if err != nil || !out.Settled {
						t.Fatalf("start: %+v, %v", out, err)
					}
					mem = out.Memory
				}
				if before == 2 { // the removal is done
					out, err := r.Step(t.Context(), retagged(c), mem)
					if err != nil || out.Action != fargate.ActionUpdateTags {
						t.Fatalf("start: %+v, %v", out, err)
					}
					mem = out.Memory
				}
				web := names(t, c.EKS())[0]
				c.Before(2, func() { // right before the write
					if _, err := c.EKS().DeleteFargateProfile(t.Context(), &eks.DeleteFargateProfileInput{ClusterName: aws.String("demo"), FargateProfileName: &web}); err != nil {
						t.Error(err)
					}
				})
				out, err := r.Step(t.Context(), retagged(c), mem)
				if err != nil || out.Action != fargate.ActionWait || out.Reason != fargate.ReasonStateChanged || out.RequeueAfter != time.Second {
					t.Fatalf("Step() = %s %s after %s, %v", out.Action, out.Reason, out.RequeueAfter, err)
				}
				out, err = r.Step(t.Context(), retagged(c), out.Memory)
				if err != nil || out.Reason != fargate.ReasonDeleting {
					t.Errorf("the next Step() = %s %s, %v", out.Action, out.Reason, err)
				}
				if n := out.Memory.Attempts[fargate.TroubleRefused]; n.Count != 0 {
					t.Errorf("the refusal still counts: %+v", n)
				}
				if _, err := r.Run(t.Context(), retagged(c)); err != nil {
					t.Errorf("Run() = %v", err)
				}
			})
		})
	}
}

// The codes with which EKS can say that a change does not fit the state are not
// documented. Each is a wait at first; one that the looks do not explain is blocked
// in the end.
func TestAChangeThatIsRefusedAsItIs(t *testing.T) {
	pinned := with(oldSpec, func(d *fargate.Desired) { d.Policy = fargate.Policy{} })
	steps := map[string]func(*lifecycle.Reconciler, context.Context, *fake.Cloud, fargate.Memory) (lifecycle.Outcome, error){
		"UntagResource": func(r *lifecycle.Reconciler, ctx context.Context, c *fake.Cloud, mem fargate.Memory) (lifecycle.Outcome, error) {
			return r.Step(ctx, with(pinned, func(d *fargate.Desired) { d.Spec.Tags = nil })(c), mem)
		},
		"TagResource": func(r *lifecycle.Reconciler, ctx context.Context, c *fake.Cloud, mem fargate.Memory) (lifecycle.Outcome, error) {
			return r.Step(ctx, with(pinned, func(d *fargate.Desired) { d.Spec.Tags["more"] = "1" })(c), mem)
		},
		"DeleteFargateProfile": func(r *lifecycle.Reconciler, ctx context.Context, c *fake.Cloud, mem fargate.Memory) (lifecycle.Outcome, error) {
			return r.StepDelete(ctx, pinned(c), mem)
		},
	}
	for operation, step := range steps {
		for _, code := range []string{"BadRequestException", "InvalidRequestException", "InvalidParameterException", "InvalidStateException"} {
			t.Run(operation+" "+code, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := fake.New(quick)
					settle(pinned)(t, c)
					c.Inject(fake.Fault{Operation: operation, Code: code, Message: "Fargate profile web is in status DELETING.", Count: -1})
					r := lifecycle.New(c.EKS())
					var out lifecycle.Outcome
					var waits []time.Duration
					for range 20 {
						var err error
						if out, err = step(r, t.Context(), c, out.Memory); err != nil {
							t.Fatal(err)
						}
						if out.Action == fargate.ActionBlocked {
							break
						}
						if out.Action != fargate.ActionWait || out.Reason != fargate.ReasonStateChanged {
							t.Fatalf("Step() = %s %s", out.Action, out.Reason)
						}
						waits = append(waits, out.RequeueAfter)
						time.Sleep(out.RequeueAfter)
					}
					if out.Reason != fargate.ReasonRejected || len(waits) != 4 || waits[0] != time.Second || waits[3] != 8*time.Second {
						t.Errorf("waits %v, and then %s", waits, out.Reason)
					}
				})
			})
		}
	}
}

// A name that stays taken although no look shows who has it is asked for less and
// less often.
func TestANameThatStaysTakenIsAskedForLessOften(t *testing.T) {
	c := fake.New()
	c.Inject(fake.Fault{Operation: "CreateFargateProfile", Code: "ResourceInUseException", Message: "A Fargate Profile already exists with this name in this cluster.", Count: -1})
	r := lifecycle.New(c.EKS())
	var mem fargate.Memory
	var waits []time.Duration
	for range 7 {
		out, err := r.Step(t.Context(), desired(c, "web", "web"), mem)
		if err != nil || out.Reason != fargate.ReasonNameTaken {
			t.Fatalf("Step() = %s, %v", out.Reason, err)
		}
		mem, waits = out.Memory, append(waits, out.RequeueAfter/time.Second)
	}
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		if waits[i] != want {
			t.Errorf("waits %v", waits)
			break
		}
	}
}

// A refusal of long ago was about another change: the next one is a wait again.
func TestARefusalOfLongAgoDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		settle(oldSpec)(t, c)
		c.Inject(fake.Fault{Operation: "TagResource", Code: "BadRequestException", Message: "no", Count: -1})
		r := lifecycle.New(c.EKS())
		more := with(oldSpec, func(d *fargate.Desired) { d.Spec.Tags["more"] = "1" })
		var mem fargate.Memory
		for range 3 {
			out, err := r.Step(t.Context(), more(c), mem)
			if err != nil || out.Reason != fargate.ReasonStateChanged || out.RequeueAfter != time.Second {
				t.Fatalf("Step() = %s after %s, %v", out.Reason, out.RequeueAfter, err)
			}
			mem = out.Memory
			time.Sleep(time.Hour)
		}
	})
}

// speechless is an API whose writes answer with success and no profile.
type speechless struct{ lifecycle.API }

func (speechless) CreateFargateProfile(context.Context, *eks.CreateFargateProfileInput, ...func(*eks.Options)) (*eks.CreateFargateProfileOutput, error) {
	return nil, nil //nolint:nilnil // the empty answer is what is tested
}

func (speechless) DeleteFargateProfile(context.Context, *eks.DeleteFargateProfileInput, ...func(*eks.Options)) (*eks.DeleteFargateProfileOutput, error) {
	return &eks.DeleteFargateProfileOutput{}, nil
}

// What a write did that answers with nothing is for the next look to tell.
func TestAnEmptyAnswerToAWriteIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New(quick)
		r := lifecycle.New(speechless{c.EKS()})
		out, err := r.Step(t.Context(), oldSpec(c), fargate.Memory{})
		if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Op != "CreateFargateProfile" || out.Settled {
			t.Errorf("Step() = %s, %v", out.Reason, err)
		}
		settle(oldSpec)(t, c)
		out, err = r.StepDelete(t.Context(), oldSpec(c), fargate.Memory{})
		if e, ok := errors.AsType[*lifecycle.Error](err); !ok || e.Op != "DeleteFargateProfile" || out.Gone {
			t.Errorf("StepDelete() = %s, %v", out.Reason, err)
		}
	})
}
