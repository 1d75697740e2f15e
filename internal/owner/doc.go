// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package owner reads and writes the marks by which a resource at AWS says who
// may change it. The marks are tags, and they are a permanent contract:
//
//	eksfargate.io/owner.<h>   = the owner id; h is 10 base32 characters of its SHA-256
//	eksfargate.io/profile     = the logical name of the profile
//	eksfargate.io/generation  = the highest generation of the desired state that wrote
//	eksfargate.io/peer        = the other physical profile during a replacement
//	eksfargate.io/tags        = which tag keys we set (package tagdiff), continued in
//	eksfargate.io/tags2
//
// The hash stands in the key, so that the mark of a second owner lands beside
// the first instead of overwriting it: two marks show that two owners claim one
// resource, and then nobody writes.
package owner
