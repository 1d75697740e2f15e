// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package tagdiff

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/internal/owner"
)

// The memory of claimed keys is "1." (its version) and 6 characters of base64url
// of the SHA-256 of each key: 36 bits. 42 keys fit into the 256 characters of a
// tag value, so that two tags hold more than the 50 tags that AWS allows.
const (
	memoryVersion = "1."
	hashChars     = 6
	perTag        = 42
)

// NoClaims is the value of a memory tag that claims no key.
const NoClaims = memoryVersion

// Claims is the set of tag keys that we set, each by its hash.
type Claims map[string]struct{}

func hash(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:hashChars]
}

// Has reports whether the key is claimed.
func (c Claims) Has(key string) bool {
	_, ok := c[hash(key)]
	return ok
}

// without returns the claims without those on the keys.
func (c Claims) without(keys []string) Claims {
	for _, key := range keys {
		delete(c, hash(key))
	}
	return c
}

// ReadClaims reads the memory from the tags of a resource. An unknown version or
// a torn value claims nothing: we then remove too little, never too much.
func ReadClaims(tags map[string]string) Claims {
	claims := Claims{}
	for _, key := range []string{owner.TagsKey, owner.Tags2Key} {
		hashes, ok := strings.CutPrefix(tags[key], memoryVersion)
		if !ok || len(hashes)%hashChars != 0 {
			continue
		}
		for chunk := range slices.Chunk([]byte(hashes), hashChars) {
			claims[string(chunk)] = struct{}{}
		}
	}
	return claims
}

// WriteClaims returns the tags that remember the keys: none for no key.
func WriteClaims(keys []string) map[string]string {
	hashes := make([]string, 0, len(keys))
	for _, key := range keys {
		hashes = append(hashes, hash(key))
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	tags := map[string]string{}
	names := []string{owner.TagsKey, owner.Tags2Key}
	for i := 0; i < len(hashes) && len(names) > 0; i += perTag {
		tags[names[0]] = memoryVersion + strings.Join(hashes[i:min(i+perTag, len(hashes))], "")
		names = names[1:]
	}
	return tags
}
