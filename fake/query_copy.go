// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import "reflect"

// cloneValue copies an input of the SDK: a pointer to a struct of scalars,
// pointers to scalars, structs and lists of these.
func cloneValue(input any) any { return cloneReflected(reflect.ValueOf(input)).Interface() }

func cloneReflected(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		c := reflect.New(v.Type().Elem())
		c.Elem().Set(cloneReflected(v.Elem()))
		return c
	case reflect.Struct:
		c := reflect.New(v.Type()).Elem()
		c.Set(v) // also the fields that are not exported
		for f := range v.Type().Fields() {
			if isMember(f) {
				c.FieldByIndex(f.Index).Set(cloneReflected(v.FieldByIndex(f.Index)))
			}
		}
		return c
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			c.Index(i).Set(cloneReflected(v.Index(i)))
		}
		return c
	default:
		return v
	}
}
