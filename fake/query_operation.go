// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// queryBinding ties an operation to an Action of the query protocol. Its
// parameters and its answer have the names of the SDK's struct fields.
type queryBinding struct {
	api    queryAPI
	input  func() any // a pointer to a new input
	result bool       // whether the answer has a result element
}

// queryAPI is a service that speaks the query protocol.
type queryAPI struct {
	service string // as the SDK calls it: "IAM"
	version string // of the API: "2010-05-08"
	host    string // in the namespace of its XML
}

func (a queryAPI) namespace() string { return "https://" + a.host + "/doc/" + a.version + "/" }

// querySpec declares an operation of the query protocol with its types;
// operation() erases them.
type querySpec[I, O any] struct {
	api      queryAPI
	name     string
	required func(*I) []field
	target   func(*I) Target
	check    func(*checks, *I) // lengths and characters; nil when there is nothing to check
	handle   func(*tx, *I) (*O, error)
	wrapped  bool // the answer has a result element although it is empty
}

func (s querySpec[I, O]) operation() *operation {
	return &operation{
		service: s.api.service,
		name:    s.name,
		missing: func(input any) error { return missingFields(s.name, s.required(input.(*I))) },
		target:  func(input any) Target { return s.target(input.(*I)) },
		copy:    func(input any) any { return cloneValue(input) },
		handle:  func(t *tx, input any) (any, error) { return s.checkedHandle(t, input.(*I)) },
		query: &queryBinding{
			api:    s.api,
			input:  func() any { return new(I) },
			result: s.wrapped || hasMembers(reflect.TypeFor[O]()),
		},
	}
}

// checkedHandle checks an input by itself before it handles it. Clients that
// are not the SDK's may leave required members out.
func (s querySpec[I, O]) checkedHandle(t *tx, in *I) (any, error) {
	var c checks
	for _, f := range s.required(in) {
		c.present(f)
	}
	if len(c) == 0 && s.check != nil {
		s.check(&c, in)
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	return s.handle(t, in)
}

func hasMembers(output reflect.Type) bool {
	for f := range output.Fields() {
		if isMember(f) {
			return true
		}
	}
	return false
}

// isMember reports whether a field of an SDK's struct is a member of the API's
// shape, and not the SDK's own.
func isMember(f reflect.StructField) bool { return f.IsExported() && f.Name != "ResultMetadata" }

// memberName is a member's name as AWS's models write it: with a small letter
// first. On the wire most begin with a capital, like the SDK's fields.
func memberName(field string) string {
	first, size := utf8.DecodeRuneInString(field)
	return string(unicode.ToLower(first)) + field[size:]
}

// queryTable arranges operations by queryKey.
func queryTable(all []*operation) map[string]*operation {
	table := map[string]*operation{}
	for _, op := range all {
		if op.query != nil {
			table[queryKey(op.query.api.version, op.name)] = op
		}
	}
	return table
}

func queryKey(version, action string) string { return strings.Join([]string{version, action}, "/") }
