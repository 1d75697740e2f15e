// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// maxBytes is more than the parser accepts, so that it is the one to complain, and
// little enough for a device without an end.
const maxBytes = 64 << 20

// maxPodBytes is how large a file with pods may be.
const maxPodBytes = 256 << 20

// file is the text of one file.
type file struct {
	name string
	data []byte
}

// read reads every path. Of a folder it reads, at any depth, the files whose names
// end as those of manifests do.
func read(paths []string, stdin io.Reader, limit int64) ([]file, error) {
	var files []file
	seen := map[string]bool{}
	for _, path := range paths {
		names, err := expand(path)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			data, err := load(name, stdin, limit)
			if err != nil {
				return nil, err
			}
			files = append(files, file{name, data})
		}
	}
	return files, nil
}

// Load reads one file, or standard input.
func Load(name string, stdin io.Reader) ([]byte, error) { return load(name, stdin, maxBytes) }

func load(name string, stdin io.Reader, limit int64) ([]byte, error) {
	if name == Stdin {
		data, err := io.ReadAll(io.LimitReader(stdin, limit))
		if err != nil {
			return nil, fmt.Errorf("reading standard input: %w", err)
		}
		return data, nil
	}
	f, err := os.Open(name) //nolint:gosec // reading the file that the user names is the job
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	return io.ReadAll(io.LimitReader(f, limit))
}

func expand(path string) ([]string, error) {
	if path == Stdin {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	names, err := walk(path)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s has no file that ends in %s", path, strings.Join(suffixes(), ", "))
	}
	return names, err
}

func suffixes() []string { return []string{".yaml", ".yml", ".json", ".template"} }

// walk finds the manifests in a folder, sorted, and leaves hidden files alone.
func walk(folder string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case !d.IsDir() && slices.Contains(suffixes(), strings.ToLower(filepath.Ext(path))):
			names = append(names, path)
		}
		return nil
	})
	return names, err
}
