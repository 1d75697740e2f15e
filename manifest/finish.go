// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"strings"

	"github.com/eksfargate/eksfargate/fargate"
)

// finish reports what only the whole profile shows, and keeps it.
func (d *draft) finish() {
	if d.ClusterName.IsUnset() && !d.broken[keyCluster] && d.reader.cluster != "" {
		d.ClusterName = Known(d.reader.cluster)
	}
	d.reportUnresolved()
	d.reportMissing()
	d.reportObserved()
	d.reportFaults()
	d.reader.profiles = append(d.reader.profiles, d.Profile)
}

func (d *draft) reportUnresolved() {
	for key, v := range d.values() {
		if !v.IsUnresolved() {
			continue
		}
		message := "the value can't be known from this file: " + v.Text
		if expression, ok := d.keys[key]; ok {
			message = "the key can't be known from this file: " + expression
		}
		d.reader.report(SeverityUnresolved, d.place(key), CodeUnresolved, message, "put the text itself there, or apply the file with the tool that knows it")
	}
}

// reportMissing looks at what a caller may still fill in. What else is missing is
// a fault.
func (d *draft) reportMissing() {
	if !d.broken[keyCluster] && !d.ClusterName.IsUnresolved() && d.ClusterName.Text == "" {
		d.reader.warn(d.place(keyCluster), CodeRequired, "no cluster is named", "name the EKS cluster before the profile is created")
	}
	if Placeholder(d.ClusterName.known()) {
		d.reader.warn(d.place(keyCluster), CodePlaceholder, fmt.Sprintf("%q is a placeholder", clip(d.ClusterName.Text)), "put the name of the EKS cluster there")
	}
	if d.broken[keyRole] || d.broken[keyRoleName] || d.PodExecutionRoleARN.IsUnresolved() || d.PodExecutionRoleARN.Text != "" {
		return
	}
	at := d.place(keyRole)
	switch role := d.PodExecutionRoleName; {
	case role.IsUnset():
		d.reader.warn(at, CodeRequired, "no pod execution role is given", "EKS needs the ARN of a role when the profile is created")
	case role.IsKnown():
		d.reader.warn(at, CodeRoleByName, fmt.Sprintf("the role %q is given by name, and its account is not in the file", clip(role.Text)),
			"EKS needs the ARN of the role when the profile is created")
	}
}

// Placeholder reports whether text is a stand-in for a name that a user has to
// fill in, such as <your_cluster_name> or REPLACE_ME.
func Placeholder(text string) bool {
	lower := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(text))
	_, after, open := strings.Cut(lower, "<")
	return open && strings.Contains(after, ">") || strings.Contains(lower, "replace_me") || strings.Contains(lower, "change_me") ||
		strings.Contains(lower, "changeme") || strings.HasPrefix(lower, "your_") || lower == "todo" ||
		len(lower) > 2 && strings.Trim(lower, "x") == ""
}

func (d *draft) reportObserved() {
	switch d.Status {
	case "", fargate.StatusActive:
	case fargate.StatusDeleting:
		d.reader.warn(d.place(keyStatus), CodeObserved, "this profile is being deleted", "taken for what is desired, it would be created again")
	default:
		d.reader.warn(d.place(keyStatus), CodeObserved, fmt.Sprintf("this profile exists, in status %s", clip(string(d.Status))), "wait until it is ACTIVE, or look at its health issues")
	}
	parts := strings.Split(d.ARN, "/")
	if d.ClusterName.IsKnown() && len(parts) > 1 && parts[1] != d.ClusterName.Text {
		d.reader.warn(d.place(keyCluster), CodeMismatch,
			fmt.Sprintf("the cluster is %q here and %q in the profile's ARN", clip(d.ClusterName.Text), clip(parts[1])), "find out which is right")
	}
}

// reportFaults applies the rules for a profile to what is known, and says in the
// words of the format what they find.
func (d *draft) reportFaults() {
	err := d.spec(Value.known).Validate(func(l *fargate.Limits) { l.RoleOptional = true })
	invalid, ok := err.(*fargate.ValidationError) //nolint:errorlint // Validate documents this type, unwrapped
	if !ok {
		return
	}
	open := d.openParts()
	for _, f := range invalid.Errors {
		key := strings.TrimPrefix(f.Field, "spec.")
		if !d.excused(key, f.Code, open) {
			d.reader.report(d.severity(key, f.Code), d.place(key), Code(f.Code), f.Message, f.Help)
		}
	}
}

// excused reports whether a fault is one only because a value is not known yet,
// or is reported already.
func (d *draft) excused(key string, code fargate.Code, open map[string]openness) bool {
	if d.broken[key] || key == keyCluster && (d.ClusterName.Text == "" || Placeholder(d.ClusterName.Text)) {
		return true
	}
	return open[key] == itself || open[key] == inside && code == fargate.CodeDuplicate
}

// openness says of a part of a profile whether it is unresolved or unreadable
// itself, or something inside it is.
type openness int

const (
	inside openness = iota + 1
	itself
)

func (d *draft) openParts() map[string]openness {
	open := map[string]openness{}
	for part, v := range d.values() {
		if !v.IsUnresolved() && !d.broken[part] {
			continue
		}
		for outer := parent(part); outer != "" && open[outer] == 0; outer = parent(outer) {
			open[outer] = inside
		}
		open[part] = itself
	}
	return open
}

// severity is error for what EKS is known to refuse. What only can't work, and
// what a caller may still put right, is a warning.
func (d *draft) severity(key string, code fargate.Code) Severity {
	switch {
	case code == fargate.CodeInvalidSyntax || code == fargate.CodeDuplicate || code == fargate.CodeUnreachable,
		key == keyCluster,
		key == keyTags && len(d.Tags) <= maxTags,
		strings.HasPrefix(key, keyTags+"[") && code == fargate.CodeReserved && (d.exists() || !d.usesAWSPrefix(key)):
		return SeverityWarning
	default:
		return SeverityError
	}
}

// maxTags is how many tags AWS accepts. The rules for a desired profile keep some
// of them for marks.
const maxTags = 50

// usesAWSPrefix reports whether a tag has the prefix that AWS refuses.
func (d *draft) usesAWSPrefix(entry string) bool {
	for key, value := range d.Tags {
		if entryOf(keyTags, key) == entry && (isAWSReserved(key) || isAWSReserved(value.known())) {
			return true
		}
	}
	return false
}

func isAWSReserved(text string) bool { return strings.HasPrefix(strings.ToLower(text), "aws:") }

// isForeignTag reports whether AWS or this library sets tags of that name.
func isForeignTag(key string) bool {
	return isAWSReserved(key) || strings.HasPrefix(key, ownGroup+"/")
}
