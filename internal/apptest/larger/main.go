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

// declarations are the functions of the repository by what they are called: folder.Name, and folder.(Name) for the
// methods of that name of all types of the folder.
type declarations map[string]*declaration

type declaration struct {
	names []string // of what it may call
	asks  bool     // for the size
}

// read reads all Go files of the folders.
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
			if err == nil {
				d.add(path.Dir(name), file)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// add takes up the functions of a file.
func (d declarations) add(folder string, file *ast.File) {
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
		f, isFunc := decl.(*ast.FuncDecl)
		if !isFunc || f.Body == nil {
			continue
		}
		key := folder + "." + f.Name.Name
		if f.Recv != nil {
			key = folder + ".(" + f.Name.Name + ")"
		}
		if d[key] == nil {
			d[key] = &declaration{}
		}
		add := func(names ...string) { d[key].names = append(d[key].names, names...) }
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				add(folder + "." + n.Name)
			case *ast.SelectorExpr:
				if x, isName := n.X.(*ast.Ident); isName && imported[x.Name] != "" {
					add(imported[x.Name] + "." + n.Sel.Name)
					return false
				}
				add(folder + ".(" + n.Sel.Name + ")") // of what type it is is not known
				for _, from := range imported {
					add(from + ".(" + n.Sel.Name + ")")
				}
			}
			return true
		})
	}
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
