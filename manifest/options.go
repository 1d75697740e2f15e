// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

// Options bound what a manifest may cost. The zero value of a field means its
// default.
type Options struct {
	// MaxBytes is the size of a file. Default 16 MiB.
	MaxBytes int
	// MaxNodes is the number of values of a document, each alias counted as
	// often as it is used. Default 1,000,000.
	MaxNodes int
	// MaxDepth is the nesting of lists and maps. Default 100.
	MaxDepth int
	// Cluster is the EKS name of the cluster of profiles that name none. Default "":
	// such a profile gets a warning.
	Cluster string
}

const (
	defaultMaxBytes = 16 << 20
	defaultMaxNodes = 1_000_000
	defaultMaxDepth = 100
)

func newOptions(optFns []func(*Options)) Options {
	var o Options
	for _, fn := range optFns {
		fn(&o)
	}
	o.MaxBytes = positive(o.MaxBytes, defaultMaxBytes)
	o.MaxNodes = positive(o.MaxNodes, defaultMaxNodes)
	o.MaxDepth = positive(o.MaxDepth, defaultMaxDepth)
	return o
}

func positive(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}
