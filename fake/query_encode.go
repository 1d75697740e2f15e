// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// encodeQuery writes an operation's answer: NameResponse, in it NameResult with
// the members of the output, and the request's id.
func encodeQuery(op *operation, output any, requestID string) []byte {
	w := &xmlWriter{}
	w.open(op.name+"Response", op.query.api.namespace())
	if op.query.result {
		w.open(op.name+"Result", "")
		w.members(reflect.ValueOf(output).Elem())
		w.close(op.name + "Result")
	}
	w.open("ResponseMetadata", "")
	w.element("RequestId", reflect.ValueOf(requestID))
	w.close("ResponseMetadata")
	w.close(op.name + "Response")
	return w.out.Bytes()
}

// xmlWriter writes XML whose element names need no escaping.
type xmlWriter struct{ out bytes.Buffer }

func (w *xmlWriter) open(name, namespace string) {
	w.out.WriteString("<" + name)
	if namespace != "" {
		w.out.WriteString(` xmlns="` + namespace + `"`)
	}
	w.out.WriteString(">")
}

func (w *xmlWriter) close(name string) { w.out.WriteString("</" + name + ">") }

// members writes what a struct holds. Pointers and lists that are nil are
// absent; an empty list is an empty element.
func (w *xmlWriter) members(v reflect.Value) {
	for f := range v.Type().Fields() {
		if isMember(f) {
			w.element(f.Name, v.FieldByIndex(f.Index))
		}
	}
}

func (w *xmlWriter) element(name string, v reflect.Value) {
	nilable := v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice
	if nilable && v.IsNil() || v.Kind() == reflect.String && v.Type() != reflect.TypeFor[string]() && v.Len() == 0 {
		return // an enumeration's zero value stands for no value
	}
	w.open(name, "")
	w.content(v)
	w.close(name)
}

func (w *xmlWriter) content(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		w.content(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			w.element("member", v.Index(i))
		}
	case reflect.Struct:
		if at, ok := reflect.TypeAssert[time.Time](v); ok {
			w.out.WriteString(at.UTC().Format(time.RFC3339))
			return
		}
		w.members(v)
	default:
		w.text(fmt.Append(nil, v.Interface()))
	}
}

// text escapes what must be escaped between elements; quotes need not.
func (w *xmlWriter) text(value []byte) {
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, value) // a buffer takes everything
	_, _ = strings.NewReplacer("&#39;", "'", "&#34;", `"`).WriteString(&w.out, escaped.String())
}
