package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// TestColumnsAreNotCounted wants the columns of a row to be read by the one who lists them. A function that lets
// another read its columns and then goes on with numbers of its own has counted the other's, and breaks when one is
// added there. It begins at the width of the other's list instead (method Width of columns.Table), and so does one that
// lets another begin behind its own columns.
func TestColumnsAreNotCounted(t *testing.T) {
	types := []string{"Text", "Int64", "Time", "Date", "Bool", "Null", "Raw"}
	found := 0
	for _, f := range readFiles(t) {
		if f.dir != "store" || f.isTest {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch n := n.(type) {
			case *ast.FuncDecl:
				body = n.Body
			case *ast.FuncLit:
				body = n.Body
			}
			if body == nil {
				return true
			}
			scans, numbered := "", 0
			for call := range callsIn(body) {
				name := nameOf(call.Fun)
				if strings.HasPrefix(strings.ToLower(name), "scan") && name != "scanHundredths" { // which reads one column
					if name != "ScanFrom" { // which says where it begins
						scans = name
					} else if isNumber(call.Args[1]) {
						t.Errorf("%s:%d: %s begins at a number that was counted", f.path, f.line(call), name)
					}
				}
				if of, isMethod := call.Fun.(*ast.SelectorExpr); isMethod && nameOf(of.X) == "r" && slices.Contains(types, name) &&
					len(call.Args) == 1 {
					found++
					if isNumber(call.Args[0]) {
						numbered++
					}
				}
			}
			if scans != "" && numbered > 0 {
				t.Errorf("%s:%d: columns are counted on after %s", f.path, f.line(n), scans)
			}
			for _, name := range countedConstants(body) {
				t.Errorf("%s:%d: the constant %s is a number of columns that was counted", f.path, f.line(n), name)
			}
			return true
		})
	}
	if found < 300 {
		t.Errorf("only %d columns are read", found)
	}
}

// callsIn returns the calls of a function, but not those of functions inside it.
func callsIn(body *ast.BlockStmt) func(yield func(*ast.CallExpr) bool) {
	return func(yield func(*ast.CallExpr) bool) {
		more := true
		ast.Inspect(body, func(n ast.Node) bool {
			if _, inner := n.(*ast.FuncLit); inner || !more {
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok {
				more = yield(call)
			}
			return more
		})
	}
}

// countedConstants returns the number constants of a function that are added to in the number of a column.
func countedConstants(body *ast.BlockStmt) (names []string) {
	numbers := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for i, value := range spec.Values {
				numbers[spec.Names[i].Name] = isNumber(value)
			}
		}
		if sum, ok := n.(*ast.BinaryExpr); ok && numbers[nameOf(sum.X)] {
			names = append(names, nameOf(sum.X))
		}
		return true
	})
	return names
}

// TestLoaderListsNoColumns wants invented data to be stored by the lists of package columns, so that a column that is
// added is in one place.
func TestLoaderListsNoColumns(t *testing.T) {
	found := 0
	for _, f := range readFiles(t) {
		if f.isTest || f.dir != "store/load" && f.dir != "demo" {
			continue
		}
		found++
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && strings.Contains(l.Value, "INSERT INTO") {
				t.Errorf("%s:%d: give the table a list in package columns, and load it with rows", f.path, f.line(n))
			}
			return true
		})
	}
	if found < 20 {
		t.Errorf("only %d files were found", found)
	}
}
