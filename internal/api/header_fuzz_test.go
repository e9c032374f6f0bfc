package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

// FuzzHeaders reads the headers that mean something here: none breaks anything, and what is taken from one is in it.
func FuzzHeaders(f *testing.F) {
	for _, seed := range []string{"", `SERVICE apikey="k"`, "service  apikey = k", "SERVICE apikey=\"",
		"text/plain;q=0.5, */*;q=nan", "bytes=0-0,-5,7-", "bytes=9-1", "BYTES = 1-2",
		`"a", W/"b", "c-gzip"`, "*", `handling="strict"; x=1, return=representation`, ",;=\"", "text/*;q=1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := httptest.NewRequest("GET", "/api/v10/ping", http.NoBody)
		r.Header["Authorization"], r.Header["Prefer"] = []string{value}, []string{value}
		a := &API{live: config.NewLive(config.Defaults())}
		if key := a.secretOf(r.Header); !strings.Contains(value, key) || key != strings.TrimSpace(key) &&
			!strings.Contains(value, `"`) {
			t.Fatalf("the key %q", key)
		}
		(&call{api: a, r: r}).prefers("handling=strict")
		for _, accept := range [][]string{{value}, {value, value}} {
			prefersText(accept)
			prefersJSON(accept)
			if q := quality(accept, "text/plain", "text/*", "*/*"); q < 0 || q > 1000 {
				t.Fatalf("a quality of %v", q)
			}
		}
	})
}

// FuzzPath reads paths: what is found has as many parameters as its row has, and none of them is empty.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/api/v10/applicants/1", "/api/applications/1/offers/2/score/extra", "/api//x",
		"/api/v3/applicants/..%2f1/photo", "/api/v999/x", "/api/%00", "/api/applicants/trackers/photo/", "api", "/api/v1/%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return
		}
		segments, err := splitPath(u)
		if err != nil {
			return
		}
		c, _ := newCall("GET", "", "", "")
		if segments, err = c.api.takeVersion(c, segments); err != nil {
			return
		}
		node, args := c.api.tree.find(segments)
		if node == nil {
			return
		}
		if len(args) != strings.Count(node.pattern, "{") || !strings.HasPrefix(c.prefix, "/api") ||
			strings.ContainsAny(c.prefix, "?#%\r\n") {
			t.Fatalf("%q: %s with %v", path, node.pattern, args)
		}
		if err := c.parseArguments(args); err == nil && len(c.ids) != strings.Count(node.pattern, "{id}") {
			t.Fatalf("%q: %v", path, c.ids)
		}
	})
}
