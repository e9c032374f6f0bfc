package admitto_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/admitto"
)

// The catalogue has what the table of lifecycle.md 10.2 has, in its order. A short form in a cell means the full
// sentence with the subject of the one before.
func TestEventKindsAreTheContract(t *testing.T) {
	text, err := os.ReadFile("../../docs/spec/lifecycle.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "### 10.2 Events")
	table, _, _ = strings.Cut(table, "\n## ")
	var want, got []string
	group, subject := "", ""
	subjects := regexp.MustCompile(` (was|were|has|failed)\b`)
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.Contains(cells[1], "Group") || strings.Contains(cells[1], "---") {
			continue
		}
		if name, _, _ := strings.Cut(strings.TrimSpace(cells[1]), " ("); name != "" {
			group = name
		}
		for _, match := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1) {
			pattern := match[1]
			switch {
			case pattern == "+" || pattern == "none" || pattern == "other": // values, not events
				continue
			case pattern[0] >= 'A' && pattern[0] <= 'Z':
				subject = subjects.Split(pattern, 2)[0]
			case strings.HasPrefix(pattern, "has ") || strings.HasPrefix(pattern, "failed"):
				pattern = subject + " " + pattern
			default:
				pattern = subject + " was " + pattern
			}
			want = append(want, group+": "+pattern)
		}
	}
	for _, k := range admitto.EventKinds() {
		got = append(got, k.Group+": "+string(k.Pattern))
		if (k.Binds != "") != strings.HasSuffix(string(k.Pattern), ": ?") {
			t.Errorf("%s: the ? and what stands for it do not agree: %q", k.Pattern, k.Binds)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 200 {
		t.Errorf("catalogue (-lifecycle.md 10.2 +EventKinds), %d: %s", len(want), diff)
	}
}

// An event has the release since which it is recorded if and only if something records it: a use case names its
// constant.
func TestEventKindsSayWhatIsRecorded(t *testing.T) {
	source, err := os.ReadFile("catalogue.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[admitto.Pattern]string{}
	for _, match := range regexp.MustCompile(`(?m)^\t(\w+)\s+Pattern = "([^"]+)"`).FindAllStringSubmatch(string(source),
		-1) {
		names[admitto.Pattern(match[2])] = match[1]
	}
	named := map[string]bool{} // in the code of use cases
	use := regexp.MustCompile(`\badmitto\.\w+\b`)
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || slices.Contains([]string{"admitto", "api", "demo", "apptest", "services"},
			filepath.Base(filepath.Dir(name))) {
			continue // what names events without recording them
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range use.FindAllString(string(text), -1) {
			named[found] = true
		}
	}
	for _, k := range admitto.EventKinds() {
		name := names[k.Pattern]
		recorded := named["admitto."+name]
		if recorded != (k.Since != "") {
			t.Errorf("%s: recorded by a use case: %v; since %q in the catalogue", k.Pattern, recorded, k.Since)
		}
		delete(names, k.Pattern)
	}
	for pattern := range names {
		t.Errorf("%q is not in the catalogue", pattern)
	}
}
