// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"
)

// A derived name is <logical>-<gen>-<fp8>. The generation counts down from 999, so
// that a successor sorts before its predecessor and, by the rule with which EKS
// decides ties, gets the new pods. The fingerprint helps people to tell versions
// apart; it never identifies anything.
const (
	firstGeneration  = 999
	plainGeneration  = firstGeneration + 1
	generationDigits = 3
	fingerprintChars = 8
	suffixChars      = 1 + generationDigits + 1 + fingerprintChars
	// maxLogicalName leaves room for the suffix in the 100 characters of EKS.
	maxLogicalName = maxName - suffixChars
)

// derivedName is the physical name of a version at a generation.
func derivedName(logical string, generation int, fingerprint string) string {
	return fmt.Sprintf("%s-%0*d-%s", logical, generationDigits, generation, fingerprint)
}

// fingerprint is a short hash of what is immutable in a spec.
func fingerprint(spec Spec) string {
	n := spec.Normalize()
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", n.PodExecutionRoleARN, n.Subnets, selectorTexts(n.Selectors)))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:fingerprintChars])
}

// generationOf is the place of a physical name in the row of its logical name:
// the plain name is the oldest. It reports false for any other name.
func generationOf(logical, physical string) (int, bool) {
	if physical == logical {
		return plainGeneration, true
	}
	suffix, ok := strings.CutPrefix(physical, logical+"-")
	if !ok || len(suffix) != suffixChars-1 || suffix[generationDigits] != '-' {
		return 0, false
	}
	fp := suffix[generationDigits+1:]
	if !each(suffix[:generationDigits], isDigit) || !each(fp, func(c byte) bool { return isLower(c) || isDigit(c) }) {
		return 0, false
	}
	n, err := strconv.Atoi(suffix[:generationDigits])
	return n, err == nil
}

// MayBelong reports whether a profile of that name at EKS can be the logical
// profile: it has the logical name itself or one derived from it. Only the marks
// on the profile can confirm it.
func MayBelong(logical, physical string) bool {
	_, ok := generationOf(logical, physical)
	return ok
}
