// Package devdocs is the documentation for those who write programs against the API: everything below /developers, and
// the pages of problem types below /problems. It shows what package api says about itself as plain data
// (api.ReferenceOf, api.Changelog, api.OpenAPI, problem.Types), so nothing is described twice. It may import admitto,
// api, api/problem, services and web.
package devdocs

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/web"
)

//go:embed templates guides
var pageFiles embed.FS

var pageTemplates = template.Must(template.ParseFS(pageFiles, "templates/*.html", "guides/*.html"))

const (
	htmlType       = "text/html; charset=utf-8"
	stylesheetPath = "/developers/style.css"

	// pagePolicy is that of screens.md U3, and rules out scripts since these pages have none.
	pagePolicy = "default-src 'self'; script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)

// Docs answers the public pages. They need no key. It is safe for concurrent use.
type Docs struct {
	live     *config.Live
	services *services.Services
	budget   *web.Budget
	fault    func(http.ResponseWriter, *http.Request, error)
	shown    keptSamples
}

// New makes the pages of an API with these settings. The services say what the examples are about; nil: they keep what
// they were written with. The site rest answers the errors: a program that looks for a document must not be answered by
// a page.
func New(s *services.Services, budget *web.Budget, live *config.Live, rest web.Site) *Docs {
	return &Docs{live: live, services: s, budget: budget, fault: rest.Fault}
}

// settings are the current settings.
func (d *Docs) settings() *config.Settings { return d.live.Current() }

// Sites are the pages below /problems and /developers, and the site of what is nowhere else.
func (d *Docs) Sites() []web.Site {
	headers := map[string]string{"Cache-Control": "private, no-cache"} // of refusals; what is found may be kept
	problems := d.pages(func(path string, _ *samples) (page, bool) {
		return problemPageFor(strings.TrimPrefix(strings.TrimPrefix(path, "/problems"), "/"))
	})
	return []web.Site{
		{Prefix: "/problems", Handler: problems, Fault: d.fault, Headers: headers},
		{Prefix: "/developers", Handler: d.withDocuments(d.pages(d.developerPage)), Fault: d.fault, Headers: headers},
		{Fault: d.fault, Headers: headers},
	}
}

// page is a public page in the frame that all of them share.
type page struct {
	template string // name of the file
	Title    string
	Area     string // path of the link in the frame that stands for the page
	Content  any
}

// NewestAPI is the path of the newest version of the API.
func (*page) NewestAPI() string { return config.NewestAPI() }

// Reference is the path of the newest reference, for the frame.
func (*page) Reference() string { return "/developers/v" + strconv.Itoa(config.NewestVersion) }

// problemPage is what the page of a problem type shows.
type problemPage struct {
	Kind, Title, Meaning, Remedy string
	Status                       int
}

// problemPageFor finds the page of a kind of problem, and the list of all for "".
func problemPageFor(slug string) (page, bool) {
	const area = "/problems/"
	var all []problemPage
	for _, t := range problem.Types() {
		one := problemPage{Title: t.Title, Kind: string(t.Kind), Meaning: t.Meaning, Remedy: t.Remedy, Status: t.Status}
		if t.Kind == admitto.Kind(slug) {
			return page{"problem.html", t.Title, area, one}, true
		}
		all = append(all, one)
	}
	return page{"problems.html", "Problem types", area, all}, slug == ""
}

// pages answers public pages that choose finds by the path, and the stylesheet they share. A slash at the end of a path
// changes nothing.
func (d *Docs) pages(choose func(path string, about *samples) (page, bool)) http.Handler {
	find := kept(choose)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			d.fault(w, r, web.ErrReadOnly)
			return
		}
		if d.settings().API.Enabled && r.URL.Path == stylesheetPath {
			d.public(w, r, "text/css; charset=utf-8", stylesheet())
			return
		}
		body, found := find(strings.TrimSuffix(r.URL.Path, "/"), d.samples(r.Context()))
		if !d.settings().API.Enabled || !found {
			d.fault(w, r, web.ErrNoSuchPath)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "same-origin")
		d.public(w, r, htmlType, body)
	})
}

// kept makes a page when it is first asked for and keeps it: it depends on nothing but the settings and what the
// examples are about, which hardly ever changes, and there are few.
func kept(choose func(path string, about *samples) (page, bool)) func(path string, about *samples) (body []byte,
	found bool) {
	type rendered struct {
		about samples
		body  []byte
	}
	var made sync.Map // path → rendered
	return func(path string, about *samples) ([]byte, bool) {
		if p, known := made.Load(path); known && p.(rendered).about == *about {
			return p.(rendered).body, true
		}
		p, found := choose(path, about)
		if !found {
			return nil, false
		}
		body := p.render()
		made.Store(path, rendered{*about, body})
		return body, true
	}
}

// public answers with what everybody may read and keep for an hour.
func (d *Docs) public(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	r = r.WithContext(context.WithoutCancel(r.Context()))
	w.Header().Set("Cache-Control", "public, max-age=3600")
	if err := d.budget.Document(w, r, contentType, body); err != nil {
		w.Header().Set("Cache-Control", "no-store")
		d.fault(w, r, err)
	}
}

func (p *page) render() []byte {
	var body bytes.Buffer
	if err := pageTemplates.ExecuteTemplate(&body, p.template, p); err != nil {
		panic(err) // the templates are our own
	}
	return body.Bytes()
}

// stylesheet is that of all pages here.
func stylesheet() []byte {
	text, err := pageFiles.ReadFile("templates/style.css")
	if err != nil {
		panic(err) // it is built in
	}
	return text
}
