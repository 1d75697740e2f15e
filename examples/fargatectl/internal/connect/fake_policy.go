// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fake"
)

// DeniedError says what a policy lacks for what a command did.
type DeniedError struct {
	Path string
	// Calls are the texts of the refusals, in their order, each once.
	Calls []string
}

// Error implements error.
func (e *DeniedError) Error() string {
	return e.Path + " does not allow all that was done:\n" + strings.Join(e.Calls, "\n")
}

// Restrict lets the caller of a fake do what the policy in a file allows, and nothing
// else.
func Restrict(cloud *fake.Cloud, path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // reading the file that the user names is the job
	if err != nil {
		return err
	}
	if err := cloud.SetPolicy("", string(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Lift ends the restriction, so that it is not kept with the state.
func Lift(cloud *fake.Cloud, path string) error {
	if path == "" {
		return nil
	}
	return cloud.SetPolicy("", "")
}

// denied tells what the policy lacked for what was done.
func denied(cloud *fake.Cloud, path string) error {
	e := &DeniedError{Path: path}
	for call := range cloud.Calls() {
		if strings.Contains(call.Message, " is not authorized to perform: ") && !slices.Contains(e.Calls, call.Message) {
			e.Calls = append(e.Calls, call.Message)
		}
	}
	if path == "" || len(e.Calls) == 0 {
		return nil
	}
	return e
}
