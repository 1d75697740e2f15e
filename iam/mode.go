// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// Mode says how far we may go with a role.
type Mode string

// The modes. The zero value means ModeBringYourOwn.
const (
	// ModeBringYourOwn uses the role as it is given, without any call to IAM.
	ModeBringYourOwn Mode = "bringYourOwn"
	// ModeVerify reads the role and reports what it lacks.
	ModeVerify Mode = "verify"
	// ModeEnsure creates the role where it is absent, and adds what it lacks
	// where it is ours. A role that is not ours is verified.
	ModeEnsure Mode = "ensure"
	// ModeDelete removes a role that is ours and that no profile uses any more.
	ModeDelete Mode = "delete"
)

func (m Mode) normal() Mode { return Mode(orDefault(string(m), string(ModeBringYourOwn))) }
