// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"strings"
	"testing"

	"github.com/eksfargate/eksfargate/fargate"
)

func one(fault string) []string { return []string{fault} }

func TestValidateClusterName(t *testing.T) {
	named := func(name string) fargate.Spec { return with(func(s *fargate.Spec) { s.ClusterName = name }) }
	const required, tooLong, invalid = "spec.clusterName Required", "spec.clusterName TooLong", "spec.clusterName InvalidSyntax"
	runValidate(t, map[string]validateCase{
		"99 characters are fine":               {spec: named(a(99))},
		"100 characters are fine":              {spec: named(a(100))},
		"101 characters are too many":          {spec: named(a(101)), want: one(tooLong)},
		"empty is missing":                     {spec: named(""), want: one(required)},
		"one character is fine":                {spec: named("a")},
		"upper case, _ and - are fine":         {spec: named("Prod_EU-1")},
		"a digit may begin":                    {spec: named("1prod")},
		"a dash must not begin":                {spec: named("-prod"), want: one(invalid)},
		"an underscore must not begin":         {spec: named("_prod"), want: one(invalid)},
		"a dot is not allowed":                 {spec: named("a.b"), want: one(invalid)},
		"a space is not allowed":               {spec: named("a b"), want: one(invalid)},
		"a control character is not allowed":   {spec: named("a\n"), want: one(invalid)},
		"invalid UTF-8 is not allowed":         {spec: named("a\xff"), want: one(invalid)},
		"letters outside of ASCII are not":     {spec: named("caf\u00e9"), want: one(invalid)},
		"characters are counted and not bytes": {spec: named(strings.Repeat("\u00e9", 100)), want: one(invalid)},
		"long and wrong are two faults":        {spec: named(a(100) + "."), want: []string{tooLong, invalid}},
		"the prefix eks- is fine on a cluster": {spec: named("eks-prod")},
	})
}

func TestValidateName(t *testing.T) {
	named := func(name string) fargate.Spec { return with(func(s *fargate.Spec) { s.Name = name }) }
	const field = "spec.fargateProfileName "
	runValidate(t, map[string]validateCase{
		"99 characters are fine":            {spec: named(a(99))},
		"100 characters are fine":           {spec: named(a(100))},
		"101 characters are too many":       {spec: named(a(101)), want: one(field + "TooLong")},
		"empty is missing":                  {spec: named(""), want: one(field + "Required")},
		"an underscore is fine":             {spec: named("external-secrets_us-east-2b")},
		"a slash is not allowed":            {spec: named("a/b"), want: one(field + "InvalidSyntax")},
		"invalid UTF-8 is not allowed":      {spec: named("\xc3"), want: one(field + "InvalidSyntax")},
		"eks- is reserved":                  {spec: named("eks-web"), want: one(field + "Reserved")},
		"eks- alone is reserved":            {spec: named("eks-"), want: one(field + "Reserved")},
		"eks without a dash is fine":        {spec: named("eks")},
		"eksweb is fine":                    {spec: named("eksweb")},
		"EKS- in upper case is fine":        {spec: named("EKS-web")},
		"eks- inside is fine":               {spec: named("my-eks-web")},
		"reserved, long and wrong is three": {spec: named("eks-" + a(97) + "!"), want: []string{field + "TooLong", field + "InvalidSyntax", field + "Reserved"}},
	})
}

