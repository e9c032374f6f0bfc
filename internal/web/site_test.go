package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// only returns one site, which has all paths.
func only(h http.Handler) []Site { return []Site{{Handler: h}} }

// words answers errors by a word, as the fault of a site.
func words(word string) func(http.ResponseWriter, *http.Request, error) {
	return func(w http.ResponseWriter, _ *http.Request, err error) {
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "%s: %v", word, err)
	}
}

// Each site has its paths, and answers errors in its form and with its headers.
func TestSites(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("panic") {
			w.Header().Set("Set-Cookie", "a=b")
			panic("broken")
		}
		w.Header().Set("Cache-Control", "public")
		io.WriteString(w, "here")
	})
	sites := []Site{
		{Handler: page},
		{Prefix: "/api", Handler: page, Fault: words("api"), Headers: map[string]string{"Cache-Control": "private"}},
		{Prefix: "/api/pages", Handler: page, Headers: map[string]string{"Content-Security-Policy": "default-src 'self'"}},
		{Prefix: "/empty", Fault: words("empty"),
			Headers: map[string]string{"Content-Security-Policy": "default-src 'none'"}},
		{Prefix: "/bare"},
	}
	for _, c := range []struct {
		url           string
		status        int
		body          string
		policy, cache string
	}{
		{"https://a/", 200, "here", "", "public"},
		{"https://a/apis", 200, "here", "", "public"},
		{"https://a/api", 200, "here", "", "public"},
		{"https://a/api/", 200, "here", "", "public"},
		{"https://a/%61pi/x?panic", 418, "api: web: the handler panicked", "", "private"},
		{"http://a/api/x", 418, "api: web: HTTPS is required", "", "private"},
		{"http://a/api", 418, "api: web: HTTPS is required", "", "private"},
		{"https://a/api/pages/7", 200, "here", "default-src 'self'", "public"},
		{"https://a/api/pages?panic", 500, "internal error\n", "default-src 'self'", ""},
		{"http://a/api/pages", 403, "HTTPS is required\n", "default-src 'self'", ""},
		{"https://a/api/pages2?panic", 418, "api: web: the handler panicked", "", "private"},
		{"https://a/empty/x", 418, "empty: web: there is no such path", "default-src 'none'", ""},
		{"https://a/bare", 404, "there is no such path\n", "", ""},
		{"http://a/bare", 403, "HTTPS is required\n", "", ""},
		{"https://a/healthz", 200, "ok\n", "", "no-store"},
		{"https://a/healthz/api", 200, "here", "", "public"},
	} {
		w, _ := ask(t, Config{Sites: sites}, httptest.NewRequest("GET", c.url, http.NoBody))
		h := w.Header()
		if w.Code != c.status || w.Body.String() != c.body || h.Get("Content-Security-Policy") != c.policy ||
			h.Get("Cache-Control") != c.cache {
			t.Errorf("%s: %d %q %v", c.url, w.Code, w.Body, h)
		}
		if h.Get("Set-Cookie") != "" || h.Get("X-Request-Id") == "" {
			t.Errorf("%s: %v", c.url, h)
		}
	}
	w, _ := ask(t, Config{Sites: sites[1:]}, httptest.NewRequest("GET", "https://a/", http.NoBody))
	if w.Code != 404 || w.Body.String() != "there is no such path\n" {
		t.Errorf("without a site: %d %q", w.Code, w.Body)
	}
}

// FuzzSites finds the site of any path: the one with the longest prefix that the path begins with.
func FuzzSites(f *testing.F) {
	for _, seed := range []string{"", "/", "*", "/api", "/api/v10", "/apis", "//api", "/api//", "/admin/../api"} {
		f.Add(seed)
	}
	sites := []Site{{}, {Prefix: "/api"}, {Prefix: "/api/pages"}, {Prefix: "/admin"}}
	for i := range sites {
		sites[i].Handler = http.NotFoundHandler()
	}
	f.Fuzz(func(t *testing.T, path string) {
		found := siteOf(sites, path)
		for i := range sites {
			if s := &sites[i]; s.has(path) && len(s.Prefix) > len(found.Prefix) || !found.has(path) {
				t.Fatalf("%q: %q, not %q", path, found.Prefix, s.Prefix)
			}
		}
	})
}
