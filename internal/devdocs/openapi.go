package devdocs

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

var documentPath = regexp.MustCompile(`^/developers/openapi-v([1-9][0-9]{0,3})\.json$`)

// unversionedPath is that of the document about paths without a version.
const unversionedPath = "/developers/openapi.json"

// withDocuments answers /developers/openapi-v{n}.json for every version that is served, /developers/openapi.json for
// the paths without a version, and all other paths by pages. A document is made when it is first requested, and again
// when the settings have changed.
func (d *Docs) withDocuments(pages http.Handler) http.Handler {
	type encoded struct {
		settings *config.Settings
		text     []byte
	}
	var made sync.Map // path → encoded
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		set, compose := d.settings(), d.documentAt(r.URL.Path)
		if compose == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
			pages.ServeHTTP(w, r)
			return
		}
		kept, known := made.Load(r.URL.Path)
		if !known || kept.(encoded).settings != set {
			kept = encoded{set, compose()}
			made.Store(r.URL.Path, kept)
		}
		d.public(w, r, "application/json", kept.(encoded).text)
	})
}

// documentAt returns what makes the document that the path names, nil when there is none.
func (d *Docs) documentAt(path string) func() []byte {
	if !d.settings().API.Enabled {
		return nil
	}
	if path == unversionedPath {
		return func() []byte { return api.OpenAPIUnversioned(d.settings()) }
	}
	match := documentPath.FindStringSubmatch(path)
	if match == nil {
		return nil
	}
	n, err := strconv.Atoi(match[1])
	if err != nil || !api.Serves(d.settings(), n) {
		return nil
	}
	return func() []byte {
		text, err := api.OpenAPI(d.settings(), n)
		if err != nil {
			panic(err) // the version is served
		}
		return text
	}
}
