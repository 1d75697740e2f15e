// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

// world is a program of the scripts that does to a kept fake what the rest of the
// world does to a cluster, and tells what became of its pods:
//
//	world run FILE NAMESPACE/NAME [KEY=VALUE...]   a pod that is made again whenever it ends
//	world remake FILE NAMESPACE/NAME               end the pod; it is made again
//	world profile FILE < PROFILE                   a profile that another tool made, as JSON
//	world trust FILE NAME                          let EKS use the role for profiles of a name
//	world pods FILE                                where each pod is
//	world gaps FILE                                when there were pods that matched nothing
func world() {
	text, err := inWorld(os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		fail(err.Error() + "\n")
	}
	_, _ = io.WriteString(os.Stdout, text)
	os.Exit(0)
}

func inWorld(verb, file string, args []string) (string, error) {
	cloud, err := connect.Embedded(context.Background(), "")
	if err != nil {
		return "", err
	}
	state, err := connect.Restore(cloud, file)
	if err != nil {
		return "", err
	}
	text := ""
	switch verb {
	case "run":
		_, err = cloud.RunPod(podOf(args))
	case "remake":
		cloud.DeletePod(podOf(args))
	case "profile":
		err = addProfile(cloud)
	case "trust":
		cloud.AddRole(fake.RoleName, trustOf(args[0]))
		err = connect.Equip(context.Background(), cloud, "")
	case "pods":
		text = whereabouts(cloud)
	case "gaps":
		text = gaps(cloud)
	default:
		err = fmt.Errorf("unknown verb %q", verb)
	}
	if err != nil {
		return "", err
	}
	return text, state.Save(cloud)
}

// trustOf is a trust for the profiles of one name.
func trustOf(name string) string {
	scope := iam.Scope{Region: "us-east-1", Account: "111122223333", Cluster: fake.ClusterName}
	return strings.ReplaceAll(iam.TrustPolicy(scope).String(), "/demo/*", "/demo/"+name+"/*")
}

func podOf(args []string) fake.Pod {
	p := fake.Pod{Replicated: true, Labels: map[string]string{}}
	p.Namespace, p.Name, _ = strings.Cut(args[0], "/")
	for _, label := range args[1:] {
		key, value, _ := strings.Cut(label, "=")
		p.Labels[key] = value
	}
	return p
}

func addProfile(cloud *fake.Cloud) error {
	var p fake.Profile
	if err := json.NewDecoder(os.Stdin).Decode(&p); err != nil {
		return err
	}
	_, err := cloud.AddProfile(p)
	return err
}

// whereabouts has a line for each pod: without the end of its name, which a pod that
// was made again has.
func whereabouts(cloud *fake.Cloud) string {
	var lines []string
	for _, p := range cloud.Pods() {
		lines = append(lines, fmt.Sprintf("%s/%s on %q\n", p.Namespace, p.Name, p.Profile))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func gaps(cloud *fake.Cloud) string {
	var text strings.Builder
	for _, moment := range cloud.PodStats(fake.ClusterName).Unmatched {
		if moment.Pods > 0 {
			fmt.Fprintf(&text, "%s: %d pods match nothing\n", moment.Since.UTC().Format(time.TimeOnly), moment.Pods)
		}
	}
	return text.String()
}
