package api

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/web"
)

//go:embed templates/developers guides
var pageFiles embed.FS

var pageTemplates = template.Must(template.ParseFS(pageFiles, "templates/developers/*.html", "guides/*.html"))

const (
	htmlType       = "text/html; charset=utf-8"
	stylesheetPath = "/developers/style.css"

	// pagePolicy is that of screens.md U3, and rules out scripts since these pages have none.
	pagePolicy = "default-src 'self'; script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)

// page is a public page in the frame that all of them share.
type page struct {
	template string // name of the file
	Title    string
	Area     string // path of the link in the frame that stands for the page
	Content  any
}

// Reference is the path of the newest reference, for the frame.
func (*page) Reference() string { return "/developers/v" + latest.String() }

// problemPage is what the page of a problem type shows.
type problemPage struct {
	Kind, Title, Meaning, Remedy string
	Status                       int
}

// ProblemPages answers /problems/{slug}, the pages behind the member type of every problem, and the list of
// them. They need no key.
func (a *API) ProblemPages() http.Handler {
	return a.pages(func(path string, _ *samples) (page, bool) {
		return problemPageFor(strings.TrimPrefix(strings.TrimPrefix(path, "/problems"), "/"))
	})
}

// problemPageFor finds the page of a kind of problem, and the list of all for "".
func problemPageFor(slug string) (page, bool) {
	const area = "/problems/"
	var all []problemPage
	for _, t := range problemTypes() {
		one := problemPage{Title: t.title, Kind: string(t.kind), Meaning: t.meaning, Remedy: t.remedy, Status: t.status}
		if t.kind == admitto.Kind(slug) {
			return page{"problem.html", t.title, area, one}, true
		}
		all = append(all, one)
	}
	return page{"problems.html", "Problem types", area, all}, slug == ""
}

// pages answers public pages that choose finds by the path, and the stylesheet they share. A slash at the end of a path
// changes nothing.
func (a *API) pages(choose func(path string, about *samples) (page, bool)) http.Handler {
	find := kept(choose)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			a.Fault(w, r, problemf(methodNotAllowed, "Pages are only read: GET or HEAD."))
			return
		}
		if a.settings.Enabled && r.URL.Path == stylesheetPath {
			a.public(w, r, "text/css; charset=utf-8", stylesheet())
			return
		}
		body, found := find(strings.TrimSuffix(r.URL.Path, "/"), a.samples(r.Context()))
		if !a.settings.Enabled || !found {
			a.Fault(w, r, web.ErrNoSuchPath)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "same-origin")
		a.public(w, r, htmlType, body)
	})
}

// kept makes a page when it is first asked for and keeps it: it depends on nothing but the settings and what the examples are about,
// which hardly ever changes, and there are few.
func kept(choose func(path string, about *samples) (page, bool)) func(path string, about *samples) (body []byte, found bool) {
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
func (a *API) public(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	r = r.WithContext(context.WithoutCancel(r.Context()))
	w.Header().Set("Cache-Control", "public, max-age=3600")
	if err := a.budget.Document(w, r, contentType, body); err != nil {
		w.Header().Set("Cache-Control", "no-store")
		a.Fault(w, r, err)
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
	text, err := pageFiles.ReadFile("templates/developers/style.css")
	if err != nil {
		panic(err) // it is built in
	}
	return text
}
