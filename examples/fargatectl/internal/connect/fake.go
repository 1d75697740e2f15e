// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsiam "github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/eksfargate/eksfargate/fake"
	"github.com/eksfargate/eksfargate/iam"
)

// epoch is when the time of a new embedded fake begins, so that the same commands
// tell the same story on any day.
func epoch() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

// patience is how long a command may wait on the clock of the fake, where nobody
// else is who could end a wait.
const patience = 24 * time.Hour

var errEndless = errors.New("nothing has changed in a day of the fake's time")

// Embedded is a new embedded fake of a region; empty means a default.
func Embedded(ctx context.Context, region string) (*fake.Cloud, error) {
	region = cmp.Or(region, defaultRegion)
	cloud := fake.New(func(o *fake.Options) { o.Region, o.Now = region, epoch })
	// EKS may use the role for the one cluster alone, as it should be.
	cloud.AddRole(fake.RoleName, iam.TrustPolicy(iam.Scope{Region: region, Account: account, Cluster: fake.ClusterName}).String())
	return cloud, Equip(ctx, cloud, region)
}

func openFake(ctx context.Context, t Target) (*Cloud, error) {
	cloud, err := Embedded(ctx, t.Region)
	if err != nil {
		return nil, err
	}
	state, err := Restore(cloud, t.FakeState)
	if err != nil {
		return nil, err
	}
	c := newCloud(aws.Config{
		Region: cmp.Or(t.Region, defaultRegion), HTTPClient: cloud.HTTPClient(),
		Credentials: aws.CredentialsProviderFunc(anyone),
	})
	c.Now, c.Pretended = cloud.Now, true
	end := cloud.Now().Add(patience)
	c.Sleep = func(ctx context.Context, d time.Duration) error {
		cloud.Advance(d)
		if cloud.Now().After(end) {
			return errEndless
		}
		return ctx.Err()
	}
	if err := Restrict(cloud, t.FakePolicy); err != nil {
		return nil, err
	}
	c.close = func() error {
		err := denied(cloud, t.FakePolicy)
		if t.FakeState == "" {
			return err
		}
		return errors.Join(err, Lift(cloud, t.FakePolicy), state.Save(cloud))
	}
	return c, nil
}

// The account of a fake, and the region of one for which nobody chooses another.
const (
	account       = "111122223333"
	defaultRegion = "us-east-1"
)

// Equip gives the good role of a fake what the pods of Fargate need of it.
func Equip(ctx context.Context, cloud *fake.Cloud, region string) error {
	_, err := cloud.IAM().AttachRolePolicy(ctx, &awsiam.AttachRolePolicyInput{
		RoleName: new(fake.RoleName), PolicyArn: new(iam.ManagedPolicyARN(iam.PartitionOf(cmp.Or(region, defaultRegion)))),
	})
	cloud.ForgetCalls()
	return err
}

// State is the file that keeps a fake.
type State struct {
	path string
	text []byte // what the file holds
}

// Restore brings a fake to the state in a file, but for a restriction of the caller that
// a server which was killed has left there. An empty path and a file that is not there
// leave it as it is.
func Restore(cloud *fake.Cloud, path string) (*State, error) {
	s := &State{path: path}
	if path == "" {
		return s, nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // reading the file that the user names is the job
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	if err := cloud.Restore(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.text = text
	return s, cloud.SetPolicy("", "")
}

// Save writes the state of a fake into the file, all of it or nothing.
func (s *State) Save(cloud *fake.Cloud) error {
	text, err := cloud.Snapshot()
	if err != nil || bytes.Equal(text, s.text) {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(s.path), filepath.Base(s.path)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), s.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	s.text = text
	return nil
}
