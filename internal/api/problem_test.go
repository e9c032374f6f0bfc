package api_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/web"
)

// probing adds the operations below /probe.
func probing(p *api.Probes) func(*options) {
	return func(o *options) { o.rest = p.Install }
}

// ended stops the service, so that all of its log is written, and returns the lines with the text.
func (s *service) ended(text string) (lines []string) {
	s.server.Close()
	for line := range strings.SplitSeq(s.log.String(), "\n") {
		if strings.Contains(line, text) {
			lines = append(lines, line)
		}
	}
	return lines
}

// The problem document of each kind, with exactly its members (conventions.md 6).
func TestProblemMembers(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		one := 1
		_, spent := s.newKey(apikey.NewKey{Label: "spent", Scope: admitto.ScopeAll, PerMinute: &one})
		s.get("/api/ping", key(spent)).want(t, 200)
		applicant := s.postForm("/api/applicants", "email=a@example.org&name=A+B&reference=R1").want(t,
			201).header.Get("Location")
		other := s.postForm("/api/applicants", "email=b@example.org&name=A+B").want(t, 201).header.Get("Location")
		form := header("Content-Type", "application/x-www-form-urlencoded")
		cases := []struct {
			method, path, body string
			with               []with
			status             int
			slug, header, more string
		}{
			{"GET", "/api/applicants/x", "", nil, 400, "invalid-id", "", ""},
			{"GET", "/api/applicants?limit=x&byEmails=y", "", nil, 400, "invalid-parameter", "", "errors"},
			{"POST", "/api/applicants", `{"email":"x","name":"A"}`, nil, 400, "invalid-parameter", "", "errors"},
			{"PUT", applicant + "/reference", "x", nil, 400, "invalid-body", "", "errors"},
			{"PUT", other + "/reference", `"R1"`, nil, 400, "invalid-body", "", "code errors"},
			{"GET", "/api/ping", "", []with{noKey}, 401, "unauthorized", "WWW-Authenticate", ""},
			{"DELETE", applicant + "/trackers/1", "", []with{key(reader)}, 403, "not-permitted", "", ""},
			{"GET", "/api/nowhere", "", nil, 404, "no-such-path", "", ""},
			{"GET", "/api/v9/rankings", "", nil, 404, "not-in-version", "", ""},
			{"GET", "/api/v11", "", nil, 404, "unknown-version", "", ""},
			{"GET", "/api/applicants/999", "", nil, 404, "not-found", "", ""},
			{"DELETE", "/api/ping", "", nil, 405, "method-not-allowed", "Allow", ""},
			{"POST", "/api/applicants", "email=A@Example.org&name=A+B", []with{form}, 409, "already-exists", "Location", ""},
			{"PUT", applicant + "/reference", `"R2"`, []with{header("If-Match", `"x"`)}, 412, "changed-meanwhile", "", ""},
			{"PUT", applicant + "/reference", strings.Repeat(" ", 1<<20+1), nil, 413, "too-large", "", ""},
			{"POST", "/api/applicants", "<a/>", []with{header("Content-Type", "text/xml")}, 415, "unsupported-media-type", "",
				""},
			{"GET", "/api/ping", "", []with{key(spent)}, 429, "quota-exceeded", "Retry-After", ""},
		}
		for _, c := range cases {
			a := s.do(c.method, c.path, c.body, c.with...)
			p := a.want(t, c.status).problem(t, c.slug)
			members := []string{"type", "title", "status", "detail", "instance", "request_id"}
			members = append(members, strings.Fields(c.more)...)
			slices.Sort(members)
			if got := slices.Sorted(maps.Keys(p)); !slices.Equal(got, members) {
				t.Errorf("%s %s: members %v, want %v", c.method, c.path, got, members)
			}
			path, _, _ := strings.Cut(c.path, "?")
			if p["instance"] != path || c.header != "" && a.header.Get(c.header) == "" ||
				a.header.Get("Cache-Control") != "private, no-cache" ||
				a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Content-Length") != fmt.Sprint(len(a.body)) {
				t.Errorf("%s %s: instance %v, %v", c.method, c.path, p["instance"], a.header)
			}
		}
		if got := s.postForm("/api/v9/applicants", "email=A@Example.org&name=A+B").want(t,
			409).header.Get("Location"); got != "/api/v9"+strings.TrimPrefix(applicant, "/api") {
			t.Errorf("Location %q", got)
		}
	})
}

// Plain text where Accept prefers it.
func TestProblemsAsText(t *testing.T) {
	cases := []struct {
		accept string
		text   bool
	}{
		{"", false}, {"*/*", false}, {"application/json", false}, {"text/html", false}, {"image/png", false},
		{"text/plain", true}, {"TEXT/Plain; charset=utf-8", true}, {"text/*", true}, {"text/plain;q=0.1", true},
		{"text/plain, */*", false}, {"text/plain, */*;q=0.9", true}, {"text/plain;q=0.5, application/json", false},
		{"text/plain, application/json;q=0.9", true}, {"application/problem+json;q=0.2, text/plain;q=0.3", true},
		{"application/json, application/problem+json;q=0.2, text/plain;q=0.3", false},
		{"text/plain;q=0", false}, {"text/plain;q=0, text/*", false}, {"text/plain;q=x", false}, {"text/plain;q=nan",
			false}, {"text/plain;q=2", false},
		{"text/*;q=0.8, application/*;q=0.9", false}, {"text/html,application/xhtml+xml,*/*;q=0.8", false},
	}
	onEach(t, func(t *testing.T, s *service) {
		for _, c := range cases {
			a := s.get("/api/v10/applicants?limit=x&byEmails=y", func(r *http.Request) {
				if c.accept != "" {
					r.Header.Set("Accept", c.accept)
				}
			}).want(t, 400)
			if !c.text {
				a.problem(t, "invalid-parameter")
				continue
			}
			for _, words := range []string{"400", "A parameter is invalid", "limit: ", "byEmails: ",
				"/problems/invalid-parameter", a.header.Get("X-Request-Id")} {
				if a.header.Get("Content-Type") != "text/plain; charset=utf-8" || !strings.Contains(a.body, words) {
					t.Errorf("Accept %q: %q is missing in %s %q", c.accept, words, a.header.Get("Content-Type"), a.body)
				}
			}
		}
		s.get("/api/ping", header("Accept", "text/plain")).want(t, 200).object(t)
	})
}

