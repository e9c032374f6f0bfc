package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
)

// concrete fills the parameters of a path of THE table.
func concrete(path string) string {
	return strings.NewReplacer("{id}", "999999", "{year}", "2026", "{blob}", "1-5f3c9a2be1d04477", "{report_name}",
		"none").Replace(path)
}

// prefixes are the ways to ask, with the version that answers.
func prefixes() map[string]int {
	all := map[string]int{"/api": documentSettings().API.DefaultVersion}
	for v := config.OldestVersion; v <= 10; v++ {
		all[fmt.Sprintf("/api/v%d", v)] = v
	}
	return all
}

// inVersion returns the methods of a path in a version, and the range of versions that have the path.
func inVersion(rows []api.Row, path string, v int) (methods []string, first, last int) {
	first = 99
	for _, r := range rows {
		if r.Path != path {
			continue
		}
		first, last = min(first, r.First), max(last, r.Last)
		if r.First <= v && v <= r.Last {
			methods = append(methods, r.Method)
		}
	}
	return methods, first, last
}

// Every row in every version with every sort of key (conventions.md 1, 2 and 6).
func TestEveryRouteVersionAndKey(t *testing.T) {
	rows := api.Rows()
	onAll(t, func(t *testing.T, s *service) {
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		operations := []string{"GET /applicants/{id}", "POST /applicants"}
		_, limited := s.newKey(apikey.NewKey{Label: "limited", Scope: admitto.ScopeOperations, Operations: operations})
		keys := []struct {
			name  string
			with  with
			valid bool
			may   func(method, path string) bool
		}{
			{"none", noKey, false, nil},
			{"wrong", key(admitto.NewKeySecret()), false, nil},
			{"malformed", header("Authorization", "SERVICE "+s.key), false, nil},
			{"right", key(s.key), true, func(string, string) bool { return true }},
			{"read-only", key(readOnly), true, func(m, _ string) bool { return m == "GET" }},
			{"operations", key(limited), true, func(m, p string) bool { return slices.Contains(operations, m+" "+p) }},
		}
		var wg sync.WaitGroup
		for prefix, v := range prefixes() {
			if !slices.Contains(versions(), v) {
				continue
			}
			wg.Add(1)
			go func() {
				defer wg.Done()
				for _, row := range rows {
					methods, first, last := inVersion(rows, row.Path, v)
					for _, k := range keys {
						a := s.do(row.Method, prefix+concrete(row.Path), "", k.with)
						name := fmt.Sprintf("%s %s%s with key %s", row.Method, prefix, row.Path, k.name)
						open := row.Open && row.Method == "GET"
						want := ""
						switch {
						case !k.valid && !open:
							want = "unauthorized"
						case len(methods) == 0:
							want = "not-in-version"
						case !slices.Contains(methods, row.Method):
							want = "method-not-allowed"
						case !open && !k.may(row.Method, row.Path):
							want = "not-permitted"
						}
						if detail := checkRefusal(t, name, a, want); want == "not-in-version" {
							if !strings.Contains(detail, fmt.Sprint(first)) || !strings.Contains(detail, fmt.Sprint(last)) ||
								!strings.Contains(detail, row.Successor) {
								t.Errorf("%s: detail %q does not name %d, %d and %q", name, detail, first, last, row.Successor)
							}
						}
						if want == "method-not-allowed" && !slices.Equal(allowed(methods), strings.Split(a.header.Get("Allow"), ", ")) {
							t.Errorf("%s: Allow %q, want %v", name, a.header.Get("Allow"), allowed(methods))
						}
					}
				}
			}()
		}
		wg.Wait()
	})
}

// checkRefusal wants the problem, or with want "" an answer that comes from a handler. It returns the detail.
func checkRefusal(t *testing.T, name string, a answer, want string) string {
	t.Helper()
	slug, detail := "", ""
	if a.status >= 400 {
		p := a.object(t)
		slug = strings.TrimPrefix(fmt.Sprint(p["type"]), "/problems/")
		detail = fmt.Sprint(p["detail"])
	}
	fromHandler := !slices.Contains([]string{"unauthorized", "not-permitted", "no-such-path", "not-in-version",
		"unknown-version",
		"method-not-allowed", "not-built-yet", "internal"}, slug)
	if want == "" && !fromHandler || want != "" && slug != want {
		t.Errorf("%s: status %d %s, want %q", name, a.status, a.body, want)
	}
	if want != "" && a.status != api.ProblemKinds()[want] {
		t.Errorf("%s: status %d does not belong to %s", name, a.status, want)
	}
	return detail
}

