// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

func tagScenarios() map[string]scenario {
	return map[string]scenario{
		"tags of a profile change": func(s session) { changeTags(s, s.active("web")) },
		"tags of a cluster change": func(s session) { changeTags(s, "arn:aws:eks:us-east-1:111122223333:cluster/demo") },
	}
}

// changeTags uses keys and values that a URL or a shell could spoil.
func changeTags(s session, resourceARN string) {
	about := object{"resourceArn": resourceARN}
	s.ok("eks", "TagResource", with(about, "tags", object{"team": "one", "a/b c:d=e+f@g": "x y", "empty": ""}))
	s.ok("eks", "TagResource", with(about, "tags", object{"team": "two"}))
	s.same("tags", s.ok("eks", "ListTagsForResource", about)["tags"],
		object{"team": "two", "a/b c:d=e+f@g": "x y", "empty": ""})
	s.ok("eks", "UntagResource", with(about, "tagKeys", listOf("a/b c:d=e+f@g", "empty", "never set")))
	s.same("tags", s.ok("eks", "ListTagsForResource", about)["tags"], object{"team": "two"})
}
