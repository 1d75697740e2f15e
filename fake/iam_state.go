// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strings"
	"time"
)

// role is an IAM role.
type role struct {
	Name      string
	Path      string // "/" or "/a/b/"
	ARN       string
	UniqueID  string
	Trust     string // the document as it was given
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
		Name:      base,
		Path:      path,
		ARN:       c.roleARN(path + base),
		UniqueID:  uniqueID(c.rand, "AROA"),
		Trust:     trust,
		CreatedAt: c.now(),
	}
	c.account(c.opts.Account).Roles[strings.ToLower(base)] = r
	return r.ARN
}

// RoleARN returns the ARN that a role of this name and path has in the Cloud's
// account, whether it exists or not. RoleARN(RoleName) is the good role.
func (c *Cloud) RoleARN(name string) string {
	return c.roleARN("/" + strings.TrimPrefix(name, "/"))
}

func (c *Cloud) roleARN(pathAndName string) string {
	return arn{partitionOf(c.opts.Region), "iam", "", c.opts.Account, "role" + pathAndName}.String()
}

// roleByARN returns the role of exactly this ARN, or nil.
func (a *account) roleByARN(roleARN string) *role {
	_, _, _, name, ok := splitRole(roleARN)
	if !ok {
		return nil
	}
	r := a.Roles[strings.ToLower(name)]
	if r == nil || r.ARN != roleARN {
		return nil
	}
	return r
}