// allowed is what Allow lists for the methods of rows.
func allowed(methods []string) (list []string) {
	for _, m := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
		if slices.Contains(methods, m) || m == "HEAD" && slices.Contains(methods, "GET") {
			list = append(list, m)
		}
	}
	return list
}

// HEAD answers as GET does, without body; lists that take limit leave out Content-Length and Link.
func TestHeadFollowsGet(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		applicant := s.postForm("/api/applicants", "email=a@example.org&name=A+B").want(t, 201).header.Get("Location")
		s.postForm("/api/applicants", "email=b@example.org&name=A+B").want(t, 201)
		tracker := s.postForm("/api/applicants/trackers", "code=fair26").want(t, 201).header.Get("Location")
		ofTracker := applicant + "/trackers/" + tracker[strings.LastIndexByte(tracker, '/')+1:]
		s.do("PUT", ofTracker, "").want(t, 204)
		paths := []string{"/api/version", "/api/ping", "/api/journal", "/api/journal?limit=1", "/api/journal?limit=x",
			"/api/applicants",
			"/api/applicants?limit=1", "/api/applicants?limit=0", "/api/applicants?bogus=1", applicant, applicant + "/reference",
			applicant + "/matriculation", applicant + "/trackers", ofTracker, tracker, "/api/applicants/trackers",
			"/api/applicants/999", "/api/applicants/x", "/api/nowhere", "/api/v11/ping", "/api/applicants/1/photo",
			"/api/rankings", "/api/applicants/trackers/999"}
		for _, prefix := range []string{"/api", oldestPath(""), "/api/v10"} {
			for _, path := range paths {
				path = prefix + strings.TrimPrefix(path, "/api")
				plain := header("Accept-Encoding", "identity")
				get, head := s.get(path, plain), s.do("HEAD", path, "", plain)
				if head.status != get.status || head.body != "" {
					t.Errorf("%s: HEAD %d %q, GET %d", path, head.status, head.body, get.status)
				}
				for _, h := range []http.Header{get.header, head.header} {
					for _, name := range []string{"Date", "X-Request-Id"} {
						h.Del(name)
					}
				}
				if strings.HasSuffix(path, "/ping") {
					get.header.Del("ETag") // the time goes on
					head.header.Del("ETag")
				}
				list, _, _ := strings.Cut(path, "?")
				if get.status == 200 && (strings.HasSuffix(list, "/journal") || strings.HasSuffix(list, "/applicants")) {
					if head.header.Get("Content-Length") != "" {
						t.Errorf("%s: HEAD has %v", path, head.header)
					}
					get.header.Del("Content-Length")
				}
				if fmt.Sprint(get.header) != fmt.Sprint(head.header) {
					t.Errorf("%s: headers differ\nGET  %v\nHEAD %v", path, get.header, head.header)
				}
			}
		}
	})
}

