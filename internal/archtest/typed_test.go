package archtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// typedPackage is a package with the types of its expressions, without its tests.
type typedPackage struct {
	dir   string // below the root
	set   *token.FileSet
	files []*ast.File
	info  *types.Info
	types *types.Package
}

// readTypes type-checks the packages below internal and cmd; what they import is read from what the compiler has
// exported.
func readTypes(t *testing.T) []typedPackage {
	t.Helper()
	list, err := typesOfRoot()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// typesOfRoot checks them once a process: nobody changes what is found.
var typesOfRoot = sync.OnceValues(checkTypes)

func checkTypes() (list []typedPackage, err error) {
	command := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles", "./internal/...",
		"./cmd/...")
	command.Dir, command.Stderr = root, os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Export string
		GoFiles            []string
	}
	exports, own := map[string]string{}, []listed{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if exports[p.ImportPath] = p.Export; strings.HasPrefix(p.ImportPath, module) {
			own = append(own, p)
		}
	}
	files, err := filesOfRoot()
	if err != nil {
		return nil, err
	}
	parsed := map[string]*ast.File{} // by path
	for _, f := range files {
		parsed[f.path] = f.ast
	}
	set := positions
	config := types.Config{Importer: importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	for _, p := range own {
		c := typedPackage{dir: strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/"), set: set,
			info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
				Defs: map[*ast.Ident]types.Object{}}}
		for _, name := range p.GoFiles {
			f := parsed[c.dir+"/"+name]
			if f == nil {
				return nil, fmt.Errorf("%s/%s is not read", c.dir, name)
			}
			c.files = append(c.files, f)
		}
		if c.types, err = config.Check(p.ImportPath, set, c.files, c.info); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// place is where a node is, for messages.
func (p *typedPackage) place(n ast.Node) string { return p.set.Position(n.Pos()).String() }
