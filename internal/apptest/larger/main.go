// Command larger prints what make test-long gives to go test: -run with the tests that are larger with
// ADMITTO_TEST_SIZE=long, and their packages. Those are the tests that ask apptest for the size, by themselves or by a
// function that they name. All others are the same in both sizes, and go test ./... runs them. It is run in the root of
// the repository and imports the standard library.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is the import path of the repository.
const module = "github.com/admitto/admitto/"

// rapid draws cases for tests: fewer in short, in packages whose TestMain calls run.
const (
	rapid = "pgregory.net/rapid"
	run   = "internal/apptest.Run"
)

func main() {
	log.SetFlags(0)
	d, err := read(os.DirFS("."), "cmd", "client", "internal")
	if err != nil {
		log.Fatal("larger: ", err)
	}
	tests, packages := d.larger()
	fmt.Printf("-run ^(%s)$ %s\n", strings.Join(tests, "|"), strings.Join(packages, " "))
}

// declarations are the functions and variables of the repository by what they are called: folder.Name, and (Name) for
// the methods of that name of all types that packages share; of those in test files folder.(Name).
type declarations map[string]*declaration

type declaration struct {
	names []string // of what it may use
	asks  bool     // for the size
}

// read reads the Go files of the folders that are of tests.
func read(root fs.FS, folders ...string) (declarations, error) {
	d := declarations{}
	for _, folder := range folders {
		err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
				return err
			}
			source, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
			if err == nil && ofTests(name, file) {
				d.add(path.Dir(name), file, !strings.HasSuffix(name, "_test.go"))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// ofTests reports whether a file belongs to tests, as what packages share for them does.
func ofTests(name string, file *ast.File) bool {
	return strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "internal/apptest/") ||
		slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
}

// add takes up the functions and variables of a file, which may be shared.
func (d declarations) add(folder string, file *ast.File, shared bool) {
	imported := map[string]string{} // folders by the names of their packages
	for _, i := range file.Imports {
		address, _ := strconv.Unquote(i.Path.Value) // the parser has read it
		if below, ours := strings.CutPrefix(address, module); ours || below == rapid {
			name := path.Base(below)
			if i.Name != nil {
				name = i.Name.Name
			}
			imported[name] = below
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			key := folder + "." + decl.Name.Name
			if decl.Recv != nil && shared {
				key = "(" + decl.Name.Name + ")"
			} else if decl.Recv != nil {
				key = folder + ".(" + decl.Name.Name + ")"
				ast.Inspect(decl.Recv, func(n ast.Node) bool {
					if t, ok := n.(*ast.Ident); ok { // TestMain names the type only, whose method Run others call
						d.names(folder+"."+t.Name, folder, imported, decl)
					}
					return true
				})
			}
			d.names(key, folder, imported, decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if variables, ok := spec.(*ast.ValueSpec); ok {
					for _, v := range variables.Names {
						d.names(folder+"."+v.Name, folder, imported, spec)
					}
				}
			}
		}
	}
}

// names takes down what a declaration names.
func (d declarations) names(key, folder string, imported map[string]string, declared ast.Node) {
	if d[key] == nil {
		d[key] = &declaration{}
	}
	add := func(name string) { d[key].names = append(d[key].names, name) }
	ast.Inspect(declared, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			add(folder + "." + n.Name)
		case *ast.SelectorExpr:
			if x, isName := n.X.(*ast.Ident); isName && imported[x.Name] != "" {
				add(imported[x.Name] + "." + n.Sel.Name)
				return false
			}
			add("(" + n.Sel.Name + ")") // of what type it is is not known
			add(folder + ".(" + n.Sel.Name + ")")
		}
		return true
	})
}

// larger returns the tests and fuzz targets that ask for the size, and their packages; all of one whose TestMain does.
func (d declarations) larger() (tests, packages []string) {
	asks := func(name string) bool { return d[name] != nil && d[name].asks }
	d["internal/apptest.Long"].asks, d["internal/apptest.Size"].asks = true, true
	delete(d, run) // which asks for rapid
	for key, f := range d {
		folder, _, _ := strings.Cut(key, ".")
		main := d[folder+".TestMain"]
		f.asks = f.asks || slices.Contains(f.names, rapid+".Check") && main != nil && slices.Contains(main.names, run)
	}
	for changed := true; changed; {
		changed = false
		for _, f := range d {
			if !f.asks && slices.ContainsFunc(f.names, asks) {
				f.asks, changed = true, true
			}
		}
	}
	for key, f := range d {
		folder, name, _ := strings.Cut(key, ".")
		if isTest := strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz"); isTest && name != "TestMain" &&
			(f.asks || asks(folder+".TestMain")) {
			tests, packages = append(tests, name), append(packages, "./"+folder)
		}
	}
	slices.Sort(tests)
	slices.Sort(packages)
	return slices.Compact(tests), slices.Compact(packages)
}
