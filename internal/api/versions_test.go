package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

const deprecationLink = `</developers/changelog>; rel="deprecation"`

// What says that a version or a method will end (conventions.md 1).
func TestDeprecation(t *testing.T) {
	const begin, end = "@1767225600", "Mon, 31 Aug 2026 23:59:59 GMT"
	cases := []struct {
		method, path              string
		link, deprecation, sunset string
	}{
		{"GET", "/api/v1/ping", deprecationLink, "", ""},
		{"GET", "/api/v2/ping", deprecationLink, "", ""},
		{"GET", "/api/v3/ping", deprecationLink, begin, end},
		{"HEAD", "/api/v3/ping", deprecationLink, begin, end},
		{"GET", "/api/ping", deprecationLink, begin, end},
		{"GET", "/api/version", deprecationLink, begin, end},
		{"GET", "/api/applicants", deprecationLink, begin, end},
		{"HEAD", "/api/applicants", deprecationLink, begin, end},
		{"GET", "/api/applicants/999", deprecationLink, begin, end},
		{"GET", "/api/applicants?limit=x", deprecationLink, begin, end},
		{"GET", "/api/v1/applicants/x", deprecationLink, "", ""},
		{"DELETE", "/api/ping", deprecationLink, begin, end},
		{"PATCH", "/api/v5/applicants/1/notes", "", "", ""},
		{"PATCH", "/api/v6/applicants/1/notes", deprecationLink, "", ""},
		{"PATCH", "/api/v10/applicants/1/notes", deprecationLink, "", ""},
		{"PATCH", "/api/v10/applications/1/offers/1/notes", deprecationLink, "", ""},
		{"PATCH", "/api/v3/applicants/1/notes", deprecationLink, begin, end},
		{"POST", "/api/v10/applicants/1/notes", "", "", ""},
		{"GET", "/api/v10/applicants/1/notes", "", "", ""},
	}
	for v := 4; v <= 10; v++ {
		for _, path := range []string{"ping", "version", "applicants", "applicants/999", "applicants/trackers"} {
			cases = append(cases, struct{ method, path, link, deprecation, sunset string }{"GET",
				fmt.Sprintf("/api/v%d/%s", v, path), "", "", ""})
		}
	}
	onEach(t, func(t *testing.T, s *service) {
		for _, c := range cases {
			if dropped(c.path) {
				continue
			}
			h := s.do(c.method, c.path, "").header
			if h.Get("Link") != c.link || len(h.Values("Link")) > 1 || h.Get("Deprecation") != c.deprecation ||
				h.Get("Sunset") != c.sunset {
				t.Errorf("%s %s: Link %q, Deprecation %q, Sunset %q", c.method, c.path, h["Link"], h.Get("Deprecation"),
					h.Get("Sunset"))
			}
		}
		// Both links side by side.
		s.postForm("/api/applicants", "email=a@example.org&name=A+B").want(t, 201)
		s.postForm("/api/applicants", "email=b@example.org&name=A+B").want(t, 201)
		if dropped("/api/v3") {
			return // no version that is deprecated is left
		}
		links := s.get("/api/v3/applicants?limit=1").want(t, 200).header.Values("Link")
		if len(links) != 2 || links[0] != deprecationLink || !strings.Contains(links[1], `</api/v3/applicants?`) ||
			!strings.Contains(links[1], `rel="next"`) {
			t.Errorf("links of a page: %q", links)
		}
	})
}

// Unversioned requests are those of the default version, with unversioned links.
func TestDefaultVersion(t *testing.T) {
	for _, v := range []int{config.OldestVersion, 5, 6, 10} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			onEach(t, func(t *testing.T, s *service) {
				made := s.postForm("/api/applicants", "email=a@example.org&name=A+B&notes=Hello").want(t,
					201).header.Get("Location")
				if !strings.HasPrefix(made, "/api/applicants/") {
					t.Fatalf("Location %q", made)
				}
				plain := s.get(made).want(t, 200).body
				numbered := s.get(fmt.Sprintf("/api/v%d", v)+strings.TrimPrefix(made, "/api")).want(t, 200).body
				if plain != strings.ReplaceAll(numbered, fmt.Sprintf(`"/api/v%d/`, v), `"/api/`) {
					t.Errorf("unversioned %s\nversion %d %s", plain, v, numbered)
				}
				if strings.Contains(plain, `"notes":"Hello"`) != (v <= 5) {
					t.Errorf("version %d: %s", v, plain)
				}
				if got := s.get("/api/version").object(t)["default"]; got != float64(v) {
					t.Errorf("default %v", got)
				}
			}, func(o *options) { o.settings.API.DefaultVersion = v })
		})
	}
}

