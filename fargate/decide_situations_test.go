// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/internal/owner"
	"github.com/eksfargate/eksfargate/selector"
)

// decideCase is an input beside the tables, and the verdict on it.
type decideCase struct {
	in   fargate.Input
	want string
}

// changed returns the input after the change.
func changed(in fargate.Input, change func(*fargate.Input)) fargate.Input {
	change(&in)
	return in
}

func elsewhere(in *fargate.Input) {
	in.Memory = fargate.Memory{Version: 1, Physical: "web", ARN: "arn:aws:eks:eu-west-1:111122223333:fargateprofile/demo/web/0000"}
}

func clusterMissing(in *fargate.Input) { in.ClusterMissing = true }

func withRole(r fargate.Role) func(*fargate.Input) {
	return func(in *fargate.Input) { in.Role = &r }
}

func invalid(d *fargate.Desired)   { d.Owner.ID = "" }
func stale(d *fargate.Desired)     { d.Generation = 4 }
func takeYou(d *fargate.Desired)   { d.Policy.TakeOverFrom = []string{you} }
func takeCAPA(d *fargate.Desired)  { d.Policy.TakeOverFrom = []string{capaKey} }
func adoptAny(d *fargate.Desired)  { d.Policy.Adoption = fargate.AdoptionAlways }
func releasing(d *fargate.Desired) { d.Policy.Deletion = fargate.DeletionRelease }

func drained(p fargate.Policy) fargate.Policy {
	p.Drain = fargate.DrainConfirmed
	return p
}

// withPods says that somebody looked at the pods.
func withPods(pods ...selector.Placed) func(*fargate.Input) {
	return func(in *fargate.Input) { in.Pods = append([]selector.Placed{}, pods...) }
}

// younger was made after all others.
func younger(o *fargate.Observed) { o.CreatedAt = o.CreatedAt.Add(time.Minute) }

func byCAPA(o *fargate.Observed) { o.Spec.Tags[capaKey] = "owned" }

// three are more profiles than a replacement has.
func three(change func(*fargate.Observed)) []fargate.Observed {
	return append(pair(asIs, asIs), seen("web-996-thirdthi", change))
}

