// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

// awsCLIFormat reads what the AWS CLI prints of a profile, and what it takes to
// create one.
func awsCLIFormat() format {
	return format{
		name:  FormatAWSCLI,
		about: "AWS CLI: output of aws eks describe-, create- and delete-fargate-profile, and --cli-input-json",
		recognizes: func(root *node) bool {
			return isAPIProfile(root) || root.kind == sequenceNode && len(root.items) > 0 && isAPIProfile(root.items[0])
		},
		read: readAWSCLI,
	}
}

func isAPIProfile(root *node) bool {
	return root.has("fargateProfile") || root.has("fargateProfileName")
}

// readAWSCLI reads one output, or a list of them as other tools make it.
func readAWSCLI(r *reader, root place) {
	r.nullIsUnset = true
	if root.node.kind == sequenceNode {
		r.list(root, func(_ int, at place) { r.apiDocument(at) })
		return
	}
	r.apiDocument(root)
}

func (r *reader) apiDocument(root place) {
	if root.node.has("fargateProfile") {
		r.open(root, fields{"fargateProfile": {"", func(at place) {
			r.apiProfile(at, func(d *draft) fields { return d.apiTable().with(d.apiOutput()) })
		}}})
		return
	}
	extra := func(*draft) fields { return ignored("clientRequestToken") }
	if root.node.has("fargateProfileArn") {
		extra = (*draft).apiOutput // describe-fargate-profile --query fargateProfile
	}
	r.apiProfile(root, func(d *draft) fields { return d.apiTable().with(extra(d)) })
}

func (r *reader) apiProfile(at place, table func(*draft) fields) {
	d := r.newDraft(FormatAWSCLI, at)
	if d.object(at, table(d)) {
		d.finish()
	}
}

// apiTable are the words of the EKS API.
func (d *draft) apiTable() fields {
	return fields{
		"clusterName":         d.text(keyCluster, &d.ClusterName),
		"fargateProfileName":  d.text(keyName, &d.Name),
		"podExecutionRoleArn": d.text(keyRole, &d.PodExecutionRoleARN),
		"selectors":           d.selectors(d.plainSelector),
		"subnets":             d.subnets(),
		"tags":                d.tags(),
	}
}

// apiOutput are the fields that only EKS writes.
func (d *draft) apiOutput() fields {
	return ignored("createdAt", "health").with(fields{
		"fargateProfileArn": d.observedARN(),
		"status":            d.observedStatus(),
	})
}
