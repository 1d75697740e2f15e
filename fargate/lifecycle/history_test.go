// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"flag"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

var (
	histories   = flag.Uint64("histories", 200, "how many random histories TestHistories plays")
	historySeed = flag.Uint64("history-seed", 0, "play only the history of this seed, and print all that happens in it")
	historyFrom = flag.Uint64("history-from", 1, "the seed of the first history")
)

// TestHistories plays random histories: several reconcilers with memories of
// their own work on several profiles, call by call in any order; they are killed
// and forget, their reads are stale, their calls and changes fail, people edit
// what they want, and others tag, delete and make profiles, and delete clusters. In
// some the reconcilers make the roles, too. A create can be held up for longer than
// any look is true. The rules that nothing may break are checked at every write and
// at the end of every step. Then the faults stop, and everything must settle with
// nothing left over.
//
//	go test ./fargate/lifecycle -run TestHistories -histories 1000000
//	go test ./fargate/lifecycle -run TestHistories -history-seed 17 -v
func TestHistories(t *testing.T) {
	if *historySeed != 0 {
		h := tell(*historySeed, nil)
		t.Logf("\n%s", h.transcript())
		if h.broken != nil {
			t.Errorf("seed %d: %v", h.seed, h.broken)
		}
		return
	}
	var (
		next  = atomic.Uint64{}
		wait  sync.WaitGroup
		mu    sync.Mutex
		total = tally{Reasons: map[fargate.Reason]int{}}
	)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				n := next.Add(1) - 1
				if n >= *histories || t.Failed() {
					return
				}
				h := play(*historyFrom+n, nil)
				if h.broken != nil {
					t.Errorf("seed %d: %v\n%s\nagain: go test ./fargate/lifecycle -run TestHistories -history-seed %d -v", h.seed, h.broken, tell(h.seed, nil).transcript(), h.seed)
				}
				mu.Lock()
				total.add(h.tally)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	t.Logf("%d histories: %d steps, %d calls of which %d writes, %d faults, %d kills, %d edits, %d deeds of others, %d reasons seen",
		*histories, total.Steps, total.Calls, total.Writes, total.Faults, total.Kills, total.Edits, total.Deeds, len(total.Reasons))
	t.Logf("reasons: %v", total.Reasons)
	if *histories < 200 {
		return
	}
	for _, r := range reasonsOfHistories() {
		if total.Reasons[r] == 0 {
			t.Errorf("no history came to %s: the histories prove less than they should (%v)", r, slices.Sorted(maps.Keys(total.Reasons)))
		}
	}
}

// reasonsOfHistories are the reasons that some history must come to: else the
// histories leave out what they are for.
func reasonsOfHistories() []fargate.Reason {
	return []fargate.Reason{
		fargate.ReasonAbsent, fargate.ReasonInSync, fargate.ReasonGone, fargate.ReasonTagsDiffer, fargate.ReasonMarksDiffer, fargate.ReasonReleasing,
		fargate.ReasonNamingSuccessor, fargate.ReasonCreatingSuccessor, fargate.ReasonDeletingPredecessor, fargate.ReasonForgettingPeer,
		fargate.ReasonDeletingFirst, fargate.ReasonRollingBack, fargate.ReasonStartingOver, fargate.ReasonRecoveringCreate, fargate.ReasonRecoveringDelete,
		fargate.ReasonUndesired, fargate.ReasonCreating, fargate.ReasonDeleting, fargate.ReasonBackingOff, fargate.ReasonDrainNotConfirmed,
		fargate.ReasonNameTaken, fargate.ReasonPeerBusy, fargate.ReasonClusterBusy, fargate.ReasonVanished, fargate.ReasonContested,
		fargate.ReasonForeign, fargate.ReasonUnowned, fargate.ReasonStaleDesired, fargate.ReasonReplacementForbidden, fargate.ReasonAdopting,
		fargate.ReasonConfirming, fargate.ReasonRoleNotReady, fargate.ReasonClusterNotFound, fargate.ReasonClusterGone, fargate.ReasonClusterNotActive,
		fargate.ReasonTakingOver, fargate.ReasonNotOurs, fargate.ReasonQuotaExceeded, fargate.ReasonOrderChanges, fargate.ReasonSuccessorNameTaken,
	}
}

func TestAHistoryRepeats(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		if a, b := tell(seed, nil).transcript(), tell(seed, nil).transcript(); a != b {
			t.Errorf("seed %d: two plays differ", seed)
		}
	}
}
