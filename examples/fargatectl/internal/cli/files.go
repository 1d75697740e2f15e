// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"strings"

	"github.com/eksfargate/eksfargate/manifest"
	"github.com/spf13/cobra"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/source"
)

// filesFlag adds -f to a command.
func filesFlag(cmd *cobra.Command, paths *[]string, what string) {
	cmd.Flags().StringArrayVarP(paths, "filename", "f", nil, what+"; a `file`, a folder, or - for standard input; may be repeated")
	_ = cmd.MarkFlagFilename("filename") // fails only for a flag that is not there
}

// readProfiles reads the profiles of all files, whatever is wrong with them.
func (a *app) readProfiles(paths []string) (manifest.Result, error) {
	if len(paths) == 0 {
		return manifest.Result{}, failure("name them with -f FILE, or - for standard input", "no file is given")
	}
	return source.Profiles(paths, a.In, a.cluster)
}

// podsFlag adds --pod to a command.
func podsFlag(cmd *cobra.Command, paths *[]string) {
	cmd.Flags().StringArrayVar(paths, "pod", nil, "the pods, or what makes pods; a `file`, a folder, or - for standard input; may be repeated")
	_ = cmd.MarkFlagFilename("pod") // fails only for a flag that is not there
}

// resolveProfiles reads the profiles of one cluster, of which everything must be
// known.
func (a *app) resolveProfiles(paths []string) (source.Set, error) {
	result, err := a.readProfiles(paths)
	if err != nil {
		return source.Set{}, err
	}
	set, err := source.Resolve(result, a.cluster)
	if _, several := errors.AsType[*source.ClustersError](err); several {
		err = advise(err, "choose one with --cluster NAME")
	}
	if _, none := errors.AsType[*source.NoneError](err); none {
		err = advise(err, "leave --cluster out, or give a name that the files have")
	}
	if len(set.LeftOut) > 0 {
		a.note("note:", "left out, since they are of other clusters: "+strings.Join(set.LeftOut, ", "))
	}
	return set, err
}

func (a *app) readPods(paths []string) ([]manifest.Pod, error) {
	if len(paths) == 0 {
		return nil, failure("name them with --pod FILE, or - for standard input", "no pods are given")
	}
	pods, problems, err := source.Pods(paths, a.In)
	if err != nil {
		return nil, err
	}
	for _, p := range problems {
		a.tell(a.problemLine(a.errStyle(), p) + "\n")
	}
	return pods, nil
}
