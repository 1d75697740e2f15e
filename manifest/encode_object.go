// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// object is a map whose order is kept: what the encoders build. A value is a
// string, an object or a []any of them.
type object []property

type property struct {
	key   string
	value any
}

// add appends a field unless there is nothing in it.
func (o object) add(key string, value any) object {
	switch v := value.(type) {
	case Value:
		if v.IsUnset() {
			return o
		}
		return append(o, property{key, v.Text})
	case []any:
		if len(v) == 0 {
			return o
		}
	case object:
		if len(v) == 0 {
			return o
		}
	}
	return append(o, property{key, value})
}

// textList is a list of values.
func textList(values []Value) []any {
	list := make([]any, 0, len(values))
	for _, v := range values {
		list = append(list, v.Text)
	}
	return list
}

// textMap is a map of values, in the order of the keys.
func textMap(values map[string]Value) object {
	o := make(object, 0, len(values))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		o = append(o, property{key, values[key].Text})
	}
	return o
}

// selectorList is the list of selectors in the words that most formats share.
func selectorList(selectors []Selector) []any {
	list := make([]any, 0, len(selectors))
	for _, s := range selectors {
		list = append(list, object{}.add("namespace", s.Namespace).add("labels", textMap(s.Labels)))
	}
	return list
}

// MarshalJSON keeps the order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, p := range o {
		value, err := json.Marshal(p.value)
		if err != nil {
			return nil, err
		}
		b = append(appendString(appendComma(b, i), p.key), ':')
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

// jsonDocuments writes one JSON value after the other, as the AWS CLI prints them.
func jsonDocuments(documents []object) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "    ")
	for _, o := range documents {
		_ = e.Encode(o) // a buffer and strings: neither can fail
	}
	return b.Bytes()
}
