// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/eksfargate/eksfargate/fake"
)

// stopped is a clock that only Advance moves.
func stopped(o *fake.Options) {
	o.Now = func() time.Time { return time.UnixMilli(1_700_000_000_000) }
}

func wantUntrusted(t *testing.T, err error) {
	t.Helper()
	wantError(t, err, "InvalidParameterException", 400,
		"Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal")
}

func ec2Trust() string { return strings.ReplaceAll(fake.PodTrust, "eks-fargate-pods", "ec2") }

func TestANewRoleCannotBeUsedAtOnce(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		arn := *e.createRole("web").Arn
		e.getRole("web")
		wantUntrusted(e.t, e.createProfile("web", arn))
		e.c.Advance(9999 * time.Millisecond)
		wantUntrusted(e.t, e.createProfile("web", arn))
		e.c.Advance(time.Millisecond)
		e.must(e.createProfile("web", arn))
	}, stopped)
}

// While a changed document spreads, the old one counts.
func TestAChangedTrustDocumentSpreads(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		arn := *e.createRole("web", func(in *iam.CreateRoleInput) { in.AssumeRolePolicyDocument = aws.String(ec2Trust()) }).Arn
		e.c.Advance(time.Hour)
		e.must(e.setTrust("web", fake.PodTrust))
		wantUntrusted(e.t, e.createProfile("web", arn))
		e.c.Advance(10 * time.Second)
		e.must(e.setTrust("web", ec2Trust()))
		e.must(e.createProfile("web", arn))
		e.c.Advance(time.Hour)
		wantUntrusted(e.t, e.createProfile("api", arn))
	}, stopped)
}

func TestOtherChangesDoNotMakeServicesWait(t *testing.T) {
	c := fake.New(stopped)
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	arn := *e.createRole("web").Arn
	c.Advance(6 * time.Second)
	e.must(e.tag("web", tag("a", "b")))
	e.must(e.attach("web", executionPolicy))
	c.Advance(4 * time.Second)
	e.must(e.createProfile("web", arn))
}

func TestRolesOfTheTestAreOld(t *testing.T) {
	c := fake.New(stopped)
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	e.must(e.createProfile("web", c.AddRole("added", fake.PodTrust)))
}

// A role that was made again is another role: it must spread again, and its id
// is another one.
func TestAReCreatedRoleIsAnotherRole(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		old := e.createRole("web")
		e.c.Advance(time.Hour)
		e.must(e.deleteRole("web"))
		wantUntrusted(e.t, e.createProfile("web", *old.Arn))
		again := e.createRole("web")
		if *again.Arn != *old.Arn || *again.RoleId == *old.RoleId || !strings.HasPrefix(*again.RoleId, "AROA") {
			e.t.Errorf("role %s with id %s, before that %s with id %s", *again.Arn, *again.RoleId, *old.Arn, *old.RoleId)
		}
		wantUntrusted(e.t, e.createProfile("web", *old.Arn))
		e.c.Advance(10 * time.Second)
		e.must(e.createProfile("web", *old.Arn))
	}, stopped)
}

func TestReadsCanLag(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		get := func() error {
			_, err := e.api.GetRole(e.t.Context(), &iam.GetRoleInput{RoleName: aws.String("web")})
			return err
		}
		gone := func(err error) {
			e.t.Helper()
			wantError(e.t, err, "NoSuchEntity", 404, "The role with name web cannot be found.")
		}
		e.createRole("web")
		gone(get())
		wantError(e.t, createRoleWith(e, func(*iam.CreateRoleInput) {}), "EntityAlreadyExists", 409, "Role with name web already exists.")
		e.c.Advance(3 * time.Second)
		e.must(get())
		e.must(e.tag("web", tag("a", "b")))
		if tags := e.getRole("web").Tags; len(tags) != 0 {
			e.t.Errorf("tags %v are read at once", tags)
		}
		e.c.Advance(3 * time.Second)
		if tags := e.getRole("web").Tags; len(tags) != 1 {
			e.t.Errorf("tags %v, want one", tags)
		}
		e.must(e.deleteRole("web"))
		e.must(get())
		e.c.Advance(3 * time.Second)
		gone(get())
	}, stopped, func(o *fake.Options) { o.Delays.RoleRead = fake.Fixed(3 * time.Second) })
}

func TestDelaysOfRolesCanBeSwitchedOff(t *testing.T) {
	c := fake.New(stopped, func(o *fake.Options) { o.Delays.RoleTrust = fake.Fixed(0) })
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	e.must(e.createProfile("web", *e.createRole("web").Arn))
}

