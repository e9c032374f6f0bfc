package api

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
)

var documentPath = regexp.MustCompile(`^/developers/openapi-v([1-9][0-9]{0,3})\.json$`)

// unversionedPath is that of the document about paths without a version.
const unversionedPath = "/developers/openapi.json"

// withDocuments answers /developers/openapi-v{n}.json for every version that is served, /developers/openapi.json for the
// paths without a version, and all other paths by pages. A document is made when it is first asked for.
func (a *API) withDocuments(pages http.Handler) http.Handler {
	var made sync.Map // path → []byte
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		compose := a.documentAt(r.URL.Path)
		if compose == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			pages.ServeHTTP(w, r)
			return
		}
		text, known := made.Load(r.URL.Path)
		if !known {
			text, _ = made.LoadOrStore(r.URL.Path, compose().encode())
		}
		a.public(w, r, jsonType, text.([]byte))
	})
}

// documentAt gives what makes the document that the path names, nil when there is none.
func (a *API) documentAt(path string) func() *apiDocument {
	if !a.settings.Enabled {
		return nil
	}
	if path == unversionedPath {
		return func() *apiDocument { return unversionedDocument(a) }
	}
	match := documentPath.FindStringSubmatch(path)
	if match == nil {
		return nil
	}
	n, err := strconv.Atoi(match[1])
	if err != nil || !served(a.settings, version(n)) {
		return nil
	}
	return func() *apiDocument { return newDocument(a, version(n)) }
}
