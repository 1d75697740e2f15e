// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// listing is a list of names in the order of their keys. A page token holds the
// last key that was returned, so that paging goes on rightly while names come
// and go.
type listing struct {
	names []string            // sorted by name
	key   func(string) string // nil: the name is the key
}

// listing orders names by the option; created gives the time of one.
func (t *tx) listing(names []string, created func(string) int64) listing {
	switch t.cloud.opts.ListOrder {
	case ListCreated:
		return listing{names, func(name string) string { return fmt.Sprintf("%020d/%s", created(name), name) }}
	case ListShuffled:
		return listing{names, func(name string) string { return t.cloud.shuffleKey(name) }}
	default:
		return listing{names: names}
	}
}

func (c *Cloud) shuffleKey(name string) string {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d/%s", c.opts.Seed, name) // a hash takes everything
	return fmt.Sprintf("%016x/%s", h.Sum64(), name)
}

// page returns one page of a listing and the token of the next, nil at the end.
func (t *tx) page(l listing, maxResults *int32, token *string) ([]string, *string, error) {
	size, err := t.pageSize(maxResults)
	if err != nil {
		return nil, nil, err
	}
	if aws.ToString(token) == "" && t.cloud.opts.EmptyFirstPage && len(l.names) > 0 {
		return []string{}, new(encodeToken("")), nil
	}
	after, err := decodeToken(token)
	if err != nil {
		return nil, nil, err
	}
	rest := l.after(after)
	if len(rest) <= size {
		return slices.Clone(rest), nil, nil
	}
	return slices.Clone(rest[:size]), new(encodeToken(l.keyOf(rest[size-1]))), nil
}

// pageSize is what the caller wants, within the limits (1 to 100: API model;
// the text of the refusal is this package's).
func (t *tx) pageSize(maxResults *int32) (int, error) {
	if maxResults == nil {
		return t.cloud.opts.PageSize, nil
	}
	n := int(*maxResults)
	if n < 1 || n > maxPageSize {
		return 0, invalidParameter("maxResults must be between 1 and %d, but it is %d.", maxPageSize, n)
	}
	return min(n, t.cloud.opts.PageSize), nil
}

func (l listing) keyOf(name string) string {
	if l.key == nil {
		return name
	}
	return l.key(name)
}

// after returns the names whose keys come after a key, in order.
func (l listing) after(key string) []string {
	names := l.names
	if l.key != nil {
		names = slices.Clone(names)
		slices.SortFunc(names, func(a, b string) int { return strings.Compare(l.key(a), l.key(b)) })
	}
	i, found := slices.BinarySearchFunc(names, key, func(name, key string) int {
		return strings.Compare(l.keyOf(name), key)
	})
	if found {
		i++
	}
	return names[i:]
}

const tokenPrefix = "fake1:"

func encodeToken(key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(tokenPrefix + key))
}

func decodeToken(token *string) (string, error) {
	if aws.ToString(token) == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(*token)
	key, ours := strings.CutPrefix(string(text), tokenPrefix)
	if err != nil || !ours {
		return "", invalidParameter("The nextToken %q is not valid.", *token)
	}
	return key, nil
}
