package privacy

import (
	"bufio"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
)

// TestNamesOfExport wants words in every other language for what stands in the readable page of an export: the names of
// all fields that a record can have, those of the form that have no label, and its frame; and no others.
func TestNamesOfExport(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("export.html")
	if err != nil {
		t.Fatal(err)
	}
	english := map[string]bool{}
	for _, found := range regexp.MustCompile(`\{\{say "([^"]+)"\}\}`).FindAllSubmatch(page, -1) {
		english[string(found[1])] = true
	}
	add := func(name string) { english[strings.ReplaceAll(name, "_", " ")] = true }
	var walk func(t reflect.Type)
	walk = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(of.Elem())
		case reflect.Struct:
			if of == reflect.TypeFor[form.Content]() || of == reflect.TypeFor[admitto.Date]() {
				return
			}
			for n := range of.NumField() {
				f := of.Field(n)
				if !f.IsExported() || slices.Contains(internals, f.Name) {
					continue
				}
				if !f.Anonymous {
					add(plainName(f.Name))
				}
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[personalData]())
	for _, of := range []reflect.Type{reflect.TypeFor[admitto.Extra](), reflect.TypeFor[admitto.Money]()} {
		for n := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(n).Tag.Get("json"), ",")
			add(name)
		}
	}
	add("attention")
	for _, f := range form.Fields() {
		parts := strings.Split(f.Path, "/")
		for n := 2; n < len(parts); n++ {
			if labelOf(strings.Join(parts[:n], "/")) == "" {
				add(parts[n-1])
			}
		}
	}
	for _, lang := range []string{"ar"} {
		said := map[string]bool{}
		name := "../ui/locale/data/" + lang + ".toml"
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close() //nolint:errcheck // it is only read
		for lines := bufio.NewScanner(file); lines.Scan(); {
			key, _, is := strings.Cut(lines.Text(), " = ")
			if word, err := strconv.Unquote(key); is && err == nil {
				said[word] = true
			}
		}
		for word := range english {
			if !said[word] {
				t.Errorf("%s lacks %q", name, word)
			}
		}
		for word := range said {
			if !english[word] {
				t.Errorf("%s has %q, which no export has", name, word)
			}
		}
	}
}
