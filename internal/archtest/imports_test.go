package archtest

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// rule is one row of the plan's import table: what a package may import next to the standard library.
type rule struct {
	ours, others []string // folders of our packages; modules of others
	inTests      []string // folders and modules that its tests may import as well
	used         bool
	imported     map[string]bool // which of these some file imports
}

// importTable reads the table.
func importTable(t *testing.T) (rules map[string]*rule, everyTest []string) {
	rules = map[string]*rule{}
	for _, row := range table(t, "package") {
		if len(row) != 4 || len(row[0]) > 1 {
			t.Fatalf("a row of the import table must have four cells and one package: %v", row)
		}
		if len(row[0]) == 0 { // "every package"
			everyTest = row[3]
			continue
		}
		name := row[0][0]
		if rules[name] != nil {
			t.Errorf("the import table has two rows for %s", name)
		}
		rules[name] = &rule{ours: row[1], others: row[2], inTests: row[3], imported: map[string]bool{}}
	}
	return rules, everyTest
}

// mayBeUnsafe are the packages that may look at memory past the types: what encodes and reads the rows of long lists.
var mayBeUnsafe = []string{"api/wire", "store/db"}

// TestTree finds packages of which the tree of the plan says nothing.
func TestTree(t *testing.T) {
	_, tree, _ := strings.Cut(read(t, plan), "```\n")
	tree, _, _ = strings.Cut(tree, "```")
	for _, f := range readFiles(t) {
		folder := "/" + path.Base(path.Dir(f.path)) + "/"
		if strings.HasPrefix(f.path, "internal/") && !strings.Contains(strings.ReplaceAll(tree, " ", "/"), folder) {
			t.Errorf("the tree of %s does not say what lives in %s", plan, path.Dir(f.path))
		}
	}
}

// TestImports compares every import of every package with the import table.
func TestImports(t *testing.T) {
	rules, everyTest := importTable(t)
	everything := slices.Collect(maps.Keys(rules))
	for _, f := range readFiles(t) {
		name := f.dir
		r := rules[name]
		if r == nil {
			t.Errorf("%s: package %s has no row in the import table of %s", f.path, name, plan)
			continue
		}
		r.used = true
		allowed := append([]string{name}, r.ours...)
		if slices.Contains(r.ours, "all") {
			allowed = everything
		}
		allowed = append(slices.Clone(allowed), r.others...)
		if f.isTest {
			allowed = append(append(allowed, r.inTests...), everyTest...)
		}
		for _, path := range f.imports() {
			for _, entry := range slices.Concat(r.ours, r.others, r.inTests) {
				r.imported[entry] = r.imported[entry] || permits([]string{entry}, path)
			}
			if !isStandard(path) && !permits(allowed, path) {
				t.Errorf("%s imports %s, which the import table of %s does not allow", f.path, path, plan)
			}
			if path == "unsafe" && !f.isTest && !slices.Contains(mayBeUnsafe, f.dir) {
				t.Errorf("%s imports unsafe: ask one of %s for what it needs", f.path, mayBeUnsafe)
			}
		}
	}
	for name, r := range rules {
		for _, entry := range slices.Concat(r.ours, r.others, r.inTests) {
			if !r.imported[entry] && entry != "all" {
				t.Errorf("the import table of %s lets %s import %s, which nothing there does", plan, name, entry)
			}
		}
		if !r.used {
			t.Errorf("the import table of %s has a row for %s, but there is no such package", plan, name)
		}
	}
}

// isStandard reports whether the path is of the standard library: its first element has no dot.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// permits reports whether the list has the package of ours with this import path, or the module that it is in.
func permits(allowed []string, path string) bool {
	if folder, ours := strings.CutPrefix(path, module+"/"); ours {
		return slices.Contains(allowed, strings.TrimPrefix(folder, "internal/"))
	}
	return slices.ContainsFunc(allowed, func(m string) bool {
		return strings.Contains(m, ".") && (path == m || strings.HasPrefix(path, m+"/"))
	})
}

// TestDependencies compares the direct dependencies of go.mod with the plan, where each has a line that says
// what it is for and why it is there.
func TestDependencies(t *testing.T) {
	planned := map[string]bool{}
	for _, row := range table(t, "module") {
		if len(row[0]) != 1 {
			t.Fatalf("a row of the table of dependencies must begin with one module: %v", row)
		}
		planned[row[0][0]] = true
	}
	direct := map[string]bool{}
	inside := false
	for line := range strings.Lines(read(t, "go.mod")) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "require" && fields[1] == "(":
			inside = true
		case len(fields) == 1 && fields[0] == ")":
			inside = false
		case len(fields) > 2 && fields[0] == "require" && !strings.Contains(line, "// indirect"):
			direct[fields[1]] = true
		case len(fields) > 1 && inside && !strings.Contains(line, "// indirect"):
			direct[fields[0]] = true
		}
	}
	for m := range direct {
		if !planned[m] {
			t.Errorf("go.mod requires %s; give it a line in the table of dependencies of %s, with its reason", m, plan)
		}
	}
	for m := range planned {
		if !direct[m] {
			t.Errorf("%s has a line for %s, which go.mod does not require", plan, m)
		}
	}
}
