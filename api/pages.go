package api

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto"
)

//go:embed pages
var pageFiles embed.FS

var pageTemplates = template.Must(template.ParseFS(pageFiles, "pages/*.html"))

// problemPage is what the page of a problem type shows.
type problemPage struct {
	Title, Kind, Meaning, Remedy string
	Status                       int
	All                          []problemPage // on the list of all types
}

// ProblemPages answers /problems/{slug}, the pages behind the member type of every problem, and the list of
// them. They need no key.
func (a *API) ProblemPages() http.Handler {
	return a.pages(func(path string) (name string, page any, found bool) {
		slug := strings.Trim(strings.TrimPrefix(path, "/problems"), "/")
		page, found = problemPageFor(slug)
		return "problem.html", page, found
	})
}

// changelogPage is what the changelog shows.
type changelogPage struct {
	Title    string
	Versions []versionChanges // the newest first
}

// versionChanges is what a version brought and how it stands.
type versionChanges struct {
	Number       version
	Status       string
	Sunset       string
	Changes      []string
	Appear, Gone []string // operations
}

// DeveloperPages answers /developers/changelog, the page that deprecated answers link to, made from the
// history and THE table, and the OpenAPI documents. It needs no key.
func (a *API) DeveloperPages() http.Handler {
	return a.withDocuments(a.pages(func(path string) (name string, page any, found bool) {
		return "changelog.html", a.changelog(), strings.TrimSuffix(path, "/") == "/developers/changelog"
	}))
}

func (a *API) changelog() changelogPage {
	page := changelogPage{Title: "Changelog of the API"}
	for _, rel := range slices.Backward(releases()) {
		v := versionChanges{Number: rel.number, Status: rel.status(a.settings.OldestVersion), Sunset: rel.ends}
		for _, c := range history() {
			if c.from == rel.number {
				v.Changes = append(v.Changes, c.summary)
			}
		}
		for _, r := range routes {
			operation := r.method + " " + r.path
			if r.in.first == rel.number && rel.number > 1 {
				v.Appear = append(v.Appear, operation)
			}
			if r.in.last == rel.number-1 {
				v.Gone = append(v.Gone, operation)
			}
		}
		page.Versions = append(page.Versions, v)
	}
	return page
}

// pages answers public pages that choose finds by the path, and the stylesheet they share.
func (a *API) pages(choose func(path string) (name string, page any, found bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			a.always(problemf(methodNotAllowed, "Pages are only read: GET or HEAD.")).ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "public, max-age=3600")
		if r.URL.Path == "/problems/style.css" {
			http.ServeFileFS(w, r, pageFiles, "pages/style.css")
			return
		}
		name, page, found := choose(r.URL.Path)
		if !a.settings.Enabled || !found {
			a.NoSuchPath().ServeHTTP(w, r)
			return
		}
		var body bytes.Buffer
		if err := pageTemplates.ExecuteTemplate(&body, name, page); err != nil {
			panic(err) // the templates are our own
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(body.Len()))
		h.Set("Content-Security-Policy", "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'")
		h.Set("Referrer-Policy", "same-origin")
		if r.Method == http.MethodGet {
			_, _ = body.WriteTo(w) // whether it arrives is the client's affair
		}
	})
}

func problemPageFor(slug string) (problemPage, bool) {
	list := problemPage{Title: "Problem types"}
	for _, t := range problemTypes() {
		page := problemPage{Title: t.title, Kind: string(t.kind), Meaning: t.meaning, Remedy: t.remedy, Status: t.status}
		if t.kind == admitto.Kind(slug) {
			return page, true
		}
		list.All = append(list.All, page)
	}
	return list, slug == ""
}
