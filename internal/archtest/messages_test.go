package archtest

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// messageTable begins the paths of the files with the sentences.
const messageTable = "internal/message/english"

// TestMessages compares the sentences that are made with the catalogue: each code is a literal that the catalogue has,
// with as many arguments as its sentence names, and each sentence is used.
func TestMessages(t *testing.T) {
	files := readFiles(t)
	arguments, used := map[string]int{}, map[string]bool{}
	braces := regexp.MustCompile(`\{[a-z]+\}`)
	for _, f := range files {
		if !strings.HasPrefix(f.path, messageTable) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if row, ok := n.(*ast.CompositeLit); ok && len(row.Elts) == 2 && row.Type == nil {
				arguments[textOf(row.Elts[0], nil)] = len(braces.FindAllString(textOf(row.Elts[1], nil), -1))
			}
			return true
		})
	}
	for _, f := range files {
		if f.isTest || strings.HasSuffix(f.dir, "message") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if of, ok := call.Fun.(*ast.SelectorExpr); !ok || nameOf(of.X) != "message" || of.Sel.Name != "Of" {
				return true
			}
			code := textOf(call.Args[0], nil)
			want, known := arguments[code]
			switch {
			case code == "":
				t.Errorf("%s:%d: the code of a sentence is no literal", f.path, f.line(call))
			case !known:
				t.Errorf("%s:%d: %s has no sentence %q", f.path, f.line(call), messageTable, code)
			case want != len(call.Args)-1 || call.Ellipsis.IsValid():
				t.Errorf("%s:%d: the sentence %s takes %d arguments", f.path, f.line(call), code, want)
			}
			used[code] = true
			return true
		})
	}
	for code := range arguments {
		if !used[code] {
			t.Errorf("%s: nothing says %s", messageTable, code)
		}
	}
	if len(used) < 150 {
		t.Errorf("only %d sentences are used", len(used))
	}
}

// TestKindsOfArguments wants every argument of a sentence to be of one kind wherever a sentence has it, so that those
// who translate sentences know from its name what they get.
func TestKindsOfArguments(t *testing.T) {
	names := map[string][]string{} // by code: what its sentence names, in order
	braces := regexp.MustCompile(`\{([a-z]+)\}`)
	for _, f := range readFiles(t) {
		if !strings.HasPrefix(f.path, messageTable) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if row, ok := n.(*ast.CompositeLit); ok && len(row.Elts) == 2 && row.Type == nil {
				code := textOf(row.Elts[0], nil)
				for _, name := range braces.FindAllStringSubmatch(textOf(row.Elts[1], nil), -1) {
					names[code] = append(names[code], name[1])
				}
			}
			return true
		})
	}
	kinds, n := map[string]string{}, 0
	for _, p := range readTypes(t) {
		if p.dir == "internal/message" {
			continue
		}
		for _, f := range p.files {
			ast.Inspect(f, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || len(call.Args) < 2 {
					return true
				}
				if of, ok := call.Fun.(*ast.SelectorExpr); !ok || nameOf(of.X) != "message" || of.Sel.Name != "Of" {
					return true
				}
				list := names[textOf(call.Args[0], nil)]
				for i, arg := range call.Args[1:] {
					if i >= len(list) {
						break // TestMessages says so
					}
					n++
					kind := kindOf(p.info.TypeOf(arg))
					switch was, known := kinds[list[i]]; {
					case kind == "":
						t.Errorf("%s: {%s} is a %s, of which no sentence can be made", p.set.Position(arg.Pos()), list[i],
							p.info.TypeOf(arg))
					case known && was != kind:
						t.Errorf("%s: {%s} is a %s here and a %s elsewhere", p.set.Position(arg.Pos()), list[i], kind, was)
					}
					kinds[list[i]] = kind
				}
				return true
			})
		}
	}
	if n < 150 {
		t.Errorf("only %d arguments were found", n)
	}
}

