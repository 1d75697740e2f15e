// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awserr

import "strings"

// readText refines what the code says, and takes the names out of the text. Each
// text has been seen in logs of the real service; the wording around them varies
// in case, so that comparisons ignore it.
func (f *Fault) readText() {
	if f.readMissingPermission() {
		f.Kind = Denied
		return
	}
	switch f.Kind {
	case ProfileNotFound:
		f.readNotFound()
	case InUse:
		f.readInUse()
	case Invalid, UnsupportedZone:
		f.readInvalid()
	case Denied:
		f.readDenied()
	default: // The code says it all.
	}
}

func (f *Fault) readNotFound() {
	if name, ok := after(f.Message, "No cluster found for name: "); ok {
		f.Kind, f.Cluster = ClusterNotFound, strings.TrimSuffix(name, ".")
	}
}

func (f *Fault) readInUse() {
	f.Cluster = word(f.Message, "because cluster ")
	switch {
	case contains(f.Message, "already exists with this name"):
		f.Kind = NameTaken
	case contains(f.Message, "in status ") && contains(f.Message, "currently has fargate profile "):
		f.Kind = PeerBusy
		f.Peer, f.PeerStatus = word(f.Message, "currently has fargate profile "), word(f.Message, "in status ")
	case contains(f.Message, "update in progress"), contains(f.Message, "UPDATING"):
		f.Kind, f.Update = ClusterBusy, word(f.Message, "update in progress with id ")
	}
}

func (f *Fault) readInvalid() {
	switch {
	case contains(f.Message, "Misconfigured PodExecutionRole Trust Policy"):
		f.Kind = TrustNotUsable
	case contains(f.Message, "is not a private subnet"):
		f.Kind, f.Subnet = PublicSubnet, word(f.Message, "Subnet ")
	case contains(f.Message, "Availability Zone ") && contains(f.Message, "not supported"):
		f.Kind, f.Zone, f.Subnet = UnsupportedZone, word(f.Message, "Availability Zone "), word(f.Message, "for Subnet ")
	case contains(f.Message, "is not in ACTIVE status"):
		f.Kind, f.Cluster = ClusterNotActive, strings.Trim(word(f.Message, "Cluster "), "'")
	}
}

func (f *Fault) readDenied() {
	f.Action = word(f.Message, "is not authorized to perform: ")
	f.Resource = word(f.Message, "on resource: ")
}

// readMissingPermission finds the texts by which EKS says, under other codes,
// that the caller lacks a permission which the call needs indirectly.
func (f *Fault) readMissingPermission() bool {
	for _, lead := range []string{"missing permissions for '", `missing permissions for "`} {
		if rest, ok := after(f.Message, lead); ok {
			f.Action, _, _ = strings.Cut(rest, lead[len(lead)-1:])
			return true
		}
	}
	return false
}

func contains(text, part string) bool {
	_, ok := after(text, part)
	return ok
}

// after returns what follows lead in text, whatever the case of their letters.
// Both are ASCII where it matters: a byte is lowered alone, so lengths agree.
func after(text, lead string) (string, bool) {
	i := strings.Index(lower(text), lower(lead))
	if i < 0 {
		return "", false
	}
	return text[i+len(lead):], true
}

// lower lowers ASCII letters and leaves every other byte, and so every index, as
// it is.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// word returns the word that follows lead, without a closing mark.
func word(text, lead string) string {
	rest, ok := after(text, lead)
	if !ok {
		return ""
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return ""
	}
	return strings.TrimRight(fields[0], ".,;")
}
