// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

// createPolls are the seconds at which a create is looked at.
func createPolls() []int {
	return []int{15, 27, 88, 109, 127, 173, 216, 255, 327, 345, 362, 365}
}

// deletePolls are the seconds at which a delete is looked at.
func deletePolls() []int {
	return []int{
		98, 130, 158, 183, 205, 225, 242, 255, 375, 495, 615, 715, 814, 911, 1006, 1097, 1185, 1269,
		1348, 1422, 1490, 1552, 1608, 1661, 1716, 1773, 1800,
	}
}
