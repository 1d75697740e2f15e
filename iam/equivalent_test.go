// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam_test

import (
	"testing"

	"github.com/eksfargate/eksfargate/iam"
)

func TestEquivalent(t *testing.T) {
	tests := map[string]struct {
		a, b string
		want bool
	}{
		"one statement and a list of it":          {`{"Statement":{"Effect":"Allow"}}`, `{"Statement":[{"Effect":"Allow"}]}`, true},
		"a string and a list of it":               {`{"Statement":{"Action":"a:b"}}`, `{"Statement":{"Action":["a:b"]}}`, true},
		"labels":                                  {`{"Id":"x","Statement":{"Sid":"y","Action":"a:b"}}`, `{"Statement":{"Action":"a:b"}}`, true},
		"the case of an action":                   {`{"Statement":{"Action":"sts:AssumeRole"}}`, `{"Statement":{"Action":"STS:assumerole"}}`, true},
		"the case of a resource":                  {`{"Statement":{"Resource":"a"}}`, `{"Statement":{"Resource":"A"}}`, false},
		"a resource and all but it":               {`{"Statement":{"Resource":"a"}}`, `{"Statement":{"NotResource":"a"}}`, false},
		"an action and all but it":                {`{"Statement":{"Action":"a"}}`, `{"Statement":{"NotAction":"a"}}`, false},
		"a principal and all but it":              {`{"Statement":{"Principal":"*"}}`, `{"Statement":{"NotPrincipal":"*"}}`, false},
		"everyone in two spellings":               {`{"Statement":{"Principal":"*"}}`, `{"Statement":{"Principal":{"AWS":"*"}}}`, true},
		"an account in two spellings":             {`{"Statement":{"Principal":{"AWS":"111122223333"}}}`, `{"Statement":{"Principal":{"AWS":"arn:aws-cn:iam::111122223333:root"}}}`, true},
		"an account and its role":                 {`{"Statement":{"Principal":{"AWS":"111122223333"}}}`, `{"Statement":{"Principal":{"AWS":"arn:aws:iam::111122223333:role/root"}}}`, false},
		"an absent element and an empty one":      {`{"Statement":{}}`, `{"Statement":{"Action":[]}}`, false},
		"an empty condition":                      {`{"Statement":{"Condition":{"Bool":{}}}}`, `{"Statement":{}}`, true},
		"the case of a condition key":             {`{"Statement":{"Condition":{"Bool":{"aws:K":"true"}}}}`, `{"Statement":{"Condition":{"Bool":{"AWS:k":true}}}}`, true},
		"the case of a boolean":                   {`{"Statement":{"Condition":{"Null":{"k":"TRUE"}}}}`, `{"Statement":{"Condition":{"Null":{"k":"true"}}}}`, true},
		"the case of a condition value":           {`{"Statement":{"Condition":{"StringEquals":{"k":"a"}}}}`, `{"Statement":{"Condition":{"StringEquals":{"k":"A"}}}}`, false},
		"ArnEquals and ArnLike":                   {`{"Statement":{"Condition":{"ArnEquals":{"k":"a"}}}}`, `{"Statement":{"Condition":{"ArnLike":{"k":"a"}}}}`, true},
		"the case of an operator":                 {`{"Statement":{"Condition":{"ArnLike":{"k":"a"}}}}`, `{"Statement":{"Condition":{"arnlike":{"k":"a"}}}}`, false},
		"StringEquals and StringLike":             {`{"Statement":{"Condition":{"StringEquals":{"k":"a"}}}}`, `{"Statement":{"Condition":{"StringLike":{"k":"a"}}}}`, false},
		"a test twice and once":                   {`{"Statement":{"Condition":{"ArnEquals":{"k":"a"},"ArnLike":{"K":["a","a"]}}}}`, `{"Statement":{"Condition":{"ArnLike":{"k":"a"}}}}`, true},
		"two tests of one key and one of both":    {`{"Statement":{"Condition":{"ArnEquals":{"k":"a"},"ArnLike":{"k":"b"}}}}`, `{"Statement":{"Condition":{"ArnLike":{"k":["a","b"]}}}}`, false},
		"a negation holds without the key anyway": {`{"Statement":{"Condition":{"ArnNotLikeIfExists":{"k":"a"}}}}`, `{"Statement":{"Condition":{"ArnNotEquals":{"k":"a"}}}}`, true},
		"but not under a set operator":            {`{"Statement":{"Condition":{"ForAnyValue:ArnNotLikeIfExists":{"k":"a"}}}}`, `{"Statement":{"Condition":{"ForAnyValue:ArnNotLike":{"k":"a"}}}}`, false},
		"IfExists":                                {`{"Statement":{"Condition":{"ArnLikeIfExists":{"k":"a"}}}}`, `{"Statement":{"Condition":{"ArnLike":{"k":"a"}}}}`, false},
		"a set operator":                          {`{"Statement":{"Condition":{"ForAllValues:ArnLike":{"k":"a"}}}}`, `{"Statement":{"Condition":{"ArnLike":{"k":"a"}}}}`, false},
		"the version without a variable":          {`{"Version":"2012-10-17"}`, `{}`, true},
		"the version with a variable":             {`{"Version":"2012-10-17","Statement":{"Resource":"${aws:userid}"}}`, `{"Statement":{"Resource":"${aws:userid}"}}`, false},
		"the default version with a variable":     {`{"Version":"2008-10-17","Statement":{"Resource":"${aws:userid}"}}`, `{"Statement":{"Resource":"${aws:userid}"}}`, true},
		"unknown elements in another order":       {`{"X":{"a":1,"b":[{"c":1,"d":2}]},"A":1}`, `{"A":1,"X":{"b":[{"d":2,"c":1}],"a":1}}`, true},
		"unknown lists in another order":          {`{"X":[1,2]}`, `{"X":[2,1]}`, false},
		"an unknown element and none":             {`{"Statement":{"X":1}}`, `{"Statement":{}}`, false},
		"no statement and an empty statement":     {`{}`, `{"Statement":{}}`, false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			a, b := mustParse(t, tc.a), mustParse(t, tc.b)
			if got := iam.Equivalent(a, b); got != tc.want {
				t.Errorf("Equivalent(a, b) = %v, want %v", got, tc.want)
			}
			if got := iam.Equivalent(b, a); got != tc.want {
				t.Errorf("Equivalent(b, a) = %v, want %v", got, tc.want)
			}
		})
	}
}
