package api_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/web"
)

// An unversioned request is answered as the configured version is, byte for byte but for the prefix of the links, on
// every GET row and whichever version is configured.
func TestContractUnversioned(t *testing.T) {
	versioned := regexp.MustCompile(`("|<)/api/v[0-9]+/`)
	onAll(t, func(t *testing.T, s *service) {
		putContract(s)
		budget, quiet := web.NewBudget(32<<20, 1, 0), slog.New(slog.DiscardHandler)
		for _, v := range versions() {
			settings := documentSettings()
			settings.API.DefaultVersion = v
			rest := api.New(s.services, budget, config.NewLive(settings), quiet)
			chain := web.Chain(web.Config{Sites: sites(rest, s.services, budget, config.NewLive(settings)), Log: quiet})
			ask := func(path string) *httptest.ResponseRecorder {
				r := httptest.NewRequest("GET", "https://localhost"+path, http.NoBody)
				key(s.key)(r)
				w := httptest.NewRecorder()
				chain.ServeHTTP(w, r)
				return w
			}
			for _, r := range api.Rows() {
				if r.Method != "GET" || r.Path == "/ping" { // which tells the time
					continue
				}
				for _, path := range examplePaths(t, s, r.Path) {
					plain, numbered := ask("/api"+path), ask(fmt.Sprintf("/api/v%d%s", v, path))
					body, text := versioned.ReplaceAllString(numbered.Body.String(), "$1/api/"), plain.Body.String()
					if plain.Code >= 400 { // the path, and when it was
						own := regexp.MustCompile(`"(request_id|instance)":"[^"]*"`)
						body, text = own.ReplaceAllString(body, ""), own.ReplaceAllString(text, "")
					}
					if plain.Code != numbered.Code || text != body {
						t.Errorf("version %d: GET %s:\nunversioned %d %s\nversioned   %d %s", v, path, plain.Code, text, numbered.Code,
							body)
					}
					for name, values := range numbered.Header() {
						linked := strings.Contains(numbered.Body.String(),
							fmt.Sprintf("/api/v%d", v)) // the prefix is part of length and tag
						if slices.Contains([]string{"Date", "X-Request-Id", "Ratelimit", "Ratelimit-Policy"}, name) ||
							linked && slices.Contains([]string{"Etag", "Content-Length"}, name) {
							continue
						}
						var want []string
						for _, value := range values {
							want = append(want, versioned.ReplaceAllString(value, "$1/api/"))
						}
						if got := plain.Header().Values(name); !slices.Equal(got, want) {
							t.Errorf("version %d: GET %s: %s is %q, versioned %q", v, path, name, got, want)
						}
					}
				}
			}
		}
	})
}
