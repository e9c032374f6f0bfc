package archtest

import (
	"go/ast"
	"slices"
	"testing"
)

// TestPathOfARequest looks up what the plan names on the way of one request: each file must declare what the row says,
// and no row may name what is not there any more.
func TestPathOfARequest(t *testing.T) {
	declared := map[string][]string{}
	for _, f := range readFiles(t) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				declared[f.path] = append(declared[f.path], fn.Name.Name)
			}
		}
	}
	rows := table(t, "file")
	for _, row := range rows {
		if len(row) != 3 || len(row[0]) != 1 || len(row[1]) != 1 {
			t.Fatalf("a row of the path of a request must name one file and one function: %v", row)
		}
		path, name := row[0][0], row[1][0]
		if !slices.Contains(declared[path], name) {
			t.Errorf("%s says that %s declares %s, which it does not", plan, path, name)
		}
	}
	if len(rows) != 6 {
		t.Errorf("%s follows the request through %d files, not six", plan, len(rows))
	}
}
