package ui

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

//go:embed components/*.html layouts/*.html
var templateFiles embed.FS

// Pages has the templates of a site in every language.
type Pages struct {
	Catalogue *Catalogue
	Assets    *Assets
	byLang    map[string]func() *template.Template
	names     []string // of the pages, without .html
}

// Page is one answer: a frame, and the template of the site that fills it.
type Page struct {
	Title    string // of the window, without the name of the instance
	Instance string // name of the institution or the product
	Failed   bool   // the form was refused: the title says so first (screens.md U7)
	Scheme   string // "light", "dark", or "" for what the system says
	Density  string // "comfortable" or ""
	Style    string // address of more styles: those of the institution
	Frame    Frame
	Search   Search
	Main     any // what the template of the page shows

	template string
}

// Search is what search engines are told about a page.
type Search struct {
	Canonical   string // the one address of what the page shows, "" where it has just one
	Description string
	Hidden      bool // they shall not list it
	Data        any  // what it describes, in the words of schema.org; nil for nothing
}

// Frame is what surrounds the content of a page: Admin or Portal.
type Frame interface{ layout() string }

// NewPages parses the templates of a site from the folders given: each *.html is a page, without what is around it. All
// of a language share one set with the components: a copy for each page took more memory than all else in the service.
// English is parsed at once, so that a template with a mistake is told, and every other language when it is first read.
func NewPages(catalogue *Catalogue, assets *Assets, folders ...fs.FS) (*Pages, error) {
	p := &Pages{Catalogue: catalogue, Assets: assets, byLang: map[string]func() *template.Template{}}
	files := map[string]string{}
	for _, folder := range folders {
		names, err := fs.Glob(folder, "*.html")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, err
			}
			files[strings.TrimSuffix(name, ".html")] = strings.TrimSuffix(string(text), "\n")
		}
	}
	p.names = slices.Sorted(maps.Keys(files))
	parse := func(lang string) (*template.Template, error) {
		all, err := parseBase(catalogue.Locale(lang), assets)
		if err != nil {
			return nil, err
		}
		for _, name := range p.names {
			if _, err := all.New(pagePrefix + name).Parse(files[name]); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	english, err := parse("en")
	if err != nil {
		return nil, err
	}
	for _, lang := range catalogue.Languages() {
		p.byLang[lang] = sync.OnceValue(func() *template.Template { return template.Must(parse(lang)) }) // same texts
	}
	p.byLang["en"] = func() *template.Template { return english }
	return p, nil
}

// pagePrefix is what the names of templates of pages begin with, so that one may be called as a component is.
const pagePrefix = "page/"

// Names are the names of the pages, in order. For tests.
func (p *Pages) Names() []string { return p.names }

// parseBase parses components and frames in one language.
func parseBase(l *Locale, assets *Assets) (*template.Template, error) {
	all := template.New("")
	all.Funcs(funcs(all, l, assets))
	for _, folder := range []string{"components", "layouts"} {
		names, err := fs.Glob(templateFiles, folder+"/*.html")
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := templateFiles.ReadFile(name)
			if err != nil {
				return nil, err
			}
			own := strings.TrimSuffix(strings.TrimPrefix(name, folder+"/"), ".html")
			if _, err := all.New(own).Parse(strings.TrimSpace(string(text))); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// funcs are what templates may call: t and plural for messages, num for numbers, asset and icon for addresses,
// component for a component of any kind, main for what a page shows in its frame.
func funcs(all *template.Template, l *Locale, assets *Assets) template.FuncMap {
	// What comes out is written by a template of ours, which escapes what it is given.
	markup := func(name string, data any) (template.HTML, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return template.HTML(out.String()), err
	}
	return template.FuncMap{
		"t":      l.Text,
		"plural": l.Plural,
		"num":    l.Number,
		"lang":   func() string { return l.Lang },
		"dir":    l.Dir,
		"asset":  assets.Path,
		"icon":   func(name string) string { return assets.Path("icons.svg") + "#" + name },
		"main":   func(p *Page) (template.HTML, error) { return markup(p.template, p.Main) },
		"component": func(c Component) (template.HTML, error) {
			if c == nil {
				return "", nil
			}
			return markup(c.template(), c)
		},
	}
}

// ErrNoPage is returned for the name of a page that the site does not have.
var ErrNoPage = errors.New("ui: there is no such page")

// Render writes a page in a language. Nothing is written when it fails.
func (p *Pages) Render(w io.Writer, lang, name string, page *Page) error {
	if !slices.Contains(p.names, name) {
		return fmt.Errorf("%w: %s", ErrNoPage, name)
	}
	whole := *page
	whole.template = pagePrefix + name
	var out bytes.Buffer
	if err := p.in(lang).ExecuteTemplate(&out, page.Frame.layout(), &whole); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// RenderComponent writes one component in a language, for pages that scripts read a part of again.
func (p *Pages) RenderComponent(w io.Writer, lang string, c Component) error {
	return p.in(lang).ExecuteTemplate(w, c.template(), c)
}

// in returns the templates in a language, or in English.
func (p *Pages) in(lang string) *template.Template {
	if parsed := p.byLang[lang]; parsed != nil {
		return parsed()
	}
	return p.byLang["en"]()
}

// Lookup returns the template of a page, nil when there is none. For tests that check its types.
func (p *Pages) Lookup(lang, name string) *template.Template {
	return p.in(lang).Lookup(pagePrefix + name)
}
