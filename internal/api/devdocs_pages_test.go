package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"golang.org/x/net/html"
)

// contractProblems is the table of conventions.md 6, and what is there while rows are not built.
var contractProblems = map[string]int{
	"invalid-id": 400, "invalid-parameter": 400, "invalid-body": 400, "not-allowed-now": 400,
	"unauthorized": 401, "not-permitted": 403, "https-required": 403,
	"no-such-path": 404, "not-in-version": 404, "unknown-version": 404, "not-found": 404,
	"method-not-allowed": 405, "changed-meanwhile": 412, "too-large": 413, "unsupported-media-type": 415,
	"range-not-satisfiable": 416,
	"already-exists":        409, "idempotency-conflict": 409, "idempotency-in-progress": 409, "quota-exceeded": 429,
	"internal": 500, "mail-refused": 502, "unavailable": 503,
}

// Every type of a problem is a page that says what it means and what to do.
func TestProblemPages(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		kinds := api.ProblemKinds()
		if len(kinds) != len(contractProblems) {
			t.Errorf("%d kinds, the contract has %d", len(kinds), len(contractProblems))
		}
		list := s.get("/problems/", noKey).want(t, 200)
		checkPage(t, "/problems/", list)
		if s.get("/problems", noKey).want(t, 200).body != list.body {
			t.Error("/problems and /problems/ differ")
		}
		for slug, status := range contractProblems {
			if kinds[slug] != status {
				t.Errorf("%s has status %d, want %d", slug, kinds[slug], status)
			}
			path := "/problems/" + slug
			page := s.get(path, noKey, header("Accept-Encoding", "identity")).want(t, 200)
			checkPage(t, path, page)
			if !strings.Contains(list.body, `href="`+path+`"`) {
				t.Errorf("the list does not name %s", path)
			}
			head := s.do("HEAD", path, "", noKey).want(t, 200)
			for _, name := range []string{"Content-Type", "Content-Length", "Cache-Control", "Content-Security-Policy"} {
				if head.header.Get(name) != page.header.Get(name) || head.body != "" {
					t.Errorf("HEAD %s: %s %q, GET %q", path, name, head.header.Get(name), page.header.Get(name))
				}
			}
		}
		if css := s.get("/developers/style.css", noKey).want(t, 200); !strings.HasPrefix(css.header.Get("Content-Type"),
			"text/css") {
			t.Errorf("style.css is %s", css.header.Get("Content-Type"))
		}
		for _, path := range []string{"/problems/none", "/problems/not-found/x", "/problems/Not-Found",
			"/problems/../go.mod"} {
			s.get(path, noKey).want(t, 404).problem(t, "no-such-path")
		}
		if a := s.do("POST", "/problems/not-found", "", noKey).want(t, 405); a.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("Allow %q", a.header.Get("Allow"))
		}
	})
}

// checkPage wants a page that is well-formed, complete without scripts, and harmless.
func checkPage(t *testing.T, path string, page answer) {
	t.Helper()
	if page.header.Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.Contains(page.header.Get("Content-Security-Policy"), "default-src 'self'") ||
		page.header.Get("X-Content-Type-Options") != "nosniff" || page.header.Get("RateLimit") != "" {
		t.Errorf("%s: %v", path, page.header)
	}
	void := []string{"meta", "link", "br", "img", "input", "hr"}
	var open []string
	count := map[string]int{}
	tokens := html.NewTokenizer(strings.NewReader(page.body))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		token := tokens.Token()
		switch kind {
		case html.StartTagToken:
			count[token.Data]++
			if !slices.Contains(void, token.Data) {
				open = append(open, token.Data)
			}
			for _, attribute := range token.Attr {
				if strings.HasPrefix(attribute.Key, "on") || attribute.Key == "style" {
					t.Errorf("%s: <%s %s>", path, token.Data, attribute.Key)
				}
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("%s: </%s> in %v", path, token.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 || count["script"] > 0 || count["h1"] != 1 || count["title"] != 1 || count["main"] != 1 ||
		!strings.Contains(page.body, `<html lang="en">`) ||
		!strings.HasPrefix(page.body, "<!DOCTYPE html>") {
		t.Errorf("%s: open %v, elements %v", path, open, count)
	}
	if _, err := html.Parse(strings.NewReader(page.body)); err != nil {
		t.Errorf("%s: %v", path, err)
	}
}

// The changelog is made from the history and the table, and is where deprecated answers link to.
func TestChangelog(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		page := s.get("/developers/changelog", noKey).want(t, 200)
		for _, part := range []string{"Version 10", "GET /rankings/{id}/entries", "POST creates a note",
			"GET /applicants/{id}/studyplans"} {
			if !strings.Contains(page.body, part) {
				t.Errorf("the changelog does not say %q", part)
			}
		}
		if !strings.Contains(s.do("PATCH", v10("/applicants/1/notes"), "").header.Get("Link"), "</developers/changelog>") {
			t.Error("a deprecated answer does not link to the changelog")
		}
		s.get("/developers/nothing", noKey).want(t, 404).problem(t, "no-such-path")
		s.do("POST", "/developers/changelog", "", noKey).want(t, 405)
	})
}
