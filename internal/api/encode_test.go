package api_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

// Every wire struct compiles in every version, and becomes one JSON object without a name twice.
func TestWireStructs(t *testing.T) {
	covered := api.WireNames()
	for _, name := range wireStructs(t) {
		if !slices.Contains(covered, name) {
			t.Errorf("%s has wire tags and is missing in wireTypes of export_test.go", name)
		}
	}
	for _, name := range covered {
		for v := config.OldestVersion; v <= 10; v++ {
			body := api.EncodeZero(name, v)
			dec := json.NewDecoder(bytes.NewReader(body))
			if token, err := dec.Token(); err != nil || token != json.Delim('{') {
				t.Fatalf("%s in version %d: %s", name, v, body)
			}
			seen := map[string]bool{}
			for dec.More() {
				token, err := dec.Token()
				var value json.RawMessage
				if err == nil {
					err = dec.Decode(&value)
				}
				if err != nil {
					t.Fatalf("%s in version %d: %v: %s", name, v, err, body)
				}
				if seen[token.(string)] {
					t.Errorf("%s in version %d has %v twice", name, v, token)
				}
				seen[token.(string)] = true
			}
			if !json.Valid(body) || len(seen) == 0 {
				t.Errorf("%s in version %d: %s", name, v, body)
			}
		}
	}
}

// wireStructs finds the structs with wire tags in the source.
func wireStructs(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "wire/content.go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if body, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(body.Fields.List, func(f *ast.Field) bool {
				return f.Tag != nil && strings.Contains(f.Tag.Value, `wire:"`)
			}) {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	return names
}

// Parameters have versions by the tags since and until, as fields of answers have: where they are read and where they
// are documented.
func TestParametersSinceAndUntil(t *testing.T) {
	for v := config.OldestVersion; v <= 10; v++ {
		understood, unknown, documented := "{[7] [7] [] []} <nil>", "between", "always string;changed string;"
		switch {
		case v >= 9:
			understood, documented = "{[7] [] [7] []} <nil>", "always string;changed integer;"
		case v >= 4:
			understood, unknown, documented = "{[7] [] [7] [7]} <nil>", "", "always string;changed integer;between string;"
		}
		u, i, d := api.RangedParameters(v)
		if u != understood || i != unknown || d != documented {
			t.Errorf("version %d: %s, ignored %q, documented %s; want %s, %q, %s", v, u, i, d, understood, unknown, documented)
		}
	}
	bound := 4
	if dropped("/api/v3") { // the only version that has a parameter of its own
		bound = 0
	}
	if bounds := api.InputBounds(); bounds["applicationsInput.OfferTypes since"] != bound ||
		bounds["applicationsInput.OfferTypeTitles until"] != bound {
		t.Errorf("bounds of parameters: %v", bounds)
	}
}
