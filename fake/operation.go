// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"net/url"
	"slices"
	"strings"

	"github.com/aws/smithy-go"
)

// operation is one operation of AWS. Typed clients and wire formats all go
// through this table, so that a fault, a journal entry and a refusal are the
// same whatever the transport is.
type operation struct {
	service string // as the SDK calls it: "EKS"
	name    string
	// missing returns what an SDK says before it sends an input that lacks a
	// required member, or nil.
	missing func(input any) error
	target  func(input any) Target
	copy    func(input any) any
	handle  func(t *tx, input any) (any, error)
	rest    *restBinding  // nil for operations of the query protocol
	query   *queryBinding // nil for operations with a path of their own
}

// reads reports whether the operation changes nothing.
func (op *operation) reads() bool { return readsOnly(op.name) }

func readsOnly(operation string) bool {
	return strings.HasPrefix(operation, "Describe") || strings.HasPrefix(operation, "List") ||
		strings.HasPrefix(operation, "Get")
}

// Target names what a call is about, for faults and for the journal. Names that
// the operation does not have are "".
type Target struct {
	Cluster string `json:"cluster,omitempty"`
	Profile string `json:"profile,omitempty"`
	Role    string `json:"role,omitempty"`
}

// String writes the names that are set, such as demo/web.
func (t Target) String() string {
	names := slices.DeleteFunc([]string{t.Cluster, t.Profile, t.Role}, func(name string) bool { return name == "" })
	return strings.Join(names, "/")
}

// restBinding ties an operation to a method and a path, with conversions
// between the wire's plain structs and the SDK's types.
type restBinding struct {
	method string
	path   []string // literal segments, or "*" for a label; "**" for all the rest
	decode func(restRequest) (any, error)
	encode func(opts Options, output any) any
}

// restRequest is what a REST operation reads its input from.
type restRequest struct {
	labels []string // of the path, decoded, in order
	query  url.Values
	body   []byte
}

// field is a required member of an input and whether it is set.
type field struct {
	name string
	set  bool
}

// restSpec declares an operation with its types; operation() erases them.
type restSpec[I, O any] struct {
	service  string
	name     string
	method   string
	path     []string
	required func(*I) []field
	target   func(*I) Target
	copy     func(I) I // deepens the copy of an input; nil when it has only scalars
	handle   func(*tx, *I) (*O, error)
	decode   func(restRequest, *I) error
	encode   func(Options, *O) any
}

func (s restSpec[I, O]) operation() *operation {
	return &operation{
		service: s.service,
		name:    s.name,
		missing: func(input any) error { return missingFields(s.name, s.required(input.(*I))) },
		target:  func(input any) Target { return s.target(input.(*I)) },
		copy:    func(input any) any { return copyInput(input.(*I), s.copy) },
		handle:  func(t *tx, input any) (any, error) { return s.handle(t, input.(*I)) },
		rest: &restBinding{
			method: s.method,
			path:   s.path,
			decode: func(r restRequest) (any, error) {
				input := new(I)
				return input, s.decode(r, input)
			},
			encode: func(opts Options, output any) any { return s.encode(opts, output.(*O)) },
		},
	}
}

func copyInput[I any](input *I, deepen func(I) I) *I {
	c := *input
	if deepen != nil {
		c = deepen(c)
	}
	return &c
}

// missingFields is the error of an SDK's own check of required members.
func missingFields(name string, fields []field) error {
	invalid := smithy.InvalidParamsError{Context: name + "Input"}
	for _, f := range fields {
		if !f.set {
			invalid.Add(smithy.NewErrParamRequired(f.name))
		}
	}
	if invalid.Len() == 0 {
		return nil
	}
	return invalid
}

// operationTable arranges operations by operationKey.
func operationTable(all []*operation) map[string]*operation {
	table := map[string]*operation{}
	for _, op := range all {
		table[operationKey(op.service, op.name)] = op
	}
	return table
}

func operationKey(service, name string) string { return service + "." + name }
