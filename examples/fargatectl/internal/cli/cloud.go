// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"

	"github.com/eksfargate/eksfargate/fargate"
	"github.com/eksfargate/eksfargate/fargate/lifecycle"

	"github.com/eksfargate/eksfargate/examples/fargatectl/internal/connect"
)

// withCloud opens AWS for an action, and keeps what the fake has become.
func (a *app) withCloud(ctx context.Context, do func(*connect.Cloud) error) error {
	cloud, err := connect.Open(ctx, connect.Target{
		Endpoint: a.endpoint, Region: a.region, Profile: a.profile, Fake: a.fake, FakeState: a.fakeState, FakePolicy: a.fakePolicy,
	})
	if errors.Is(err, connect.ErrNoRegion) {
		err = advise(err, "give --region, or set AWS_REGION; --fake needs neither account nor region")
	}
	if err != nil {
		return err
	}
	err = do(cloud)
	closed := cloud.Close()
	if closed == nil {
		return err
	}
	if _, denied := errors.AsType[*connect.DeniedError](closed); denied {
		closed = advise(closed, "add it to the policy; fargatectl policy controller prints all that is needed")
	}
	if _, ended := errors.AsType[*status](err); ended {
		err = nil // the status of a command that went well would hide what went wrong after it
	}
	return errors.Join(closed, err)
}

// reconciler is a reconciler on an open AWS.
func (a *app) reconciler(cloud *connect.Cloud, optFns ...func(*lifecycle.Options)) *lifecycle.Reconciler {
	options := func(o *lifecycle.Options) {
		o.Logger, o.Now, o.Sleep = a.logger(), cloud.Now, cloud.Sleep
	}
	return lifecycle.New(connect.Steady(cloud.EKS), append([]func(*lifecycle.Options){options}, optFns...)...)
}

// requireCluster is the cluster by the flag, which must be there.
func (a *app) requireCluster() (string, error) {
	if a.cluster == "" {
		return "", failure("name it with --cluster NAME", "no cluster is given")
	}
	return a.cluster, nil
}

// observe reads all profiles of a cluster.
func (a *app) observe(ctx context.Context, cloud *connect.Cloud, cluster string) ([]fargate.Observed, error) {
	plan, err := a.reconciler(cloud).PlanCluster(ctx, fargate.ClusterInput{Cluster: cluster})
	return plan.Observed, err
}
