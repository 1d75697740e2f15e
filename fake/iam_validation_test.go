// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/iam/types"

	"github.com/eksfargate/eksfargate/fake"
)

// iamValidation is the text of one or more faults of an input.
func iamValidation(faults ...string) string {
	plural := "s"
	if len(faults) == 1 {
		plural = ""
	}
	for i, fault := range faults {
		where, constraint, _ := strings.Cut(fault, " ")
		faults[i] = fmt.Sprintf("Value at '%s' failed to satisfy constraint: Member must %s", where, constraint)
	}
	return fmt.Sprintf("%d validation error%s detected: %s", len(faults), plural, strings.Join(faults, "; "))
}

// What IAM says about an input by itself.
func TestIAMValidation(t *testing.T) {
	const (
		atMost  = " have length less than or equal to "
		atLeast = " have length greater than or equal to "
		pattern = " satisfy regular expression pattern: "
	)
	role := func(edit func(*iam.CreateRoleInput)) func(e iamEnv) error {
		return func(e iamEnv) error { return createRoleWith(e, edit) }
	}
	cases := map[string]struct {
		faults []string
		act    func(e iamEnv) error
	}{
		"a name of 65 characters": {[]string{"roleName" + atMost + "64"}, role(func(in *iam.CreateRoleInput) {
			in.RoleName = aws.String(strings.Repeat("a", 65))
		})},
		"an empty name": {[]string{"roleName" + atLeast + "1"}, role(func(in *iam.CreateRoleInput) {
			in.RoleName = aws.String("")
		})},
		"a name with a slash": {[]string{"roleName" + pattern + `[\w+=,.@-]+`}, role(func(in *iam.CreateRoleInput) {
			in.RoleName = aws.String("a/b")
		})},
		"a name with a letter beyond ASCII": {[]string{"roleName" + pattern + `[\w+=,.@-]+`}, role(func(in *iam.CreateRoleInput) {
			in.RoleName = aws.String("\u00e4")
		})},
		"two faults": {[]string{"roleName" + atMost + "64", "maxSessionDuration have value greater than or equal to 3600"}, role(func(in *iam.CreateRoleInput) {
			in.RoleName, in.MaxSessionDuration = aws.String(strings.Repeat("a", 65)), aws.Int32(3599)
		})},
		"a session that is too long": {[]string{"maxSessionDuration have value less than or equal to 43200"}, role(func(in *iam.CreateRoleInput) {
			in.MaxSessionDuration = aws.Int32(43_201)
		})},
		"a description that is too long": {[]string{"description" + atMost + "1000"}, role(func(in *iam.CreateRoleInput) {
			in.Description = aws.String(strings.Repeat("a", 1001))
		})},
		"a path without a slash at the end": {
			[]string{"path" + pattern + `(\u002F)|(\u002F[\u0021-\u007F]+\u002F)`},
			role(func(in *iam.CreateRoleInput) { in.Path = aws.String("/team") }),
		},
		"a path with a space": {
			[]string{"path" + pattern + `(\u002F)|(\u002F[\u0021-\u007F]+\u002F)`},
			role(func(in *iam.CreateRoleInput) { in.Path = aws.String("/a team/") }),
		},
		"an empty document": {[]string{"assumeRolePolicyDocument" + atLeast + "1"}, role(func(in *iam.CreateRoleInput) {
			in.AssumeRolePolicyDocument = aws.String("")
		})},
		"a document with a character beyond Latin-1": {
			[]string{"assumeRolePolicyDocument" + pattern + `[\u0009\u000A\u000D\u0020-\u00FF]+`},
			role(func(in *iam.CreateRoleInput) { in.AssumeRolePolicyDocument = aws.String("\u4e16") }),
		},
		"a boundary that is too short": {[]string{"permissionsBoundary" + atLeast + "20"}, role(func(in *iam.CreateRoleInput) {
			in.PermissionsBoundary = aws.String("arn")
		})},
		"51 tags": {[]string{"tags" + atMost + "50"}, role(func(in *iam.CreateRoleInput) {
			for key := range manyTags(51) {
				in.Tags = append(in.Tags, tag(key, ""))
			}
		})},
		"a tag key that is too long": {[]string{"tags.2.member.key" + atMost + "128"}, role(func(in *iam.CreateRoleInput) {
			in.Tags = []types.Tag{tag("a", ""), tag(strings.Repeat("a", 129), "")}
		})},
		"an empty tag key": {[]string{"tags.1.member.key" + atLeast + "1"}, role(func(in *iam.CreateRoleInput) {
			in.Tags = []types.Tag{tag("", "")}
		})},
		"a tag key with an asterisk": {[]string{"tags.1.member.key" + pattern + `[\p{L}\p{Z}\p{N}_.:/=+\-@]+`}, role(func(in *iam.CreateRoleInput) {
			in.Tags = []types.Tag{tag("a*", "")}
		})},
		"a tag value that is too long": {[]string{"tags.1.member.value" + atMost + "256"}, role(func(in *iam.CreateRoleInput) {
			in.Tags = []types.Tag{tag("a", strings.Repeat("a", 257))}
		})},
		"a tag value with a tilde": {[]string{"tags.1.member.value" + pattern + `[\p{L}\p{Z}\p{N}_.:/=+\-@]*`}, role(func(in *iam.CreateRoleInput) {
			in.Tags = []types.Tag{tag("a", "~")}
		})},
		"a tag key to remove that is empty": {[]string{"tagKeys.1.member" + atLeast + "1"}, func(e iamEnv) error {
			_, err := e.api.UntagRole(e.t.Context(), &iam.UntagRoleInput{RoleName: aws.String(fake.RoleName), TagKeys: []string{""}})
			return err
		}},
		"a page of nothing": {[]string{"maxItems have value greater than or equal to 1"}, func(e iamEnv) error {
			_, err := e.api.ListRoles(e.t.Context(), &iam.ListRolesInput{MaxItems: aws.Int32(0)})
			return err
		}},
		"a page of 1001": {[]string{"maxItems have value less than or equal to 1000"}, func(e iamEnv) error {
			_, err := e.api.ListRoles(e.t.Context(), &iam.ListRolesInput{MaxItems: aws.Int32(1001)})
			return err
		}},
		"an inline policy's name with a space": {[]string{"policyName" + pattern + `[\w+=,.@-]+`}, func(e iamEnv) error {
			return e.putInline(fake.RoleName, "a b", permissions)
		}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			overIAMTransports(t, func(e iamEnv) {
				wantError(e.t, tc.act(e), "ValidationError", 400, iamValidation(append([]string{}, tc.faults...)...))
			})
		})
	}
}

