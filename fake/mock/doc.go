// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

// Package mock has gomock mocks of the interfaces that the library calls, for
// tests that must force an order of calls. For everything else the fake is
// better: it refuses what AWS refuses, where a mock believes what it is told.
//
// The files are generated: go generate ./fake/mock
package mock

//go:generate go -C ../../internal/tools tool mockgen -source ../../fargate/lifecycle/api.go -destination ../../fake/mock/lifecycle.go -package mock -write_package_comment=false -copyright_file ../../fake/mock/header.txt -mock_names API=LifecycleAPI,Roles=LifecycleRoles,RoleLooker=LifecycleRoleLooker
//go:generate go -C ../../internal/tools tool mockgen -source ../../iam/role/api.go -destination ../../fake/mock/role.go -package mock -write_package_comment=false -copyright_file ../../fake/mock/header.txt -mock_names API=RoleAPI,Profiles=RoleProfiles
