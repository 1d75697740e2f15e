// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// seedStream is the second half of every seed.
const seedStream = 0x656b73

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seedStream)) }

// resourceID makes the last part of a profile's ARN in the shape of real ones:
// 8-4-4-4-12 hex digits that are not an RFC 4122 UUID. The first byte is even,
// the next 40 bits are half of the milliseconds since 1970 at a moment shortly
// before the creation, the rest is random.
func resourceID(r *rand.Rand, created time.Time) string {
	const beforeCreation = time.Second
	half := uint64(max(0, created.Add(-beforeCreation).UnixMilli())) / 2 & (1<<40 - 1)
	first := r.Uint64() & 0xfe
	return fmt.Sprintf("%02x%06x-%04x-%04x-%04x-%012x",
		first, half>>16, half&0xffff, r.Uint64()&0xffff, r.Uint64()&0xffff, r.Uint64()&(1<<48-1))
}

// requestID makes a request id, which is a random UUID. Every call has one, so it
// is made without fmt.
func requestID(r *rand.Rand) string {
	const version, variant = 0x4000, 1 << 63
	hi := r.Uint64()&^0xf000 | version
	lo := r.Uint64()&^(1<<62) | variant
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], hi)
	binary.BigEndian.PutUint64(id[8:], lo)
	text := make([]byte, 0, 36)
	for i, part := range [][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if i > 0 {
			text = append(text, '-')
		}
		text = hex.AppendEncode(text, part)
	}
	return string(text)
}

// hexID makes n random lower-case hex digits.
func hexID(r *rand.Rand, n int) string {
	const digits = "0123456789abcdef"
	return pick(r, digits, n)
}

// uniqueID makes an IAM unique id, such as AROA for a role: the prefix and 17
// characters.
func uniqueID(r *rand.Rand, prefix string) string {
	const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	return prefix + pick(r, base32, 17)
}

// nameID makes a unique id that is always the same for a name.
func nameID(prefix, name string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // a hash takes everything
	return uniqueID(newRand(h.Sum64()), prefix)
}

func pick(r *rand.Rand, from string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = from[r.IntN(len(from))]
	}
	return string(out)
}