func TestTheFirstProfileMakesTheServiceLinkedRole(t *testing.T) {
	const name = "AWSServiceRoleForAmazonEKSForFargate"
	overIAMTransports(t, func(e iamEnv) {
		_, err := e.api.GetRole(e.t.Context(), &iam.GetRoleInput{RoleName: aws.String(name)})
		wantError(e.t, err, "NoSuchEntity", 404, "The role with name "+name+" cannot be found.")
		e.must(e.createProfile("web", e.c.RoleARN(fake.RoleName)))
		first := e.getRole(name)
		want := "arn:aws:iam::111122223333:role/aws-service-role/eks-fargate.amazonaws.com/" + name
		if *first.Arn != want {
			e.t.Errorf("ARN %s, want %s", *first.Arn, want)
		}
		e.c.Advance(time.Hour)
		e.must(e.createProfile("api", e.c.RoleARN(fake.RoleName)))
		if again := e.getRole(name); *again.RoleId != *first.RoleId {
			e.t.Error("the second profile made the role again")
		}
	})
}

func TestARoleOfAnotherAccountIsRefused(t *testing.T) {
	overIAMTransports(t, func(e iamEnv) {
		other := e.c.IAM(func(caller *fake.Caller) { caller.Account = "999999999999" })
		out, err := other.CreateRole(e.t.Context(), roleInput("web"))
		e.must(err)
		if want := "arn:aws:iam::999999999999:role/web"; *out.Role.Arn != want {
			e.t.Errorf("ARN %s, want %s", *out.Role.Arn, want)
		}
		e.c.Advance(time.Hour)
		err = create(e.t, e.c, e.eks, "web", func(in *eks.CreateFargateProfileInput) { in.PodExecutionRoleArn = out.Role.Arn })
		wantError(e.t, err, "AccessDeniedException", 403, "Cross-account pass role is not allowed.")
	})
}

// A stale read sees the role as it was, and never a role that was not there.
func TestReadsOfRolesCanBeStale(t *testing.T) {
	c := fake.New(stopped)
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	c.Inject(fake.Fault{Operation: "GetRole", Count: -1, Stale: time.Minute})
	get := func() string {
		out, err := c.IAM().GetRole(t.Context(), &iam.GetRoleInput{RoleName: aws.String("web")})
		if err != nil {
			return "none"
		}
		return fmt.Sprint(len(out.Role.Tags), " tags")
	}
	var seen []string
	for _, change := range []func(){
		func() { e.createRole("web") },
		func() { e.must(e.tag("web", tag("a", ""))) },
		func() { e.must(e.tag("web", tag("b", ""))) },
		func() { e.must(e.deleteRole("web")) },
		func() {},
	} {
		c.Advance(time.Minute)
		seen = append(seen, get())
		change()
		seen = append(seen, get())
	}
	want := "none none 0 tags 0 tags 1 tags 1 tags 2 tags 2 tags none none"
	if got := strings.Join(seen, " "); got != want {
		t.Errorf("seen %s, want %s", got, want)
	}
}

// A Cloud that was saved and restored has all of IAM, also what still spreads.
func TestIAMSurvivesASnapshot(t *testing.T) {
	c := fake.New(stopped)
	e := iamEnv{t, c, c.IAM(), c.STS(), c.EKS()}
	arn := *e.createRole("web").Arn
	own, err := e.createPolicy("own")
	e.must(err)
	e.must(e.attach("web", own))
	e.must(e.putInline("web", "logs", permissions))
	e.must(e.createInstanceProfile("nodes"))
	e.must(e.addToInstanceProfile("nodes", "web"))
	session, err := e.assume(c.AddRole("deploy", trustIn(`"*"`, "")))
	e.must(err)
	saved, err := c.Snapshot()
	e.must(err)

	again := fake.New(stopped)
	e.must(again.Restore(saved))
	r := iamEnv{t, again, again.IAM(), again.STS(), again.EKS()}
	if diff := diffSDK(e.getRole("web"), r.getRole("web")); diff != "" {
		t.Errorf("role (-saved +restored):\n%s", diff)
	}
	if diff := diffSDK(e.attached("web"), r.attached("web")); diff != "" {
		t.Errorf("policies (-saved +restored):\n%s", diff)
	}
	wantError(t, r.deletePolicy(own), "DeleteConflict", 409, "Cannot delete a policy attached to entities.")
	wantError(t, r.createInstanceProfile("nodes"), "EntityAlreadyExists", 409, "Instance Profile nodes already exists.")
	got, err := stsSDK(again, func(o *sts.Options) {
		o.Credentials = credentials(*session.Credentials.AccessKeyId)
	}).GetCallerIdentity(t.Context(), nil)
	if err != nil || *got.Arn != *session.AssumedRoleUser.Arn {
		t.Errorf("identity %v, error %v", got, err)
	}
	wantUntrusted(t, r.createProfile("web", arn))
	again.Advance(10 * time.Second)
	e.must(r.createProfile("web", arn))
}
