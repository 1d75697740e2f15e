// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
)

// EncodeOptions are what a format wants and a profile does not say.
type EncodeOptions struct {
	// Region is written where a format needs one. Empty: that of the ARN of the
	// profile, if it exists, else that of the profile, or none.
	Region string
	// Namespace is that of Kubernetes objects. Empty: none is written.
	Namespace string
}

// Encoded is what [Encode] wrote.
type Encoded struct {
	// Data is YAML or, for the AWS CLI, JSON.
	Data []byte
	// Notes are warnings about what does not map, in the words of the EKS API and
	// with the place that the profile came from.
	Notes []Problem
}

// FormatError says that a format is not written.
type FormatError struct {
	Format Format
	// Formats are those that are written.
	Formats []Format
}

// Error implements error.
func (e *FormatError) Error() string {
	names := make([]string, len(e.Formats))
	for i, f := range e.Formats {
		names[i] = string(f)
	}
	return fmt.Sprintf("manifest: the format %q is not written; the formats are %s", e.Format, strings.Join(names, ", "))
}

// encoders are the formats that are written: each makes documents of profiles.
func encoders() map[Format]func(*encoder, []Profile) []object {
	return map[Format]func(*encoder, []Profile) []object{
		FormatEksctl:         (*encoder).eksctl,
		FormatCAPA:           (*encoder).capa,
		FormatACK:            (*encoder).ack,
		FormatCloudFormation: (*encoder).cloudFormation,
		FormatAWSCLI:         (*encoder).awsCLI,
	}
}

// EncodeFormats returns the formats that [Encode] writes, sorted.
func EncodeFormats() []Format { return slices.Sorted(maps.Keys(encoders())) }

// Encode writes profiles in a format, in a fixed order of fields, so that the
// same profiles give the same bytes. What it writes, [Parse] reads back.
//
// Unset values are left out. An unresolved value is written as its expression and
// noted. Of a profile that exists, status and ARN are not carried, nor are the
// tags that AWS and this library set themselves. The error is a [*FormatError].
func Encode(format Format, profiles []Profile, optFns ...func(*EncodeOptions)) (Encoded, error) {
	encode, ok := encoders()[format]
	if !ok {
		return Encoded{}, &FormatError{Format: format, Formats: EncodeFormats()}
	}
	e := &encoder{}
	for _, fn := range optFns {
		fn(&e.options)
	}
	own := make([]Profile, len(profiles))
	for i, p := range profiles {
		own[i] = p.withoutMarks()
		e.noteExpressions(p)
	}
	documents := encode(e, own)
	if format == FormatAWSCLI {
		return Encoded{Data: jsonDocuments(documents), Notes: e.notes}, nil
	}
	return Encoded{Data: yamlDocuments(documents), Notes: e.notes}, nil
}

// FromSpec returns the profile of a specification, to encode it.
func FromSpec(spec fargate.Spec) Profile {
	p := Profile{
		ClusterName:         knownOrUnset(spec.ClusterName),
		Name:                knownOrUnset(spec.Name),
		PodExecutionRoleARN: knownOrUnset(spec.PodExecutionRoleARN),
		Tags:                knownMap(spec.Tags),
	}
	for _, subnet := range spec.Subnets {
		p.Subnets = append(p.Subnets, Known(subnet))
	}
	for _, s := range spec.Selectors {
		p.Selectors = append(p.Selectors, Selector{Namespace: Known(s.Namespace), Labels: knownMap(s.Labels)})
	}
	return p
}

func knownOrUnset(text string) Value {
	if text == "" {
		return Value{}
	}
	return Known(text)
}

func knownMap(texts map[string]string) map[string]Value {
	if texts == nil {
		return nil
	}
	values := make(map[string]Value, len(texts))
	for key, text := range texts {
		values[key] = Known(text)
	}
	return values
}

// encoder writes one file.
type encoder struct {
	options EncodeOptions
	notes   []Problem
}

// note reports what does not map.
func (e *encoder) note(p Profile, key, message, help string) {
	e.notes = append(e.notes, Problem{
		Severity: SeverityWarning, File: p.Source.File, Line: p.Source.Line, Column: p.Source.Column,
		Field: key, Code: CodeNotCarried, Message: fmt.Sprintf("profile %q: %s", p.Name.Text, message), Help: help,
	})
}

// noteMissing reports what the format requires and the profile does not say.
func (e *encoder) noteMissing(p Profile) {
	if p.ClusterName.IsUnset() {
		e.note(p, keyCluster, "no cluster is named, and the format needs one", "add it")
	}
	e.noteRoleByName(p)
	if p.PodExecutionRoleARN.IsUnset() && p.PodExecutionRoleName.IsUnset() {
		e.note(p, keyRole, "no pod execution role is given, and the format needs its ARN", "add it")
	}
}

func (e *encoder) noteExpressions(p Profile) {
	for key, v := range p.values() {
		if v.IsUnresolved() {
			e.note(p, key, "the value is not known and its expression is written as text: "+v.Text, "put the value or the reference of the format there")
		}
	}
}

// withoutMarks drops the tags of a profile that exists that are not the user's.
func (p Profile) withoutMarks() Profile {
	if p.exists() {
		p.Tags = maps.Clone(p.Tags)
		maps.DeleteFunc(p.Tags, func(key string, _ Value) bool { return isForeignTag(key) })
	}
	return p
}
