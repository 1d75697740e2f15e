// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// codeMalformedInput is the query protocol's word for what cannot be read.
const codeMalformedInput = "MalformedInput"

// parameters are those of a request that share a prefix, as a tree: the name
// Tags.member.1.Key is a path in it.
type parameters struct {
	value    string
	children map[string]*parameters
}

func parseParameters(form url.Values) *parameters {
	root := &parameters{}
	for name, values := range form {
		if len(values) > 0 {
			root.at(name).value = values[0]
		}
	}
	return root
}

// at returns the node of a name and makes it when it is not there.
func (p *parameters) at(name string) *parameters {
	for part := range strings.SplitSeq(name, ".") {
		child := p.children[part]
		if child == nil {
			child = &parameters{}
			if p.children == nil {
				p.children = map[string]*parameters{}
			}
			p.children[part] = child
		}
		p = child
	}
	return p
}

// decodeQuery fills an input with the parameters of the names of its members.
// Parameters that it does not know are ignored.
func decodeQuery(form url.Values, input any) error {
	return parseParameters(form).fill(reflect.ValueOf(input).Elem(), "")
}

func (p *parameters) fill(v reflect.Value, name string) error {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return p.fill(v.Elem(), name)
	case reflect.Struct:
		return p.fillStruct(v)
	case reflect.Slice:
		return p.fillSlice(v)
	default:
		return p.fillScalar(v, name)
	}
}

func (p *parameters) fillStruct(v reflect.Value) error {
	for f := range v.Type().Fields() {
		child := p.children[f.Name]
		if child == nil {
			child = p.children[memberName(f.Name)] // PolicyArns.member.1.arn of AssumeRole
		}
		if child == nil || !isMember(f) {
			continue
		}
		if err := child.fill(v.FieldByIndex(f.Index), f.Name); err != nil {
			return err
		}
	}
	return nil
}

// fillSlice reads member.1, member.2 and so on in the order of their numbers.
// A list without members is empty, which is not the same as absent.
func (p *parameters) fillSlice(v reflect.Value) error {
	members := map[int]*parameters{}
	if list := p.children["member"]; list != nil {
		for text, member := range list.children {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return apiErrorf(codeMalformedInput, "The list index %q is not a number above 0.", text)
			}
			members[n] = member
		}
	}
	v.Set(reflect.MakeSlice(v.Type(), len(members), len(members)))
	for i, n := range slices.Sorted(maps.Keys(members)) {
		if err := members[n].fill(v.Index(i), "member"); err != nil {
			return err
		}
	}
	return nil
}

// fillScalar reads a string or a number; no input has anything else.
func (p *parameters) fillScalar(v reflect.Value, name string) error {
	if v.Kind() == reflect.String {
		v.SetString(p.value)
		return nil
	}
	n, err := strconv.ParseInt(p.value, 10, 32)
	if err != nil {
		return apiErrorf(codeMalformedInput, "The value %q of %s is not an integer.", p.value, name)
	}
	v.SetInt(n)
	return nil
}
