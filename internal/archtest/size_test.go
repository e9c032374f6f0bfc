package archtest

import (
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The most lines of a file and files of a package that a reader finds the way in. Tests count as files of their
// package.
const (
	mostLines = 600
	mostFiles = 40
)

// large are the packages that have more files, each with the reason. What is split goes from here.
var large = map[string]string{
	"internal/admin":           "one file a page; those that share a frame, lists and a table of routes stay together, families of pages go into packages below",
	"internal/admin/admintest": "a program of tests takes seconds to link, so that those of the packages below admin are one",
	"internal/api":             "every route in ten versions: one file a family, with its records, and another for its tests, which share one harness",
	"internal/admitto":         "the vocabulary: one file an entity, which the others name",
	"internal/query":           "one file a record or list that interfaces read, all of one service",
	"internal/store":           "one file a table family: all are methods of Tx, which keeps counts, journal and locks of one transaction together",
	"cmd/admitto":              "one file a command, and the tests that run the binary",
}

// TestSizes counts lines of files and files of packages, those of the modules for tests and measurements too.
func TestSizes(t *testing.T) {
	files := readFiles(t)
	for _, module := range []string{"test", "bench"} {
		files = append(files, readModule(t, module)...)
	}
	count := map[string]int{}
	for _, f := range files {
		count[path.Dir(f.path)]++
		if lines := strings.Count(f.text, "\n"); lines > mostLines && !strings.Contains(f.text, "\n// Code generated ") &&
			!strings.HasPrefix(f.text, "// Code generated ") {
			t.Errorf("%s has %d lines, more than %d: split it", f.path, lines, mostLines)
		}
	}
	for folder, n := range count {
		if n > mostFiles && large[folder] == "" {
			t.Errorf("%s has %d Go files, more than %d: split it, or write the reason into the table of this test", folder, n,
				mostFiles)
		}
	}
	for folder := range large {
		if count[folder] <= mostFiles {
			t.Errorf("%s has %d Go files and needs no reason any more", folder, count[folder])
		}
	}
}

// The most columns of a line; a text that long may stand in one piece, and its line is longer.
const (
	mostColumns = 120
	longText    = 60
)

// spaces between the columns of a table do not count.
var spaces = regexp.MustCompile(` {2,}`)

// TestColumns looks for lines that are longer, other than those with a long text, with an example in a comment, or
// with what the compiler reads.
func TestColumns(t *testing.T) {
	files := readFiles(t)
	for _, module := range []string{"test", "bench"} {
		files = append(files, readModule(t, module)...)
	}
	for _, f := range files {
		if strings.HasPrefix(f.text, "// Code generated ") || strings.Contains(f.text, "\n// Code generated ") {
			continue
		}
		for _, line := range longLines(f.text) {
			t.Errorf("%s:%d has more than %d columns", f.path, line, mostColumns)
		}
	}
}

// longLines are the numbers of the lines of a file that are too long.
func longLines(text string) (found []int) {
	lines := strings.Split(text, "\n")
	var long []int
	for i, line := range lines {
		short := strings.TrimLeft(line, "\t")
		if utf8.RuneCountInString(spaces.ReplaceAllString(line, " ")) > mostColumns &&
			!strings.HasPrefix(short, "//\t") && !strings.HasPrefix(short, "//go:") {
			long = append(long, i+1)
		}
	}
	if len(long) == 0 {
		return nil
	}
	texts := textsOf(text)
	for _, n := range long {
		if texts[n] < longText {
			found = append(found, n)
		}
	}
	return found
}

// textsOf is how many columns the longest text of each line takes.
func textsOf(source string) map[int]int {
	positions := token.NewFileSet()
	file := positions.AddFile("", positions.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	texts := map[int]int{}
	for {
		at, kind, literal := s.Scan()
		if kind == token.EOF {
			return texts
		}
		if kind == token.STRING {
			for i, part := range strings.Split(literal, "\n") {
				n := file.Line(at) + i
				texts[n] = max(texts[n], utf8.RuneCountInString(part))
			}
		}
	}
}

// TestLongLines is TestColumns of lines that are written here.
func TestLongLines(t *testing.T) {
	code, wide := strings.Repeat("a + ", 30)+"a", strings.Repeat("b", 70)
	for source, want := range map[string]int{
		"package p\n\nvar v = " + code + "\n":                               1,
		"package p\n\n// " + strings.Repeat("word ", 30) + "\n":             1,
		"package p\n\nvar v = " + code + "+ \"short\"\n":                    1,
		"package p\n\nvar v = \"" + wide + wide + "\"\n":                    0,
		"package p\n\nvar v = `\n" + wide + wide + "`\n":                    0,
		"package p\n\nvar v = " + strings.Repeat(" ", 130) + "1\n":          0,
		"package p\n\n//\tadmitto " + strings.Repeat("word ", 30) + "\n":    0,
		"package p\n\n//go:embed " + strings.Repeat("word ", 30) + "\n":     0,
		"package p\n\nvar v = \"" + strings.Repeat("\u00e9", 50) + "\"\n":   0,
		"package p\n\nvar v = `" + wide + "` + " + code + "\n\nvar w = 1\n": 0,
	} {
		if got := longLines(source); len(got) != want {
			t.Errorf("%q: %v, want %d", source, got, want)
		}
	}
}
