// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"net/url"
	"strings"
)

// route finds the operation of a REST request and the labels in its path. It
// works on the escaped path: a label may hold an escaped slash, as the ARN in a
// path of tags does.
func (c *Cloud) route(method, escapedPath string) (*operation, []string) {
	segments := strings.Split(strings.TrimPrefix(escapedPath, "/"), "/")
	for _, op := range c.routes {
		if op.rest.method != method {
			continue
		}
		if labels, ok := matchPath(op.rest.path, segments); ok {
			return op, labels
		}
	}
	return nil, nil
}

// matchPath compares segments with a pattern. "*" takes one segment, which may
// be empty; "**" takes all that are left.
func matchPath(pattern, segments []string) ([]string, bool) {
	var labels []string
	for i, want := range pattern {
		switch {
		case i >= len(segments):
			return nil, false
		case want == "**":
			return appendLabel(labels, strings.Join(segments[i:], "/"))
		case want == "*":
			var ok bool
			if labels, ok = appendLabel(labels, segments[i]); !ok {
				return nil, false
			}
		case want != segments[i]:
			return nil, false
		}
	}
	return labels, len(segments) == len(pattern)
}

func appendLabel(labels []string, escaped string) ([]string, bool) {
	label, err := url.PathUnescape(escaped)
	return append(labels, label), err == nil
}

// restRoutes lists the operations that have a path.
func restRoutes(operations []*operation) []*operation {
	var routes []*operation
	for _, op := range operations {
		if op.rest != nil {
			routes = append(routes, op)
		}
	}
	return routes
}