// Which trust documents IAM takes; what they mean is another matter.
func TestIAMTrustDocuments(t *testing.T) {
	const (
		syntax  = "Syntax errors in policy."
		service = `"Principal":{"Service":"ec2.amazonaws.com"}`
		assume  = `"Action":"sts:AssumeRole"`
	)
	doc := func(parts ...string) string {
		return `{"Version":"2012-10-17","Statement":[{` + strings.Join(append([]string{`"Effect":"Allow"`}, parts...), ",") + `}]}`
	}
	cases := map[string]struct{ document, message string }{
		"a good one":                    {doc(service, assume), ""},
		"one statement without a list":  {`{"Statement":{"Effect":"Allow",` + service + `,` + assume + `}}`, ""},
		"with ids":                      {`{"Version":"2008-10-17","Id":"x","Statement":[{"Sid":"y","Effect":"Deny",` + service + `,` + assume + `}]}`, ""},
		"everybody":                     {doc(`"Principal":"*"`, assume), ""},
		"an account":                    {doc(`"Principal":{"AWS":"111122223333"}`, assume), ""},
		"a user":                        {doc(`"Principal":{"AWS":"arn:aws:iam::111122223333:user/somebody"}`, assume), ""},
		"a role that exists":            {doc(`"Principal":{"AWS":"arn:aws:iam::111122223333:role/fargate-pods"}`, assume), ""},
		"a role of another account":     {doc(`"Principal":{"AWS":"arn:aws:iam::999999999999:role/x"}`, assume), ""},
		"an identity provider":          {doc(`"Principal":{"Federated":"accounts.google.com"}`, `"Action":"sts:AssumeRoleWithWebIdentity"`), ""},
		"all but one":                   {doc(`"NotPrincipal":{"AWS":"111122223333"}`, assume), ""},
		"all actions but one":           {doc(service, `"NotAction":["sts:TagSession"]`), ""},
		"a service of China":            {doc(`"Principal":{"Service":"ec2.amazonaws.com.cn"}`, assume), ""},
		"not JSON":                      {"{", "This policy contains invalid Json"},
		"no object":                     {`[]`, syntax},
		"no statement":                  {`{"Version":"2012-10-17","Statement":[]}`, syntax},
		"another element":               {`{"Statements":[]}`, syntax},
		"another version":               {strings.Replace(doc(service, assume), "2012", "2013", 1), syntax},
		"another effect":                {strings.Replace(doc(service, assume), "Allow", "allow", 1), syntax},
		"another element of statement":  {doc(service, assume, `"Actions":[]`), syntax},
		"both of action":                {doc(service, assume, `"NotAction":"sts:TagSession"`), syntax},
		"both of principal":             {doc(service, assume, `"NotPrincipal":"*"`), syntax},
		"an action that is an object":   {doc(service, `"Action":{}`), syntax},
		"a condition that is a list":    {doc(service, assume, `"Condition":[]`), syntax},
		"conditions of every kind":      {doc(service, assume, `"Condition":{"ForAnyValue:StringNotLikeIfExists":{"aws:x":"y"},"NumericLessThan":{"aws:x":"1"},"Null":{"aws:x":"true"}}`), ""},
		"an operator in another case":   {doc(service, assume, `"Condition":{"StringEquals":{},"stringEquals":{"aws:x":"y"}}`), "Invalid Condition type : stringEquals"},
		"an operator that is none":      {doc(service, assume, `"Condition":{"StringNotMatches":{"aws:x":"y"}}`), "Invalid Condition type : StringNotMatches"},
		"a resource":                    {doc(service, assume, `"Resource":"*"`), "Has prohibited field Resource"},
		"no principal":                  {doc(assume), "Missing required field Principal"},
		"an empty principal":            {doc(`"Principal":{}`, assume), "Missing required field Principal"},
		"no action":                     {doc(service), "Missing required field Action"},
		"an action of another service":  {doc(service, `"Action":["sts:AssumeRole","ec2:*"]`), "AssumeRole policy may only specify STS AssumeRole actions."},
		"a principal that is a name":    {doc(`"Principal":"me"`, assume), "Invalid principal in policy."},
		"another kind of principal":     {doc(`"Principal":{"Group":"x"}`, assume), `Invalid principal in policy: "GROUP":"x"`},
		"no service":                    {doc(`"Principal":{"Service":"ec2"}`, assume), `Invalid principal in policy: "SERVICE":"ec2"`},
		"a role that does not exist":    {doc(`"Principal":{"AWS":"arn:aws:iam::111122223333:role/none"}`, assume), `Invalid principal in policy: "AWS":"arn:aws:iam::111122223333:role/none"`},
		"what is no identity":           {doc(`"Principal":{"AWS":["*","somebody"]}`, assume), `Invalid principal in policy: "AWS":"somebody"`},
		"an identity of another system": {doc(`"Principal":{"AWS":"arn:aws:s3::111122223333:x"}`, assume), `Invalid principal in policy: "AWS":"arn:aws:s3::111122223333:x"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
			created := createRoleWith(e, func(in *iam.CreateRoleInput) { in.AssumeRolePolicyDocument = &tc.document })
			updated := e.setTrust(fake.RoleName, tc.document)
			if tc.message == "" {
				e.must(created)
				e.must(updated)
				return
			}
			wantError(t, created, "MalformedPolicyDocument", 400, tc.message)
			wantError(t, updated, "MalformedPolicyDocument", 400, tc.message)
		})
	}
}

// Which documents of permissions IAM takes, inline and managed.
func TestIAMPermissionDocuments(t *testing.T) {
	const head, tail = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow"`, `}]}`
	cases := map[string]struct{ document, message string }{
		"a good one":   {permissions, ""},
		"not JSON":     {"x", "This policy contains invalid Json"},
		"a principal":  {head + `,"Principal":"*","Action":"*","Resource":"*"` + tail, "Policy document should not specify a principal."},
		"no action":    {head + `,"Resource":"*"` + tail, "Policy statement must contain actions."},
		"no resource":  {head + `,"Action":"*"` + tail, "Policy statement must contain resources."},
		"two of those": {head + `,"Action":"*","Resource":"*","NotResource":"x"` + tail, "Syntax errors in policy."},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := fake.New()
			e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
			inline := e.putInline(fake.RoleName, "own", tc.document)
			_, managed := e.api.CreatePolicy(t.Context(), &iam.CreatePolicyInput{PolicyName: aws.String("own"), PolicyDocument: &tc.document})
			if tc.message == "" {
				e.must(inline)
				e.must(managed)
				return
			}
			wantError(t, inline, "MalformedPolicyDocument", 400, tc.message)
			wantError(t, managed, "MalformedPolicyDocument", 400, tc.message)
		})
	}
}

