// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/smithy-go"

	"github.com/eksfargate/eksfargate/fake"
)

// chaosRun makes n calls of each kind and writes what came of them.
func chaosRun(t *testing.T, opts fake.ChaosOptions, n int) string {
	t.Helper()
	var out strings.Builder
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		mustCreate(t, c, c.EKS(), "web")
		c.Chaos(opts)
		api := c.EKS()
		for i := range n {
			begin := time.Now()
			_, err := api.DescribeCluster(t.Context(), &eks.DescribeClusterInput{Name: aws.String(fake.ClusterName)})
			fmt.Fprintln(&out, "describe", codeOf(err), time.Since(begin))
			err = create(t, c, api, fmt.Sprint("p", i))
			fmt.Fprintln(&out, "create", codeOf(err))
			time.Sleep(3 * time.Minute)
		}
	})
	return out.String()
}

func codeOf(err error) string {
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		return e.ErrorCode()
	}
	if err != nil {
		return "lost"
	}
	return "ok"
}

func TestSeedRepeatsChaos(t *testing.T) {
	one, again, other := chaosRun(t, fake.ChaosOptions{Seed: 1}, 40), chaosRun(t, fake.ChaosOptions{Seed: 1}, 40),
		chaosRun(t, fake.ChaosOptions{Seed: 2}, 40)
	if one != again || one == other {
		t.Error("the chaos does not follow the seed")
	}
	for _, what := range []string{"ThrottlingException", "ServerException", "ServiceUnavailableException", "lost", "ok"} {
		if !strings.Contains(one+other, what) {
			t.Errorf("80 rounds of chaos have no %s", what)
		}
	}
}

func TestChaosOfOneKind(t *testing.T) {
	run := func(opts fake.ChaosOptions) string {
		opts.Seed = 7
		return chaosRun(t, opts, 3)
	}
	const throttled = "describe ThrottlingException 0s\ncreate ThrottlingException\n"
	if got := run(fake.ChaosOptions{Throttle: 1}); got != strings.Repeat(throttled, 3) {
		t.Errorf("throttling only:\n%s", got)
	}
	if got := run(fake.ChaosOptions{LoseRequest: 1, Faults: 3}); strings.Count(got, "lost") != 3 || !strings.HasPrefix(got, "describe lost 0s\ncreate lost\n") {
		t.Errorf("three lost requests:\n%s", got)
	}
}

func TestChaosFailsChangesAndSlowsReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fake.New()
		seed := c.Chaos(fake.ChaosOptions{FailChange: 1, Log: t.Logf})
		if seed == 0 {
			t.Error("no seed was drawn")
		}
		mustCreate(t, c, c.EKS(), "web")
		time.Sleep(time.Hour)
		if p := mustDescribe(t, c.EKS(), "web"); p.Status != "CREATE_FAILED" || len(p.Health.Issues) != 1 {
			t.Errorf("status %s, health %+v", p.Status, p.Health)
		}
		c.Chaos(fake.ChaosOptions{Seed: 3, Slow: 1})
		begin := time.Now()
		mustDescribe(t, c.EKS(), "web")
		if took := time.Since(begin); took <= 0 || took > 5*time.Second {
			t.Errorf("the slow reply took %v", took)
		}
		c.Chaos(fake.ChaosOptions{Seed: 3, Stale: 1})
		mustDelete(t, c.EKS(), "web")
		if got := mustDescribe(t, c.EKS(), "web").Status; got != "CREATE_FAILED" {
			t.Errorf("status %s, want the older CREATE_FAILED", got)
		}
		c.ClearFaults()
		if got := mustDescribe(t, c.EKS(), "web").Status; got != "DELETING" {
			t.Errorf("status %s after the chaos, want DELETING", got)
		}
	})
}
