// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package awserr_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/eks/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/internal/awserr"
)

const (
	riu = "ResourceInUseException"
	ipe = "InvalidParameterException"
	rnf = "ResourceNotFoundException"
	ire = "InvalidRequestException"
)

// texts are messages of the real service, with what they mean.
func texts() map[string]struct {
	code, text string
	want       awserr.Fault
} {
	return map[string]struct {
		code, text string
		want       awserr.Fault
	}{
		"trust": {
			ipe, "Misconfigured PodExecutionRole Trust Policy; Please add the eks-fargate-pods.amazonaws.com Service Principal",
			awserr.Fault{Kind: awserr.TrustNotUsable},
		},
		"name taken": {riu, "A Fargate Profile already exists with this name in this cluster.", awserr.Fault{Kind: awserr.NameTaken}},
		"create during create": {
			riu, "Cannot create Fargate Profile fp-b because cluster demo currently has Fargate profile fp-a in status CREATING",
			awserr.Fault{Kind: awserr.PeerBusy, Cluster: "demo", Peer: "fp-a", PeerStatus: "CREATING"},
		},
		"delete during delete": {
			riu, "Cannot Delete Fargate Profile fp-b because cluster demo currently has Fargate profile fp-a in status DELETING",
			awserr.Fault{Kind: awserr.PeerBusy, Cluster: "demo", Peer: "fp-a", PeerStatus: "DELETING"},
		},
		"another case of the same words": {
			riu, "Cannot delete Fargate profile fp-b because cluster demo currently has Fargate Profile fp-a in status DELETING.",
			awserr.Fault{Kind: awserr.PeerBusy, Cluster: "demo", Peer: "fp-a", PeerStatus: "DELETING"},
		},
		"delete during an update": {
			riu, "Cannot Delete Fargate Profile fp-a because cluster demo currently has an update in progress",
			awserr.Fault{Kind: awserr.ClusterBusy, Cluster: "demo"},
		},
		"an update with its id": {
			riu, "Cannot Delete Fargate Profile fp-a because cluster demo currently has update in progress with id 1b2c.",
			awserr.Fault{Kind: awserr.ClusterBusy, Cluster: "demo", Update: "1b2c"},
		},
		"in use in new words": {riu, "Something holds it", awserr.Fault{Kind: awserr.InUse}},
		"quota":               {"ResourceLimitExceededException", "Fargate Profile limit exceeded for cluster.", awserr.Fault{Kind: awserr.QuotaExceeded}},
		"public subnet": {
			ipe, "Subnet subnet-0ccc provided in Fargate Profile is not a private subnet",
			awserr.Fault{Kind: awserr.PublicSubnet, Subnet: "subnet-0ccc"},
		},
		"zone": {
			ipe, "Fargate Profile creation for the Availability Zone ca-central-1d for Subnet subnet-0ddd is not supported",
			awserr.Fault{Kind: awserr.UnsupportedZone, Zone: "ca-central-1d", Subnet: "subnet-0ddd"},
		},
		"zone under its own code": {"UnsupportedAvailabilityZoneException", "no", awserr.Fault{Kind: awserr.UnsupportedZone}},
		"reserved name":           {ipe, "The fargate profile name starts with the reserved prefix: 'eks-'.", awserr.Fault{Kind: awserr.Invalid}},
		"profile missing":         {rnf, "No Fargate Profile found with name: fp-a.", awserr.Fault{Kind: awserr.ProfileNotFound}},
		"cluster missing":         {rnf, "No cluster found for name: demo.", awserr.Fault{Kind: awserr.ClusterNotFound, Cluster: "demo"}},
		"cluster not active":      {ire, "Cluster 'demo' is not in ACTIVE status", awserr.Fault{Kind: awserr.ClusterNotActive, Cluster: "demo"}},
		"no iam:GetRole": {
			ire, "Failed to validate if SLR: AWSServiceRoleForAmazonEKSForFargate already exists due to missing permissions for 'iam:GetRole'",
			awserr.Fault{Kind: awserr.Denied, Action: "iam:GetRole"},
		},
		"no ec2:DescribeSubnets": {ipe, `Missing permissions for "ec2:DescribeSubnets"`, awserr.Fault{Kind: awserr.Denied, Action: "ec2:DescribeSubnets"}},
		"no iam:PassRole": {
			"AccessDeniedException", "User: arn:aws:iam::111122223333:user/u is not authorized to perform: iam:PassRole on resource: arn:aws:iam::111122223333:role/r",
			awserr.Fault{Kind: awserr.Denied, Action: "iam:PassRole", Resource: "arn:aws:iam::111122223333:role/r"},
		},
		"throttled":            {"ThrottlingException", "Rate exceeded", awserr.Fault{Kind: awserr.Throttled}},
		"throttled in front":   {"TooManyRequestsException", "Too Many Requests", awserr.Fault{Kind: awserr.Throttled}},
		"tag target":           {"NotFoundException", "gone", awserr.Fault{Kind: awserr.TargetNotFound}},
		"server":               {"ServerException", "oops", awserr.Fault{Kind: awserr.Transient}},
		"role missing":         {"NoSuchEntity", "The role with name r cannot be found.", awserr.Fault{Kind: awserr.NoSuchEntity}},
		"role there":           {"EntityAlreadyExists", "Role with name r already exists.", awserr.Fault{Kind: awserr.EntityExists}},
		"role in use":          {"DeleteConflict", "Cannot delete entity, must detach all policies first.", awserr.Fault{Kind: awserr.DeleteConflict}},
		"role changed":         {"ConcurrentModification", "try again", awserr.Fault{Kind: awserr.Conflict}},
		"role quota":           {"LimitExceeded", "Cannot exceed quota for PoliciesPerRole: 10", awserr.Fault{Kind: awserr.QuotaExceeded}},
		"a code of the future": {"BrandNewException", "?", awserr.Fault{Kind: awserr.Unknown}},
		"a lead with nothing after it": {
			"AccessDeniedException", "is not authorized to perform: ", awserr.Fault{Kind: awserr.Denied},
		},
	}
}