func TestValidateRole(t *testing.T) {
	role := func(arn string) fargate.Spec {
		return with(func(s *fargate.Spec) { s.PodExecutionRoleARN = arn })
	}
	const field = "spec.podExecutionRoleArn "
	optional := func(l *fargate.Limits) { l.RoleOptional = true }
	tests := map[string]validateCase{
		"empty is missing":                        {spec: role(""), want: one(field + "Required")},
		"empty is fine where the caller makes it": {spec: role(""), limits: optional},
		"a wrong one is never fine":               {spec: role("fp-exec"), limits: optional, want: one(field + "InvalidSyntax")},
		"64 characters of name are fine":          {spec: role("arn:aws:iam::111122223333:role/" + a(64))},
		"64 characters behind a path are fine":    {spec: role("arn:aws:iam::111122223333:role/teams/net/" + a(64))},
		"512 characters of path are fine":         {spec: role("arn:aws:iam::111122223333:role/" + a(510) + "/fp-exec")},
		"513 characters of path are refused":      {spec: role("arn:aws:iam::111122223333:role/" + a(511) + "/fp-exec"), want: one(field + "InvalidSyntax")},
	}
	for name, arn := range map[string]string{
		"the usual":             roleR,
		"China":                 "arn:aws-cn:iam::111122223333:role/fp-exec",
		"GovCloud":              "arn:aws-us-gov:iam::111122223333:role/fp-exec",
		"an isolated partition": "arn:aws-iso-b:iam::111122223333:role/fp-exec",
		"the European cloud":    "arn:aws-eusc:iam::111122223333:role/fp-exec",
		"a path":                "arn:aws:iam::111122223333:role/teams/net/fp-exec",
		"all characters":        "arn:aws:iam::111122223333:role/aZ0_+=,.@-",
		"a path of one slash":   "arn:aws:iam::111122223333:role///fp-exec",
		"a colon in the path":   "arn:aws:iam::111122223333:role/a:b/fp-exec",
	} {
		tests[name+" is fine"] = validateCase{spec: role(arn)}
	}
	for name, arn := range map[string]string{
		"65 characters of name":            "arn:aws:iam::111122223333:role/" + a(65),
		"a bare name":                      "fp-exec",
		"no role name":                     "arn:aws:iam::111122223333:role/",
		"a path of nothing":                "arn:aws:iam::111122223333:role//fp-exec",
		"a path without a name":            "arn:aws:iam::111122223333:role/teams/",
		"a user":                           "arn:aws:iam::111122223333:user/fp-exec",
		"another service":                  "arn:aws:sts::111122223333:role/fp-exec",
		"a region":                         "arn:aws:iam:us-east-1:111122223333:role/fp-exec",
		"11 digits of account":             "arn:aws:iam::11112222333:role/fp-exec",
		"13 digits of account":             "arn:aws:iam::1111222233334:role/fp-exec",
		"letters in the account":           "arn:aws:iam::11112222333x:role/fp-exec",
		"no account":                       "arn:aws:iam:::role/fp-exec",
		"another first word":               "urn:aws:iam::111122223333:role/fp-exec",
		"no partition":                     "arn::iam::111122223333:role/fp-exec",
		"an unknown partition":             "arn:gcp:iam::111122223333:role/fp-exec",
		"a partition that only begins so":  "arn:awsx:iam::111122223333:role/fp-exec",
		"a dash at the partition's end":    "arn:aws-:iam::111122223333:role/fp-exec",
		"two dashes in the partition":      "arn:aws--cn:iam::111122223333:role/fp-exec",
		"a last dash behind a word":        "arn:aws-cn-:iam::111122223333:role/fp-exec",
		"upper case in the partition":      "arn:aws-CN:iam::111122223333:role/fp-exec",
		"a digit in the partition":         "arn:aws-c1:iam::111122223333:role/fp-exec",
		"a space in the path":              "arn:aws:iam::111122223333:role/a b/fp-exec",
		"a control character at the end":   roleR + "\n",
		"invalid UTF-8":                    roleR + "\xff",
		"a wildcard":                       "arn:aws:iam::111122223333:role/*",
		"five parts":                       "arn:aws:iam::111122223333",
		"a letter outside ASCII in a path": "arn:aws:iam::111122223333:role/\u00e9/fp-exec",
	} {
		tests[name+" is refused"] = validateCase{spec: role(arn), want: one(field + "InvalidSyntax")}
	}
	runValidate(t, tests)
}

func TestValidateSubnets(t *testing.T) {
	subnets := func(ids ...string) fargate.Spec { return with(func(s *fargate.Spec) { s.Subnets = ids }) }
	runValidate(t, map[string]validateCase{
		"none lets AWS choose":       {spec: subnets()},
		"an empty list, too":         {spec: with(func(s *fargate.Spec) { s.Subnets = []string{} })},
		"one is fine":                {spec: subnets(subnetA)},
		"two are fine":               {spec: subnets(subnetA, subnetB)},
		"the old and the new length": {spec: subnets("subnet-9d4a7b6c", "subnet-0fc8e6ad4b1c3a5d2")},
		"an empty id":                {spec: subnets(""), want: one("spec.subnets[0] InvalidSyntax")},
		"the prefix alone":           {spec: subnets("subnet-"), want: one("spec.subnets[0] InvalidSyntax")},
		"another resource":           {spec: subnets(subnetA, "vpc-0aaa"), want: one("spec.subnets[1] InvalidSyntax")},
		"upper case":                 {spec: subnets("subnet-0AAA"), want: one("spec.subnets[0] InvalidSyntax")},
		"a letter behind f":          {spec: subnets("subnet-0aag"), want: one("spec.subnets[0] InvalidSyntax")},
		"an ARN":                     {spec: subnets("arn:aws:ec2:us-east-1:111122223333:subnet/subnet-0aaa"), want: one("spec.subnets[0] InvalidSyntax")},
		"a repetition":               {spec: subnets(subnetA, subnetB, subnetA), want: one("spec.subnets[2] Duplicate")},
		"each repetition is a fault": {spec: subnets(subnetA, subnetA, subnetA), want: []string{"spec.subnets[1] Duplicate", "spec.subnets[2] Duplicate"}},
		"wrong and repeated at once": {spec: subnets("x", "x"), want: []string{"spec.subnets[0] InvalidSyntax", "spec.subnets[1] InvalidSyntax", "spec.subnets[1] Duplicate"}},
		"faults are in numerical order": {
			spec: subnets("subnet-0", "subnet-1", "x", "subnet-3", "subnet-4", "subnet-5", "subnet-6", "subnet-7", "subnet-8", "subnet-9", "y"),
			want: []string{"spec.subnets[2] InvalidSyntax", "spec.subnets[10] InvalidSyntax"},
		},
	})
}

