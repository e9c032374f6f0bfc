package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// Tests open a browser in the long size only, and so ask uitest.Wanted first.
func TestBrowsersAreWanted(t *testing.T) {
	for _, f := range readFiles(t) {
		if !strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		for _, d := range f.ast.Decls {
			calls := func(names ...string) (found bool) {
				ast.Inspect(d, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					found = found || ok && nameOf(s.X) == "uitest" && slices.Contains(names, s.Sel.Name)
					return true
				})
				return found
			}
			if calls("Open", "Check") && !calls("Wanted") {
				t.Errorf("%s:%d: a test opens a browser without asking uitest.Wanted", f.path, f.line(d))
			}
		}
	}
}
