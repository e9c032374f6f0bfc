package ui

import (
	"bytes"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jba/templatecheck"

	"github.com/admitto/admitto/internal/web"
)

func newParts(t *testing.T) (*Catalogue, *Assets, *guide) {
	t.Helper()
	catalogue, err := NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	assets, err := NewAssets()
	if err != nil {
		t.Fatal(err)
	}
	handler, err := Styleguide(catalogue, assets, web.NewBudget(16<<20, 2, 0))
	if err != nil {
		t.Fatal(err)
	}
	return catalogue, assets, handler.(*guide)
}

// TestTemplateTypes checks the template of each sample page against the type of what it is given, components included.
func TestTemplateTypes(t *testing.T) {
	catalogue, _, g := newParts(t)
	for name, sample := range samples() {
		s := &sampleText{Locale: catalogue.Locale("en"), query: url.Values{}, path: name}
		if err := templatecheck.CheckHTML(g.pages.Lookup("en", name), sample(s).Main); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStyleguideShowsEveryComponent wants each template of components/ that is of a component on a page of the
// styleguide.
func TestStyleguideShowsEveryComponent(t *testing.T) {
	catalogue, assets, _ := newParts(t)
	shown := map[string]bool{}
	for name, sample := range samples() {
		// What a page includes is found by executing a copy in which each template says its name.
		s := &sampleText{Locale: catalogue.Locale("en"), query: url.Values{}, path: name}
		base, err := parseBase(catalogue.Locale("en"), assets)
		if err != nil {
			t.Fatal(err)
		}
		own := base.Funcs(template.FuncMap{"sees": func(name string) string { shown[name] = true; return "" }})
		for _, c := range componentNames(t) {
			text, err := templateFiles.ReadFile("components/" + c + ".html")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := own.New(c).Parse(`{{sees "` + c + `"}}` + strings.TrimSpace(string(text))); err != nil {
				t.Fatal(err)
			}
		}
		text, err := sampleFiles.ReadFile("samples/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := base.New("page").Parse(string(text)); err != nil {
			t.Fatal(err)
		}
		if err := base.ExecuteTemplate(&bytes.Buffer{}, "page", sample(s).Main); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range componentNames(t) {
		if !shown[name] {
			t.Errorf("no page of the styleguide shows %s", name)
		}
	}
}

func componentNames(t *testing.T) (names []string) {
	t.Helper()
	files, err := fs.Glob(templateFiles, "components/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal("no components: ", err)
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".html"))
	}
	return names
}

// TestHostileContent puts markup and scripts into components: they come out as words.
func TestHostileContent(t *testing.T) {
	catalogue, assets, _ := newParts(t)
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1)`
	pages, err := NewPages(catalogue, assets,
		fstest.MapFS{"hostile.html": {Data: []byte(`{{range .}}{{component .}}{{end}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	field := Field{ID: hostile, Name: hostile, Label: hostile, Hint: hostile, Error: hostile, Value: hostile,
		Autocomplete: hostile, Width: hostile, Lang: hostile}
	main := []Component{
		Notice{Text: hostile, Link: &Link{Text: hostile, Href: "javascript:alert(1)"}}, Tag{Text: hostile,
			Icon: hostile}, Dot{hostile, `red" onload="alert(1)`},
		TextField{Field: field}, LongText{Field: field}, Select{Field: field,
			Options: []Option{{Value: hostile, Text: hostile}}}, DateField{Field: field, Year: hostile}, Letter{Field: field,
			Markers: []string{hostile}},
		Preview{Label: hostile, Blocks: []LetterBlock{{Parts: []LetterPart{{Text: hostile, Href: "javascript:alert(1)"}}}}},
		Table{Caption: hostile, Pick: true, Columns: []Column{{Title: hostile, Place: "label"}},
			Rows: []Row{{ID: hostile, Label: hostile, Cells: []Cell{{Text: hostile, Href: "javascript:alert(1)"}}}}},
		Bars{Title: hostile, Series: []string{hostile}, Rows: []BarRow{{Label: hostile,
			Values: []int{1}}}}, Note{Colour: hostile, Text: hostile}, Secret{ID: hostile, Code: hostile},
		Viewer{Documents: []Document{{Name: hostile, Href: "javascript:alert(1)"}}, Name: hostile,
			Frame: "javascript:alert(1)"},
	}
	var out bytes.Buffer
	err = pages.Render(&out, "en", "hostile", &Page{Title: hostile, Instance: hostile, Scheme: hostile,
		Frame: &Admin{Query: hostile}, Main: main})
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script>", "<img src=x", `"javascript:`, ` onload="`} {
		if at := strings.Index(out.String(), bad); at >= 0 {
			t.Errorf("%s came through: %.200s", bad, out.String()[max(at-80, 0):])
		}
	}
	if err := pages.Render(&out, "en", "none", &Page{}); !errors.Is(err, ErrNoPage) {
		t.Error(err)
	}
}

// TestStyleguideAnswers asks for what is there, for what is not, and for what may not be done.
func TestStyleguideAnswers(t *testing.T) {
	_, _, g := newParts(t)
	for _, c := range []struct {
		method, path string
		status       int
		says         string
	}{
		{"GET", StyleguidePath, 200, `<html lang="en" dir="ltr">`},
		{"GET", StyleguidePath + "/applications?lang=ar&scheme=dark", 200, `<html lang="ar" dir="rtl" data-scheme="dark">`},
		{"GET", StyleguidePath + "/dashboard?density=comfortable", 200, `data-density="comfortable"`},
		{"GET", StyleguidePath + "/form", 200, "<title>Error: Education"},
		{"GET", StyleguidePath + "/photo.png", 200, "PNG"},
		{"GET", StyleguidePath + "/none", 404, ""},
		{"POST", StyleguidePath + "/offer", 405, ""},
	} {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) ||
			w.Header().Get("Content-Security-Policy") != Policy {
			t.Errorf("%s %s: %d %.200s", c.method, c.path, w.Code, w.Body)
		}
		if c.status == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
			t.Error("no Allow")
		}
	}
}

func TestPageLinks(t *testing.T) {
	for _, c := range []struct {
		current, last int
		want          string
	}{{1, 1, "[1]"}, {1, 2, "[1] 2"}, {2, 26, "1 [2] 3 … 26"}, {13, 26, "1 … 12 [13] 14 … 26"}, {26, 26, "1 … 25 [26]"}} {
		var got []string
		for _, l := range PageLinks(c.current, c.last, strconv.Itoa, func(int) string { return "" }) {
			if l.Current {
				l.Text = "[" + l.Text + "]"
			}
			got = append(got, l.Text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%d of %d: %s, want %s", c.current, c.last, s, c.want)
		}
	}
}
