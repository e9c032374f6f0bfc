package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestRecipes looks up what the plan says of the files that a change touches: each is there and has what the row names,
// and the numbers are those of the rows.
func TestRecipes(t *testing.T) {
	declared := map[string][]string{}
	for _, f := range readFiles(t) {
		for _, d := range f.ast.Decls {
			declared[f.path] = append(declared[f.path], namesOf(d)...)
		}
	}
	count := map[string]int{}
	for _, row := range rowsAsText(t, "recipe") {
		recipe, file, name := row[0], strings.Trim(row[1], "`"), row[2]
		count[recipe]++
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Errorf("%s: the recipe of a %s names %s, which is not there", plan, recipe, file)
			continue
		}
		quoted := strings.HasPrefix(name, "`")
		name = strings.Trim(name, "`")
		isGo := strings.HasSuffix(file, ".go") && !strings.Contains(name, "-")
		if quoted && !(isGo && slices.Contains(declared[file], name) || !isGo && strings.Contains(read(t, file), name)) {
			t.Errorf("%s: the recipe of a %s names %s in %s, which is not there", plan, recipe, name, file)
		}
	}
	for _, row := range rowsAsText(t, "change") {
		if row[1] != strconv.Itoa(count[row[0]]) {
			t.Errorf("%s: a %s touches %s files, its recipe has %d", plan, row[0], row[1], count[row[0]])
		}
		delete(count, row[0])
	}
	for recipe := range count {
		t.Errorf("%s does not count the files of a %s", plan, recipe)
	}
}

// namesOf are the names that a declaration makes.
func namesOf(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
