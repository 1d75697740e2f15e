// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strconv"
	"strings"
)

// What the EKS API calls the parts of a profile: the paths by which values are
// looked up, whatever the words of a format.
const (
	keyCluster   = "clusterName"
	keyRegion    = "region"
	keyName      = "fargateProfileName"
	keyRole      = "podExecutionRoleArn"
	keyRoleName  = "podExecutionRoleName"
	keySubnets   = "subnets"
	keySelectors = "selectors"
	keyNamespace = "namespace"
	keyLabels    = "labels"
	keyTags      = "tags"
	keyStatus    = "status"
)

// member is the path of a field of the object at path.
func member(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// index is the path of an element of the list at path.
func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// entryOf is the path of an entry of the map at path. Keys are free text there,
// so they are quoted and cut, as package fargate does it.
func entryOf(path, key string) string { return path + "[" + strconv.QuoteToASCII(clip(key)) + "]" }

// clip cuts a text that is only shown.
func clip(text string) string {
	const shown = 60
	if len(text) <= shown {
		return text
	}
	return strings.ToValidUTF8(text[:shown], "") + "..."
}
