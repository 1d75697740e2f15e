// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package admit_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/selector/admissible"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/admit"
)

func TestPod(t *testing.T) {
	tests := map[string]struct {
		kind, spec string
		want       admissible.Pod
	}{
		"nothing is said": {kind: "Pod", spec: `{}`},
		"a DaemonSet":     {kind: "DaemonSet", spec: `{}`, want: admissible.Pod{DaemonSet: true}},
		"the host's network, processes and IPC": {
			spec: `{"hostNetwork":true,"hostPID":true,"hostIPC":true}`,
			want: admissible.Pod{HostNetwork: true, HostPID: true, HostIPC: true},
		},
		"the node selector says more than os": {
			spec: `{"os":{"name":"linux"},"nodeSelector":{"kubernetes.io/os":"windows","kubernetes.io/arch":"arm64"}}`,
			want: admissible.Pod{OS: "windows", Arch: "arm64"},
		},
		"init containers come first, and resources are requests and limits": {
			spec: `{"containers":[{"name":"b","resources":{"requests":{"cpu":1},"limits":{"nvidia.com/gpu":"1"}},"volumeDevices":[{}]}],
				"initContainers":[{"name":"a","securityContext":{"privileged":true,"allowPrivilegeEscalation":true,"capabilities":{"add":["NET_ADMIN"]}},
				"ports":[{"hostPort":80,"hostIP":"0.0.0.0"}]}]}`,
			want: admissible.Pod{Containers: []admissible.Container{
				{
					Name: "a", Privileged: true, AllowPrivilegeEscalation: true, AddedCapabilities: []string{"NET_ADMIN"},
					Ports: []admissible.Port{{HostPort: 80, HostIP: "0.0.0.0"}},
				},
				{Name: "b", Resources: []string{"cpu", "nvidia.com/gpu"}, VolumeDevices: true},
			}},
		},
		"volumes are named after their source": {
			spec: `{"volumes":[{"name":"x","hostPath":{"path":"/"}},{"name":"y"}]}`,
			want: admissible.Pod{Volumes: []admissible.Volume{{Name: "x", Type: "hostPath"}, {Name: "y", Type: "emptyDir"}}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := admit.Pod(tt.kind, []byte(tt.spec))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the pod (-want +got):\n%s", diff)
			}
		})
	}
}

func TestASpecThatIsNoneIsAnError(t *testing.T) {
	for _, spec := range []string{`[]`, `{"containers":{}}`, `{"hostNetwork":"yes"}`, ``} {
		if _, err := admit.Pod("Pod", []byte(spec)); err == nil {
			t.Errorf("%q was read", spec)
		}
	}
}
