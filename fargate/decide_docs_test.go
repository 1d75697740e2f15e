// Copyright The eksfargate Authors.
// SPDX-License-Identifier: Apache-2.0

package fargate_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eksfargate/eksfargate/fargate"
)

const decisionPage = "../docs/decision.md"

// updated compares the text of a file with what it should be, or writes it.
func updated(t *testing.T, path, have, want string) {
	t.Helper()
	if have == want {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not current, -update writes it (-want +got):\n%s", path, cmp.Diff(want, have))
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// replaced replaces the one match of the pattern.
func replaced(t *testing.T, text, pattern, by string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	if n := len(re.FindAllString(text, -1)); n != 1 {
		t.Fatalf("%d places match %s, want one", n, pattern)
	}
	return re.ReplaceAllLiteralString(text, by)
}

// The doc comment of Decide draws both chains, one rule a line.
func TestTheDocCommentDrawsTheRules(t *testing.T) {
	const path = "decide.go"
	have := textOf(t, path)
	want := have
	for heading, absent := range map[string]bool{"When the profile is desired:": false, "When it must not be there:": true} {
		var lines strings.Builder
		for _, r := range fargate.ChainTexts(absent) {
			fmt.Fprintf(&lines, "//\t%s: %s -> %s\n", r.Name, r.When, r.Then)
		}
		want = replaced(t, want, "// "+heading+"\n//\n(//\t.*\n)+", "// "+heading+"\n//\n"+lines.String())
	}
	updated(t, path, have, want)
}

// The page of the documents has generated parts between comments.
func TestTheDecisionPageIsCurrent(t *testing.T) {
	have := textOf(t, decisionPage)
	want := have
	for name, part := range map[string]string{
		"rules for a desired profile":                ruleTableOf(false),
		"rules for a profile that must not be there": ruleTableOf(true),
		"reasons": reasonTables(t),
	} {
		begin, end := "<!-- generated: "+name+" -->\n", "<!-- end of generated -->\n"
		want = replaced(t, want, "(?s)"+begin+".*?"+end, begin+"\n"+part+"\n"+end)
	}
	updated(t, decisionPage, have, want)
}

func ruleTableOf(absent bool) string {
	var b strings.Builder
	b.WriteString("| | rule | applies when | decision |\n|---|---|---|---|\n")
	for i, r := range fargate.ChainTexts(absent) {
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", i+1, r.Name, r.When, r.Then)
	}
	return b.String()
}

// reasonTables are the reasons in the words of their doc comments.
func reasonTables(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, g := range reasonGroups(t) {
		fmt.Fprintf(&b, "### %s\n\n| reason | meaning |\n|---|---|\n", strings.TrimSuffix(g.title, "."))
		for _, r := range g.reasons {
			fmt.Fprintf(&b, "| `%s` | %s |\n", r.word, r.meaning)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type reasonGroup struct {
	title   string
	reasons []reasonDoc
}

type reasonDoc struct{ word, meaning string }

func reasonGroups(t *testing.T) []reasonGroup {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var groups []reasonGroup
	for _, decl := range file.Decls {
		consts, ok := decl.(*ast.GenDecl)
		if !ok || consts.Tok != token.CONST || !strings.HasPrefix(consts.Doc.Text(), "Reasons of") {
			continue
		}
		g := reasonGroup{title: strings.TrimSpace(consts.Doc.Text())}
		for _, spec := range consts.Specs {
			g.reasons = append(g.reasons, reasonOf(t, spec.(*ast.ValueSpec)))
		}
		groups = append(groups, g)
	}
	if len(groups) != 4 {
		t.Fatalf("reason.go has %d groups of reasons, want 4", len(groups))
	}
	return groups
}

func reasonOf(t *testing.T, spec *ast.ValueSpec) reasonDoc {
	t.Helper()
	name := spec.Names[0].Name
	word := strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`)
	meaning := strings.Join(strings.Fields(spec.Doc.Text()), " ")
	meaning = strings.TrimPrefix(meaning, name+" ")
	for _, verb := range []string{"means that ", "means ", "is "} {
		meaning = strings.TrimPrefix(meaning, verb)
	}
	if "Reason"+word != name || meaning == "" {
		t.Errorf("the reason %s has the word %q and the meaning %q", name, word, meaning)
	}
	return reasonDoc{word, strings.ToUpper(meaning[:1]) + meaning[1:]}
}

// Reasons are fit for the reason of a Kubernetes condition, and no two are alike.
func TestReasonsFitAKubernetesCondition(t *testing.T) {
	form := regexp.MustCompile(`^[A-Z][A-Za-z]{2,60}$`)
	seenBefore := map[string]bool{}
	for _, g := range reasonGroups(t) {
		for _, r := range g.reasons {
			if !form.MatchString(r.word) || seenBefore[r.word] {
				t.Errorf("the reason %q is no CamelCase word, or comes twice", r.word)
			}
			seenBefore[r.word] = true
		}
	}
}

// What a rule does, other than to wait or to be blocked, its text says.
func TestTheTextsOfTheRulesSayWhatTheyDo(t *testing.T) {
	for _, absent := range []bool{false, true} {
		rules := fargate.ChainTexts(absent)
		for _, c := range decideCases(t, absent) {
			d := fargate.Decide(c.in)
			if d.Action == fargate.ActionWait || d.Action == fargate.ActionBlocked {
				continue
			}
			r := rules[deciding(c.in, len(rules))]
			if !strings.Contains(r.Then, string(d.Action)+" ") || !strings.Contains(r.Then, string(d.Reason)) {
				t.Fatalf("the rule %q decides %s and says %q", r.Name, verdict(d), r.Then)
			}
		}
	}
}

// deciding is the place of the rule that decides: the first with which the rules
// before it come to the decision of all.
func deciding(in fargate.Input, n int) int {
	want := fargate.Decide(in)
	for i := range n {
		if got := fargate.DecideBy(in, allPlaces(i+1)); got.Message == want.Message && got.Reason == want.Reason {
			return i
		}
	}
	return n - 1
}

// The texts of the rules name reasons that exist.
func TestTheTextsOfTheRulesNameRealReasons(t *testing.T) {
	known := map[string]bool{}
	for _, g := range reasonGroups(t) {
		for _, r := range g.reasons {
			known[r.word] = true
		}
	}
	word := regexp.MustCompile(`[A-Z][a-z]+[A-Za-z]*`)
	for _, absent := range []bool{false, true} {
		for _, r := range fargate.ChainTexts(absent) {
			found := word.FindAllString(r.Then, -1)
			if len(found) == 0 {
				t.Errorf("the rule %q names no reason", r.Name)
			}
			for _, reason := range found {
				if !known[reason] {
					t.Errorf("the rule %q names %q, which is no reason", r.Name, reason)
				}
			}
		}
	}
}
