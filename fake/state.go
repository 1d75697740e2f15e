// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "slices"

// account is what one AWS account holds. Accounts and regions appear when
// somebody first uses them.
type account struct {
	ID      string
	Roles   map[string]*roleRecord // by name in lower case: IAM names differ by more than case
	Regions map[string]*region

	Policies         map[string]*policy          // customer managed ones, by ARN
	InstanceProfiles map[string]*instanceProfile // by name in lower case
	Sessions         map[string]string           // ARNs of assumed roles, by access key
}

// region is what one region of an account holds.
type region struct {
	Name     string
	Clusters clusterSet
	Names    []string `json:"-"` // of the clusters, sorted
	Subnets  map[string]Subnet
	Past     map[string][]version `json:"-"` // of clusters, by name, oldest first; see Cloud.remember
}

// account returns the account with an id; the caller holds the lock.
func (c *Cloud) account(id string) *account {
	a := c.accounts[id]
	if a == nil {
		a = &account{
			ID: id, Roles: map[string]*roleRecord{}, Regions: map[string]*region{},
			Policies: map[string]*policy{}, InstanceProfiles: map[string]*instanceProfile{}, Sessions: map[string]string{},
		}
		c.accounts[id] = a
	}
	return a
}

func (a *account) region(name string) *region {
	r := a.Regions[name]
	if r == nil {
		r = &region{Name: name, Subnets: map[string]Subnet{}}
		a.Regions[name] = r
	}
	return r
}

// put publishes a cluster. What is published is never changed again: a change
// is made to a copy, which then takes the place of the old one.
func (r *region) put(cl *cluster) {
	if r.Clusters.get(cl.Name) == nil {
		r.Names = insertSorted(r.Names, cl.Name)
	}
	r.Clusters.put(cl)
}

func (r *region) remove(name string) {
	r.Clusters.remove(name)
	r.Names = removeSorted(r.Names, name)
}

func insertSorted(names []string, name string) []string {
	i, found := slices.BinarySearch(names, name)
	if found {
		return names
	}
	return slices.Insert(names, i, name)
}

func removeSorted(names []string, name string) []string {
	i, found := slices.BinarySearch(names, name)
	if !found {
		return names
	}
	return slices.Delete(names, i, i+1)
}
