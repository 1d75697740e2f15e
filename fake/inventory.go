// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"maps"
	"slices"
)

// Inventory describes what exists in the Cloud's account and region: clusters,
// profiles, access entries and roles, each by a name such as "profile demo/web".
// The descriptions are JSON without what differs between two runs that end the
// same: identifiers, times and ARNs that hold identifiers. Two inventories can
// be compared; their form may change between releases.
func (c *Cloud) Inventory() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(c.resolve(Caller{}), c.now())
	out := map[string]string{}
	for _, name := range slices.Clone(t.region.Names) {
		if cl := t.lookup(name); cl != nil {
			t.describeAll(cl, out)
		}
	}
	for _, r := range t.account.currentRoles() {
		out["role "+r.Path[1:]+r.Name] = describeJSON(map[string]any{
			"trust": r.Trust, "boundary": r.Boundary, "tags": r.Tags, "inline": r.Inline,
			"attached": slices.Sorted(slices.Values(r.Attached)), "description": r.Description, "maxSession": r.MaxSession,
		})
	}
	return out
}

func (t *tx) describeAll(cl *cluster, out map[string]string) {
	out["cluster "+cl.Name] = describeJSON(map[string]any{
		"status": cl.status(t.now), "version": cl.Version, "tags": cl.Tags, "mode": cl.AuthMode, "endpoint": cl.Endpoint,
		"awsAuth": cl.Auth,
	})
	for p := range cl.Profiles.all() {
		out["profile "+cl.Name+"/"+p.Name] = describeJSON(map[string]any{
			"status": p.status(t.now), "role": p.RoleARN, "subnets": p.Subnets, "selectors": p.showSelectors(), "tags": p.Tags,
			"issues": p.issues(t.now),
		})
	}
	for principal, e := range cl.Entries {
		out["access-entry "+cl.Name+"/"+principal] = describeJSON(map[string]any{
			"type": e.Type, "username": e.Username, "groups": e.Groups, "tags": e.Tags,
		})
	}
}

func (p *profile) showSelectors() []Selector {
	var out []Selector
	for _, s := range p.Selectors {
		out = append(out, Selector{Namespace: s.Namespace, Labels: s.Labels.toMap()})
	}
	return out
}

// describeJSON writes plain values, which cannot fail. Empty maps and lists are
// left out, as they mean the same as none.
func describeJSON(members map[string]any) string {
	text := map[string]json.RawMessage{}
	for name, value := range members {
		member, err := json.Marshal(value)
		if err != nil {
			member = []byte("null")
		}
		text[name] = member
	}
	maps.DeleteFunc(text, func(_ string, v json.RawMessage) bool {
		return slices.Contains([]string{"null", "{}", "[]", `""`}, string(v))
	})
	out, _ := json.Marshal(text) // valid JSON by member
	return string(out)
}