// Addresses that are nearly right.
func TestPaths(t *testing.T) {
	cases := []struct {
		method, path string
		status       int
		slug         string // of the problem; "" for none
	}{
		{"GET", "/api/ping/", 200, ""},
		{"GET", "/api/v10/ping/", 200, ""},
		{"GET", "/api/v10/applicants/", 200, ""},
		{"GET", "/api/%70ing", 200, ""},
		{"GET", "/%61pi/ping", 200, ""},
		{"GET", "/api/%76%39/ping", 200, ""},
		{"GET", "/api", 404, "no-such-path"},
		{"GET", "/api/", 404, "no-such-path"},
		{"GET", "/api//", 404, "no-such-path"},
		{"GET", "/apiping", 404, "no-such-path"},
		{"GET", "/api/v10", 404, "no-such-path"},
		{"GET", "/api/v10/", 404, "no-such-path"},
		{"GET", "/api//ping", 404, "no-such-path"},
		{"GET", "/api/ping//", 404, "no-such-path"},
		{"GET", "/api/v10//ping", 404, "no-such-path"},
		{"GET", "/api/applicants//photo", 404, "no-such-path"},
		{"GET", "/api/applicants%2F1", 404, "no-such-path"},
		{"GET", "/api/applicants/1%2Fphoto", 400, "invalid-id"},
		{"GET", "/api/../api/ping", 404, "no-such-path"},
		{"GET", "/api/./ping", 404, "no-such-path"},
		{"GET", "/api/Ping", 404, "no-such-path"},
		{"GET", "/api/applications/offers", 404, "no-such-path"},
		{"GET", "/api/applications/1/offers/2/score", 404, "no-such-path"},
		{"GET", "/api/ping/x", 404, "no-such-path"},
		{"GET", "/api/v0/ping", 404, "unknown-version"},
		{"GET", "/api/v11/ping", 404, "unknown-version"},
		{"GET", "/api/v03/ping", 404, "unknown-version"},
		{"GET", "/api/v", 404, "no-such-path"},
		{"GET", "/api/v99999999999999999999/ping", 404, "unknown-version"},
		{"GET", "/api/v11", 404, "unknown-version"},
		{"GET", "/api/v11/nowhere", 404, "unknown-version"},
		{"GET", "/api/vx/ping", 404, "no-such-path"},
		{"GET", "/api/V10/ping", 404, "no-such-path"},
		{"GET", "/api/v1.0/ping", 404, "no-such-path"},
		{"GET", "/api/v10/v10/ping", 404, "no-such-path"},
		{"GET", "/api/applicants/trackers/photo", 400, "invalid-id"},
		{"GET", "/api/applicants/trackers/photo/1", 404, "no-such-path"},
		{"GET", "/api/applicants/0", 400, "invalid-id"},
		{"GET", "/api/applicants/01", 400, "invalid-id"},
		{"GET", "/api/applicants/-1", 400, "invalid-id"},
		{"GET", "/api/applicants/+1", 400, "invalid-id"},
		{"GET", "/api/applicants/1.0", 400, "invalid-id"},
		{"GET", "/api/applicants/1e3", 400, "invalid-id"},
		{"GET", "/api/applicants/%20", 400, "invalid-id"},
		{"GET", "/api/applicants/%D9%A1", 400, "invalid-id"},
		{"GET", "/api/applicants/%FF", 400, "invalid-id"},
		{"GET", "/api/applicants/1000000000000000000", 400, "invalid-id"},
		{"GET", "/api/applicants/999999999999999999", 404, "not-found"},
		{"GET", "/api/applicants/%31", 404, "not-found"},
		{"GET", "/api/applicants/1/trackers/x", 400, "invalid-id"},
		{"GET", "/api/academic-years/26", 400, "invalid-id"},
		{"GET", "/api/academic-years/2026", 200, ""},
		{"GET", "/api/applications/1/exports/1/blobs/1", 400, "invalid-id"},
		{"GET", "/api/v3/applications/offers/types/5", 404, "not-in-version"},
		{"GET", "/api/v5/applicants/1/documents", 404, "not-in-version"},
		{"GET", "/api/v8/applications/1/studyplans/1", 404, "not-in-version"},
		{"OPTIONS", "/api/ping", 405, "method-not-allowed"},
		{"OPTIONS", "/api/version", 405, "method-not-allowed"},
		{"TRACE", "/api/ping", 405, "method-not-allowed"},
		{"BREW", "/api/ping", 405, "method-not-allowed"},
		{"get", "/api/ping", 405, "method-not-allowed"},
		{"BREW", "/api/nowhere", 404, "no-such-path"},
		{"HEAD", "/api/applications/1/offers/2/confirm", 405, ""},
		{"PUT", "/api/v6/applicants/1/notes", 405, "method-not-allowed"},
		{"POST", "/api/v5/applicants/1/notes", 405, "method-not-allowed"},
	}
	onEach(t, func(t *testing.T, s *service) {
		for _, c := range cases {
			if c.slug == "not-in-version" && dropped(c.path) {
				continue
			}
			a := s.do(c.method, c.path, "")
			if a.status != c.status {
				t.Errorf("%s %s: status %d, want %d: %s", c.method, c.path, a.status, c.status, a.body)
				continue
			}
			if c.slug == "" {
				continue
			}
			p := a.problem(t, c.slug)
			if p["instance"] != c.path {
				t.Errorf("%s: instance %q", c.path, p["instance"])
			}
			if c.slug == "unknown-version" && !strings.Contains(fmt.Sprint(p["detail"]),
				fmt.Sprintf("%d to 10", config.OldestVersion)) {
				t.Errorf("%s: %v", c.path, p["detail"])
			}
			if c.status == 405 && a.header.Get("Allow") == "" {
				t.Errorf("%s %s: no Allow", c.method, c.path)
			}
		}
	})
}

