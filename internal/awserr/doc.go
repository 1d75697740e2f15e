// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package awserr says what an error of EKS or IAM means for a Fargate profile.
//
// The code decides first. The text is read only for what the code leaves open:
// ResourceInUseException has three meanings, InvalidParameterException many. A
// text that nobody has seen yet keeps the meaning of its code. Errors count by
// their code whatever their Go type, since older SDKs return the same error as
// *smithy.GenericAPIError.
package awserr
