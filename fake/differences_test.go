// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fake_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// differences ties each row of "Differences from AWS", by how it begins, to the
// tests that hold it.
func differences() map[string][]string {
	return map[string][]string{
		"The order of checks is a choice.":                            {"TestOrderOfChecks"},
		"Options.ReplayTokens:":                                       {"TestRetryAfterALostReply", "TestReplayedTokenWithOtherParameters"},
		"Options.CreateWhileBusy:":                                    {"TestCreateInTheHiddenUpdate"},
		"Options.RefuseTagsInProgress:":                               {"TestTagsInProgressAreRefusedOnRequest"},
		"Options.RefuseUpdatesInChange:":                              {"TestUpdatesDuringAChangeOfAProfile"},
		"Options.AcceptRolePaths:":                                    {"TestRoleARNsThatCannotBeUsed", "TestRolePathsAreAcceptedOnRequest"},
		"Options.EmptyLabels:":                                        {"TestLabelStyles"},
		"Options.ListOrder:":                                          {"TestListOrders"},
		"A role that does not exist is refused":                       {"TestRoleARNsThatCannotBeUsed", "TestARoleOfAnotherAccountIsRefused"},
		"A profile that is CREATING or DELETING cannot be deleted;":   {"TestDeleteOfAProfileInAChange", "TestOutcomeOfAChangeCanBeScripted"},
		"The texts for subnets that do not exist":                     {"TestUnreportedRefusals", "TestTagRefusals", "TestPagingRefusals"},
		"Namespaces and labels of selectors may have any characters.": {"TestSelectorsMayHaveAnyCharacters"},
		"In trust documents, policy variables are not replaced,":      {"TestTrustIsEvaluated", "TestPolicyVariablesAreNotReplaced", "TestSTSTrustIsEvaluated"},
		"CreateCluster keeps name,":                                   {"TestEveryTransportShowsTheSameCluster", "TestEndpointAccessOfANewCluster", "TestRoleOfAClusterIsNotChecked"},
		"UpdateClusterConfig knows":                                   {"TestConfigUpdates", "TestUpdatesThatAreRefused", "TestHiddenUpdatesAreNotListed"},
		"Cluster versions are those of 2025,":                         {"TestClusterVersions"},
		"Access entries have no access policies.":                     {"TestAccessEntriesByHand", "TestAccessEntriesThatAreRefused"},
		"In mode API_AND_CONFIG_MAP,":                                 {"TestFirstProfileOfARoleMakesAnAccessEntry", "TestScenario_B61_RoleThatTheClusterDoesNotAdmit", "TestAccessEntryOutlivesItsProfile"},
		"A role with an access entry of another type":                 {"TestScenario_B62_RoleOfInstances"},
		"An access key of twelve digits names an account,":            {"TestCallerFollowsFromTheCredentialScope", "TestSTSSessionsAct", "TestSignaturesThatAreRefused"},
		"Which permissions a create takes":                            {"TestDeniedPermissionsHaveTheTextsOfAWS", "TestPermissionsOfCalls", "TestServiceLinkedRoleIsMadeOnce"},
		"The text of a denial":                                        {"TestDeniedPermissionsHaveTheTextsOfAWS"},
		"iam:PassedToService is":                                      {"TestPolicyOfACaller"},
		"Policies of roles and users in IAM do not restrict callers;": {"TestPoliciesOfRolesDoNotRestrict", "TestPolicyOfACaller"},
		"Options.PodsOutliveDeleting:":                                {"TestScenario_B20_PodsEndWithTheirProfile", "TestPodsThatOutliveDeleting"},
		"A pod that asks by label":                                    {"TestPlacementOfPods"},
		"Profiles are ordered by the bytes":                           {"TestPlacementOfPods"},
		"There are no other nodes":                                    {"TestScenario_B68_PodsThatAreOlderThanTheirProfile", "TestPodOfAProfileWhoseRoleIsGone"},
		"The event text for a pod":                                    {"TestUnsupportedPods"},
		"A role that is deleted is not trusted":                       {"TestAReCreatedRoleIsAnotherRole"},
		"A role is found by its name":                                 {"TestRoleIsFoundInItsOwnCase"},
		"CreateRole and CreatePolicy report no description":           {"TestIAMRoleIsReported"},
		"Of the principals of a trust document,":                      {"TestIAMTrustDocuments"},
		"A tag whose key differs only by case":                        {"TestIAMTagsOfARole"},
		"DeleteRolePermissionsBoundary succeeds":                      {"TestBoundaryThatIsNotThereCanBeDeleted"},
		"Managed policies have one version.":                          {"TestIAMPoliciesOfAWS"},
		"The texts of IAM for markers,":                               {"TestIAMMarkerThatIsNotOurs", "TestIAMTagRules", "TestIAMValidation"},
		"RoleLastUsed is always empty.":                               {"TestIAMRoleIsReported"},
		"The typed clients make one attempt,":                         {"TestTypedClientMakesOneAttempt"},
	}
}

func TestEveryDifferenceHasATest(t *testing.T) {
	rows, tests := differenceRows(t), testNames(t)
	held := differences()
	for _, row := range rows {
		found := ""
		for begin := range held {
			if strings.HasPrefix(row, begin) {
				found = begin
			}
		}
		if found == "" {
			t.Errorf("no test is named for: %s", row)
			continue
		}
		for _, name := range held[found] {
			if !tests[name] {
				t.Errorf("%s, which holds %q, does not exist", name, found)
			}
		}
		delete(held, found)
	}
	for begin := range held {
		t.Errorf("no row begins with: %s", begin)
	}
}

// differenceRows reads the rows from the package's documentation.
func differenceRows(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "// # Differences from AWS\n")
	if !found {
		t.Fatal("doc.go has no section on differences")
	}
	var rows []string
	for line := range strings.Lines(section) {
		if row, begins := strings.CutPrefix(line, "//   - "); begins {
			rows = append(rows, strings.TrimSpace(row))
		} else if more, goesOn := strings.CutPrefix(line, "//     "); goesOn {
			rows[len(rows)-1] += " " + strings.TrimSpace(more)
		}
	}
	return rows
}

func testNames(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}
