// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// checkTrust refuses a trust document as IAM does (texts: reported).
func (t *tx) checkTrust(document string) error {
	statements, err := readDocument(document)
	if err != nil {
		return err
	}
	for _, s := range statements {
		if err := t.checkTrustStatement(s); err != nil {
			return err
		}
	}
	if limit := t.cloud.opts.Quotas.TrustPolicyLength; documentSize(document) > limit {
		return apiErrorf(codeLimitExceeded, "Cannot exceed quota for ACLSizePerRole: %d", limit)
	}
	return nil
}

func (t *tx) checkTrustStatement(s statementFields) error {
	switch {
	case s.has("Resource", "NotResource"):
		return malformed("Has prohibited field Resource")
	case !s.has("Principal", "NotPrincipal"):
		return malformed("Missing required field Principal")
	case !s.has("Action", "NotAction"):
		return malformed("Missing required field Action")
	}
	var actions stringList
	if err := json.Unmarshal(firstOf(s["Action"], s["NotAction"]), &actions); err != nil {
		return malformed("Syntax errors in policy.")
	}
	for _, action := range actions {
		if !strings.HasPrefix(strings.ToLower(action), "sts:") {
			return malformed("AssumeRole policy may only specify STS AssumeRole actions.")
		}
	}
	var p principal
	if err := json.Unmarshal(firstOf(s["Principal"], s["NotPrincipal"]), &p); err != nil {
		return malformed("Invalid principal in policy.")
	}
	return t.checkPrincipal(p)
}

func firstOf(a, b json.RawMessage) json.RawMessage {
	if a != nil {
		return a
	}
	return b
}

func (t *tx) checkPrincipal(p principal) error {
	if !p.Everybody && len(p.ByKind) == 0 {
		return malformed("Missing required field Principal")
	}
	for _, kind := range slices.Sorted(maps.Keys(p.ByKind)) {
		for _, name := range p.ByKind[kind] {
			if !t.knowsPrincipal(kind, name) {
				return malformed("Invalid principal in policy: %q:%q", strings.ToUpper(kind), name)
			}
		}
	}
	return nil
}

// knowsPrincipal reports whether a principal can be named. Of those that must
// exist, it knows the roles of the account; users and other accounts are taken
// to exist.
func (t *tx) knowsPrincipal(kind, name string) bool {
	switch kind {
	case "Service":
		return isServicePrincipal(name)
	case "AWS":
		return t.knowsIdentity(name)
	case "Federated", "CanonicalUser":
		return name != ""
	default:
		return false
	}
}

// isServicePrincipal reports whether a name has the form of a service's, such
// as eks-fargate-pods.amazonaws.com.
func isServicePrincipal(name string) bool {
	service, domain, found := strings.Cut(name, ".")
	return found && service != "" && (strings.Contains("."+domain, ".amazonaws.com") || strings.HasSuffix(domain, ".aws"))
}

func (t *tx) knowsIdentity(name string) bool {
	if name == "*" || isAccount(name) {
		return true
	}
	a, ok := parseARN(name)
	if !ok || !isAccount(a.Account) {
		return false
	}
	if isRole := strings.HasPrefix(a.Resource, "role/"); isRole && a.Account == t.caller.Account {
		return t.account.roleRecord(name) != nil
	}
	return a.Service == "iam" || a.Service == "sts"
}
