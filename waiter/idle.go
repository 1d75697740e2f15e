// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package waiter

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/eks"

	"github.com/eksfargate/eksfargate/internal/awscall"
)

// ClusterAPI is what [ClusterIdle] needs. *eks.Client satisfies it.
type ClusterAPI interface {
	eks.DescribeFargateProfileAPIClient
	eks.ListFargateProfilesAPIClient
}

// ClusterIdle waits until no profile of the cluster is CREATING or DELETING: EKS
// makes one such change at a time in a cluster and refuses any other meanwhile.
//
// It is a hint, which saves calls that would be refused. EKS can also be busy with
// an update of the cluster that nobody can see, for ten minutes and more after a
// profile became ACTIVE; only the answer to the create or the delete tells.
//
// The profiles are read one after the other, in the order of the list. One that is
// in progress is followed to its end, and then the cluster is read anew. The
// options Since and History are not used. The errors are those of [Active]; their
// Ref names the profile that was being read, or the cluster alone.
func ClusterIdle(ctx context.Context, api ClusterAPI, cluster string, optFns ...func(*Options)) error {
	o := newOptions(optFns)
	o.Since, o.History = time.Time{}, nil
	o.Schedule = o.Schedule.orDefault()
	for {
		names, err := listProfiles(ctx, api, cluster, o)
		if err != nil {
			return err
		}
		waited, err := readEach(ctx, api, cluster, names, o)
		if err != nil || !waited {
			return err
		}
	}
}

// readEach reads the profiles until one turns out to be in progress, and follows
// that. It reports whether it had to wait.
func readEach(ctx context.Context, api ClusterAPI, cluster string, names []string, o *Options) (bool, error) {
	for _, name := range names {
		w := newWatch(Ref{Cluster: cluster, Profile: name}, GoalIdle, time.Time{}, o, now())
		_, err := w.follow(ctx, api)
		if err != nil || w.polls > 1 {
			return true, err
		}
	}
	return false, nil
}

// listProfiles reads all pages of the list.
func listProfiles(ctx context.Context, api ClusterAPI, cluster string, o *Options) ([]string, error) {
	w := newWatch(Ref{Cluster: cluster}, GoalIdle, time.Time{}, o, now())
	if cluster == "" {
		return nil, &EndedError{State: w.state(w.started), Reason: ReasonInvalidInput}
	}
	var names []string
	err := awscall.Pages(func(token *string) (*string, error) {
		page, err := w.page(ctx, api, &eks.ListFargateProfilesInput{ClusterName: &cluster, NextToken: token})
		if err != nil {
			return nil, err
		}
		names = append(names, page.FargateProfileNames...)
		return page.NextToken, nil
	})
	if repeated, ok := errors.AsType[*awscall.RepeatedPageError](err); ok {
		return nil, w.end(now(), ReasonCallFailed, repeated).err
	}
	return names, err
}

// page reads one page, and again while the error is one that passes.
func (w *watch) page(ctx context.Context, api ClusterAPI, in *eks.ListFargateProfilesInput) (*eks.ListFargateProfilesOutput, error) {
	var delay time.Duration
	for {
		if err := w.pause(ctx, delay); err != nil {
			return nil, w.timeout(ctx, now())
		}
		page, err := api.ListFargateProfiles(ctx, in, w.o.ClientOptions...)
		if err == nil && page == nil {
			err = errEmptyAnswer
		}
		if err == nil {
			w.lastErr, w.errors = nil, patience{}
			return page, nil
		}
		w.polls++
		if ctx.Err() != nil {
			w.noteLast(err)
			return nil, w.timeout(ctx, now())
		}
		s := w.takeError(now(), err)
		w.report(ctx, now(), s)
		if s.done {
			return nil, s.err
		}
		delay = s.delay
	}
}
