// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"io"

	"github.com/eksfargate/eksfargate/manifest"
)

// Profiles reads the profiles of all paths. Those that name no cluster belong to the
// given one, if any. The error is about reading; what is wrong in the files is in the
// result.
func Profiles(paths []string, stdin io.Reader, cluster string) (manifest.Result, error) {
	files, err := read(paths, stdin, maxBytes)
	if err != nil {
		return manifest.Result{}, err
	}
	results := make([]manifest.Result, len(files))
	for i, f := range files {
		results[i] = manifest.Parse(f.name, f.data, func(o *manifest.Options) { o.Cluster = cluster })
	}
	return manifest.Merge(results...), nil
}

// wholeCluster are bounds that all pods of a large cluster fit into, as kubectl writes
// them: about 17 KiB and 300 values each.
func wholeCluster(o *manifest.Options) { o.MaxBytes, o.MaxNodes = maxPodBytes, 10_000_000 }

// Pods reads the pods of all paths. The error is about reading, or holds every fault
// of every file; the problems are the rest.
func Pods(paths []string, stdin io.Reader) ([]manifest.Pod, []manifest.Problem, error) {
	files, err := read(paths, stdin, maxPodBytes+1)
	if err != nil {
		return nil, nil, err
	}
	var all manifest.PodResult
	for _, f := range files {
		r := manifest.ParsePods(f.name, f.data, wholeCluster)
		all.Pods = append(all.Pods, r.Pods...)
		all.Problems = append(all.Problems, r.Problems...)
	}
	if err := all.Err(); err != nil {
		return nil, nil, err
	}
	return all.Pods, all.Problems, nil
}
