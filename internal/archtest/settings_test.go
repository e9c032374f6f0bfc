package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	modulePath = "github.com/admitto/admitto"
	configPath = modulePath + "/internal/config"
)

// checker finds the types of the packages of the module. Other packages are empty to it, since only fields of ours are
// looked up: what is missing then is no error.
type checker struct {
	files    *token.FileSet
	parsed   map[string][]*ast.File // by import path
	packages map[string]*types.Package
	uses     map[string]*types.Info
}

// Import is what makes it a types.Importer.
func (c *checker) Import(at string) (*types.Package, error) {
	if p, known := c.packages[at]; known {
		return p, nil
	}
	p := types.NewPackage(at, path.Base(at))
	if files := c.parsed[at]; files != nil {
		c.uses[at] = &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
		conf := types.Config{Importer: c, Error: func(error) {}}
		p, _ = conf.Check(at, c.files, files, c.uses[at])
	}
	p.MarkComplete()
	c.packages[at] = p
	return p, nil
}

// newChecker takes the module without its tests.
func newChecker(t *testing.T) *checker {
	t.Helper()
	c := &checker{positions, map[string][]*ast.File{}, map[string]*types.Package{}, map[string]*types.Info{}}
	for _, f := range readFiles(t) {
		if f.isTest {
			continue
		}
		at := path.Join(modulePath, path.Dir(f.path))
		c.parsed[at] = append(c.parsed[at], f.ast)
	}
	return c
}

// TestSettingsAreRead wants every row of the table of settings to have a field that something reads: a setting that
// changes nothing is refused as unknown until it does. Secrets are read by the wiring of the program alone, so no use
// case can show one.
func TestSettingsAreRead(t *testing.T) {
	c := newChecker(t)
	for _, at := range slices.Sorted(maps.Keys(c.parsed)) {
		if _, err := c.Import(at); err != nil {
			t.Fatal(err)
		}
	}
	rows := settingFields(c)
	if len(rows) < 60 {
		t.Fatalf("only %d settings have a field", len(rows))
	}
	readers := map[*types.Var][]string{}
	for at, info := range c.uses {
		if strings.HasSuffix(at, "test") {
			continue
		}
		for selector, selection := range info.Selections {
			field, ok := selection.Obj().(*types.Var)
			file := path.Base(c.files.Position(selector.Pos()).Filename)
			// Package config reads all fields of its table; what derived.go makes of some is for others.
			if ok && (at != configPath || file == "derived.go") {
				readers[field] = append(readers[field], strings.TrimPrefix(at, modulePath+"/"))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		field := rows[name]
		if field == nil {
			t.Errorf("the kind of the setting %s names no field", name)
			continue
		}
		if len(readers[field]) == 0 {
			t.Errorf("nothing reads the setting %s", name)
		}
		if types.TypeString(field.Type(), nil) != configPath+".Secret" {
			continue
		}
		for _, reader := range readers[field] {
			if reader != "cmd/admitto" && reader != "internal/config" {
				t.Errorf("%s reads the secret %s", reader, name)
			}
		}
	}
}

// settingFields finds the field of each row of the table: the last one that is named in the function of its kind.
func settingFields(c *checker) map[string]*types.Var {
	rows := map[string]*types.Var{}
	info := c.uses[configPath]
	for _, file := range c.parsed[configPath] {
		ast.Inspect(file, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if !ok || row.Type != nil {
				return true
			}
			name, field := "", (*types.Var)(nil)
			for _, element := range row.Elts {
				pair, ok := element.(*ast.KeyValueExpr)
				switch {
				case !ok:
				case nameOf(pair.Key) == "Name":
					name = textOf(pair.Value, nil)
				case nameOf(pair.Key) == "kind":
					ast.Inspect(pair.Value, func(n ast.Node) bool {
						address, ok := n.(*ast.UnaryExpr)
						if !ok || address.Op != token.AND {
							return true
						}
						if at, ok := address.X.(*ast.SelectorExpr); ok && info.Selections[at] != nil {
							field, _ = info.Selections[at].Obj().(*types.Var)
						}
						return false
					})
				}
			}
			if name != "" {
				rows[name] = field
			}
			return true
		})
	}
	return rows
}
