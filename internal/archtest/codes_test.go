package archtest

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

const codeTable = "internal/admitto/code.go"

// TestRefusalCodes looks for every code of a refusal that stands in the code as a text, and wants it in the catalogue
// of code.go, from which the documentation is made. A code stands in the field Code of a fault, in the argument of a
// parameter called code, or in a constant whose name begins with Code.
func TestRefusalCodes(t *testing.T) {
	files := readFiles(t)
	constants, catalogued := codeConstants(files), map[string]bool{}
	for _, f := range files {
		if f.path != codeTable {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if ok && (nameOf(row.Type) == "RefusalCode" || row.Type == nil) && len(row.Elts) > 0 {
				code := textOf(row.Elts[0], constants)
				if catalogued[code] && code != "" {
					t.Errorf("%s has %s twice", codeTable, code)
				}
				catalogued[code] = true
			}
			return true
		})
	}
	used := map[string]string{}
	for name, code := range constants {
		if strings.HasPrefix(name, "Code") {
			used[code] = name
		}
	}
	takers := codeTakers(files)
	for _, f := range files {
		if f.isTest || f.path == codeTable || strings.HasPrefix(f.dir, "store") || strings.HasPrefix(f.dir, "demo") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, value := range faultCodes(n) {
					used[textOf(value, constants)] = f.path
				}
			case *ast.CallExpr:
				for _, taker := range takers[nameOf(n.Fun)] {
					if (taker.dir == f.dir || ast.IsExported(nameOf(n.Fun))) && taker.index < len(n.Args) {
						used[textOf(n.Args[taker.index], constants)] = f.path
					}
				}
			}
			return true
		})
	}
	delete(used, "")
	for code, where := range used {
		// "application-" and "decision-" stand before a status or a decision, which the table has with them.
		if strings.Contains(code, "-") && !strings.HasSuffix(code, "-") && !catalogued[code] && !ofStatus(code) {
			t.Errorf("%s refuses with the code %s, which RefusalCodes of %s does not have: add it with what it means", where,
				code, codeTable)
		}
	}
	if len(used) < 40 || len(catalogued) < 50 {
		t.Errorf("only %d codes are used and %d catalogued", len(used), len(catalogued))
	}
}

// faultCodes returns what the field Code of a fault is set to, or of each fault of a list.
func faultCodes(literal *ast.CompositeLit) (values []ast.Expr) {
	faults := []ast.Expr{literal}
	if list, ok := literal.Type.(*ast.ArrayType); ok && nameOf(list.Elt) == "Fault" {
		faults = literal.Elts
	} else if nameOf(literal.Type) != "Fault" {
		return nil
	}
	for _, one := range faults {
		if fault, ok := one.(*ast.CompositeLit); ok {
			for _, element := range fault.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok && nameOf(pair.Key) == "Code" {
					values = append(values, pair.Value)
				}
			}
		}
	}
	return values
}

// ofStatus reports whether the code is one of those that the catalogue makes from the statuses of applications.
func ofStatus(code string) bool {
	return code == "application-closed" || code == "application-withdrawn"
}

// codeConstants returns the text constants of the packages that refuse, by name.
func codeConstants(files []file) map[string]string {
	constants := map[string]string{}
	for _, f := range files {
		if f.isTest {
			continue
		}
		for _, d := range f.ast.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, s := range group.Specs {
				for i, value := range s.(*ast.ValueSpec).Values {
					if text := textOf(value, nil); text != "" {
						constants[s.(*ast.ValueSpec).Names[i].Name] = text
					}
				}
			}
		}
	}
	return constants
}

// taker is a function with a parameter called code.
type taker struct {
	dir   string
	index int
}

// codeTakers finds the functions with a text parameter called code, by name.
func codeTakers(files []file) map[string][]taker {
	takers := map[string][]taker{}
	for _, f := range files {
		note := func(name string, of *ast.FuncType) {
			index := 0
			for _, field := range of.Params.List {
				for _, parameter := range field.Names {
					if parameter.Name == "code" {
						takers[name] = append(takers[name], taker{f.dir, index})
					}
					index++
				}
			}
		}
		if f.isTest {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				note(n.Name.Name, n.Type)
			case *ast.AssignStmt:
				for i, value := range n.Rhs {
					if literal, ok := value.(*ast.FuncLit); ok && i < len(n.Lhs) {
						note(nameOf(n.Lhs[i]), literal.Type)
					}
				}
			}
			return true
		})
	}
	return takers
}

// textOf returns the text of a literal, or of a constant by its name; "" for anything else.
func textOf(x ast.Expr, constants map[string]string) string {
	if literal, ok := x.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		text, _ := strconv.Unquote(literal.Value) // the parser has accepted it
		return text
	}
	return constants[nameOf(x)]
}
