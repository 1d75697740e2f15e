// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

// createPolls are the seconds at which a create is looked at: what BestPolls makes
// of CreateDurations at the default price.
func createPolls() []int {
	return []int{15, 31, 85, 108, 127, 173, 216, 255, 327, 345, 362, 365}
}

// deletePolls are the seconds at which a delete is looked at: what BestPolls makes
// of DeleteDurations at the default price.
func deletePolls() []int {
	return []int{
		97, 130, 156, 179, 200, 218, 233, 245, 255, 375, 495, 615, 713, 810, 906, 999, 1089, 1176,
		1259, 1338, 1412, 1481, 1544, 1601, 1654, 1709, 1765, 1800,
	}
}
