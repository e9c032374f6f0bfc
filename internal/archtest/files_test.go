package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/admitto/admitto"
	plan   = "docs/architecture.md"
)

// file is one Go file of the module, whatever system or build tag it is for.
type file struct {
	path   string // from the root of the repository, with slashes
	dir    string // the package's folder, without internal/
	isTest bool
	text   string
	fset   *token.FileSet
	ast    *ast.File
}

// readFiles parses every Go file of the module. It reads the files itself instead of asking the go command, so
// that the test cache knows what the result depends on.
func readFiles(t *testing.T) []file {
	t.Helper()
	list, err := filesOfRoot()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clip(list)
}

// filesOfRoot reads them once a process: nobody changes what is parsed.
var filesOfRoot = sync.OnceValues(func() ([]file, error) { return parseModule(".") })

// positions are those of all files.
var positions = token.NewFileSet()

// readModule is parseModule for a test.
func readModule(t *testing.T, folder string) []file {
	t.Helper()
	list, err := parseModule(folder)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// parseModule parses every Go file of the module in a folder, without those of modules below it.
func parseModule(folder string) (list []file, err error) {
	top := filepath.Join(root, folder)
	err = filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path == top {
				return nil
			}
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if err == nil || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f, err := parseFile(filepath.ToSlash(relative), string(text))
		list = append(list, f)
		return err
	})
	return list, err
}

func parseFile(path, text string) (f file, err error) {
	f = file{path: path, dir: folderOf(path), isTest: strings.HasSuffix(path, "_test.go"), text: text, fset: positions}
	f.ast, err = parser.ParseFile(f.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	return f, err
}

// folderOf is the folder of a file's package as the plan names it: without internal/.
func folderOf(file string) string { return strings.TrimPrefix(path.Dir(file), "internal/") }

// nameOfImport is the name by which a file uses a package of the standard library, "" when it does not.
func (f *file) nameOfImport(path string) string {
	for _, spec := range f.ast.Imports {
		if quoted, _ := strconv.Unquote(spec.Path.Value); quoted == path {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path
		}
	}
	return ""
}

// imports returns the import paths of a file.
func (f *file) imports() (list []string) {
	for _, spec := range f.ast.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has accepted it
		list = append(list, path)
	}
	return list
}

// isTesting reports whether the file is test code, in a test file or not.
func (f *file) isTesting() bool {
	for _, path := range f.imports() {
		if path == "testing" {
			return true
		}
	}
	return f.isTest
}

// line returns the number of the line of a node.
func (f *file) line(n ast.Node) int { return f.fset.Position(n.Pos()).Line }

// read returns a text file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var inBackquotes = regexp.MustCompile("`([^`]+)`")

// table reads the table of the plan whose heading row begins with first: for each row the names that stand in
// backquotes, cell by cell.
func table(t *testing.T, first string) (rows [][][]string) {
	t.Helper()
	for _, cells := range rowsAsText(t, first) {
		var row [][]string
		for _, cell := range cells {
			var names []string
			for _, match := range inBackquotes.FindAllStringSubmatch(cell, -1) {
				names = append(names, match[1])
			}
			row = append(row, names)
		}
		rows = append(rows, row)
	}
	return rows
}

// rowsAsText is the rows of a table of the plan, each cell as it stands there.
func rowsAsText(t *testing.T, first string) (rows [][]string) {
	t.Helper()
	inside := false
	for line := range strings.Lines(read(t, plan)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "| "+first+" |"):
			inside = true
		case !strings.HasPrefix(line, "|"):
			inside = false
		case inside && !strings.HasPrefix(line, "|--"):
			var row []string
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				row = append(row, strings.TrimSpace(cell))
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table that begins with %q", plan, first)
	}
	return rows
}
