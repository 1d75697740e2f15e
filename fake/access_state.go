// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// accessEntry lets a principal of IAM into a cluster. It knows a role by its
// unique id: one that was deleted and made again under the same ARN is a
// stranger (SDK documentation).
type accessEntry struct {
	PrincipalARN string
	PrincipalID  string
	ARN          string
	Type         string
	Username     string
	Groups       []string
	Tags         map[string]string
	CreatedAt    time.Time
	ModifiedAt   time.Time
}

const (
	entryStandard = "STANDARD"
	entryFargate  = "FARGATE_LINUX"

	// sessionName is replaced by the name of the session of the role.
	nodeUsername = "system:node:{{SessionName}}"
)

// AuthRow is a row of mapRoles in the ConfigMap aws-auth of a cluster.
type AuthRow struct {
	RoleARN  string   `json:"rolearn"`
	Username string   `json:"username"`
	Groups   []string `json:"groups"`
}

// AWSAuth returns the rows of aws-auth of a cluster in the Cloud's region. EKS
// writes one with the first profile of a role when the authentication mode is
// CONFIG_MAP; in the other modes it makes an access entry.
func (c *Cloud) AWSAuth(clusterName string) []AuthRow {
	c.mu.Lock()
	defer c.mu.Unlock()
	cl := c.begin(c.resolve(Caller{}), c.now()).lookup(clusterName)
	if cl == nil {
		return nil
	}
	return cloneRows(cl.Auth)
}

// SetAWSAuth replaces the rows of aws-auth, as a tool does that takes the whole
// ConfigMap for its own. It reports whether the cluster exists.
func (c *Cloud) SetAWSAuth(clusterName string, rows []AuthRow) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(c.resolve(Caller{}), c.now())
	cl := t.lookup(clusterName)
	if cl == nil {
		return false
	}
	t.edit(cl).Auth = cloneRows(rows)
	t.commit()
	return true
}

func cloneRows(rows []AuthRow) []AuthRow {
	out := slices.Clone(rows)
	for i := range out {
		out[i].Groups = slices.Clone(out[i].Groups)
	}
	return out
}

// admitRole lets the role of a new profile into the cluster. A role that is
// there for instances makes the profile fail (inferred from the issue's name).
func (t *tx) admitRole(cl *cluster, p *profile) {
	if cl.AuthMode == string(types.AuthenticationModeConfigMap) {
		cl.addAuthRow(p.RoleARN)
		return
	}
	r := t.roleNow(p.RoleARN)
	entry := cl.Entries[p.RoleARN]
	switch {
	case r == nil:
	case entry == nil, entry.Type == entryFargate && entry.PrincipalID != r.UniqueID:
		cl.putEntry(t.newEntry(cl, r.ARN, r.UniqueID, entryFargate, nodeUsername))
	case entry.Type != entryFargate && t.outcome == nil:
		p.Creation.Failed = true
		p.Creation.Issues = []Issue{{
			Code:        string(types.FargateProfileIssueCodePodExecutionRoleAlreadyInUse),
			Message:     "The pod execution role is already used by an access entry of type " + entry.Type + ".",
			ResourceIDs: []string{p.RoleARN},
		}}
	}
}

func (cl *cluster) addAuthRow(roleARN string) {
	known := func(row AuthRow) bool { return row.RoleARN == roleARN }
	if !slices.ContainsFunc(cl.Auth, known) {
		cl.Auth = append(cl.Auth, AuthRow{
			RoleARN: roleARN, Username: nodeUsername,
			Groups: []string{"system:bootstrappers", "system:nodes", "system:node-proxier"},
		})
	}
}

func (cl *cluster) putEntry(e *accessEntry) {
	if cl.Entries == nil {
		cl.Entries = map[string]*accessEntry{}
	}
	cl.Entries[e.PrincipalARN] = e
}

// admits reports whether nodes with a role may join: by an entry that means this
// very role, or by a row, which never matches a role with a path.
func (cl *cluster) admits(r *role) bool {
	mode := types.AuthenticationMode(cl.AuthMode)
	entry := cl.Entries[r.ARN]
	if mode != types.AuthenticationModeConfigMap && entry != nil && entry.PrincipalID == r.UniqueID {
		return true
	}
	matches := func(row AuthRow) bool { return row.RoleARN == r.ARN && r.Path == "/" }
	return mode != types.AuthenticationModeApi && slices.ContainsFunc(cl.Auth, matches)
}
