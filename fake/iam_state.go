// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"strings"
	"time"
)

// role is an IAM role as it is at one moment. Once published it is never
// changed: a change is made to a copy, which becomes the record's next version.
type role struct {
	Name        string
	Path        string // "/" or "/a/b/"
	ARN         string
	UniqueID    string
	Trust       string // the document as it was given
	Description *string
	MaxSession  int32  // seconds
	Boundary    string // the ARN of a policy, or ""
	Tags        map[string]string
	Attached    []string          // ARNs of managed policies, in the order of attachment
	Inline      map[string]string // documents by name
	Service     string            // the service that the role is linked to, or ""
	CreatedAt   time.Time
}

func (r *role) clone() *role {
	c := *r
	c.Tags = cloneTags(r.Tags)
	c.Attached = slices.Clone(r.Attached)
	c.Inline = cloneTags(r.Inline)
	return &c
}

// policy is a customer managed policy. It is never changed.
type policy struct {
	Name        string
	Path        string
	ARN         string
	UniqueID    string
	Document    string
	Description *string
	Tags        map[string]string
	CreatedAt   time.Time
}

// instanceProfile holds at most one role. A published one is never changed.
type instanceProfile struct {
	Name      string
	Path      string
	ARN       string
	UniqueID  string
	Role      string // the role's name, or ""
	Tags      map[string]string
	CreatedAt time.Time
}

// AddRole adds a role with a trust document to the Cloud's account, or replaces
// it, with effect at once. A name "team/pods" has the path /team/. A document
// that cannot be read trusts nobody. It returns the role's ARN.
func (c *Cloud) AddRole(name, trust string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.addRole(name, trust)
}

func (c *Cloud) addRole(name, trust string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	path, base := "/"+strings.TrimPrefix(name[:slash], "/"), name[slash:]
	r := &role{
		Name:       base,
		Path:       path,
		ARN:        c.roleARN(path + base),
		UniqueID:   uniqueID(c.rand, "AROA"),
		Trust:      trust,
		MaxSession: minSessionLimit,
		CreatedAt:  c.now(),
	}
	c.account(c.opts.Account).Roles[strings.ToLower(base)] = &roleRecord{Versions: []roleVersion{{Role: r}}}
	return r.ARN
}

// attach attaches a managed policy of AWS to a role that was just added.
func (c *Cloud) attach(name, policyName string) {
	r := c.account(c.opts.Account).Roles[strings.ToLower(name)].latest()
	r.Attached = append(r.Attached, "arn:"+partitionOf(c.opts.Region)+":iam::aws:policy/"+policyName)
}

// RoleARN returns the ARN that a role of this name and path has in the Cloud's
// account, whether it exists or not. RoleARN(RoleName) is the good role.
func (c *Cloud) RoleARN(name string) string {
	return c.roleARN("/" + strings.TrimPrefix(name, "/"))
}

func (c *Cloud) roleARN(pathAndName string) string {
	return arn{partitionOf(c.opts.Region), "iam", "", c.opts.Account, "role" + pathAndName}.String()
}

// roleRecord returns the record of the role with exactly this ARN, or nil.
func (a *account) roleRecord(roleARN string) *roleRecord {
	_, _, _, name, ok := splitRole(roleARN)
	if !ok {
		return nil
	}
	record := a.Roles[strings.ToLower(name)]
	if r := record.latest(); r == nil || r.ARN != roleARN {
		return nil
	}
	return record
}

// currentRoles returns the newest version of every role, in no order.
func (a *account) currentRoles() []*role {
	var roles []*role
	for _, record := range a.Roles {
		if r := record.latest(); r != nil {
			roles = append(roles, r)
		}
	}
	return roles
}
