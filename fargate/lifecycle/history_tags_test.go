// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package lifecycle_test

import (
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/eks/types"
)

// claim is what the memory of tags holds for a key, by its contract.
func claim(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:6]
}

// claims reports whether a memory of tags claims the key.
func claims(memory, key string) bool {
	hashes, ok := strings.CutPrefix(memory, "1.")
	return ok && slices.Contains(slices.Collect(chunks(hashes)), claim(key))
}

func chunks(hashes string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for ; len(hashes) >= 6; hashes = hashes[6:] {
			if !yield(hashes[:6]) {
				return
			}
		}
	}
}

// judgeMemory judges which keys a tag call claims: those that it sets, and those that
// we set before. What others set to the very value that is desired stays theirs.
func (h *history) judgeMemory(s *stepping, p *types.FargateProfile, in *eks.TagResourceInput) {
	for _, key := range slices.Sorted(maps.Keys(p.Tags)) {
		_, set := in.Tags[key]
		if claims(in.Tags[memoryMark], key) && !set && !s.stale && !h.didSet(s, p, key) {
			h.breaks(ruleTags, "%s: %s of %s is claimed, which we never set", s.object, key, aws.ToString(p.FargateProfileName))
		}
	}
}
