package archtest

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// security is the document that names a test for everything that is promised there.
const security = "docs/security.md"

// testsOf returns the folder of each test and fuzz target by name.
func testsOf(t *testing.T) map[string][]string {
	found := map[string][]string{}
	for _, f := range append(readFiles(t), readModule(t, "test")...) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.isTest && fn.Recv == nil &&
				(strings.HasPrefix(fn.Name.Name, "Test") || strings.HasPrefix(fn.Name.Name, "Fuzz")) {
				found[fn.Name.Name] = append(found[fn.Name.Name], path.Dir(f.path))
			}
		}
	}
	return found
}

// TestSecurityDocument looks up every test and every Go file that the document names.
func TestSecurityDocument(t *testing.T) {
	tests, files := testsOf(t), map[string]bool{}
	for _, f := range append(readFiles(t), readModule(t, "test")...) {
		files[f.path] = true
	}
	named := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w*$`)
	count := 0
	for _, match := range inBackquotes.FindAllStringSubmatch(read(t, security), -1) {
		switch name := match[1]; {
		case named.MatchString(name):
			if count++; tests[name] == nil {
				t.Errorf("%s names %s, which is not there", security, name)
			}
		case strings.HasSuffix(name, ".go"):
			if !files[name] {
				t.Errorf("%s names the file %s, which is not there", security, name)
			}
		}
	}
	if count < 100 {
		t.Errorf("%s names only %d tests", security, count)
	}
}

// TestFuzzTargets compares the fuzz targets that are there with those that CI runs and those of the document.
func TestFuzzTargets(t *testing.T) {
	_, list, _ := strings.Cut(read(t, ".ci/fuzz"), "\nfuzz_targets=(\n")
	list, _, found := strings.Cut(list, "\n)\n")
	if !found {
		t.Fatal(".ci/fuzz has no list fuzz_targets")
	}
	listed := map[string]bool{}
	for line := range strings.SplitSeq(list, "\n") {
		listed[strings.Trim(strings.TrimSpace(line), `"`)] = true
	}
	document := read(t, security)
	for name, folders := range testsOf(t) {
		if !strings.HasPrefix(name, "Fuzz") {
			continue
		}
		for _, folder := range folders {
			entry := "./" + folder + " " + name
			if !listed[entry] {
				t.Errorf(`.ci/fuzz does not run "%s"; add it to fuzz_targets`, entry)
			}
			delete(listed, entry)
		}
		if !strings.Contains(document, "`"+name+"`") {
			t.Errorf("%s does not say what %s reads; add it to the table of parsers", security, name)
		}
	}
	for _, entry := range slices.Sorted(maps.Keys(listed)) {
		t.Errorf(`.ci/fuzz runs "%s", which is not there`, entry)
	}
}
