// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"time"

	"github.com/eksfargate/eksfargate/fake"
)

func clusterScenarios() map[string]scenario {
	return map[string]scenario{
		"a cluster is created, described and deleted": clusterLife,
		"cluster versions are described":              clusterVersions,
		"an access entry is described":                accessEntry,
	}
}

func clusterLife(s session) {
	input := object{
		"name": "other", "roleArn": s.c.RoleARN("eks-cluster"), "version": "1.34",
		"resourcesVpcConfig": object{"subnetIds": listOf(fake.PrivateSubnetIDs()...), "endpointPrivateAccess": true},
		"tags":               object{"team": "x"},
	}
	s.same("status", clusterIn(s.ok("eks", "CreateCluster", input))["status"], "CREATING")
	s.c.Advance(time.Hour)
	cluster := clusterIn(s.ok("eks", "DescribeCluster", object{"name": "other"}))
	for member, want := range map[string]any{
		"status": "ACTIVE", "version": "1.34", "roleArn": input["roleArn"], "tags": input["tags"],
		"arn": "arn:aws:eks:us-east-1:111122223333:cluster/other",
	} {
		s.same(member, cluster[member], want)
	}
	s.checkCertificate(cluster)
	s.same("list", s.ok("eks", "ListClusters", object{})["clusters"], listOf("demo", "other"))
	s.same("status", clusterIn(s.ok("eks", "DeleteCluster", object{"name": "other"}))["status"], "DELETING")
	s.c.Advance(time.Hour)
	s.same("list", s.ok("eks", "ListClusters", object{})["clusters"], listOf("demo"))
}

func clusterIn(output object) object {
	cluster, _ := output["cluster"].(object)
	return cluster
}

// checkCertificate reads the certificate as a client of Kubernetes would.
func (s session) checkCertificate(cluster object) {
	s.Helper()
	authority, _ := cluster["certificateAuthority"].(object)
	text, err := base64.StdEncoding.DecodeString(fmt.Sprint(authority["data"]))
	if err != nil {
		s.Fatal(err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		s.Fatalf("no PEM block in %q", text)
	}
	if _, err := x509.ParseCertificate(block.Bytes); err != nil {
		s.Error(err)
	}
}

func clusterVersions(s session) {
	output := s.ok("eks", "DescribeClusterVersions", object{"clusterVersions": listOf("1.34")})
	versions, _ := output["clusterVersions"].([]any)
	if len(versions) != 1 {
		s.Fatalf("versions %v", versions)
	}
	version, _ := versions[0].(object)
	s.same("version", version["clusterVersion"], "1.34")
	if _, err := moment(version["releaseDate"]); err != nil {
		s.Error(err)
	}
}

func accessEntry(s session) {
	s.active("web")
	about := object{"clusterName": demo, "principalArn": s.c.RoleARN(fake.RoleName)}
	entry, _ := s.ok("eks", "DescribeAccessEntry", about)["accessEntry"].(object)
	s.same("type", entry["type"], "FARGATE_LINUX")
}
