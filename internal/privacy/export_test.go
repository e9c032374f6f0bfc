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
	"time"

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

// TestEveryTypeIsExported fills every field that a record of an export can have, so that a type which the export
// cannot write fails here, and not when somebody asks for their data.
func TestEveryTypeIsExported(t *testing.T) {
	t.Parallel()
	content := reflect.TypeFor[form.Content]()
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		if v.Type() == content {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
			for _, key := range []string{"xb", "xa"} {
				item := reflect.New(v.Type().Elem()).Elem()
				fill(item)
				v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), item)
			}
		case reflect.Struct:
			if v.Type() == reflect.TypeFor[admitto.Date]() {
				v.Set(reflect.ValueOf(admitto.DateOf(time.Unix(0, 0))))
				return
			}
			for n := range v.NumField() {
				if v.Type().Field(n).IsExported() {
					fill(v.Field(n))
				}
			}
		case reflect.String:
			v.SetString("x")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
			v.SetInt(1)
		case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
			v.SetUint(1)
		case reflect.Float32, reflect.Float64:
			v.SetFloat(1)
		}
	}
	d := personalData{in: saying{lang: "en", zone: time.UTC, word: func(_, english string) string { return english }}}
	fill(reflect.ValueOf(&d).Elem())
	d.Consents[0].Versions = admitto.Versions{"fr": {"text": "Lu"}, "en": {"text": "Read this"}, "ar": {"text": "Qara"}}
	files, err := d.texts()
	if err != nil {
		t.Fatal(err)
	}
	page, data := string(files[0].Content), string(files[1].Content)
	if !regexp.MustCompile(`"versions": \{\s*"ar": \{\s*"text": "Qara"\s*\},\s*"en": \{\s*"text": "Read this"\s*\},` +
		`\s*"fr": `).MatchString(data) {
		t.Errorf("%.3000s", data)
	}
	if !strings.Contains(page, "Read this") || strings.Contains(page, "Qara") {
		t.Errorf("%.3000s", page)
	}
}
