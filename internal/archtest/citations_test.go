package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contract is the folder of the documents that code and tests cite by section.
const contract = "docs/spec"

// sections returns what can be cited of a document of the contract: numbers of headings ("3.4"), items of the lists
// below them ("0.2.5"), screens ("A53"), and the rules that begin a row of a table or a paragraph ("O5").
func sections(t *testing.T, document string) map[string]bool {
	t.Helper()
	heading := regexp.MustCompile(`^#{2,4} (\d+(?:\.\d+)*)\.? `)
	screen := regexp.MustCompile(`\b[AP]\d\d\b`)
	item := regexp.MustCompile(`^(\d+)\. `)
	ruled := regexp.MustCompile(`^(?:\| |\*\*)([A-Z]\d+)\b`)
	found, section := map[string]bool{}, ""
	for line := range strings.Lines(read(t, contract+"/"+document)) {
		switch match := heading.FindStringSubmatch(line); {
		case match != nil:
			section = match[1]
			found[section] = true
		case strings.HasPrefix(line, "#"):
			for _, name := range screen.FindAllString(line, -1) {
				found[name] = true
			}
		case item.MatchString(line):
			found[section+"."+item.FindStringSubmatch(line)[1]] = true
		case ruled.MatchString(line):
			found[ruled.FindStringSubmatch(line)[1]] = true
		}
	}
	return found
}

var (
	// citation is the name of a document and the sections that follow it: "conventions.md 1, 2 and 6", "lifecycle.md O5 to
	// O9".
	citation = regexp.MustCompile("`?\\b(" + documentNames + ")\\.md\\b[`)\\]]*,? (" + sectionName +
		"(?:(?:, | and | to | or )" + sectionName + ")*)")
	// settingCitation is the form in which settings are cited: "cli.md: database.replica".
	settingCitation = regexp.MustCompile(`\bcli\.md[:,] ([a-z]+\.[a-z_]+)\b`)
	sectionNames    = regexp.MustCompile(sectionName)
	// lineStart is what stands between two lines of one comment; a citation may go over both.
	lineStart = regexp.MustCompile(`\n[\t ]*(?://|--|\*)?[\t ]*`)
)

const (
	documentNames = "conventions|resources|lifecycle|screens|cli"
	sectionName   = `\b(?:[A-Z]\d+|\d+(?:\.\d+)*)\b`
)

// TestCitedSections looks up every section of the contract that code, tests, migrations and documents cite.
func TestCitedSections(t *testing.T) {
	known := map[string]map[string]bool{}
	for name := range strings.SplitSeq(documentNames, "|") {
		known[name] = sections(t, name+".md")
	}
	settings, cited := read(t, contract+"/cli.md"), 0
	for path, text := range citingFiles(t) {
		if !strings.Contains(text, ".md") {
			continue
		}
		text = lineStart.ReplaceAllString(text, " ")
		for _, match := range citation.FindAllStringSubmatch(text, -1) {
			for _, section := range sectionNames.FindAllString(match[2], -1) {
				if cited++; !known[match[1]][section] {
					t.Errorf("%s cites %q: %s/%s.md has no section or rule %s", path, match[0], contract, match[1], section)
				}
			}
		}
		for _, match := range settingCitation.FindAllStringSubmatch(text, -1) {
			if strings.HasSuffix(match[1], ".md") { // the next document
				continue
			}
			if cited++; !strings.Contains(settings, "`"+match[1]+"`") {
				t.Errorf("%s cites %q: %s/cli.md has no setting %s", path, match[0], contract, match[1])
			}
		}
	}
	if cited < 500 {
		t.Errorf("only %d citations were found", cited)
	}
}

// citingFiles returns the text of every file that may cite the contract, by its path from the root.
func citingFiles(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != root && strings.HasPrefix(name, ".") && name != ".ci" {
				return filepath.SkipDir
			}
			return nil
		}
		if slices.Contains([]string{".go", ".sql", ".md", ".html", ".css"}, filepath.Ext(path)) &&
			!strings.HasSuffix(path, "citations_test.go") {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			texts[strings.TrimPrefix(filepath.ToSlash(path), root+"/")] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestCitationsAreFound has the forms of citations that are in use, one of each, and what must be found in them.
func TestCitationsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"(conventions.md 4)":                             "conventions 4",
		"// (lifecycle.md\n// O5 to O9; resources.md 7)": "lifecycle O5 O9, resources 7",
		"\t// conventions.md 1, 2 and 6.":                "conventions 1 2 6",
		"(`conventions.md` 4)":                           "conventions 4",
		"screens.md, P09.":                               "screens P09",
		"resources.md 0.2.5 or 24.12":                    "resources 0.2.5 24.12",
		"nothing in resources.md and 400":                "",
	} {
		var found []string
		for _, match := range citation.FindAllStringSubmatch(lineStart.ReplaceAllString(text, " "), -1) {
			found = append(found, match[1]+" "+strings.Join(sectionNames.FindAllString(match[2], -1), " "))
		}
		if got := strings.Join(found, ", "); got != want {
			t.Errorf("in %q are found %q, want %q", text, got, want)
		}
	}
	rules := sections(t, "lifecycle.md")
	for _, name := range []string{"8.2", "O5", "G10", "B1", "W4"} {
		if !rules[name] {
			t.Errorf("%s of lifecycle.md is not found", name)
		}
	}
	if rules["O99"] || rules["99"] {
		t.Error("rules are found that are not there")
	}
}
