package api

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
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
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slug := strings.Trim(strings.TrimPrefix(r.URL.Path, "/problems"), "/")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			a.always(problemf(methodNotAllowed, "Pages are only read: GET or HEAD.")).ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "public, max-age=3600")
		if slug == "style.css" {
			http.ServeFileFS(w, r, pageFiles, "pages/style.css")
			return
		}
		page, found := problemPageFor(slug)
		if !a.settings.Enabled || !found {
			a.NoSuchPath().ServeHTTP(w, r)
			return
		}
		var body bytes.Buffer
		if err := pageTemplates.ExecuteTemplate(&body, "problem.html", page); err != nil {
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
