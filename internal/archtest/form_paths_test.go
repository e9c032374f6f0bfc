package archtest

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFormPaths compares the paths of fields that code names with the table of the form: a path that is not there reads
// as nothing, and nobody would notice. Invented data are put in by paths below a section, and a wrong one panics there.
func TestFormPaths(t *testing.T) {
	var keys, paths []string
	named := map[string]string{}
	for _, f := range readFiles(t) {
		inTable := f.path == "internal/form/table.go"
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				value, ok := n.Value.(*ast.BasicLit)
				if !inTable || !ok || value.Kind != token.STRING {
					break
				}
				text, _ := strconv.Unquote(value.Value)
				switch nameOf(n.Key) {
				case "Key":
					keys = append(keys, text)
				case "Path":
					paths = append(paths, text)
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && !inTable &&
					!f.isTesting() && f.dir != "demo" {
					named[text] = f.path + ":" + strconv.Itoa(f.line(n))
				}
			}
			return true
		})
	}
	found := 0
	for text, place := range named {
		section, below, ok := strings.Cut(text, "/")
		if !ok || below == "" || strings.HasSuffix(below, "/") || !slices.Contains(keys, section) {
			continue
		}
		found++
		if !slices.ContainsFunc(paths, func(path string) bool { return path == text || strings.HasPrefix(path, text+"/") }) {
			t.Errorf("%s: %q is no field of internal/form/table.go", place, text)
		}
	}
	if found < 10 {
		t.Errorf("only %d paths of fields were found in code", found)
	}
}
