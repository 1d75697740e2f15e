// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "github.com/aws/aws-sdk-go-v2/aws"

// iamPage returns one page of sorted names and the marker of the next, nil at
// the end. created gives the time of one, or is nil when names have none. AWS
// may return fewer than asked for, and Options.PageSize makes it do so.
func (t *tx) iamPage(
	sorted []string, created func(string) int64, marker *string, maxItems *int32,
) ([]string, *string, error) {
	if created == nil {
		created = func(string) int64 { return 0 }
	}
	if aws.ToString(marker) == "" && t.cloud.opts.EmptyFirstPage && len(sorted) > 0 {
		return nil, new(encodeToken("")), nil
	}
	after, err := decodeToken(marker)
	if err != nil {
		return nil, nil, apiErrorf(codeInvalidInput, "The marker %q is not valid.", aws.ToString(marker))
	}
	l := t.listing(sorted, created)
	rest, size := l.after(after), t.itemsOfPage(maxItems)
	if len(rest) <= size {
		return rest, nil, nil
	}
	return rest[:size], new(encodeToken(l.keyOf(rest[size-1]))), nil
}

func (t *tx) itemsOfPage(maxItems *int32) int {
	size := defaultItemsOfPage
	if maxItems != nil {
		size = int(*maxItems)
	}
	if forced := t.cloud.opts.PageSize; forced < maxPageSize {
		return min(size, forced)
	}
	return size
}
