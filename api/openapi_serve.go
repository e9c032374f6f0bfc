package api

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"sync"

	"github.com/admitto/admitto/web"
)

var documentPath = regexp.MustCompile(`^/developers/openapi-v([1-9][0-9]{0,3})\.json$`)

// withDocuments answers /developers/openapi-v{n}.json for every version that is served, and all other paths by pages.
// A document is made when it is first asked for.
func (a *API) withDocuments(pages http.Handler) http.Handler {
	var made sync.Map // version → []byte
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, found := a.documentVersion(r.URL.Path)
		if !found || r.Method != http.MethodGet && r.Method != http.MethodHead {
			pages.ServeHTTP(w, r)
			return
		}
		document, known := made.Load(v)
		if !known {
			document, _ = made.LoadOrStore(v, newDocument(a, v).encode())
		}
		c := &call{api: a, w: w, r: r, ctx: context.WithoutCancel(r.Context()), info: web.InfoOf(r.Context())}
		w.Header().Set("Cache-Control", "public, max-age=3600")
		if err := c.json(document.([]byte)); err != nil {
			c.fail(err)
		}
	})
}

// documentVersion finds the version whose document the path names.
func (a *API) documentVersion(path string) (version, bool) {
	match := documentPath.FindStringSubmatch(path)
	if match == nil || !a.settings.Enabled {
		return 0, false
	}
	n, err := strconv.Atoi(match[1])
	return version(n), err == nil && served(a.settings, version(n))
}