// errorsOfAPI are the functions of the API that make errors which no client reads: they are private causes, or become
// the fixed sentence of a fault of ours.
var errorsOfAPI = map[string]bool{
	"internal/api/documents_write.go receive":   true, // cause
	"internal/api/documents_write.go part":      true, // ours
	"internal/api/params/args.go multipartArgs": true, // cause
	"internal/api/look.go Look":                 true, // of the documentation
	"internal/api/openapi/document.go JSON":     true, // of the documentation
	"internal/api/pipeline.go errPanicked":      true, // ours
}

// writesTime reports whether an argument of a call is a time that is written already.
func writesTime(n ast.Node) (found bool) {
	call, ok := n.(*ast.CallExpr)
	for i := 0; ok && i < len(call.Args); i++ {
		ast.Inspect(call.Args[i], func(n ast.Node) bool {
			of, ok := n.(*ast.SelectorExpr)
			found = found || ok && (of.Sel.Name == "Format" || of.Sel.Name == "Long")
			return !found
		})
	}
	return found
}

// TestNoSentenceInPlace finds sentences to clients that are no code of the catalogue. Where the compiler wants a
// message.Text, one that is made of a sentence is Plain, From of an error that is none, or a literal.
func TestNoSentenceInPlace(t *testing.T) {
	forOperators := []string{"store", "demo"} // no client reaches what these refuse with Errorf
	found := map[string]bool{}
	for _, f := range readFiles(t) {
		if f.isTest || f.dir == "message" || f.path == "internal/admitto/error.go" {
			continue
		}
		ofAPI := f.dir == "api" || strings.HasPrefix(f.dir, "api/")
		for _, declared := range f.ast.Decls {
			place := f.path + " " + nameOfDecl(declared)
			ast.Inspect(declared, func(n ast.Node) bool {
				var of ast.Expr
				switch n := n.(type) {
				case *ast.CallExpr:
					of = n.Fun
				case *ast.CompositeLit:
					if len(n.Elts) > 0 {
						of = n.Type
					}
				}
				name, ok := of.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				switch called := nameOf(name.X) + "." + name.Sel.Name; {
				case called == "message.Plain" || called == "message.Text" || called == "message.From" && f.dir == "web",
					called == "admitto.Errorf" && !slices.Contains(forOperators, f.dir):
					t.Errorf("%s:%d: %s makes a sentence here: give it a row in %s, and say message.Of", f.path, f.line(n), called,
						messageTable)
				case called == "message.Of" && writesTime(n):
					t.Errorf("%s:%d: readers of other languages want the time in theirs: say message.Time, or a day as it is",
						f.path, f.line(n))
				case ofAPI && (called == "errors.New" || called == "fmt.Errorf"):
					if found[place] = true; !errorsOfAPI[place] {
						t.Errorf("%s:%d: a client may read this: say message.Of, or name the function in errorsOfAPI", f.path, f.line(n))
					}
				}
				return true
			})
		}
	}
	for place := range errorsOfAPI {
		if !found[place] {
			t.Errorf("errorsOfAPI: %s makes no error", place)
		}
	}
}

// nameOfDecl is the first name that is declared.
func nameOfDecl(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		if len(d.Specs) > 0 {
			if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
				return v.Names[0].Name
			}
		}
	}
	return ""
}

// kindOf is the kind of an argument of a sentence: a number, a text, a date, another sentence; "" for anything else.
func kindOf(typ types.Type) string {
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		switch named.Obj().Name() {
		case "Date":
			return "date"
		case "Time":
			return "time"
		case "Text":
			return "sentence"
		case "Named":
			return "text" // a name, in the language of the reader
		}
	}
	if types.NewMethodSet(typ).Lookup(nil, "Word") != nil {
		return "text" // a word of an enumeration
	}
	basic, ok := typ.Underlying().(*types.Basic)
	switch {
	case ok && basic.Info()&types.IsInteger != 0:
		return "number"
	case ok && basic.Info()&types.IsString != 0:
		return "text"
	}
	return ""
}
