// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// callJSON is a call as the control API shows it.
type callJSON struct {
	Number    int       `json:"number"`
	Time      time.Time `json:"time"`
	Service   string    `json:"service"`
	Operation string    `json:"operation"`
	Account   string    `json:"account"`
	Region    string    `json:"region"`
	Target    Target    `json:"target"`
	RequestID string    `json:"requestId"`
	Status    int       `json:"status"`
	Code      string    `json:"code,omitempty"`
	Message   string    `json:"message,omitempty"`
	Lost      bool      `json:"lost,omitempty"`
}

// controlCalls shows the journal, or with a query operation=Name those calls.
func controlCalls(c *Cloud, query url.Values, _ []byte) (any, error) {
	out := []callJSON{}
	for call := range c.Calls() {
		if !either(query.Get("operation"), call.Operation) {
			continue
		}
		out = append(out, callJSON{
			Number: call.Number, Time: call.Time, Service: call.Service, Operation: call.Operation,
			Account: call.Caller.Account, Region: call.Caller.Region, Target: call.Target,
			RequestID: call.RequestID, Status: call.Status, Code: call.Code, Message: call.Message, Lost: call.Lost,
		})
	}
	return map[string]any{"calls": out}, nil
}

// controlPermissions shows which permissions the calls of the journal took.
func controlPermissions(c *Cloud, _ url.Values, _ []byte) (any, error) {
	seen := map[Permission]bool{}
	for call := range c.Calls() {
		for _, p := range call.Permissions() {
			seen[p] = true
		}
	}
	sorted := slices.SortedFunc(maps.Keys(seen), func(a, b Permission) int {
		return strings.Compare(a.Action+" "+a.Resource, b.Action+" "+b.Resource)
	})
	return map[string]any{"permissions": append([]Permission{}, sorted...)}, nil
}

func controlOperations(c *Cloud, _ url.Values, _ []byte) (any, error) {
	return map[string]any{"operations": slices.Sorted(maps.Keys(c.operations))}, nil
}

func controlRunPod(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in Pod
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	status, err := c.RunPod(in)
	if err != nil {
		return nil, err
	}
	return showPod(status), nil
}

// controlDeletePod names the pod in the query: cluster, namespace, name.
func controlDeletePod(c *Cloud, query url.Values, _ []byte) (any, error) {
	p := Pod{Cluster: query.Get("cluster"), Namespace: query.Get("namespace"), Name: query.Get("name")}
	return map[string]bool{"deleted": c.DeletePod(p)}, nil
}

func controlPods(c *Cloud, _ url.Values, _ []byte) (any, error) {
	out := []podJSON{}
	for _, p := range c.Pods() {
		out = append(out, showPod(p))
	}
	return map[string]any{"pods": out}, nil
}

func controlEvents(c *Cloud, _ url.Values, _ []byte) (any, error) {
	return map[string]any{"events": append([]PodEvent{}, c.Events()...)}, nil
}

// podJSON is a pod as the control API shows it.
type podJSON struct {
	Pod
	Scheduler string       `json:"scheduler"`
	Profile   string       `json:"profile,omitempty"`
	Node      string       `json:"node,omitempty"`
	Created   time.Time    `json:"created"`
	Pending   durationText `json:"pending"`
}

func showPod(p PodStatus) podJSON {
	return podJSON{p.Pod, p.Scheduler, p.Profile, p.Node, p.Created, durationText(p.Pending)}
}

func controlCluster(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in Cluster
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	return map[string]string{"arn": c.AddCluster(in)}, nil
}

func controlProfile(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in Profile
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	profileARN, err := c.AddProfile(in)
	return map[string]string{"arn": profileARN}, err
}

func controlInventory(c *Cloud, _ url.Values, _ []byte) (any, error) { return c.Inventory(), nil }

func controlRole(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in struct {
		Name  string `json:"name"`
		Trust string `json:"trust"`
	}
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	return map[string]string{"arn": c.AddRole(in.Name, orString(in.Trust, PodTrust))}, nil
}

func controlSubnet(c *Cloud, _ url.Values, body []byte) (any, error) {
	var in Subnet
	if err := decodeControl(body, &in); err != nil {
		return nil, err
	}
	c.AddSubnet(in)
	return struct{}{}, nil
}
