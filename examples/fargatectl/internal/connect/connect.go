// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// Target says where AWS is. The zero value is what the AWS CLI would use.
type Target struct {
	// Endpoint is the URL of EKS, IAM and STS; empty means AWS's own.
	Endpoint string
	// Region and Profile are those of the AWS CLI; empty means what it would use.
	Region, Profile string
	// Fake is an AWS in this process, which FakeState, if set, keeps in a file.
	Fake      bool
	FakeState string
	// FakePolicy is the file of an IAM policy: it is all that the caller of the fake
	// may do. Empty means that it may do everything.
	FakePolicy string
}

// Cloud is an open AWS.
type Cloud struct {
	EKS *eks.Client
	IAM *iam.Client
	STS *sts.Client
	// Region is the region that the calls go to.
	Region string
	// Pretended says that this is a fake, which stands for every region.
	Pretended bool
	// Now is the clock, and Sleep waits on it. The clock of the fake stands still but
	// for Sleep, so that minutes pass at once.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error

	close func() error
}

// Open opens AWS. The caller must Close it.
func Open(ctx context.Context, t Target) (*Cloud, error) {
	if t.Fake {
		return openFake(ctx, t)
	}
	return openAWS(ctx, t)
}

// Close keeps the state of the fake, if it is to be kept. The error may be a
// [*DeniedError].
func (c *Cloud) Close() error {
	if c.close == nil {
		return nil
	}
	return c.close()
}

func newCloud(cfg aws.Config) *Cloud {
	return &Cloud{
		EKS: eks.NewFromConfig(cfg), IAM: iam.NewFromConfig(cfg), STS: sts.NewFromConfig(cfg),
		Region: cfg.Region, Now: time.Now, Sleep: sleep,
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
