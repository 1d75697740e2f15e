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
		98, 130, 159, 185, 208, 227, 243, 255, 375, 675, 759, 840, 917, 991, 1062, 1129, 1193, 1253,
		1310, 1364, 1414, 1461, 1509, 1559, 1610, 1663, 1718, 1775, 1800,
	}
}
