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
)

//go:embed components/*.html layouts/*.html
var templateFiles embed.FS

// Pages has the templates of a site in every language.
type Pages struct {
	Catalogue *Catalogue
	Assets    *Assets
	byLang    map[string]map[string]*template.Template // language, name of the page without .html
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
	Main     any // what the template "main" of the page shows
}

// Frame is what surrounds the content of a page: Admin or Portal.
type Frame interface{ layout() string }

// NewPages parses the templates of a site from the folders given: each *.html is a page, which defines "main".
func NewPages(catalogue *Catalogue, assets *Assets, folders ...fs.FS) (*Pages, error) {
	p := &Pages{Catalogue: catalogue, Assets: assets, byLang: map[string]map[string]*template.Template{}}
	for _, lang := range catalogue.Languages() {
		base, err := p.base(catalogue.Locale(lang))
		if err != nil {
			return nil, err
		}
		p.byLang[lang] = map[string]*template.Template{}
		for _, folder := range folders {
			if err := p.parse(lang, base, folder); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// parse reads the pages of a folder in one language.
func (p *Pages) parse(lang string, base *set, folder fs.FS) error {
	names, err := fs.Glob(folder, "*.html")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		page, err := base.clone()
		if err != nil {
			return err
		}
		if _, err := page.New(name).Parse(string(text)); err != nil {
			return err
		}
		p.byLang[lang][strings.TrimSuffix(name, ".html")] = page
	}
	return nil
}

// Names are the names of the pages, in order. For tests.
func (p *Pages) Names() []string { return slices.Sorted(maps.Keys(p.byLang["en"])) }

// set is components and frames in one language.
type set struct {
	*template.Template
	locale *Locale
	assets *Assets
}

// base parses components and frames.
func (p *Pages) base(l *Locale) (*set, error) {
	s := &set{locale: l, assets: p.Assets}
	s.Template = template.New("").Funcs(s.funcs(nil))
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
			if _, err := s.New(own).Parse(strings.TrimSpace(string(text))); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// clone returns a copy whose functions are about itself.
func (s *set) clone() (*template.Template, error) {
	copied, err := s.Clone()
	if err != nil {
		return nil, err
	}
	return copied.Funcs(s.funcs(copied)), nil
}

// funcs are what templates may call: t and plural for messages, num for numbers, asset and icon for addresses,
// component for a component of any kind.
func (s *set) funcs(templates *template.Template) template.FuncMap {
	return template.FuncMap{
		"t":      s.locale.Text,
		"plural": s.locale.Plural,
		"num":    s.locale.Number,
		"lang":   func() string { return s.locale.Lang },
		"dir":    s.locale.Dir,
		"asset":  s.assets.Path,
		"icon":   func(name string) string { return s.assets.Path("icons.svg") + "#" + name },
		"component": func(c Component) (template.HTML, error) {
			if c == nil {
				return "", nil
			}
			var out bytes.Buffer
			err := templates.ExecuteTemplate(&out, c.template(), c)
			return template.HTML(out.String()), err // written by a template of ours, which escapes what it is given
		},
	}
}

// ErrNoPage is returned for the name of a page that the site does not have.
var ErrNoPage = errors.New("ui: there is no such page")

// Render writes a page in a language. Nothing is written when it fails.
func (p *Pages) Render(w io.Writer, lang, name string, page *Page) error {
	templates := p.Lookup(lang, name)
	if templates == nil {
		return fmt.Errorf("%w: %s", ErrNoPage, name)
	}
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, page.Frame.layout(), page); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}

// RenderComponent writes one component in a language, for pages that scripts read a part of again.
func (p *Pages) RenderComponent(w io.Writer, lang string, c Component) error {
	templates := p.Lookup(lang, "sheet")
	if templates == nil {
		return ErrNoPage
	}
	return templates.ExecuteTemplate(w, c.template(), c)
}

// Lookup returns the templates of a page, nil when there is none. For tests that check their types.
func (p *Pages) Lookup(lang, name string) *template.Template {
	if p.byLang[lang] == nil {
		lang = "en"
	}
	return p.byLang[lang][name]
}
