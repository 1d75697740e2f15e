// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fake"
)

func TestPlacementOfPods(t *testing.T) {
	type profile struct {
		name, namespace string
		labels          map[string]string
	}
	label := func(key, value string) map[string]string { return map[string]string{key: value} }
	cases := map[string]struct {
		profiles []profile
		pod      fake.Pod
		want     string // a profile, or "" for the default scheduler
	}{
		"namespace":                        {[]profile{{"a", "web", nil}}, fake.Pod{Namespace: "web"}, "a"},
		"another namespace":                {[]profile{{"a", "web", nil}}, fake.Pod{Namespace: "web2"}, ""},
		"the namespace default":            {[]profile{{"a", "default", nil}}, fake.Pod{}, "a"},
		"star in the namespace":            {[]profile{{"a", "prod*", nil}}, fake.Pod{Namespace: "prod"}, "a"},
		"an anchored pattern":              {[]profile{{"a", "prod*", nil}}, fake.Pod{Namespace: "preprod"}, ""},
		"question mark":                    {[]profile{{"a", "kube-?ystem", nil}}, fake.Pod{Namespace: "kube-system"}, "a"},
		"all labels":                       {[]profile{{"a", "*", label("app", "api")}}, fake.Pod{Labels: map[string]string{"app": "api", "x": "y"}}, "a"},
		"a missing label":                  {[]profile{{"a", "*", label("app", "api")}}, fake.Pod{Labels: label("x", "y")}, ""},
		"another value":                    {[]profile{{"a", "*", label("app", "api")}}, fake.Pod{Labels: label("app", "api2")}, ""},
		"patterns in key and value":        {[]profile{{"a", "*", label("a?p", "v*")}}, fake.Pod{Labels: label("app", "value")}, "a"},
		"one label for two patterns":       {[]profile{{"a", "*", map[string]string{"a*": "*", "*b": "*"}}}, fake.Pod{Labels: label("ab", "v")}, "a"},
		"a slash in a key":                 {[]profile{{"a", "*", label("app*", "v")}}, fake.Pod{Labels: label("app.io/name", "v")}, "a"},
		"the first by name":                {[]profile{{"b", "web", nil}, {"a", "web", nil}}, fake.Pod{Namespace: "web"}, "a"},
		"capitals come first":              {[]profile{{"a", "web", nil}, {"B", "web", nil}}, fake.Pod{Namespace: "web"}, "B"},
		"a pin":                            {[]profile{{"a", "web", nil}, {"b", "web", nil}}, fake.Pod{Namespace: "web", Labels: label(fake.ProfileLabel, "b")}, "b"},
		"a pin to one that does not match": {[]profile{{"a", "web", nil}, {"b", "api", nil}}, fake.Pod{Namespace: "web", Labels: label(fake.ProfileLabel, "b")}, ""},
		"a pin to nothing":                 {[]profile{{"a", "web", nil}}, fake.Pod{Namespace: "web", Labels: label(fake.ProfileLabel, "gone")}, ""},
		"opted out":                        {[]profile{{"a", "web", nil}}, fake.Pod{Namespace: "web", Annotations: label(fake.ComputeTypeAnnotation, "ec2")}, ""},
		"opted in":                         {[]profile{{"a", "web", nil}}, fake.Pod{Namespace: "web", Annotations: label(fake.ComputeTypeAnnotation, "fargate")}, "a"},
		"no profile":                       {nil, fake.Pod{Namespace: "web"}, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New(wide)
			for _, p := range tc.profiles {
				activate(t, c, p.name, p.namespace, p.labels)
			}
			tc.pod.Name = "pod"
			got := run(t, c, tc.pod)
			wantScheduler := fake.DefaultScheduler
			if tc.want != "" {
				wantScheduler = fake.FargateScheduler
			}
			if got.Profile != tc.want || got.Scheduler != wantScheduler || (got.Node != "") != (tc.want != "") {
				t.Errorf("profile %q, scheduler %s, node %q", got.Profile, got.Scheduler, got.Node)
			}
			if tc.want != "" && got.Labels[fake.ProfileLabel] != tc.want {
				t.Errorf("labels %v", got.Labels)
			}
			if diff := cmp.Diff(tc.pod.Labels, got.Template.Labels); diff != "" {
				t.Errorf("the template has changed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNodeNames(t *testing.T) {
	for region, want := range map[string]string{
		"us-east-1":  "fargate-ip-10-0-0-1.ec2.internal",
		"cn-north-1": "fargate-ip-10-0-0-1.cn-north-1.compute.internal",
	} {
		c := fake.New(wide, func(o *fake.Options) { o.Region = region })
		activate(t, c, "a", "*", nil)
		if got := run(t, c, fake.Pod{Name: "p"}).Node; got != want {
			t.Errorf("node %s, want %s", got, want)
		}
	}
}

func TestUnsupportedPods(t *testing.T) {
	cases := map[string]struct {
		pod  fake.Unsupported
		want string
	}{
		"host network":           {fake.Unsupported{HostNetwork: true, HostPort: true}, "fields not supported: HostNetwork, port contains HostIP or HostPort"},
		"a mixture":              {fake.Unsupported{HostNetwork: true, HostPort: true, Privileged: 1}, "fields not supported: HostNetwork, invalid SecurityContext fields: Privileged, port contains HostIP or HostPort"},
		"two containers":         {fake.Unsupported{Privileged: 2}, "invalid SecurityContext fields: Privileged,Privileged"},
		"escalation":             {fake.Unsupported{PrivilegeEscalation: 1}, "invalid SecurityContext fields: AllowPrivilegeEscalation"},
		"capabilities":           {fake.Unsupported{Capabilities: []string{"CAP_CHOWN"}}, "invalid SecurityContext fields: Capabilities added: CAP_CHOWN"},
		"a volume of other type": {fake.Unsupported{Volumes: []string{"data"}}, "volumes not supported: data is of an unsupported volume Type"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New(wide)
			activate(t, c, "a", "*", nil)
			run(t, c, fake.Pod{Name: "p", Unsupported: tc.pod})
			c.Advance(time.Hour)
			p, events := c.Pods()[0], c.Events()
			if p.Node != "" || p.Profile != "a" || p.Pending != time.Hour || len(events) != 1 {
				t.Fatalf("pod %+v, events %+v", p, events)
			}
			if e := events[0]; e.Reason != "FailedScheduling" || e.Type != "Warning" || e.Message != "Pod not supported on Fargate: "+tc.want {
				t.Errorf("event %+v", e)
			}
		})
	}
}

func TestPodOfAProfileWhoseRoleIsGone(t *testing.T) {
	c := fake.New(wide)
	activate(t, c, "a", "*", nil)
	c.AddRole(fake.RoleName, "{}")
	run(t, c, fake.Pod{Name: "p"})
	const want = "Misconfigured Fargate Profile: fargate profile a blocked for new launches due to: Failed to assume " +
		"PodExecutionRole; Please make sure the role exists and trusts the eks-fargate-pods.amazonaws.com service principal"
	if e := c.Events(); len(e) != 1 || e[0].Message != want {
		t.Errorf("events %+v", e)
	}
	if p := c.Pods()[0]; p.Node != "" || p.Profile != "a" {
		t.Errorf("pod %+v", p)
	}
}
