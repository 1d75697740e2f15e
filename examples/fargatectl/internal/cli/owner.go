// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/eksfargate/eksfargate/fargate"
	"go.yaml.in/yaml/v4"
)

// configuration is the user's file of choices.
type configuration struct {
	// Owner becomes the owner id fargatectl/OWNER.
	Owner string `yaml:"owner"`
}

// configPath is where the file is: fargatectl/config.yaml in the user's folder for
// configurations.
func configPath() (string, error) {
	folder, err := os.UserConfigDir()
	return filepath.Join(folder, "fargatectl", "config.yaml"), err
}

// readConfiguration reads the file; one that is not there says nothing.
func readConfiguration() (configuration, error) {
	var c configuration
	path, err := configPath()
	if err != nil {
		return c, nil //nolint:nilerr // without a home there is no configuration
	}
	text, err := os.ReadFile(path) //nolint:gosec // the user's own file
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		return c, advise(fmt.Errorf("reading %s: %w", path, err), "write one line into it: owner: NAME")
	}
	return c, nil
}

// ownerOf is the owner by the flag, else by the configuration; it may be empty.
func (a *app) ownerOf() (fargate.Owner, error) {
	if a.owner != "" {
		return fargate.Owner{ID: a.owner}, nil
	}
	c, err := readConfiguration()
	if err != nil || c.Owner == "" {
		return fargate.Owner{}, err
	}
	return fargate.Owner{ID: "fargatectl/" + c.Owner}, nil
}

// requireOwner is the owner, which must be there for what is asked.
func (a *app) requireOwner(what string) (fargate.Owner, error) {
	owner, err := a.ownerOf()
	if err != nil || owner.ID != "" {
		return owner, err
	}
	path, _ := configPath()
	return owner, failure(
		fmt.Sprintf("give --owner ID, such as platform/prod, or write owner: NAME into %s; keep it the same for ever", path),
		"%s needs an owner id, by which the profiles are known as yours", what)
}
