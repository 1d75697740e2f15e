// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fake is an AWS in memory, for tests of code that works with Fargate
// profiles of Amazon EKS. It refuses what AWS refuses, with AWS's error types,
// statuses and texts as far as public sources know them.
//
//	c := fake.New()
//	client := c.EKS()      // has the methods of *eks.Client
//
// or, with the SDK's own client, without a socket:
//
//	client := eks.New(eks.Options{
//		Region:      "us-east-1",
//		HTTPClient:  c.HTTPClient(),
//		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
//	})
//
// Cloud.Handler is the same as an http.Handler, and Cloud.Start listens on a
// socket for programs in other languages.
//
// # Time
//
// A profile is CREATING and DELETING for as long as Options.Delays say. Time is
// Options.Now plus what Cloud.Advance has added, so a test either advances the
// Cloud, or runs in a testing/synctest bubble, where time passes by itself. No
// goroutine runs in the background: what has changed is computed when somebody
// looks.
//
// # What EKS enforces
//
//   - A cluster takes one change of a profile at a time, and none during the
//     update that follows the creation of a profile for a while. DescribeCluster
//     says ACTIVE all along.
//   - A name is unique in its cluster; names that begin with eks- are reserved.
//   - Subnets must be private, in the cluster's VPC and in a zone with Fargate;
//     without any, EKS takes the private ones of the cluster.
//   - The pod execution role must let EKS Fargate assume it for this profile: its
//     trust document is evaluated with the profile's ARN as aws:SourceArn.
//   - Only tags can be changed.
//   - A cluster with profiles cannot be deleted, and none can be created while a
//     caller's update of the cluster goes on.
//   - The first profile of a role makes the cluster admit it: with an access entry,
//     or in mode CONFIG_MAP with a row of aws-auth. An entry means one role by its
//     unique id: a role that is made again under its old name is not admitted, and
//     pods of its profiles get no node.
//
// A create is checked in this order: the request by itself, the cluster, the
// name, the cluster's status, changes in progress, the quota, the role, the
// subnets.
//
// # What IAM and STS enforce
//
// Cloud.IAM and Cloud.STS are to IAM and STS what Cloud.EKS is to EKS; on the wire
// they speak the query protocol.
//
//   - IAM is eventually consistent. Options.Delays.RoleTrust is how long EKS and
//     STS do not see a new role or a new trust document, which is refused like a
//     role that trusts somebody else; while a changed document spreads, the old one
//     counts. Options.Delays.RoleRead is how long reads lag. Roles of New and
//     AddRole are old.
//   - Names of roles, policies and instance profiles are unique without regard to
//     case. A role that was deleted and made again has another unique id.
//   - A role is deleted only without inline policies, managed policies and instance
//     profiles, a policy only when nothing uses it, also not as a boundary.
//   - Options.Quotas are enforced, and the sizes of documents without white space.
//   - Documents must have the form that IAM asks for. They are reported
//     URL-encoded, and the SDK for Go does not decode them.
//   - Of the policies of AWS a few exist, in every partition, among them
//     AmazonEKSFargatePodExecutionRolePolicy.
//   - The first profile of an account makes the service-linked role
//     AWSServiceRoleForAmazonEKSForFargate, which nobody but AWS can change.
//   - Lists are paged; Options.PageSize makes pages shorter than asked for.
//   - AssumeRole evaluates the role's trust document. Requests that are signed with
//     its credentials come from the role.
//
// # Pods
//
// Cloud.RunPod gives a pod to the profile that EKS would choose, at its creation
// and never again. The pod gets a node of its own after a while. When the
// deletion of its profile begins, it ends; if it is Replicated, another takes
// its place, which is placed anew or stays Pending. Cloud.Pods, Cloud.Events and
// Cloud.PodStats tell what became of pods and how long they were Pending.
//
// # Hostility
//
// Cloud.Inject takes faults as data: errors of any code, throttling, requests and
// replies that are lost, slow replies, stale reads, denied permissions, and
// changes that fail, take long or never end. Cloud.SetPolicy restricts a caller
// to a policy document. Cloud.Chaos makes things go wrong at random, repeatably.
// KillAt ends a caller at its n-th call, before or after the effect, and
// Cloud.Before lets something happen between two calls.
//
// # Other languages
//
// A program that cannot call methods of Cloud sends requests to its handler:
//
//	POST   /_fake/reset       Reset
//	POST   /_fake/advance     {"duration":"90s"}
//	POST   /_fake/fault       a Fault, or a list of them
//	DELETE /_fake/fault       ClearFaults
//	POST   /_fake/chaos       ChaosOptions
//	POST   /_fake/policy      {"caller":"arn:...","document":"{...}"}
//	GET    /_fake/snapshot    Snapshot
//	POST   /_fake/restore     a snapshot
//	GET    /_fake/calls       the journal; ?operation=Name for some of it
//	GET    /_fake/permissions what the calls of the journal took
//	GET    /_fake/operations  what is implemented
//	GET    /_fake/inventory   Inventory
//	POST   /_fake/cluster     Cluster
//	POST   /_fake/profile     Profile
//	POST   /_fake/role        {"name":"...","trust":"{...}"}
//	POST   /_fake/subnet      Subnet
//	POST   /_fake/pod         Pod
//	DELETE /_fake/pod         ?cluster=...&namespace=...&name=...
//	GET    /_fake/pods        Pods
//	GET    /_fake/events      Events
//
// Whoever reaches the handler can use them: do not let it listen where strangers
// are. Options.Lenient is for suites that were written against simple emulators.
//
// # Differences from AWS
//
// Where no public source says what AWS does, the fake does one thing and often
// has an option for another:
//
//   - The order of checks is a choice.
//   - Options.ReplayTokens: a second create with the same clientRequestToken is
//     refused like any other, because the name is taken.
//   - Options.CreateWhileBusy: a create during the hidden update is refused, as a
//     delete is.
//   - Options.RefuseTagsInProgress: tags can be changed in every status.
//   - Options.RefuseUpdatesInChange: a cluster can be updated while a profile is
//     CREATING or DELETING.
//   - Options.AcceptRolePaths: a role with a path other than / is refused.
//   - Options.EmptyLabels: a selector without labels is reported without the
//     labels member.
//   - Options.ListOrder: lists are sorted by name.
//   - A role that does not exist is refused with the text for a role that does
//     not trust EKS Fargate. A role of another account is refused with the text
//     of other services.
//   - A profile that is CREATING or DELETING cannot be deleted; the text is that
//     for another profile in this status. A failed one can be.
//   - The texts for subnets that do not exist or are in another VPC, for more
//     selectors than allowed, for characters in names, for tags and for paging
//     are the fake's own.
//   - Namespaces and labels of selectors may have any characters.
//   - In trust documents, policy variables are not replaced, and only the
//     operators for strings, ARNs, booleans and null can be true for the keys of
//     a request: aws:SourceArn, aws:SourceAccount, aws:PrincipalIsAWSService and
//     aws:PrincipalServiceName; for AssumeRole aws:PrincipalArn,
//     aws:PrincipalAccount, sts:ExternalId and sts:RoleSessionName.
//   - CreateCluster keeps name, version, role, subnets, security groups, endpoint
//     access, authentication mode and tags, and ignores the rest. It does not check
//     the cluster's role.
//   - UpdateClusterConfig knows the authentication mode and the endpoint access.
//     Updates that EKS makes for itself are not listed.
//   - Cluster versions are those of 2025, with their calendar.
//   - Access entries have no access policies. Most of their texts are the fake's
//     own.
//   - In mode API_AND_CONFIG_MAP, EKS makes an access entry and no row. It makes
//     the entry at once, leaves it when the profile goes, and renews it with the
//     next profile if the role was made again.
//   - A role with an access entry of another type makes a profile fail with
//     PodExecutionRoleAlreadyInUse.
//   - An access key of twelve digits names an account, one of AssumeRole a session;
//     every other key belongs to Options.Account. Sessions do not expire.
//     Options.RequireSignature asks for signatures of the right form; whether one
//     is right is never checked.
//   - Which permissions a create takes besides its own, and in which order they
//     are checked, follows from reports: eks:TagResource with tags, iam:PassRole,
//     iam:GetRole, iam:CreateServiceLinkedRole until the account has the role, and
//     without subnets ec2:DescribeSubnets and ec2:DescribeRouteTables. The text for
//     the last two is known in part.
//   - The text of a denial has no sentence on which kind of policy is to blame,
//     and names a profile that a caller asks for with /* for its id.
//   - iam:PassedToService is eks-fargate-pods.amazonaws.com for a pod execution
//     role.
//   - Policies of roles and users in IAM do not restrict callers; Cloud.SetPolicy
//     does.
//   - Options.PodsOutliveDeleting: the pods of a profile end when its deletion
//     begins.
//   - A pod that asks by label for a profile that does not match it, or does not
//     exist, is given to the default scheduler.
//   - Profiles are ordered by the bytes of their names. One label of a pod may
//     satisfy two wildcard labels of a selector, and * matches / in keys.
//   - There are no other nodes than those of Fargate: pods of the default
//     scheduler stay Pending. A pod that Fargate refuses is not tried again.
//   - The event text for a pod that asks for several unsupported things joins the
//     texts for each.
//   - A role that is deleted is not trusted any more at once.
//   - A role is found by its name in the case of its creation, and in no other.
//   - CreateRole and CreatePolicy report no description and no session limit, as in
//     AWS's command examples.
//   - Of the principals of a trust document, roles of the account must exist; users
//     and whatever is in other accounts are taken to exist.
//   - A tag whose key differs only by case from an old one replaces it, and UntagRole
//     removes it whatever the case.
//   - DeleteRolePermissionsBoundary succeeds when there is no boundary.
//   - Managed policies have one version. Those of AWS have no document and the same
//     date.
//   - The texts of IAM for markers, for tags of AWS, for too many tags and for
//     services without a linked role are the fake's own. ValidationError repeats no
//     value, as the newest reports do not.
//   - RoleLastUsed is always empty.
//   - The typed clients make one attempt, where the SDK's clients retry.
package fake
