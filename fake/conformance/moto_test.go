// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package conformance_test

import (
	"net"
	"net/http"
	"os/exec"
	"testing"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

// startMoto starts moto's server, with a cluster and a profile of the names that
// the fake has. It returns nil where moto is not installed.
func startMoto(t *testing.T) *server {
	t.Helper()
	if _, err := exec.LookPath("moto_server"); err != nil {
		t.Logf("without moto: %v", err)
		return nil
	}
	host, port := "127.0.0.1", freePort(t)
	cmd := program(t, "", "moto_server", "-H", host, "-p", port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // says that it was killed
	})
	s := &server{name: "moto", address: net.JoinHostPort(host, port), pid: cmd.Process.Pid}
	awaitListener(t, s.address)
	fill(t, "http://"+s.address)
	return s
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// awaitListener tries to connect for a minute.
func awaitListener(t *testing.T, address string) {
	t.Helper()
	for range 600 {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("nobody listens on %s", address)
}

// fill makes the cluster and the profile that are described.
func fill(t *testing.T, endpoint string) {
	t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	role := "arn:aws:iam::123456789012:role/any"
	s := session{T: t, client: goSDK(&http.Client{Transport: transport}, endpoint)}
	s.ok("eks", "CreateCluster", object{
		"name": demo, "roleArn": role,
		"resourcesVpcConfig": object{"subnetIds": listOf(fake.PrivateSubnetIDs()...)},
	})
	s.ok("eks", "CreateFargateProfile", object{
		"clusterName": demo, "fargateProfileName": "web", "podExecutionRoleArn": role,
		"selectors": []any{object{"namespace": "web"}},
	})
}
