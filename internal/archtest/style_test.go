package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackages looks at the name of every package and at its comment.
func TestPackages(t *testing.T) {
	commented := map[string]bool{}
	for _, f := range readFiles(t) {
		if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "types"}, f.ast.Name.Name) {
			t.Errorf("%s: a package named %s says nothing about what is in it", f.path, f.ast.Name.Name)
		}
		if f.isTest {
			continue
		}
		words := strings.Fields(f.ast.Doc.Text())
		says := len(words) > 2 && (words[0] == "Package" && words[1] == f.ast.Name.Name || words[0] == "Command" &&
			f.ast.Name.Name == "main")
		commented[f.dir] = commented[f.dir] || says
	}
	for dir, ok := range commented {
		if !ok {
			t.Errorf("the package in %s has no comment that says its duty and what it may depend on", dir)
		}
	}
}

// explained are methods of interfaces that others have written, or that stand for many types: what they do is said
// there.
var explained = []string{"Describe", "Read", "String", "Error", "MarshalText", "MarshalJSON", "UnmarshalJSON",
	"GoString", "LogValue", "Len", "Less", "Swap", "Push", "Pop", "Validate", "Run"}

// TestComments finds exported functions, types and methods of exported types without a comment.
func TestComments(t *testing.T) {
	for _, f := range readFiles(t) {
		if f.isTesting() || strings.HasSuffix(f.dir, "test") || strings.HasSuffix(f.path, "_gen.go") {
			continue
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d)) &&
					!slices.Contains(explained, d.Name.Name)) {
					t.Errorf("%s:%d: nothing is said about %s", f.path, f.line(d), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil &&
						s.Comment == nil {
						t.Errorf("%s:%d: nothing is said about %s", f.path, f.line(s), s.Name.Name)
					}
				}
			}
		}
	}
}

// skipsAllowed reports whether the file may skip a test: only for a program that is missing on the machine, which
// dbtest, pdftest and uitest turn into a failure with ADMITTO_TEST_NOSKIP=1.
func skipsAllowed(f *file) bool {
	return f.dir == "store/db/dbtest" || f.dir == "pdf/pdftest" || f.dir == "uitest" ||
		f.path == "internal/store/db/open_test.go" || f.path == "internal/store/postgres_test.go" ||
		f.path == "cmd/admitto/examples_test.go"
}

// avoided are words for which the comments and documents of this project have plainer ones.
var avoided = regexp.MustCompile(`(?i)\b(tells whether|journeys?|whoever|moments?|anew|beside|in force|machine word|` +
	`patience|house|dossier)\b`)

// meant are those that are the right ones where they stand: what programs of others know, and a part of an address.
var meant = regexp.MustCompile(`client\.Moment|\bMoment is|house number|"Unavailable for the moment"`)

// TestWordsOfDocuments looks for them in what people read who run or change the service; the specification is given.
func TestWordsOfDocuments(t *testing.T) {
	for _, pattern := range []string{"*.md", "Makefile", "docs/*.md", "docs/adr/*.md", "bench/*.md", "deploy/*", ".ci/*"} {
		documents, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(documents) == 0 {
			t.Errorf("no documents are found by %s: %v", pattern, err)
		}
		for _, document := range documents {
			text, err := os.ReadFile(document)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if word := avoided.FindString(meant.ReplaceAllString(line, "")); word != "" {
					t.Errorf("%s:%d: %q has a plainer word", strings.TrimPrefix(document, root+"/"), i+1, word)
				}
			}
		}
	}
}

// TestWords looks for them in comments, also where a line ends within them.
func TestWords(t *testing.T) {
	for _, f := range slices.Concat(readFiles(t), readModule(t, "test"), readModule(t, "bench")) {
		for _, group := range f.ast.Comments {
			if f.dir == "archtest" {
				continue
			}
			if word := avoided.FindString(meant.ReplaceAllString(said(group), "")); word != "" {
				t.Errorf("%s:%d: %q has a plainer word", f.path, f.line(group), word)
			}
		}
		for _, d := range f.ast.Decls {
			for _, name := range namesOf(d) {
				if word := avoidedNames.FindString(name); word != "" && f.dir != "archtest" && !published[f.dir+" "+name] {
					t.Errorf("%s:%d: %q in the name %s has a plainer word", f.path, f.line(d), word, name)
				}
			}
		}
	}
}

// said is what a comment says, in one line.
func said(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }

// TestReturns finds comments that say what a function returns which has no results: it sets, stores or writes that.
// "Returns when" says how long it takes.
func TestReturns(t *testing.T) {
	for _, f := range slices.Concat(readFiles(t), readModule(t, "test"), readModule(t, "bench")) {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Type.Results != nil {
				continue
			}
			what, returns := strings.CutPrefix(said(fn.Doc), fn.Name.Name+" returns ")
			if returns && !strings.HasPrefix(what, "when ") {
				t.Errorf("%s:%d: %s has no results, and its comment says that it returns %.20s…", f.path, f.line(fn), fn.Name.Name,
					what)
			}
		}
	}
}

// avoidedNames are such words in the names of what is declared.
var avoidedNames = regexp.MustCompile(`[Mm]oment|[Tt]all(y|ies)|[Dd]ossier|[Pp]atience|[Aa]new|[Jj]ourney|[Bb]eside($|[A-Z])|^asked$|^gives`)

// published are the names that stay, since programs of others know them: by folder and name.
var published = map[string]bool{"client Moment": true}