// The caller's request ID comes back, or a new one.
func TestRequestID(t *testing.T) {
	fresh := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)
	cases := map[string]bool{"a": true, "A-z.0_9": true, strings.Repeat("x", 64): true, "": false,
		strings.Repeat("x", 65): false,
		"a b":                   false, "a/b": false, "é": false, "a,b": false}
	onEach(t, func(t *testing.T, s *service) {
		for id, kept := range cases {
			for _, path := range []string{"/api/ping", "/api/nowhere", "/problems/none"} {
				a := s.get(path, header("X-Request-Id", id))
				got := a.header.Get("X-Request-Id")
				if kept && got != id || !kept && !fresh.MatchString(got) {
					t.Errorf("%q became %q", id, got)
				}
				if a.status != 200 && a.object(t)["request_id"] != got {
					t.Errorf("%q: %s", id, a.body)
				}
			}
		}
	})
}

// What is our fault is told nobody but the log, and the log once.
func TestInternalFaults(t *testing.T) {
	const secret = "SELECT secret FROM vault"
	cases := []struct {
		name    string
		probes  *api.Probes
		request func(*service) answer
		status  int
		slug    string
	}{
		{"an error", &api.Probes{Cause: fmt.Errorf("outer: %w", errors.New(secret))},
			func(s *service) answer { return s.get("/api/probe/fault") }, 500, "internal"},
		{"an error of ours", &api.Probes{Cause: admitto.Errorf(admitto.Internal, "%s", secret)},
			func(s *service) answer { return s.get("/api/probe/fault") }, 500, "internal"},
		{"an unknown kind", &api.Probes{Cause: admitto.Errorf("bogus", "%s", secret)},
			func(s *service) answer { return s.get("/api/probe/fault") }, 500, "internal"},
		{"a cause", &api.Probes{Cause: admitto.Errorf(admitto.MailRefused, "No mail.").Because(errors.New(secret))},
			func(s *service) answer { return s.get("/api/probe/fault") }, 502, "mail-refused"},
		{"out of order", &api.Probes{Cause: admitto.Errorf(admitto.Unavailable, "Later.").Because(errors.New(secret))},
			func(s *service) answer { return s.get("/api/probe/fault") }, 503, "unavailable"},
		{"a panic", &api.Probes{Panic: secret}, func(s *service) answer { return s.do("POST", "/api/probe/panic", "") }, 500,
			"internal"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, s *service) {
				a := c.request(s).want(t, c.status)
				p := a.problem(t, c.slug)
				if strings.Contains(a.body, "secret") || strings.Contains(fmt.Sprint(a.header), "secret") ||
					a.header.Get("ETag") != "" {
					t.Errorf("%s %v", a.body, a.header)
				}
				if (a.header.Get("Retry-After") != "") != (c.status == 503) {
					t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
				}
				if lines := s.ended(secret); len(lines) != 1 || !strings.Contains(lines[0], p["request_id"].(string)) ||
					!strings.Contains(lines[0], `"level":"ERROR"`) {
					t.Errorf("log: %q", lines)
				}
			}, probing(c.probes))
		})
	}
	t.Run("no database", func(t *testing.T) {
		onEach(t, func(t *testing.T, s *service) {
			s.get("/api/ping").want(t, 200) // the key is known for a short time
			if err := s.store.Close(); err != nil {
				t.Fatal(err)
			}
			id := ""
			for _, path := range []string{"/api/applicants", "/api/applicants/1", "/api/journal"} {
				a := s.get(path).want(t, 503)
				id = a.problem(t, "unavailable")["request_id"].(string)
				if a.header.Get("Retry-After") == "" || strings.Contains(strings.ToLower(a.body), "sql") ||
					strings.Contains(a.body, "closed") {
					t.Errorf("%v %s", a.header, a.body)
				}
			}
			s.clock.Add(admitto.Second)
			s.get("/api/ping").want(t, 503)
			s.get("/api/version").want(t, 200)
			if lines := s.ended(id); len(lines) != 1 || !strings.Contains(lines[0], "closed") {
				t.Errorf("log: %q", lines)
			}
		})
	})
}

// Plain HTTP is refused before the key is looked at.
func TestHTTPSRequired(t *testing.T) {
	var rest *api.API
	eachInTurn(t, func(t *testing.T, s *service) {
		plain := httptest.NewServer(web.Chain(web.Config{Sites: []web.Site{rest.Site()}}))
		defer plain.Close()
		for _, method := range []string{"GET", "POST", "HEAD"} {
			r, _ := http.NewRequestWithContext(t.Context(), method, plain.URL+"/api/ping?x=y", nil)
			key(s.key)(r)
			response, err := plain.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			a := answer{response.StatusCode, response.Header, string(text)}.want(t, 403)
			if err != nil || a.header.Get("RateLimit") != "" {
				t.Errorf("%v %v", err, a.header)
			}
			if method != "HEAD" && a.problem(t, "https-required")["instance"] != "/api/ping" {
				t.Error(a.body)
			}
		}
	}, func(o *options) { o.rest = func(a *api.API) { rest = a }; o.settings.Quota.PerMinute = 1 })
}
