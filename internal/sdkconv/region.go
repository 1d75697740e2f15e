// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package sdkconv

import "github.com/aws/aws-sdk-go-v2/service/eks"

// Region is the region that a client of EKS works in, where it tells it, as that of
// the SDK does; else empty.
func Region(client any) string {
	if c, ok := client.(interface{ Options() eks.Options }); ok {
		return c.Options().Region
	}
	return ""
}
