package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// useCases are the packages of the use cases and what they start from. They know no interface. Those whose exported
// methods of a Service are use cases are all but usecase.
var useCases = []string{"usecase", "accounts", "admissions", "apikey", "automation", "batch", "billing", "catalogue",
	"files", "leads",
	"mailtexts", "maintenance", "notify", "privacy",
	"query", "report", "scoring"}

// address is the beginning of what only interfaces and cmd may say: paths of the API and of pages, and addresses.
var address = regexp.MustCompile(`^(https?://|/(api|admin|portal|my|sign-in|developers|problems|applicants|applications|` +
	`fees|institutions|intakes|invoices|letterheads|offers|scoresheets|tableviews|tasks)(/|$))`)

var pathOfAPI = regexp.MustCompile(`^/api(/|$)`)

// TestUseCasesKnowNoInterface wants no HTTP, no path of an interface and no address in use cases, and no path of the
// API in their tests.
func TestUseCasesKnowNoInterface(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range readFiles(t) {
		if !slices.Contains(append(useCases, "services/servicestest"), f.dir) {
			continue
		}
		wrong := address
		if seen[f.dir] = true; f.isTesting() {
			wrong = pathOfAPI
		}
		for _, path := range f.imports() {
			if !f.isTesting() && (path == "net/http" || path == "net/url") {
				t.Errorf("%s imports %s: use cases return values and IDs, and interfaces make answers of them", f.path, path)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, _ := strconv.Unquote(literal.Value); wrong.MatchString(text) {
					t.Errorf("%s:%d: %s belongs into an interface, or behind usecase.Links", f.path, f.line(n), literal.Value)
				}
			}
			return true
		})
	}
	if len(seen) != len(useCases)+1 {
		t.Errorf("of the packages %v only %v were found", useCases, seen)
	}
}

// TestNothingTravelsInContexts wants no value to be put into a context but by web, which hands over what is known of a
// request, and by store, whose errand goes with whatever a request reads first: a transaction in one would let a
// handler read inside of another's.
func TestNothingTravelsInContexts(t *testing.T) {
	found := map[string]bool{}
	for _, f := range readFiles(t) {
		if f.isTesting() {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && nameOf(s.X) == "context" && s.Sel.Name == "WithValue" {
				if found[f.dir] = true; f.dir != "web" && f.dir != "store" {
					t.Errorf("%s:%d: hand values over as parameters, not in a context", f.path, f.line(n))
				}
			}
			return true
		})
	}
	if !found["web"] || !found["store"] {
		t.Error("what web and store hand over was not found")
	}
}

// TestStoreTakesNoSQL wants the exported functions of store to take no statement: who needs one has a permit.
func TestStoreTakesNoSQL(t *testing.T) {
	found := false
	for _, f := range readFiles(t) {
		if f.dir != "store" || f.isTesting() {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for _, parameter := range fn.Type.Params.List {
				for _, name := range parameter.Names {
					if name.Name != "sql" {
						continue
					}
					if found = true; fn.Name.IsExported() {
						t.Errorf("%s:%d: %s takes SQL from anybody", f.path, f.line(fn), fn.Name.Name)
					}
				}
			}
		}
	}
	if !found {
		t.Error("no function of store was found that takes SQL")
	}
}
