// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
)

// ErrNoRegion is the error where neither the caller nor the configuration says in
// which region the cluster is.
var ErrNoRegion = errors.New("no AWS region is given")

// openAWS uses the default chain of the AWS SDKs for credentials and settings.
func openAWS(ctx context.Context, t Target) (*Cloud, error) {
	local := isLoopback(cmp.Or(t.Endpoint, os.Getenv("AWS_ENDPOINT_URL")))
	cfg, err := config.LoadDefaultConfig(ctx, func(o *config.LoadOptions) error {
		o.Region, o.SharedConfigProfile, o.BaseEndpoint = t.Region, t.Profile, t.Endpoint
		o.RetryMode = aws.RetryModeAdaptive
		if local {
			o.EC2IMDSClientEnableState = imds.ClientDisabled
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("loading the AWS configuration: %w", err)
	}
	if local {
		cfg.Region = cmp.Or(cfg.Region, defaultRegion)
		cfg.Credentials = orAny(cfg.Credentials)
	}
	if cfg.Region == "" {
		return nil, ErrNoRegion
	}
	cloud := newCloud(cfg)
	cloud.Pretended = local
	return cloud, nil
}

// isLoopback reports whether an endpoint is on this machine, as a fake is.
func isLoopback(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// orAny signs with credentials of no account where there are none: a fake takes any.
func orAny(chain aws.CredentialsProvider) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(ctx context.Context) (aws.Credentials, error) {
		if chain != nil {
			if found, err := chain.Retrieve(ctx); err == nil {
				return found, nil
			}
		}
		return anyone(ctx)
	})
}

func anyone(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "fargatectl", SecretAccessKey: "none"}, nil
}
