package api_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

// FuzzString: a JSON string comes back as it was when it is UTF-8, and is valid JSON whatever it is.
func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", `"`, `\`, "/", "<&>", "\x00\x1f\x7f", "\n\r\t\b\f", "é漢😀", "\u2028\u2029", "\ufffd", "\xff", "a\xe2\x82", "\xed\xa0\x80", "\u0080"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := api.AppendString([]byte("x"), s)
		if got[0] != 'x' {
			t.Fatal("what was there is lost")
		}
		got = got[1:]
		if !json.Valid(got) || !utf8.Valid(got) {
			t.Fatalf("%q became %q, which is no JSON", s, got)
		}
		var back string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); utf8.ValidString(s) && back != want {
			t.Fatalf("%q became %q", s, back)
		}
		var std bytes.Buffer
		enc := json.NewEncoder(&std)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		var same string
		if err := json.Unmarshal(std.Bytes(), &same); err != nil || same != back {
			t.Fatalf("%q: encoding/json has %q, we have %q", s, same, back)
		}
		// Nothing is escaped that need not be (conventions.md 5).
		for _, r := range s {
			if r >= 0x7f && r != utf8.RuneError && !strings.ContainsRune(string(got), r) || r == '/' && strings.Contains(string(got), `\/`) {
				t.Fatalf("%q became %q", s, got)
			}
		}
	})
}

// Every wire struct compiles in every version, and returns one JSON object without a name twice.
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
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range files {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0)
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

// The tags since and until: which names a version has, in which order.
func TestSinceAndUntil(t *testing.T) {
	for v := config.OldestVersion; v <= 10; v++ {
		want := []string{"always"}
		if v <= 5 {
			want = append(want, "shape:old")
		} else {
			want = append(want, "shape:new")
		}
		if v >= 4 && v <= 8 {
			want = append(want, "between")
		}
		if v == 10 {
			want = append(want, "last")
		}
		if got := api.SampleNames(v); !slices.Equal(got, want) {
			t.Errorf("version %d: %v, want %v", v, got, want)
		}
	}
}

// Each sort of value in JSON.
func TestEncodedValues(t *testing.T) {
	got, want := api.EncodedValues(), map[string]string{
		"text": `"a/é\"\\\n\u0001"`, "null text": `null`, "set text": `"x"`, "number": `-12`, "true": `true`,
		"link": `"/api/v9/applicants/7/trackers/8"`, "no link": `null`, "expanded": `{"1":{}}`, "unexpanded": `"/api/v9/applicants/7"`,
		"time": `"2026-03-09T09:00:00+00:00"`, "no time": `null`, "date": `"2026-03-09"`, "no date": `null`, "cents": `"-12.05"`, "no cents": `"0.00"`,
		"list": `["a","b"]`, "no list": `[]`, "name": `"Ilse Maria Varga"`, "half a name": `"Varga"`, "no name": `""`,
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %s, want %s", name, got[name], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d values, want %d", len(got), len(want))
	}
}

// Parameters have versions by the tags since and until, as fields of answers have: where they are read and where they are documented.
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
	if bounds := api.InputBounds(); bounds["applicationsInput.OfferTypes since"] != bound || bounds["applicationsInput.OfferTypeTitles until"] != bound {
		t.Errorf("bounds of parameters: %v", bounds)
	}
}