func TestIAMTagRules(t *testing.T) {
	const duplicate = "Duplicate tag keys found. Please note that Tag keys are case insensitive."
	runIAMCases(t, map[string]iamCase{
		"the same key twice": {"InvalidInput", 400, duplicate, func(e iamEnv) error {
			return e.tag(fake.RoleName, tag("team", "a"), tag("Team", "b"))
		}},
		"a key of AWS": {"InvalidInput", 400, "The tag key 'AWS:x' starts with the reserved prefix 'aws:'.", func(e iamEnv) error {
			return e.tag(fake.RoleName, tag("AWS:x", "a"))
		}},
		"tags at create": {"InvalidInput", 400, duplicate, func(e iamEnv) error {
			return createRoleWith(e, func(in *iam.CreateRoleInput) { in.Tags = []types.Tag{tag("a", ""), tag("A", "")} })
		}},
		"tags of a policy": {"InvalidInput", 400, duplicate, func(e iamEnv) error {
			_, err := e.api.CreatePolicy(e.t.Context(), &iam.CreatePolicyInput{
				PolicyName: aws.String("own"), PolicyDocument: aws.String(permissions), Tags: []types.Tag{tag("a", ""), tag("A", "")},
			})
			return err
		}},
		"tags of an instance profile": {"InvalidInput", 400, duplicate, func(e iamEnv) error {
			_, err := e.api.CreateInstanceProfile(e.t.Context(), &iam.CreateInstanceProfileInput{
				InstanceProfileName: aws.String("nodes"), Tags: []types.Tag{tag("a", ""), tag("A", "")},
			})
			return err
		}},
		"a 51st tag": {"LimitExceeded", 409, "The number of tags has reached the maximum limit.", func(e iamEnv) error {
			for key := range manyTags(50) {
				e.must(e.tag(fake.RoleName, tag(key, "")))
			}
			return e.tag(fake.RoleName, tag("more", ""))
		}},
		"of no role": {"NoSuchEntity", 404, "The role with name web cannot be found.", func(e iamEnv) error {
			return e.tag("web", tag("a", ""))
		}},
	})
}

func TestIAMQuotas(t *testing.T) {
	c := fake.New(func(o *fake.Options) { o.Quotas.Roles, o.Quotas.Policies = 3, 1 })
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	e.createRole("web") // besides those for pods and for the cluster
	_, err := e.api.CreateRole(t.Context(), roleInput("api"))
	wantError(t, err, "LimitExceeded", 409, "Cannot exceed quota for RolesPerAccount: 3")
	e.must(e.deleteRole("web"))
	e.createRole("api")
	_, err = e.createPolicy("one")
	e.must(err)
	_, err = e.createPolicy("two")
	wantError(t, err, "LimitExceeded", 409, "Cannot exceed quota for PoliciesPerAccount: 1")
}