// Versions below the oldest one are not served.
func TestOldestVersion(t *testing.T) {
	const oldest = config.OldestVersion + 1 // as the settings say
	to := func(last int) string {
		if last == oldest {
			return fmt.Sprintf("version %d only", last)
		}
		return fmt.Sprintf("the versions %d to %d", oldest, last)
	}
	onEach(t, func(t *testing.T, s *service) {
		for v := range 12 {
			a := s.get(fmt.Sprintf("/api/v%d/ping", v))
			if v >= oldest && v <= 10 {
				a.want(t, 200)
				continue
			}
			if p := a.want(t, 404).problem(t, "unknown-version"); !strings.Contains(p["detail"].(string),
				fmt.Sprintf("%d to 10", oldest)) {
				t.Errorf("version %d: %v", v, p["detail"])
			}
		}
		s.get(fmt.Sprintf("/api/v%d/version", oldest-1)).want(t, 404).problem(t, "unknown-version")
		versions := s.get(fmt.Sprintf("/api/v%d/version", oldest), noKey).want(t, 200).object(t)["versions"].(map[string]any)
		for v := 1; v <= 10; v++ {
			if got := versions[fmt.Sprint(v)].(map[string]any)["status"]; (got == "discontinued") != (v < oldest) {
				t.Errorf("version %d is %v", v, got)
			}
		}
		// Only versions that are served are of use to the client.
		for path, want := range map[string]string{
			"/api/v8/applicants/1/studyplans": "The path exists in " + to(7) + ".",
			"/api/v5/applicants/1/documents": "The path exists in " + to(4) +
				". It was replaced by /applications/{id}/documents.",
			"/api/v9/rankings": "The path exists in version 10 only.",
		} {
			var version int
			fmt.Sscanf(path, "/api/v%d", &version)
			if version <= oldest {
				continue // the path was dropped with the last version that has it
			}
			if p := s.get(path).want(t, 404).problem(t, "not-in-version"); p["detail"] != want {
				t.Errorf("%s: %v", path, p["detail"])
			}
		}
	}, func(o *options) { o.settings.API.OldestVersion, o.settings.API.DefaultVersion = oldest, oldest })
}

// The answer of /version, word by word (resources.md 1.2).
func TestVersionBody(t *testing.T) {
	var versions []string
	for v := 1; v <= 10; v++ {
		body := `{"status":"supported","deprecated":null,"sunset":null}`
		switch v {
		case 1, 2:
			body = `{"status":"deprecated","deprecated":null,"sunset":null}`
		case 3:
			body = `{"status":"supported","deprecated":"2026-01","sunset":"2026-08"}`
		}
		if v < config.OldestVersion { // what was dropped stays in the list
			body = strings.NewReplacer(`"deprecated",`, `"discontinued",`, `"supported"`, `"discontinued"`).Replace(body)
		}
		versions = append(versions, fmt.Sprintf(`"%d":%s`, v, body))
	}
	want := fmt.Sprintf(`{"version":10,"default":%d,"versions":{%s}}`, documentSettings().API.DefaultVersion,
		strings.Join(versions, ","))
	onEach(t, func(t *testing.T, s *service) {
		if got := s.get("/api/version").want(t, 200); got.body != want ||
			got.header.Get("Content-Type") != "application/json" {
			t.Errorf("got  %s\nwant %s", got.body, want)
		}
	})
}

// What differs between versions cites a change of the history, and the history is the contract's (conventions.md 8).
func TestHistory(t *testing.T) {
	versions := api.HistoryVersions()
	if !slices.Equal(slices.Compact(slices.Clone(versions)), []int{4, 5, 6, 8, 9, 10}) {
		t.Errorf("changes in %v", versions)
	}
	bounds := api.TagBounds()
	maps.Copy(bounds, api.InputBounds())
	for _, r := range api.Rows() {
		name := r.Method + " " + r.Path
		if r.First > config.OldestVersion {
			bounds[name+" first"] = r.First
		}
		if r.Last < 10 {
			bounds[name+" last"] = r.Last + 1
		}
	}
	for name, version := range bounds {
		if !slices.Contains(versions, version) {
			t.Errorf("%s changes in version %d, which no change of the history says", name, version)
		}
	}
}