func TestValidateTags(t *testing.T) {
	const tooMany = "spec.tags TooMany"
	limit := func(n int) func(*fargate.Limits) { return func(l *fargate.Limits) { l.Tags = n } }
	tag := func(key, value string) fargate.Spec { return withTags(map[string]string{key: value}) }
	runValidate(t, map[string]validateCase{
		"nil is fine":                           {spec: withTags(nil)},
		"empty is fine":                         {spec: withTags(map[string]string{})},
		"44 leave room for our marks":           {spec: withTags(manyTags(44))},
		"45 do not":                             {spec: withTags(manyTags(45)), want: one(tooMany)},
		"a higher limit moves it":               {spec: withTags(manyTags(54)), limits: limit(60)},
		"and one more is too many there":        {spec: withTags(manyTags(55)), limits: limit(60), want: one(tooMany)},
		"a limit of our marks leaves none":      {spec: withTags(manyTags(1)), limits: limit(6), want: one(tooMany)},
		"a limit below our marks leaves none":   {spec: withTags(manyTags(1)), limits: limit(3), want: one(tooMany)},
		"no tag is fine at any limit":           {spec: withTags(nil), limits: limit(1)},
		"a negative limit is the default":       {spec: withTags(manyTags(44)), limits: limit(-1)},
		"128 characters of key are fine":        {spec: tag(a(128), "x")},
		"129 are too many":                      {spec: tag(a(129), "x"), want: one(`spec.tags["` + a(129) + `"] TooLong`)},
		"256 characters of value are fine":      {spec: tag("k", a(256))},
		"257 are too many":                      {spec: tag("k", a(257)), want: one(`spec.tags["k"] TooLong`)},
		"characters are counted and not bytes":  {spec: tag(strings.Repeat("\u00e9", 128), strings.Repeat("\u00e9", 256))},
		"key and value too long are two faults": {spec: tag(a(129), a(257)), want: []string{`spec.tags["` + a(129) + `"] TooLong`, `spec.tags["` + a(129) + `"] TooLong`}},
		"an empty key is missing":               {spec: tag("", "x"), want: one(`spec.tags[""] Required`)},
		"an empty value is fine":                {spec: tag("k", "")},
		"spaces and signs are fine":             {spec: tag("cost center + - = . _ : / @", "a b")},
		"a control character in the key":        {spec: tag("a\tb", "x"), want: one(`spec.tags["a\tb"] InvalidSyntax`)},
		"a control character in the value":      {spec: tag("k", "a\nb"), want: one(`spec.tags["k"] InvalidSyntax`)},
		"invalid UTF-8 in the key":              {spec: tag("a\xff", "x"), want: one(`spec.tags["a\xff"] InvalidSyntax`)},
		"invalid UTF-8 in the value":            {spec: tag("k", "\xc3\x28"), want: one(`spec.tags["k"] InvalidSyntax`)},
		"aws: is reserved for keys":             {spec: tag("aws:x", "x"), want: one(`spec.tags["aws:x"] Reserved`)},
		"AWS: in any case":                      {spec: tag("AwS:x", "x"), want: one(`spec.tags["AwS:x"] Reserved`)},
		"aws: is reserved for values":           {spec: tag("k", "aws:x"), want: one(`spec.tags["k"] Reserved`)},
		"aws without a colon is fine":           {spec: tag("aws-x", "awsx")},
		"aws: inside is fine":                   {spec: tag("x-aws:y", "y")},
		"our prefix is reserved":                {spec: tag("eksfargate.io/owner.x", "x"), want: one(`spec.tags["eksfargate.io/owner.x"] Reserved`)},
		"our prefix is reserved in any case":    {spec: tag("EKSFargate.io/x", "x"), want: one(`spec.tags["EKSFargate.io/x"] Reserved`)},
		"our prefix in a value is fine":         {spec: tag("k", "eksfargate.io/x")},
		"a name like our prefix is fine":        {spec: tag("eksfargate.iox/a", "x")},
		"the faults of one tag stand together": {
			spec: withTags(map[string]string{"aws:a\x01": "x", "b]c": "\x01", "": a(257)}),
			want: []string{`spec.tags[""] Required`, `spec.tags[""] TooLong`, `spec.tags["aws:a\x01"] InvalidSyntax`, `spec.tags["aws:a\x01"] Reserved`, `spec.tags["b]c"] InvalidSyntax`},
		},
	})
}
