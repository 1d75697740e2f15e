// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/fake"
)

// object is the input or the output of a call, with the names of AWS's models.
type object = map[string]any

// client is somebody's client of AWS, bound to a Cloud.
type client interface {
	// call makes one attempt at an operation.
	call(t *testing.T, service, operation string, input object) answer
	// list follows the pages of ListFargateProfiles with the client's own means
	// and returns all names.
	list(t *testing.T, cluster string, pageSize int) []string
	// wait blocks in the client's own waiter, FargateProfileActive or
	// FargateProfileDeleted, and returns its complaint, "" for none.
	wait(t *testing.T, waiter string, input object) string
}

// answer is what a client makes of a reply.
type answer struct {
	output  object
	failure *failure // nil for success
}

// failure is an error of AWS as a client shows it.
type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Status  int    `json:"status"` // 0 where the client does not tell
	Type    string `json:"type"`   // of the error in the client's language; "" where there is none
}

// clientKind is a client to run the suite with. start is called once, skips when
// the client is not there, and returns how to bind it to a Cloud.
type clientKind struct {
	name  string
	start func(t *testing.T) func(t *testing.T, c *fake.Cloud) client
}

func clientKinds() []clientKind {
	return []clientKind{
		{"typed clients", startTyped},
		{"SDK for Go in process", startInProcess},
		{"SDK for Go over a socket", startSocket},
		{"boto3", startBoto3},
		{"AWS CLI", startCLI},
		{"SDK for JavaScript", startJavaScript},
	}
}
