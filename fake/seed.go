// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// What New puts into a Cloud.
const (
	// ClusterName is the name of the first cluster.
	ClusterName = "demo"
	// RoleName is the name of the good pod execution role.
	RoleName = "fargate-pods"
	// VPCID is the VPC of the first cluster and of subnets that name none.
	VPCID = "vpc-00000000000000001"
	// PublicSubnetID is a subnet of that VPC with a route to an internet
	// gateway: EKS refuses it for Fargate.
	PublicSubnetID = "subnet-0000000000000000d"

	clusterRoleName = "eks-cluster"
	defaultVersion  = "1.34"
	clusterIDLength = 32
)

// PodTrust is a trust document that lets EKS Fargate assume a role.
const PodTrust = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow",` +
	`"Principal":{"Service":"eks-fargate-pods.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

const clusterTrust = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow",` +
	`"Principal":{"Service":"eks.amazonaws.com"},"Action":"sts:AssumeRole"}]}`

// PrivateSubnetIDs returns the ids of the private subnets of the first cluster.
func PrivateSubnetIDs() []string {
	return []string{"subnet-0000000000000000a", "subnet-0000000000000000b", "subnet-0000000000000000c"}
}

// populate fills an empty Cloud; the caller holds the lock.
func (c *Cloud) populate() {
	zones := []string{"a", "b", "c"}
	for i, id := range PrivateSubnetIDs() {
		c.addSubnet(Subnet{ID: id, Zone: c.opts.Region + zones[i]})
	}
	c.addSubnet(Subnet{ID: PublicSubnetID, Public: true})
	c.addRole(clusterRoleName, clusterTrust)
	c.addRole(RoleName, PodTrust)
	c.attach(RoleName, "AmazonEKSFargatePodExecutionRolePolicy")
	c.addCluster(Cluster{Name: ClusterName, Subnets: append(PrivateSubnetIDs(), PublicSubnetID)})
}

// Subnet is a subnet that clusters and profiles can name.
type Subnet struct {
	// ID is the id of the subnet.
	ID string `json:"id"`
	// VPC is the id of its VPC; "" means VPCID.
	VPC string `json:"vpc,omitempty"`
	// Zone is its availability zone; "" means the first zone of the region.
	Zone string `json:"zone,omitempty"`
	// Public is true when its route table leads to an internet gateway.
	Public bool `json:"public,omitempty"`
}

// AddSubnet adds a subnet to the Cloud's region, or replaces it.
func (c *Cloud) AddSubnet(s Subnet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addSubnet(s)
}

func (c *Cloud) addSubnet(s Subnet) {
	s.VPC = orString(s.VPC, VPCID)
	s.Zone = orString(s.Zone, c.opts.Region+"a")
	c.home().Subnets[s.ID] = s
}

// home is the region of the default caller; the caller holds the lock.
func (c *Cloud) home() *region { return c.account(c.opts.Account).region(c.opts.Region) }

// Cluster is a cluster to begin with. Zero fields mean what the first cluster
// has.
type Cluster struct {
	// Name is the name of the cluster.
	Name string `json:"name"`
	// Version is its Kubernetes version.
	Version string `json:"version,omitempty"`
	// RoleARN is the cluster's own role, which is not checked.
	RoleARN string `json:"roleArn,omitempty"`
	// VPC is its VPC.
	VPC string `json:"vpc,omitempty"`
	// Subnets are the subnets of its control plane. The private ones are given
	// to profiles that name none.
	Subnets []string `json:"subnets,omitempty"`
	// AuthenticationMode is API_AND_CONFIG_MAP, API or CONFIG_MAP.
	AuthenticationMode string `json:"authenticationMode,omitempty"`
	// Tags are its tags.
	Tags map[string]string `json:"tags,omitempty"`
}

// AddCluster adds a cluster that is ACTIVE to the Cloud's region, or replaces
// it together with all that it holds. It returns the cluster's ARN.
func (c *Cloud) AddCluster(spec Cluster) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.addCluster(spec)
}

func (c *Cloud) addCluster(spec Cluster) string {
	cl := c.newCluster(Caller{Account: c.opts.Account, Region: c.opts.Region}, spec)
	c.publish(c.home(), cl.Name, cl, c.now())
	return cl.ARN
}

// newCluster makes a cluster that has just become ACTIVE.
func (c *Cloud) newCluster(where Caller, spec Cluster) *cluster {
	now := c.now()
	subnets := spec.Subnets
	if subnets == nil {
		subnets = PrivateSubnetIDs()
	}
	role := arn{partitionOf(where.Region), "iam", "", where.Account, "role/" + clusterRoleName}
	return &cluster{
		Name:      spec.Name,
		ARN:       arn{partitionOf(where.Region), "eks", where.Region, where.Account, "cluster/" + spec.Name}.String(),
		ID:        strings.ToUpper(hexID(c.rand, clusterIDLength)),
		Version:   orString(spec.Version, defaultVersion),
		RoleARN:   orString(spec.RoleARN, role.String()),
		VPC:       orString(spec.VPC, VPCID),
		Subnets:   slices.Clone(subnets),
		Tags:      cloneTags(spec.Tags),
		CreatedAt: now,
		Creation:  change{EndsAt: now},
		AuthMode:  orString(spec.AuthenticationMode, "API_AND_CONFIG_MAP"),
		Endpoint:  publicEndpoint(),
		UsedRoles: map[string]bool{},
		Pods:      &podStore{},
	}
}

// cloneTags copies tags; the copy is never nil.
func cloneTags(tags map[string]string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, tags)
	return out
}

// BusyCluster gives a cluster of the Cloud's region an update in progress for d
// that DescribeCluster does not show. It reports whether the cluster exists.
func (c *Cloud) BusyCluster(name string, d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.begin(c.resolve(Caller{}), c.now())
	cl := t.lookup(name)
	if cl == nil {
		return false
	}
	edited := t.edit(cl)
	edited.Busy = append(edited.Busy, window{t.now, t.now.Add(d)})
	t.commit()
	return true
}
