// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package admissible_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/selector"
	"github.com/eksfargate/eksfargate/selector/admissible"
)

type (
	pod       = admissible.Pod
	container = admissible.Container
	volume    = admissible.Volume
	claim     = admissible.Claim
	port      = admissible.Port
)

func containers(list ...container) pod { return pod{Containers: list} }

func volumes(list ...volume) pod { return pod{Volumes: list} }

func TestEventsThatPeopleReported(t *testing.T) {
	privileged := container{Privileged: true}
	for want, p := range map[string]pod{
		"fields not supported: HostNetwork, port contains HostIP or HostPort": {
			HostNetwork: true, Containers: []container{{Ports: []port{{}}}},
		},
		"fields not supported: HostNetwork, invalid SecurityContext fields: Privileged, port contains HostIP or HostPort": {
			HostNetwork: true, Containers: []container{{Privileged: true, Ports: []port{{HostPort: 80}}}},
		},
		"invalid SecurityContext fields: Privileged":                    containers(privileged),
		"invalid SecurityContext fields: Privileged,Privileged":         containers(privileged, container{}, privileged),
		"invalid SecurityContext fields: AllowPrivilegeEscalation":      containers(container{AllowPrivilegeEscalation: true, AddedCapabilities: []string{"NET_BIND_SERVICE"}}),
		"invalid SecurityContext fields: Capabilities added: CAP_CHOWN": containers(container{AddedCapabilities: []string{"CAP_CHOWN"}}),
		"invalid SecurityContext fields: Privileged, volumes not supported: mntdatas3fs is of an unsupported volume Type": {
			Containers: []container{privileged}, Volumes: []volume{{Name: "mntdatas3fs", Type: "hostPath"}},
		},
		"volumes not supported: persistent-storage not supported because: PVC efs-pvc not bound": volumes(
			volume{Name: "persistent-storage", Type: "persistentVolumeClaim", Claim: &claim{Name: "efs-pvc"}}),
		"volumes not supported: storage-volume not supported because: PVC prometheus-server bound to invalid PV pvc-a9 with CSI Driver: ebs.csi.aws.com": volumes(
			volume{Name: "storage-volume", Type: "persistentVolumeClaim", Claim: &claim{
				Name: "prometheus-server", Bound: true, Volume: "pvc-a9", CSIDriver: "ebs.csi.aws.com",
			}}),
	} {
		t.Run(want, func(t *testing.T) {
			v := admissible.Check(p)
			if diff := cmp.Diff("Pod not supported on Fargate: "+want, v.Event()); diff != "" {
				t.Errorf("Event (-want +got):\n%s", diff)
			}
			for _, problem := range v.Problems {
				if problem.Wording != admissible.WordingReported {
					t.Errorf("%+v: wording is %s, want reported", problem, problem.Wording)
				}
			}
		})
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		pod  pod
		want []string // code, wording and message
	}{
		"nothing":     {pod{}, nil},
		"a plain pod": {containers(container{Name: "c", Ports: []port{{}}, Resources: []string{"cpu", "memory", "ephemeral-storage"}}), nil},
		"what is there anyway may be added": {
			containers(container{AddedCapabilities: []string{"NET_BIND_SERVICE", "CHOWN", "MKNOD"}}), nil,
		},
		"other capabilities": {
			containers(container{AddedCapabilities: []string{"CHOWN", "SYS_ADMIN", "NET_ADMIN"}}),
			[]string{"SecurityContext reported invalid SecurityContext fields: Capabilities added: SYS_ADMIN, NET_ADMIN"},
		},
		"all fields of two containers": {
			containers(container{Privileged: true, AllowPrivilegeEscalation: true, AddedCapabilities: []string{"BPF"}}, container{Privileged: true}),
			[]string{"SecurityContext reported invalid SecurityContext fields: Capabilities added: BPF, AllowPrivilegeEscalation, Privileged,Privileged"},
		},
		"a daemon set":     {pod{DaemonSet: true}, []string{"DaemonSet likely DaemonSet not supported"}},
		"the host network": {pod{HostNetwork: true}, []string{"HostNamespace reported fields not supported: HostNetwork"}},
		"the host's all": {
			pod{HostNetwork: true, HostPID: true, HostIPC: true},
			[]string{"HostNamespace likely fields not supported: HostNetwork, HostPID, HostIPC"},
		},
		"the host's processes": {pod{HostPID: true}, []string{"HostNamespace likely fields not supported: HostPID"}},
		"the host's IPC":       {pod{HostIPC: true}, []string{"HostNamespace likely fields not supported: HostIPC"}},
		"a host address": {
			containers(container{}, container{Ports: []port{{}, {HostIP: "127.0.0.1"}}}),
			[]string{"HostPort reported port contains HostIP or HostPort"},
		},
		"volumes that Fargate has": {
			volumes(volume{Type: "emptyDir"}, volume{Type: "secret"}, volume{Type: "configMap"}, volume{Type: "projected"},
				volume{Type: "downwardAPI"}, volume{Type: "nfs"}, volume{Type: "persistentVolumeClaim"}), nil,
		},
		"a claim of EFS": {
			volumes(volume{Type: "persistentVolumeClaim", Claim: &claim{Bound: true, CSIDriver: "efs.csi.aws.com"}}), nil,
		},
		"a claim without a driver": {
			volumes(volume{Name: "v", Type: "persistentVolumeClaim", Claim: &claim{Name: "c", Bound: true, Volume: "pv"}}),
			[]string{"Volume likely volumes not supported: v not supported because: PVC c bound to invalid PV pv with nil CSI spec"},
		},
		"several volumes": {
			volumes(volume{Name: "a", Type: "hostPath"}, volume{Name: "b", Type: "emptyDir"}, volume{Name: "c", Type: "csi"}),
			[]string{"Volume reported volumes not supported: a is of an unsupported volume Type, c is of an unsupported volume Type"},
		},
		"a volume without a type": {volumes(volume{Name: "a"}), []string{"Volume reported volumes not supported: a is of an unsupported volume Type"}},
		"a block device":          {containers(container{VolumeDevices: true}), []string{"VolumeDevice likely volumeDevices not supported"}},
		"a GPU": {
			containers(container{Name: "c", Resources: []string{"cpu", "amd.com/gpu"}}),
			[]string{"GPU ours container c wants amd.com/gpu, but Fargate has no GPUs"},
		},
		"a slice of a GPU": {
			containers(container{Name: "c", Resources: []string{"nvidia.com/mig-1g.5gb"}}),
			[]string{"GPU ours container c wants nvidia.com/mig-1g.5gb, but Fargate has no GPUs"},
		},
		"Arm":     {pod{Arch: "arm64"}, []string{"Arch ours the pod wants architecture arm64, but Fargate nodes are amd64"}},
		"amd64":   {pod{Arch: "amd64", OS: "linux"}, nil},
		"Windows": {pod{OS: "windows"}, []string{"OS ours the pod wants system windows, but Fargate nodes run Linux"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := admissible.Check(c.pod)
			var got []string
			for _, p := range v.Problems {
				got = append(got, fmt.Sprintf("%s %s %s", p.Code, p.Wording, p.Message))
				if p.Remedy == "" {
					t.Errorf("%s has no remedy", p.Code)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if v.Admissible() != (c.want == nil) {
				t.Errorf("Admissible is %v", v.Admissible())
			}
		})
	}
}

func TestTheEventHasOnlyKnownWords(t *testing.T) {
	all := pod{
		DaemonSet: true, HostPID: true, OS: "windows", Arch: "arm64",
		Containers: []container{{Name: "c", Privileged: true, VolumeDevices: true, Ports: []port{{HostPort: 1}}, Resources: []string{"nvidia.com/gpu"}}},
		Volumes:    []volume{{Name: "v", Type: "hostPath"}},
	}
	want := "Pod not supported on Fargate: DaemonSet not supported, fields not supported: HostPID, invalid SecurityContext fields: Privileged, " +
		"volumes not supported: v is of an unsupported volume Type, volumeDevices not supported, port contains HostIP or HostPort"
	if diff := cmp.Diff(want, admissible.Check(all).Event()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := len(admissible.Check(all).Problems); got != 9 {
		t.Errorf("%d problems, want 9", got)
	}
	if event := admissible.Check(pod{Arch: "arm64"}).Event(); event != "" {
		t.Errorf("Event = %q of a problem whose words aren't known, want none", event)
	}
	if event := admissible.Check(pod{}).Event(); strings.TrimSpace(event) != "" {
		t.Errorf("Event = %q of a good pod, want none", event)
	}
}

func TestOutcome(t *testing.T) {
	good, bad := admissible.Check(pod{}), admissible.Check(pod{DaemonSet: true})
	matched := selector.Match{Profile: "fp-a", Reason: selector.ReasonMatched}
	optedOut := selector.Match{Selector: selector.NoSelector, Reason: selector.ReasonOptedOut}
	for name, c := range map[string]struct {
		verdict admissible.Verdict
		match   selector.Match
		want    selector.Outcome
	}{
		"it runs on Fargate":        {good, matched, selector.OutcomeFargate},
		"it can't run on Fargate":   {bad, matched, selector.OutcomeUnsupported},
		"it needn't run on Fargate": {bad, optedOut, selector.OutcomeOptedOut},
		"no profile takes it":       {bad, selector.Match{Reason: selector.ReasonNoMatch}, selector.OutcomeNone},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.verdict.Outcome(c.match); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func ExampleCheck() {
	verdict := admissible.Check(admissible.Pod{
		HostNetwork: true,
		Containers:  []admissible.Container{{Name: "agent", Privileged: true}},
	})
	fmt.Println(verdict.Admissible())
	fmt.Println(verdict.Event())
	// Output:
	// false
	// Pod not supported on Fargate: fields not supported: HostNetwork, invalid SecurityContext fields: Privileged
}
