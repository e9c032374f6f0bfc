package archtest

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestPathOfARequest follows the request of the plan: each file declares the function that the row says, the table of
// routes has the request for the third of them, and each function calls the next, by itself or by others of the two
// packages. The last answers what the third has made.
func TestPathOfARequest(t *testing.T) {
	rows := table(t, "file")
	if len(rows) != 6 {
		t.Fatalf("%s follows the request through %d files, not six", plan, len(rows))
	}
	calls := readCalls(t)
	var names []string
	for _, row := range rows {
		if len(row) != 3 || len(row[0]) != 1 || len(row[1]) != 1 {
			t.Fatalf("a row of the path of a request must name one file and one function: %v", row)
		}
		found := calls.declared(row[0][0], row[1][0])
		if found == "" {
			t.Fatalf("%s says that %s declares %s, which it does not", plan, row[0][0], row[1][0])
		}
		names = append(names, found)
	}
	for _, step := range [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 5}} {
		from, to := names[step[0]], names[step[1]]
		within := []string{path.Dir(rows[step[0]][0][0]), path.Dir(rows[step[1]][0][0])}
		if !calls.lead(from, to, within) {
			t.Errorf("%s says that %s leads to %s, which it does not", plan, from, to)
		}
	}
	if !strings.Contains(calls.routes["POST /applicants/trackers"], names[2]) {
		t.Errorf("POST /applicants/trackers is answered by %s", calls.routes["POST /applicants/trackers"])
	}
	if next := names[4]; calls.lead(names[0], next, []string{"internal/web"}) || calls.lead(names[5], next, nil) {
		t.Error("everything leads everywhere")
	}
}

// callGraph has the functions of the module by their full names.
type callGraph struct {
	file   map[string]string   // where each is
	calls  map[string][]string // what each calls or hands on
	routes map[string]string   // what answers a method and path
}

// declared is the full name of the function of that name in a file.
func (g *callGraph) declared(file, name string) string {
	for full, place := range g.file {
		if place == file && strings.HasSuffix(full, "."+name) {
			return full
		}
	}
	return ""
}

// lead reports whether a function calls another one, by itself or by others in the folders.
func (g *callGraph) lead(from, to string, folders []string) bool {
	seen := map[string]bool{}
	var search func(name string) bool
	search = func(name string) bool {
		if seen[name] {
			return false
		}
		seen[name] = true
		return slices.ContainsFunc(g.calls[name], func(next string) bool {
			return next == to || slices.Contains(folders, path.Dir(g.file[next])) && search(next)
		})
	}
	return search(from)
}

// readCalls finds who calls whom. Through an interface that is every method of the name of a type that has all of the
// interface; through a field, every function that a literal of the struct has in it.
func readCalls(t *testing.T) *callGraph {
	g := &callGraph{file: map[string]string{}, calls: map[string][]string{}, routes: map[string]string{}}
	packages := readTypes(t)
	inFields := map[*types.Var][]string{}
	for i := range packages {
		p := &packages[i]
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if literal, ok := n.(*ast.CompositeLit); ok {
					p.functionsIn(literal, inFields, g.routes)
				}
				return true
			})
		}
	}
	for i := range packages {
		p := &packages[i]
		for _, f := range p.files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				name := p.info.Defs[fn.Name].(*types.Func).FullName()
				g.file[name] = strings.TrimPrefix(p.set.Position(fn.Pos()).Filename, root+"/")
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					if used, ok := n.(*ast.Ident); ok {
						g.calls[name] = append(g.calls[name], callees(p.info.Uses[used], packages, inFields)...)
					}
					return true
				})
			}
		}
	}
	return g
}

// functionsIn notes the functions in the fields of a literal, and what answers a route.
func (p *typedPackage) functionsIn(literal *ast.CompositeLit, inFields map[*types.Var][]string,
	routes map[string]string) {
	record, ok := p.info.Types[literal].Type.Underlying().(*types.Struct)
	if !ok {
		return
	}
	var texts []string
	for i, e := range literal.Elts {
		var field *types.Var
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			field, _ = p.info.Uses[pair.Key.(*ast.Ident)].(*types.Var)
			e = pair.Value
		} else {
			field = record.Field(i)
		}
		if value := p.info.Types[e].Value; value != nil {
			texts = append(texts, strings.Trim(value.ExactString(), `"`))
		}
		if selected, ok := e.(*ast.SelectorExpr); ok {
			e = selected.Sel
		}
		name, ok := e.(*ast.Ident)
		if !ok {
			continue
		}
		if fn, ok := p.info.Uses[name].(*types.Func); ok {
			inFields[field] = append(inFields[field], fn.FullName())
			if len(texts) > 1 && strings.HasPrefix(texts[1], "/") {
				routes[texts[0]+" "+texts[1]] = fn.FullName()
			}
		}
	}
}

// callees are the functions that a name in a body stands for.
func callees(used types.Object, packages []typedPackage, inFields map[*types.Var][]string) (names []string) {
	switch used := used.(type) {
	case *types.Var:
		return inFields[used]
	case *types.Func:
		receiver := used.Type().(*types.Signature).Recv()
		if receiver == nil || !types.IsInterface(receiver.Type()) {
			return []string{used.Origin().FullName()}
		}
		wanted, _ := receiver.Type().Underlying().(*types.Interface)
		for i := range packages {
			scope := packages[i].types.Scope()
			for _, name := range scope.Names() {
				typ, ok := scope.Lookup(name).(*types.TypeName)
				if !ok || types.IsInterface(typ.Type()) || !types.Implements(types.NewPointer(typ.Type()), wanted) {
					continue
				}
				method, _, _ := types.LookupFieldOrMethod(typ.Type(), true, typ.Pkg(), used.Name())
				if fn, ok := method.(*types.Func); ok {
					names = append(names, fn.FullName())
				}
			}
		}
	}
	return names
}