// decideSituations are what the tables leave out: what does not depend on the
// status of a profile, and which of two rules wins where both apply.
func decideSituations() map[string]decideCase {
	quota := func(in *fargate.Input) {
		in.Limits.Profiles, in.Cluster = 1, []fargate.Observed{seen("full", ownerless)}
	}
	return map[string]decideCase{
		"an invalid wish":                                           {about(wish(invalid)), "blocked InvalidDesired -"},
		"an invalid wish in the wrong place":                        {changed(about(wish(invalid), seen("web")), elsewhere), "blocked InvalidDesired -"},
		"an ARN from another region":                                {changed(about(wish(), seen("web")), elsewhere), "blocked WrongPlace -"},
		"the wrong place without the cluster":                       {changed(changed(about(wish(), seen("web")), elsewhere), clusterMissing), "blocked WrongPlace -"},
		"no cluster":                                                {changed(about(wish()), clusterMissing), "blocked ClusterNotFound -"},
		"no cluster, and three profiles seen before it went":        {changed(about(wish(), three(asIs)...), clusterMissing), "blocked ClusterNotFound -"},
		"three profiles":                                            {about(wish(), three(asIs)...), "blocked TooManyProfiles -"},
		"three profiles, one contested":                             {about(wish(takeYou), three(contested)...), "blocked TooManyProfiles -"},
		"another owner's, DELETING":                                 {about(wish(), seen("web", foreign, inStatus(fargate.StatusDeleting))), "wait Deleting -"},
		"contested, with an owner that may be taken from":           {about(wish(takeYou), seen("web", contested)), "update-tags TakingOver untag:web"},
		"contested beside foreign":                                  {about(wish(takeYou), seen(oldName, foreign), seen(newName, contested)), "update-tags TakingOver untag:new"},
		"foreign beside unowned":                                    {about(wish(adoptAny, takeYou), seen(oldName, ownerless), seen(newName, foreign)), "update-tags TakingOver tag:new"},
		"foreign, with an owner that may be taken from":             {about(wish(takeYou), seen("web", foreign)), "update-tags TakingOver tag:web"},
		"unowned beside stale":                                      {about(wish(stale, adoptAny), seen(oldName, ownerless), seen(newName)), "update-tags Adopting tag:old"},
		"a stale wish":                                              {about(wish(stale), seen("web")), "blocked StaleDesired -"},
		"a stale wish would finish a take-over":                     {about(wish(stale, takeCAPA), seen("web", byCAPA)), "blocked StaleDesired -"},
		"ours, with the mark of a tool that may be taken":           {about(wish(takeCAPA), seen("web", byCAPA)), "update-tags TakingOver untag:web"},
		"a take-over waits until tags can be written":               {about(wish(takeYou), seen("web", contested, inStatus(fargate.StatusCreating))), "wait Creating -"},
		"that tag waits until it can be removed":                    {about(wish(takeCAPA), seen("web", byCAPA, inStatus(fargate.StatusDeleting))), "wait Deleting -"},
		"the same of one that is CREATING":                          {about(wish(takeCAPA), seen("web", byCAPA, inStatus(fargate.StatusCreating))), "wait Creating -"},
		"the same beside a profile in progress":                     {about(wish(takeCAPA), seen(oldName, byCAPA), seen(newName, inStatus(fargate.StatusDeleting))), "update-tags TakingOver untag:old"},
		"a stale wish while it is DELETING":                         {about(wish(stale), seen("web", inStatus(fargate.StatusDeleting))), "blocked StaleDesired -"},
		"the role is not ready":                                     {changed(about(wish()), withRole(fargate.Role{Wait: true, Message: "made"})), "wait RoleNotReady -"},
		"the role is blocked":                                       {changed(about(wish()), withRole(fargate.Role{Blocked: true})), "blocked RoleBlocked -"},
		"the role does not trust EKS":                               {changed(about(wish()), withRole(fargate.Role{Trust: fargate.TrustMissing})), "blocked RoleNotTrusted -"},
		"the role is not ready and no slot is free":                 {changed(changed(about(wish()), withRole(fargate.Role{Wait: true})), quota), "wait RoleNotReady -"},
		"no slot is free":                                           {changed(about(wish()), quota), "blocked QuotaExceeded -"},
		"no slot is free for a successor":                           {changed(about(wish(wishing(createFirst())), seen("web", other)), quota), "blocked QuotaExceeded -"},
		"the peer of a mark is gone":                                {about(wish(), seen(newName, peerOf(oldName))), "update-tags ForgettingPeer untag:new"},
		"the peer is gone and tags differ":                          {about(wish(tagWish), seen(newName, peerOf(oldName))), "update-tags ForgettingPeer untag:new"},
		"the peer is gone and the profile is another version":       {about(wish(), seen(newName, peerOf(oldName), other)), "blocked ReplacementForbidden -"},
		"tags and an immutable field differ":                        {about(wish(tagWish), seen("web", other)), "update-tags TagsDiffer tag:web"},
		"tags differ while a replacement may begin":                 {about(wish(tagWish, wishing(deleteFirst())), seen("web", other)), "replace DeletingFirst delete:web"},
		"the same with a successor":                                 {about(wish(tagWish, wishing(createFirst())), seen("web", other)), "replace NamingSuccessor tag:web"},
		"a new profile":                                             {about(wish(), seen("web", peerOf("web"))), "update-tags Confirming untag:web"},
		"a new profile whose tags differ":                           {about(wish(tagWish), seen("web", peerOf("web"))), "update-tags Confirming untag:web"},
		"a new profile of another version":                          {about(wish(), seen("web", peerOf("web"), other)), "update-tags Confirming untag:web"},
		"a new profile that is replaced":                            {about(wish(wishing(createFirst())), seen("web", peerOf("web"), other)), "update-tags Confirming untag:web"},
		"a new profile that nobody owns":                            {about(wish(adoptAny), seen("web", ownerless, peerOf("web"))), "update-tags Adopting tag:web"},
		"a new profile that must be replaced by a new role":         {about(wish(wishing(deleteFirst())), seen("web", peerOf("web"), func(o *fargate.Observed) { o.Spec.PodExecutionRoleARN = roleOther })), "update-tags Confirming untag:web"},
		"twins, both as desired: the younger goes":                  {about(wish(wishing(createFirst())), seen(oldName), seen(newName, peerOf(newName), younger)), "replace RollingBack delete:new"},
		"though replacements are forbidden":                         {about(wish(), seen(oldName), seen(newName, peerOf(newName), younger)), "replace RollingBack delete:new"},
		"also where it is the older by name":                        {about(wish(wishing(createFirst())), seen(oldName, peerOf(oldName), younger), seen(newName)), "replace DeletingPredecessor delete:old"},
		"though that would be forbidden":                            {about(wish(), seen(oldName, peerOf(oldName), younger), seen(newName)), "replace DeletingPredecessor delete:old"},
		"both are new":                                              {about(wish(), seen(oldName, peerOf(oldName), younger), seen(newName, peerOf(newName))), "replace DeletingPredecessor delete:old"},
		"the elder is sick":                                         {about(wish(), seen(oldName, sick), seen(newName, peerOf(newName), younger)), "replace DeletingPredecessor delete:old"},
		"the younger is sick, and the older by name":                {about(wish(), seen(oldName, peerOf(oldName), younger, sick), seen(newName)), "replace DeletingPredecessor delete:old"},
		"the elder by age is sick, and the younger by name":         {about(wish(), seen(oldName, peerOf(oldName), younger), seen(newName, sick)), "replace RollingBack delete:new"},
		"twins of the same moment":                                  {about(wish(), seen(oldName, peerOf(oldName)), seen(newName, peerOf(newName))), "replace RollingBack delete:new"},
		"a twin of another version, and replacements are forbidden": {about(wish(), seen(oldName, other), seen(newName, peerOf(newName), younger)), "blocked ReplacementForbidden -"},
		"our own marks differ":                                      {about(wish(), seen("web", generation(4))), "update-tags MarksDiffer tag:web"},
		"forbidden and degraded":                                    {about(wish(), seen("web", other, sick)), "blocked ReplacementForbidden -"},
		"tags differ and degraded":                                  {about(wish(tagWish), seen("web", sick)), "update-tags TagsDiffer tag:web"},
		"a predecessor that would not go may still have pods":       {about(wish(wishing(drained(createFirst()))), pair(inStatus(fargate.StatusDeleteFailed), asIs)...), "wait DrainNotConfirmed -"},
		"the same beside another version":                           {about(wish(wishing(drained(createFirst()))), pair(inStatus(fargate.StatusDeleteFailed), other)...), "wait DrainNotConfirmed -"},
		"a successor that would not go may have pods, too":          {about(wish(wishing(drained(createFirst()))), pair(asIs, inStatus(fargate.StatusDeleteFailed))...), "wait DrainNotConfirmed -"},
		"so may the only one":                                       {about(wish(wishing(drained(fargate.Policy{}))), seen("web", inStatus(fargate.StatusDeleteFailed))), "wait DrainNotConfirmed -"},
		"it goes when its pods are moved away":                      {about(wish(wishing(drained(fargate.Policy{})), func(d *fargate.Desired) { d.Drained = []string{"web"} }), seen("web", inStatus(fargate.StatusDeleteFailed))), "delete RecoveringDelete delete:web"},
		"it goes when nothing runs on it":                           {changed(about(wish(wishing(drained(fargate.Policy{}))), seen("web", inStatus(fargate.StatusDeleteFailed))), withPods()), "delete RecoveringDelete delete:web"},
		"and stays when something does":                             {changed(about(wish(wishing(drained(fargate.Policy{}))), seen("web", inStatus(fargate.StatusDeleteFailed))), withPods(placedOn("web", "p"))), "wait DrainNotConfirmed -"},
		"a profile that never was ACTIVE has none":                  {about(wish(wishing(drained(fargate.Policy{}))), seen("web", inStatus(fargate.StatusCreateFailed))), "delete RecoveringCreate delete:web"},
		"degraded": {about(wish(), seen("web", sick)), "no-op Degraded -"},

		"undesired: invalid":                                 {undesired(wish(invalid)), "blocked InvalidDesired -"},
		"undesired: invalid in the wrong place":              {changed(undesired(wish(invalid), seen("web")), elsewhere), "blocked InvalidDesired -"},
		"undesired: an ARN from another region":              {changed(undesired(wish(), seen("web")), elsewhere), "blocked WrongPlace -"},
		"undesired: nothing in another region":               {changed(changed(undesired(wish()), elsewhere), regionOf("us-east-1")), "blocked WrongPlace -"},
		"undesired: no cluster in another region":            {changed(changed(changed(undesired(wish()), elsewhere), regionOf("us-east-1")), clusterMissing), "blocked WrongPlace -"},
		"undesired: no cluster":                              {changed(undesired(wish()), clusterMissing), "no-op ClusterGone -"},
		"undesired: no cluster, contested":                   {changed(undesired(wish(), seen("web", contested)), clusterMissing), "no-op ClusterGone -"},
		"undesired: no gate stands before the end":           {undesired(wish(wishing(drained(fargate.Policy{}))), seen("web", inStatus(fargate.StatusDeleteFailed))), "delete RecoveringDelete delete:web"},
		"undesired: stale":                                   {undesired(wish(stale), seen("web")), "blocked StaleDesired -"},
		"undesired: stale, and another owner's":              {undesired(wish(stale), seen("web", foreign, generation(9))), "no-op NotOurs -"},
		"undesired: stale and DELETING":                      {undesired(wish(stale), seen("web", inStatus(fargate.StatusDeleting))), "blocked StaleDesired -"},
		"undesired: contested and foreign":                   {undesired(wish(), seen(oldName, foreign), seen(newName, contested)), "blocked Contested -"},
		"undesired: an invalid spec is deleted all the same": {undesired(wish(func(d *fargate.Desired) { d.Spec.Selectors = nil }), seen("web")), "delete Undesired delete:web"},
	}
}

func tagWish(d *fargate.Desired) { d.Spec.Tags = map[string]string{"team": "x"} }

func regionOf(region string) func(*fargate.Input) {
	return func(in *fargate.Input) { in.Place.Region = region }
}

func TestDecideSituations(t *testing.T) {
	for name, tt := range decideSituations() {
		t.Run(name, func(t *testing.T) {
			d := fargate.Decide(tt.in)
			if got := verdict(d); got != tt.want {
				t.Errorf("Decide() = %s, want %s\n%s", got, tt.want, d.Message)
			}
			if d.Message == "" {
				t.Error("the decision says nothing")
			}
		})
	}
}

// The name of the peer mark is part of the contract with older versions.
func TestPeerMark(t *testing.T) {
	if owner.PeerKey != "eksfargate.io/peer" {
		t.Errorf("the peer mark is %s", owner.PeerKey)
	}
}