// The order of the checks: two faults, and the one that is told (conventions.md 6).
func TestOrderOfChecks(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		one := 1
		_, spent := s.newKey(apikey.NewKey{Label: "spent", Scope: admitto.ScopeReadOnly, PerMinute: &one})
		s.get("/api/ping", key(spent)).want(t, 200)
		big := `"` + strings.Repeat("a", 1<<20) + `"`
		applicant := s.postForm("/api/applicants", "email=a@example.org&name=A+B").want(t, 201).header.Get("Location")
		cases := []struct {
			name, method, path, body string
			with                     []with
			slug                     string
		}{
			{"401 before the version", "GET", "/api/v11/ping", "", []with{noKey}, "unauthorized"},
			{"401 before the path", "GET", "/api/nowhere", "", []with{noKey}, "unauthorized"},
			{"401 before an empty segment", "GET", "/api//version", "", []with{noKey}, "unauthorized"},
			{"401 before the method", "POST", "/api/version", "", []with{noKey}, "unauthorized"},
			{"429 before the version", "GET", "/api/v11/ping", "", []with{key(spent)}, "quota-exceeded"},
			{"429 before the path", "GET", "/api/nowhere", "", []with{key(spent)}, "quota-exceeded"},
			{"429 before the method", "PUT", "/api/ping", "", []with{key(spent)}, "quota-exceeded"},
			{"429 before 403", "POST", "/api/applicants", "", []with{key(spent)}, "quota-exceeded"},
			{"404 before 403", "POST", "/api/v9/rankings", "", []with{key(reader)}, "not-in-version"},
			{"405 before 403", "DELETE", "/api/ping", "", []with{key(reader)}, "method-not-allowed"},
			{"403 before a malformed ID", "PUT", "/api/applicants/x/reference", "", []with{key(reader)}, "not-permitted"},
			{"403 before 501", "POST", "/api/courses", "", []with{key(reader)}, "not-permitted"},
			{"a malformed ID before the body", "PUT", "/api/applicants/x/reference", "nothing", nil, "invalid-id"},
			{"a malformed second ID before the parent", "GET", "/api/applicants/999/trackers/x", "", nil, "invalid-id"},
			{"the parent before the body", "PUT", "/api/applicants/999/reference", "nothing", nil, "not-found"},
			{"the resource before the parameters", "GET", "/api/applicants/999?expand=bogus", "", nil, "not-found"},
			{"413 before the parameters", "POST", "/api/applicants", big, []with{header("Content-Type", "text/html")},
				"too-large"},
			{"413 before Idempotency-Key", "POST", "/api/applicants", big, []with{header("Idempotency-Key", "é")}, "too-large"},
			{"415 before the parameters", "POST", "/api/applicants", "a", []with{header("Content-Type", "text/html")},
				"unsupported-media-type"},
			{"413 of a value", "PUT", applicant + "/reference", big, nil, "too-large"},
			{"the body before If-Match", "PUT", applicant + "/reference", "nothing", []with{header("If-Match", `"x"`)},
				"invalid-body"},
			{"the resource before If-Match", "PUT", "/api/applicants/999/reference", `"x"`, []with{header("If-Match", `"x"`)},
				"not-found"},
			{"the parent before If-Match", "PUT", "/api/applicants/999/trackers/1", "", []with{header("If-Match", "*")},
				"not-found"},
			{"the tracker before If-Match", "PUT", applicant + "/trackers/999", "", []with{header("If-Match", "*")},
				"not-found"},
		}
		for _, c := range cases {
			a := s.do(c.method, c.path, c.body, c.with...)
			if got := strings.TrimPrefix(fmt.Sprint(a.object(t)["type"]), "/problems/"); got != c.slug {
				t.Errorf("%s: %d %s, want %s", c.name, a.status, a.body, c.slug)
			}
		}
	})
}

// An interface that is switched off has no paths, whatever the key.
func TestSwitchedOff(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, path := range []string{"/api", "/api/version", "/api/ping", "/api/v10/applicants", "/api/v11/x", "/problems",
			"/problems/not-found"} {
			for _, k := range []with{noKey, key(s.key)} {
				a := s.get(path, k).want(t, 404)
				a.problem(t, "no-such-path")
				if a.header.Get("RateLimit") != "" || a.header.Get("WWW-Authenticate") != "" {
					t.Errorf("%s: %v", path, a.header)
				}
			}
		}
		s.do("POST", "/api/applicants", "", noKey).want(t, 404)
	}, func(o *options) { o.settings.API.Enabled = false; o.settings.Quota.PerMinute = 1 })
}
