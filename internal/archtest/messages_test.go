package archtest

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

const messageTable = "internal/message/english.go"

// TestMessages compares the sentences that are made with the catalogue: each code is a literal that the catalogue has,
// with as many arguments as its sentence names, and each sentence is used.
func TestMessages(t *testing.T) {
	files := readFiles(t)
	arguments, used := map[string]int{}, map[string]bool{}
	braces := regexp.MustCompile(`\{[a-z]+\}`)
	for _, f := range files {
		if f.path != messageTable {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if row, ok := n.(*ast.CompositeLit); ok && len(row.Elts) == 2 && row.Type == nil {
				arguments[textOf(row.Elts[0], nil)] = len(braces.FindAllString(textOf(row.Elts[1], nil), -1))
			}
			return true
		})
	}
	for _, f := range files {
		if f.isTest || strings.HasSuffix(f.dir, "message") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if of, ok := call.Fun.(*ast.SelectorExpr); !ok || nameOf(of.X) != "message" || of.Sel.Name != "Of" {
				return true
			}
			code := textOf(call.Args[0], nil)
			want, known := arguments[code]
			switch {
			case code == "":
				t.Errorf("%s:%d: the code of a sentence is no literal", f.path, f.line(call))
			case !known:
				t.Errorf("%s:%d: %s has no sentence %q", f.path, f.line(call), messageTable, code)
			case want != len(call.Args)-1 || call.Ellipsis.IsValid():
				t.Errorf("%s:%d: the sentence %s takes %d arguments", f.path, f.line(call), code, want)
			}
			used[code] = true
			return true
		})
	}
	for code := range arguments {
		if !used[code] {
			t.Errorf("%s: nothing says %s", messageTable, code)
		}
	}
	if len(used) < 150 {
		t.Errorf("only %d sentences are used", len(used))
	}
}