// TestStyle reads every file for what the rules of style forbid.
func TestStyle(t *testing.T) {
	for _, f := range readFiles(t) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.Name == "init" {
					t.Errorf("%s:%d: no init functions: wire it in cmd/admitto", f.path, f.line(n))
				}
			case *ast.BinaryExpr:
				if strings.HasPrefix(f.dir, "api") && !f.isTest && f.dir != "api/version" && comparesVersion(&f, n) {
					t.Errorf("%s:%d: ask c.version.Has(change) for a change of internal/api/version/history.go, not for a number",
						f.path, f.line(n))
				}
			case *ast.CallExpr:
				call, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !f.isTesting() {
					return true
				}
				name := call.Sel.Name
				if (name == "Skip" || name == "Skipf" || name == "SkipNow") && !skipsAllowed(&f) {
					t.Errorf("%s:%d: tests are not skipped; what needs a database takes it from dbtest", f.path, f.line(n))
				}
			}
			return true
		})
	}
}

// passing are the functions of package time that wait for a time to pass, at once or when their timer ends.
var passing = []string{"Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}

// TestNoTestWaitsForTime reads all test code, that of the modules for tests too: a test that waits for a time to pass
// is slow on a fast machine and fails on a slow one. What waits for a condition or an event does so in internal/wait.
func TestNoTestWaitsForTime(t *testing.T) {
	files := readFiles(t)
	for _, module := range []string{"test", "bench"} {
		files = append(files, readModule(t, module)...)
	}
	for _, f := range files {
		if f.dir == "wait" || !f.isTesting() {
			continue
		}
		for _, use := range waitsForTime(&f) {
			t.Error(use)
		}
	}
}

// waitsForTime returns the places where a file uses one of them, called or not, by whatever name it imports the
// package.
func waitsForTime(f *file) (places []string) {
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if used, ok := n.(*ast.SelectorExpr); ok && slices.Contains(passing, used.Sel.Name) &&
			nameOf(used.X) == f.nameOfImport("time") {
			places = append(places, fmt.Sprintf("%s:%d: tests do not wait for a time to pass (time.%s): inject a clock, wait for an event or a condition "+
				"(internal/wait), or use testing/synctest", f.path, f.line(used), used.Sel.Name))
		}
		return true
	})
	return places
}

// The three ways to wait for a time are found, and what only looks like one is not.
func TestWaitsForTime(t *testing.T) {
	for text, found := range map[string]int{
		`import "time"; func f() { time.Sleep(1) }`:                              1,
		`import "time"; func f() { <-time.After(1) }`:                            1,
		`import "time"; func f() { t := time.NewTimer(1); <-t.C }`:               1,
		`import "time"; func f() { time.AfterFunc(1, f); time.NewTicker(1) }`:    2,
		`import clock "time"; func f() { g(clock.Sleep); <-clock.Tick(1) }`:      2,
		`import "time"; func f() { time.Now().After(time.Time{}) }`:              0,
		`import "time"; func f() { time.Unix(1, 0) }; type x struct{ Tick int }`: 0,
	} {
		f, err := parseFile("x_test.go", "package x; "+text)
		if err != nil {
			t.Fatal(err)
		}
		if got := waitsForTime(&f); len(got) != found {
			t.Errorf("%s: %q, want %d", text, got, found)
		}
	}
}

// comparesVersion reports whether the expression compares something that is called a version with a number (not the row
// version of lifecycle.md R8). In
// tests that is fine: they say what is expected in their own words.
func comparesVersion(f *file, e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
	default:
		return false
	}
	isVersion := func(x ast.Expr) bool {
		name := strings.ToLower(nameOf(x))
		return strings.HasSuffix(name, "version") && name != "rowversion" || name == "v" && strings.HasPrefix(f.dir, "api")
	}
	return isVersion(e.X) && isNumber(e.Y) || isNumber(e.X) && isVersion(e.Y)
}

// nameOf returns the last name of an expression such as v, c.version or int(v), "" when it has none.
func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.ParenExpr:
		return nameOf(x.X)
	case *ast.CallExpr:
		if len(x.Args) == 1 {
			return nameOf(x.Args[0])
		}
	}
	return ""
}

func isNumber(x ast.Expr) bool {
	literal, ok := x.(*ast.BasicLit)
	return ok && literal.Kind == token.INT
}

var link = regexp.MustCompile(`\]\(([^)\s#]+)[^)]*\)`)

// TestLinks follows the links of the documents to other files of the repository.
func TestLinks(t *testing.T) {
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(documents) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	decisions, err := filepath.Glob(filepath.Join(root, "docs", "adr", "*.md"))
	if err != nil || len(decisions) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	documents = append(documents, decisions...)
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", contract + "/README.md"} {
		documents = append(documents, filepath.Join(root, name))
	}
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), match[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", document, match[1])
			}
		}
	}
}

var (
	iconNamed = regexp.MustCompile(`\bIcon: *"([^"]+)"[,}\n]`)
	iconDrawn = regexp.MustCompile(`<symbol id="([^"]+)"`)
)

// TestIcons compares the icons that the code names with those of the sprite.
func TestIcons(t *testing.T) {
	drawn := map[string]bool{}
	for _, symbol := range iconDrawn.FindAllStringSubmatch(read(t, "internal/ui/vendored/icons.svg"), -1) {
		drawn[symbol[1]] = true
	}
	named := 0
	for _, f := range readFiles(t) {
		for _, icon := range iconNamed.FindAllStringSubmatch(f.text, -1) {
			if named++; !drawn[icon[1]] {
				t.Errorf("%s: there is no icon %q in the sprite (internal/ui/vendored)", f.path, icon[1])
			}
		}
	}
	if named == 0 {
		t.Error("no icon is found in the code")
	}
}
