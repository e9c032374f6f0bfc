package archtest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMakefile compares the targets of the Makefile with those that CONTRIBUTING.md explains, and both with the list of
// targets that are no files.
func TestMakefile(t *testing.T) {
	makefile, guide := read(t, "Makefile"), read(t, "CONTRIBUTING.md")
	targets := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):`).FindAllStringSubmatch(makefile, -1) {
		targets[match[1]] = true
	}
	if len(targets) == 0 {
		t.Fatal("the Makefile has no targets")
	}
	explained := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^\\| `make ([a-z-]+)`").FindAllStringSubmatch(guide, -1) {
		explained[match[1]] = true
	}
	for name := range targets {
		if !explained[name] {
			t.Errorf("the table of CONTRIBUTING.md does not say what make %s does", name)
		}
	}
	for _, match := range regexp.MustCompile(`\bmake ([a-z][a-z-]*)`).FindAllStringSubmatch(inCode(guide), -1) {
		if !targets[match[1]] {
			t.Errorf("CONTRIBUTING.md names make %s, which is not in the Makefile", match[1])
		}
	}
	phony := regexp.MustCompile(`(?m)^\.PHONY: (.*)$`).FindStringSubmatch(makefile)
	if phony == nil || !slices.Equal(slices.Sorted(slices.Values(strings.Fields(phony[1]))),
		slices.Sorted(maps.Keys(targets))) {
		t.Errorf(".PHONY of the Makefile must name all targets: %q", phony)
	}
}

// inCode returns what stands in backquotes in a text.
func inCode(text string) string {
	var parts []string
	for _, match := range inBackquotes.FindAllStringSubmatch(text, -1) {
		parts = append(parts, match[1])
	}
	return strings.Join(parts, "\n")
}
