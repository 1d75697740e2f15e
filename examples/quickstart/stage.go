// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/manifest"
)

// ownerID is in real life an id that stays the same for ever.
const ownerID = "quickstart/demo"

// stage is a fake AWS that has what the profiles of a manifest need, and the
// profiles, complete.
type stage struct {
	cloud    *fake.Cloud
	client   *eks.Client
	format   manifest.Format
	profiles []fargate.Desired
	notes    []string          // what was filled in
	filled   map[string]string // the clusters that were filled in, by what stood there
	roles    map[string]string // the ARN of each role by its name in lower case: IAM has one of a name
}

func newStage(result manifest.Result) (*stage, error) {
	begun := time.Now()
	s := &stage{format: result.Profiles[0].Source.Format, cloud: fake.New(func(o *fake.Options) {
		o.AcceptRolePaths = true
		o.Now = func() time.Time { return begun } // however slow the machine is, only the story turns the clock
		// AWS raises this quota; a slot more is for the successor of a replacement.
		o.Quotas.Profiles = max(10, len(result.Profiles)) + 1
	})}
	s.filled = map[string]string{}
	s.roles = map[string]string{strings.ToLower(fake.RoleName): s.cloud.RoleARN(fake.RoleName)}
	for _, p := range result.Problems {
		s.notes = append(s.notes, p.String())
	}
	var errs []error
	for i, p := range result.Profiles {
		spec, err := s.resolve(i, p).Spec()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		s.profiles = append(s.profiles, fargate.Desired{Spec: s.complete(spec), Owner: fargate.Owner{ID: ownerID}})
	}
	if err := errors.Join(append(errs, s.check())...); err != nil {
		return nil, err
	}
	// This is the client that you have; only its transport is the fake's.
	s.client = eks.New(eks.Options{
		Region:     "us-east-1",
		HTTPClient: s.cloud.HTTPClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "quickstart", SecretAccessKey: "none"}, nil
		}),
	})
	return s, nil
}

// restrict lets the program do what the policy in a file allows.
func (s *stage) restrict(path string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // reading the file that the user names is the job
	if err != nil {
		return err
	}
	if err := s.cloud.SetPolicy("", string(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// resolve drops the expressions that only another file could resolve, where
// something can be filled in: all but selectors and tags.
func (s *stage) resolve(i int, p manifest.Profile) manifest.Profile {
	open := slices.ContainsFunc(p.Subnets, manifest.Value.IsUnresolved)
	if p.ClusterName.IsUnresolved() {
		p.ClusterName = manifest.Known(p.ClusterName.Text) // what is no name is filled in
	}
	for _, v := range []*manifest.Value{&p.PodExecutionRoleARN, &p.PodExecutionRoleName} {
		if v.IsUnresolved() {
			*v = manifest.Value{}
		}
	}
	if open {
		p.Subnets = nil
	}
	if p.Name.IsUnresolved() {
		name := fmt.Sprintf("quickstart-%d", i+1)
		s.notes = append(s.notes, fmt.Sprintf("profile %q: the name is filled in as %s", p.Name.Text, name))
		p.Name = manifest.Known(name)
	}
	return p
}

// complete fills in what a manifest leaves open and makes what it names.
func (s *stage) complete(spec fargate.Spec) fargate.Spec {
	spec.ClusterName = s.cluster(spec)
	spec.PodExecutionRoleARN = s.role(spec)
	spec.Subnets = s.subnets(spec)
	return spec
}

// fill gives each cluster whose name is not known one of its own.
func (s *stage) fill(placeholder string) string {
	name, known := s.filled[placeholder]
	if known {
		return name
	}
	name = fake.ClusterName
	if n := len(s.filled); n > 0 {
		name = fmt.Sprintf("%s-%d", name, n+1)
	}
	s.filled[placeholder] = name
	return name
}

func (s *stage) note(spec fargate.Spec, format string, args ...any) {
	s.notes = append(s.notes, "profile "+spec.Name+": "+fmt.Sprintf(format, args...))
}

func (s *stage) cluster(spec fargate.Spec) string {
	name := spec.ClusterName
	if name == "" || manifest.Placeholder(name) || faulty(fargate.Spec{ClusterName: name}, "spec.clusterName") {
		filled := s.fill(name)
		s.note(spec, "cluster %q is filled in as %s", name, filled)
		name = filled
	}
	known := slices.ContainsFunc(s.profiles, func(d fargate.Desired) bool { return d.Spec.ClusterName == name })
	if name != fake.ClusterName && !known {
		s.cloud.AddCluster(fake.Cluster{Name: name, Subnets: fake.PrivateSubnetIDs()})
	}
	return name
}

// role makes a role of the name in the manifest, where the fake's account can have
// it. The trust is what iam.TrustPolicy writes for real roles; here all of EKS may
// assume it.
func (s *stage) role(spec fargate.Spec) string {
	good := s.cloud.RoleARN(fake.RoleName)
	arn := spec.PodExecutionRoleARN
	home := good[:strings.LastIndex(good, "/")+1]
	name, ok := strings.CutPrefix(arn, home)
	if !ok || faulty(fargate.Spec{PodExecutionRoleARN: arn}, "spec.podExecutionRoleArn") {
		s.note(spec, "role %q is filled in as %s", arn, good)
		return good
	}
	key := strings.ToLower(name[strings.LastIndex(name, "/")+1:])
	there, ok := s.roles[key]
	if !ok {
		there = s.cloud.AddRole(name, fake.PodTrust)
		s.roles[key] = there
	}
	if there != arn {
		s.note(spec, "role %q is filled in as %s, since an account has one role of a name", arn, there)
	}
	return there
}

func (s *stage) subnets(spec fargate.Spec) []string {
	for _, id := range spec.Subnets {
		if !regexp.MustCompile(`^subnet-[0-9a-f]+$`).MatchString(id) {
			s.note(spec, "subnets %v are left to AWS, since %q is no subnet id", spec.Subnets, id)
			return nil
		}
	}
	for _, id := range spec.Subnets {
		s.cloud.AddSubnet(fake.Subnet{ID: id})
	}
	return spec.Subnets
}

// faulty reports whether the library finds a fault in one field.
func faulty(spec fargate.Spec, field string) bool {
	invalid, ok := errors.AsType[*fargate.ValidationError](spec.Validate())
	return ok && slices.ContainsFunc(invalid.Errors, func(e fargate.FieldError) bool { return e.Field == field })
}
