// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package iam

// readDocument turns a JSON tree into a document.
func readDocument(root node) (Document, error) {
	var d Document
	if err := want(root, kindObject, ""); err != nil {
		return d, err
	}
	for _, m := range root.members {
		var err error
		switch m.name {
		case "Version":
			d.Version, err = readLabel(m.value, m.name)
		case "Id":
			d.ID, err = readLabel(m.value, m.name)
		case "Statement":
			d.Statements, err = readStatements(m.value, m.name)
		default:
			d.Other = append(d.Other, Element{Name: m.name, JSON: m.value.json()})
		}
		if err != nil {
			return Document{}, err
		}
	}
	return d, nil
}

func readStatements(n node, path string) ([]Statement, error) {
	if n.kind == kindObject {
		s, err := readStatement(n, path)
		return []Statement{s}, err
	}
	if err := want(n, kindList, path); err != nil {
		return nil, err
	}
	statements := make([]Statement, len(n.items))
	for i, item := range n.items {
		var err error
		if statements[i], err = readStatement(item, indexPath(path, i)); err != nil {
			return nil, err
		}
	}
	return statements, nil
}

func readStatement(n node, path string) (Statement, error) {
	var s Statement
	if err := want(n, kindObject, path); err != nil {
		return s, err
	}
	for _, m := range n.members {
		if err := s.read(m, memberPath(path, m.name)); err != nil {
			return Statement{}, err
		}
	}
	return s, nil
}

func (s *Statement) read(m member, path string) (err error) {
	if list := s.list(m.name); list != nil {
		*list, err = readTexts(m.value, path)
		return err
	}
	switch m.name {
	case "Sid":
		s.Sid, err = readLabel(m.value, path)
	case "Effect":
		var effect string
		effect, err = readLabel(m.value, path)
		s.Effect = Effect(effect)
	case "Principal":
		s.Principal, err = readPrincipal(m.value, path)
	case "NotPrincipal":
		s.NotPrincipal, err = readPrincipal(m.value, path)
	case "Condition":
		s.Condition, err = readCondition(m.value, path)
	default:
		s.Other = append(s.Other, Element{Name: m.name, JSON: m.value.json()})
	}
	return err
}

// list is the field that holds the list element of that name, or nil.
func (s *Statement) list(name string) *[]string {
	switch name {
	case "Action":
		return &s.Action
	case "NotAction":
		return &s.NotAction
	case "Resource":
		return &s.Resource
	case "NotResource":
		return &s.NotResource
	}
	return nil
}

func readPrincipal(n node, path string) (Principal, error) {
	if n.kind == kindString && n.text == "*" {
		return Principal{Everyone: true}, nil
	}
	if n.kind != kindObject {
		return Principal{}, fault(path, `want "*" or an object such as {"Service": "%s"}, got %s`, ServicePrincipal, n.kind)
	}
	byType, err := readLists(n, path)
	return Principal{ByType: byType}, err
}

func readCondition(n node, path string) (Condition, error) {
	if err := want(n, kindObject, path); err != nil {
		return nil, err
	}
	c := make(Condition, len(n.members))
	for _, m := range n.members {
		at := memberPath(path, m.name)
		if err := want(m.value, kindObject, at); err != nil {
			return nil, err
		}
		keys, err := readLists(m.value, at)
		if err != nil {
			return nil, err
		}
		c[m.name] = keys
	}
	return c, nil
}

func readLists(n node, path string) (map[string][]string, error) {
	lists := make(map[string][]string, len(n.members))
	for _, m := range n.members {
		texts, err := readTexts(m.value, memberPath(path, m.name))
		if err != nil {
			return nil, err
		}
		lists[m.name] = texts
	}
	return lists, nil
}

// readTexts reads one scalar or a list of them. The result is never nil.
func readTexts(n node, path string) ([]string, error) {
	items := n.items
	if n.kind != kindList {
		items = []node{n}
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if item.kind == kindNull || item.kind == kindObject || item.kind == kindList {
			return nil, fault(path, "want a string or a list of strings, got %s", item.kind)
		}
		texts[i] = item.text
	}
	return texts, nil
}

// readLabel reads a string. An empty one counts as absent, for no label of a
// document means anything when it is empty.
func readLabel(n node, path string) (string, error) {
	if err := want(n, kindString, path); err != nil {
		return "", err
	}
	return n.text, nil
}

func want(n node, k kind, path string) error {
	if n.kind == k {
		return nil
	}
	return fault(path, "want %s, got %s", k, n.kind)
}
