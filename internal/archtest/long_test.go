package archtest

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLongTests compares the tests that have a longer size with those that the Makefile runs in it, so that CI runs all
// of them. Those that open a browser have one.
func TestLongTests(t *testing.T) {
	makefile := strings.ReplaceAll(read(t, "Makefile"), "\\\n", "")
	words := func(name string) []string {
		match := regexp.MustCompile(`(?m)^` + name + ` = (.*)$`).FindStringSubmatch(makefile)
		if match == nil {
			t.Fatalf("the Makefile has no %s", name)
		}
		return strings.Fields(match[1])
	}
	whole := words("LONG_WHOLE") // of these all tests run in it
	var tests, packages []string
	for _, f := range readFiles(t) {
		if !strings.HasSuffix(f.path, "_test.go") {
			continue // what tests share: BySize and uitest are looked for where they are called
		}
		for _, d := range f.ast.Decls {
			fn, _ := d.(*ast.FuncDecl)
			calls := func(pkg string, names ...string) (found bool) {
				ast.Inspect(d, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					found = found || ok && (pkg == "" || nameOf(s.X) == pkg) && slices.Contains(names, s.Sel.Name)
					return true
				})
				return found
			}
			browser := calls("uitest", "Open", "Check")
			if browser && !calls("uitest", "Wanted") {
				t.Errorf("%s:%d: a test opens a browser without asking uitest.Wanted", f.path, f.line(d))
			}
			switch {
			case slices.Contains(whole, "./"+path.Dir(f.path)):
			case !browser && !calls("apptest", "Size", "Long") && !calls("", "BySize"):
			case fn == nil || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test"):
				t.Errorf("%s:%d: the test itself asks for its size, so that its name says which tests have one", f.path, f.line(d))
			default:
				tests, packages = append(tests, fn.Name.Name), append(packages, "./"+path.Dir(f.path))
			}
		}
	}
	for _, list := range []struct {
		name string
		want []string
	}{{"LONG", tests}, {"LONG_PACKAGES", packages}} {
		slices.Sort(list.want)
		if got := words(list.name); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Compact(list.want)) {
			t.Errorf("%s of the Makefile is %v, want %v", list.name, got, slices.Compact(list.want))
		}
	}
}
