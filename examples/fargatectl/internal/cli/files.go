// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
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
	return source.Profiles(paths, a.In)
}
