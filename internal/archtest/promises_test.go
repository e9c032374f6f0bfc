package archtest

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

const promises = "docs/promises.md"

// TestPromises looks for the tests that promises.md names: each row of a table has one, and each of them is there.
func TestPromises(t *testing.T) {
	known := map[string]bool{}
	for _, f := range append(readFiles(t), readModule(t, "test")...) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.isTest && fn.Recv == nil {
				known[fn.Name.Name] = true
			}
		}
	}
	text := read(t, promises)
	named := regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*)`")
	for _, match := range named.FindAllStringSubmatch(text, -1) {
		if !known[match[1]] {
			t.Errorf("%s names %s, which is no test", promises, match[1])
		}
	}
	rows := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| promise |") {
			continue
		}
		rows++
		if !named.MatchString(line) {
			t.Errorf("%s: a promise without a test: %s", promises, line)
		}
	}
	if rows == 0 {
		t.Errorf("%s has no promises", promises)
	}
}