func TestClassifyTexts(t *testing.T) {
	for name, tt := range texts() {
		tt.want.Code, tt.want.Message = tt.code, tt.text
		for form, err := range map[string]error{
			"generic": &smithy.GenericAPIError{Code: tt.code, Message: tt.text},
			"typed":   typed(tt.code, tt.text),
		} {
			t.Run(name+" "+form, func(t *testing.T) {
				if err == nil {
					t.Skip("the SDK has no type for this code")
				}
				wrapped := fmt.Errorf("calling: %w", &smithy.OperationError{ServiceID: "EKS", OperationName: "X", Err: err})
				if diff := cmp.Diff(tt.want, awserr.Classify(wrapped)); diff != "" {
					t.Errorf("Classify() (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func typed(code, text string) error {
	switch code {
	case riu:
		return &types.ResourceInUseException{Message: &text}
	case ipe:
		return &types.InvalidParameterException{Message: &text}
	case rnf:
		return &types.ResourceNotFoundException{Message: &text}
	case ire:
		return &types.InvalidRequestException{Message: &text}
	case "ResourceLimitExceededException":
		return &types.ResourceLimitExceededException{Message: &text}
	case "ServerException":
		return &types.ServerException{Message: &text}
	}
	return nil
}

func status(code int, inner error) error {
	return &smithyhttp.ResponseError{Response: &smithyhttp.Response{Response: &http.Response{StatusCode: code}}, Err: inner}
}

func TestClassifyWithoutKnownCode(t *testing.T) {
	odd := &smithy.GenericAPIError{Code: "Odd"}
	tests := map[string]struct {
		err  error
		want awserr.Kind
	}{
		"nil":                      {nil, ""},
		"canceled":                 {fmt.Errorf("x: %w", context.Canceled), awserr.Canceled},
		"deadline":                 {context.DeadlineExceeded, awserr.Canceled},
		"no connection":            {&smithyhttp.RequestSendError{Err: errors.New("refused")}, awserr.Transient},
		"a status of 503":          {status(503, odd), awserr.Transient},
		"a status of 429":          {status(429, odd), awserr.Throttled},
		"a status of 403":          {status(403, odd), awserr.Denied},
		"a status of 418":          {status(418, odd), awserr.Unknown},
		"a broken reply":           {status(502, errors.New("html")), awserr.Transient},
		"an error from elsewhere":  {errors.New("x"), awserr.Unknown},
		"a time-out on the socket": {timeout{}, awserr.Transient},
		// The time-outs of Go's dialer and HTTP client say that they are deadlines. The SDK
		// wraps what a transport says as sending, unless the context of the call is done.
		"a time-out of the dialer":         {&smithyhttp.RequestSendError{Err: fmt.Errorf("dial: %w", context.DeadlineExceeded)}, awserr.Transient},
		"a context that ended in the send": {&smithyhttp.RequestSendError{Err: &smithy.CanceledError{Err: context.Canceled}}, awserr.Canceled},
		"a reply that breaks off":          {&smithy.DeserializationError{Err: io.ErrUnexpectedEOF}, awserr.Transient},
		"a reply that makes no sense":      {&smithy.DeserializationError{Err: errors.New("invalid character")}, awserr.Unknown},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := awserr.Classify(tt.err).Kind; got != tt.want {
				t.Errorf("Classify() = %s, want %s", got, tt.want)
			}
		})
	}
}

type timeout struct{}

func (timeout) Error() string   { return "timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

func TestRetryAdvice(t *testing.T) {
	tests := map[awserr.Kind]awserr.Retry{
		awserr.PeerBusy: awserr.RetryLater, awserr.ClusterBusy: awserr.RetryLater, awserr.TrustNotUsable: awserr.RetryLater,
		awserr.Throttled: awserr.RetrySoon, awserr.Transient: awserr.RetrySoon, awserr.Canceled: awserr.RetrySoon,
		awserr.Denied: awserr.RetryNever, awserr.QuotaExceeded: awserr.RetryNever, awserr.Unknown: awserr.RetryNever,
	}
	for kind, want := range tests {
		if got := (awserr.Fault{Kind: kind}).Retry(); got != want {
			t.Errorf("%s.Retry() = %s, want %s", kind, got, want)
		}
	}
}

func TestInUseKinds(t *testing.T) {
	for _, k := range []awserr.Kind{awserr.NameTaken, awserr.PeerBusy, awserr.ClusterBusy, awserr.InUse} {
		if !k.InUse() {
			t.Errorf("%s.InUse() = false", k)
		}
	}
	if awserr.Is(&smithy.GenericAPIError{Code: "Odd"}, awserr.InUse) || awserr.Unknown.InUse() {
		t.Error("an unknown error counts as in use")
	}
}

func FuzzClassify(f *testing.F) {
	for _, tt := range texts() {
		f.Add(tt.code, tt.text)
	}
	f.Fuzz(func(t *testing.T, code, text string) {
		got := awserr.Classify(&smithy.GenericAPIError{Code: code, Message: text})
		if got.Kind == "" || got.Kind.Retry() == "" {
			t.Errorf("no kind for %q %q", code, text)
		}
	})
}

func TestRemedySaysWhatTheCallerCanDo(t *testing.T) {
	tests := map[string]struct {
		fault awserr.Fault
		want  string
	}{
		"denied something on something": {awserr.Fault{Kind: awserr.Denied, Action: "iam:PassRole", Resource: "arn:r"}, "allow the caller iam:PassRole on arn:r"},
		"denied something":              {awserr.Fault{Kind: awserr.Denied, Action: "iam:GetRole"}, "allow the caller iam:GetRole"},
		"denied":                        {awserr.Fault{Kind: awserr.Denied}, "check the credentials and the permissions of the caller"},
		"a role of another account":     {awserr.Fault{Kind: awserr.Denied, Message: "Cross-account pass role is not allowed."}, "use a role of the cluster's account"},
		"no cluster":                    {awserr.Fault{Kind: awserr.ClusterNotFound}, "check the name of the cluster, the account and the region"},
		"throttled":                     {awserr.Fault{Kind: awserr.Throttled}, "call again later, or more slowly"},
		"a failure of AWS":              {awserr.Fault{Kind: awserr.Transient}, "call again later"},
		"anything else":                 {awserr.Fault{Kind: awserr.QuotaExceeded}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.fault.Remedy(); got != tt.want {
				t.Errorf("Remedy() = %q, want %q", got, tt.want)
			}
		})
	}
}
