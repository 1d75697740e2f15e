// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

import "strconv"

// trustSid labels the statement of [TrustPolicy].
const trustSid = "EKSFargatePods"

// TrustPolicy is the trust policy of a pod execution role: EKS may assume the
// role for the Fargate profiles of the scope, and for nothing else.
//
// A scope that [Scope.Validate] refuses gives a document that allows nothing,
// for its conditions can't hold, unless it is Unconditional.
// Source: EKS user guide, "Amazon EKS Pod execution IAM role".
func TrustPolicy(scope Scope) Document {
	s := Statement{
		Sid:       trustSid,
		Effect:    EffectAllow,
		Principal: Principal{ByType: map[string][]string{"Service": {ServicePrincipal}}},
		Action:    []string{AssumeRole},
	}
	if !scope.Unconditional {
		s.Condition = Condition{
			"ArnLike":      {"aws:SourceArn": {scope.SourceARN()}},
			"StringEquals": {"aws:SourceAccount": {scope.Account}},
		}
	}
	return Document{Version: VersionCurrent, Statements: []Statement{s}}
}

// Merge adds to an existing document those statements of wanted that it does not
// have yet, and touches nothing else: not the version, not the order, no other
// statement. A Sid that the document already uses gets a number.
//
// Merging again changes nothing. A statement that denies what wanted allows stays
// and still denies it: ask [Evaluate].
func Merge(existing, wanted Document) Document {
	merged := existing
	merged.Statements = append([]Statement(nil), existing.Statements...)
	if len(existing.Statements) == 0 && existing.Version == "" {
		merged.Version = wanted.Version
	}
	for _, s := range wanted.Statements {
		if merged.has(s) {
			continue
		}
		s.Sid = merged.freeSid(s.Sid)
		merged.Statements = append(merged.Statements, s)
	}
	return merged
}

func (d Document) has(wanted Statement) bool {
	for _, s := range d.Statements {
		if EquivalentStatements(s, wanted) {
			return true
		}
	}
	return false
}

// freeSid is sid, or sid with the first number that makes it unique: IAM refuses
// a document that uses one twice.
func (d Document) freeSid(sid string) string {
	used := map[string]bool{"": false}
	for _, s := range d.Statements {
		used[s.Sid] = s.Sid != ""
	}
	free := sid
	for n := 2; used[free]; n++ {
		free = sid + strconv.Itoa(n)
	}
	return free
}
