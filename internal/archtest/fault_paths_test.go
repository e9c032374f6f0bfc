package archtest

import (
	"go/ast"
	"go/constant"
	"strings"
	"testing"
)

const faultPathTable = "internal/api/fault_paths.go"

// pageOnly begins the paths of what only pages write; their forms have the last part as the name of the field.
const pageOnly = "page."

// TestFaultPaths compares the paths of values that are found fault with and the table that translates them to
// parameters of the API: each has a row, and each row is needed. The name of a parameter, or a pointer, is the path of
// a fault by params.Position only, which no use case imports.
func TestFaultPaths(t *testing.T) {
	raised, rows := map[string]string{}, map[string]bool{}
	for _, p := range readTypes(t) {
		if p.dir == "internal/demo" { // which the API does not reach
			continue
		}
		for i := range p.files {
			inTable := strings.HasSuffix(p.place(p.files[i]), faultPathTable) ||
				strings.Contains(p.place(p.files[i]), faultPathTable+":")
			ast.Inspect(p.files[i], func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if v := p.info.Types[e]; v.Value != nil && v.Type != nil && v.Type.String() == module+"/internal/admitto.Path" {
						path, _, _ := strings.Cut(constant.StringVal(v.Value), "/")
						if rows[path] = rows[path] || inTable; !inTable {
							raised[path] = p.place(e)
						}
					}
				}
				return true
			})
		}
	}
	delete(raised, "")
	for path, where := range raised {
		if !rows[path] && !strings.HasPrefix(path, pageOnly) {
			t.Errorf("%s: %s has no name for the path %s", where, faultPathTable, path)
		}
	}
	for path := range rows {
		if raised[path] == "" && path != "" {
			t.Errorf("%s: nothing finds fault with %s", faultPathTable, path)
		}
	}
	if len(raised) < 30 {
		t.Errorf("only %d paths", len(raised))
	}
}
