package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/usecase"
)

// headers sends the header once for each value; KEY stands for the key.
func (s *service) headers(name string, values ...string) with {
	return func(r *http.Request) {
		r.Header.Del(name)
		for _, v := range values {
			r.Header.Add(name, strings.ReplaceAll(v, "KEY", s.key))
		}
	}
}

// The forms of Authorization (conventions.md 2).
func TestAuthorizationForms(t *testing.T) {
	cases := []struct {
		values []string
		ok     bool
	}{
		{[]string{`SERVICE apikey="KEY"`}, true},
		{[]string{`SERVICE apikey=KEY`}, true},
		{[]string{`service apikey="KEY"`}, true},
		{[]string{`SeRvIcE    apikey="KEY"`}, true},
		{[]string{`  SERVICE apikey="KEY"  `}, true},
		{[]string{`LEGACY apikey="KEY"`}, true},
		{[]string{`legacy apikey=KEY`}, true},
		{nil, false},
		{[]string{``}, false},
		{[]string{`SERVICE`}, false},
		{[]string{`SERVICE `}, false},
		{[]string{`SERVICE apikey`}, false},
		{[]string{`SERVICE apikey=`}, false},
		{[]string{`SERVICE apikey=""`}, false},
		{[]string{`SERVICE KEY`}, false},
		{[]string{`KEY`}, false},
		{[]string{`apikey="KEY"`}, false},
		{[]string{`SERVICEapikey="KEY"`}, false},
		{[]string{`SERVICE apikey='KEY'`}, false},
		{[]string{`SERVICE apikey="KEY`}, false},
		{[]string{`SERVICE apikey=KEY"`}, false},
		{[]string{`SERVICE apikey=""KEY""`}, false},
		{[]string{`SERVICE apikey="KEYx"`}, false},
		{[]string{`SERVICE key="KEY"`}, false},
		{[]string{`Bearer KEY`}, false},
		{[]string{`Bearer apikey="KEY"`}, false},
		{[]string{`Basic S0VZOg==`}, false},
		{[]string{`SERVICE apikey="KEY"`, `SERVICE apikey="KEY"`}, false},
		{[]string{`SERVICE apikey="KEY"`, `Basic S0VZOg==`}, false},
		{[]string{`SERVICE apikey="KEY", SERVICE apikey="KEY"`}, false},
	}
	onEach(t, func(t *testing.T, s *service) {
		first := ""
		for _, c := range cases {
			a := s.get("/api/ping", s.headers("Authorization", c.values...))
			if c.ok {
				if a.status != 200 || a.header.Get("RateLimit") == "" {
					t.Errorf("%q: status %d %v", c.values, a.status, a.header)
				}
				continue
			}
			if a.status != 401 || a.header.Get("WWW-Authenticate") != `SERVICE realm="api"` || a.header.Get("RateLimit") != "" {
				t.Errorf("%q: status %d %v", c.values, a.status, a.header)
				continue
			}
			// The answers tell no difference.
			detail, _ := a.problem(t, "unauthorized")["detail"].(string)
			if first == "" {
				first = detail
			}
			if detail != first {
				t.Errorf("%q: %q, elsewhere %q", c.values, detail, first)
			}
		}
		if lines := s.ended(s.key); len(lines) > 0 {
			t.Errorf("the key is in the log: %q", lines)
		}
	}, func(o *options) {
		o.settings.API.AuthSchemes = []string{"SERVICE", "Legacy"}
		o.settings.Quota.PerMinute = 1000
	})
}

// Keys end by time and by revocation, on other instances too.
func TestKeysEnd(t *testing.T) {
	both := func(t *testing.T, url string, o db.Options) {
		s := newService(t, url, o)
		other := s
		if strings.HasPrefix(url, "postgres") {
			other = newService(t, url, o, func(o *options) { o.clock = s.clock })
		}
		_, expiring := s.newKey(apikey.NewKey{Label: "expiring", Scope: admitto.ScopeAll, Expires: start + admitto.Hour})
		id, revoked := s.newKey(apikey.NewKey{Label: "revoked", Scope: admitto.ScopeAll})
		for _, at := range []*service{s, other} {
			at.get("/api/ping", key(expiring)).want(t, 200)
			at.get("/api/ping", key(revoked)).want(t, 200)
		}
		if err := s.services.Keys.RevokeKey(t.Context(), usecase.Caller{Caller: admitto.SystemCaller()}, id); err != nil {
			t.Fatal(err)
		}
		s.get("/api/ping", key(revoked)).want(t, 401).problem(t, "unauthorized")
		s.clock.Add(admitto.Second)
		other.get("/api/ping", key(revoked)).want(t, 401).problem(t, "unauthorized")
		s.clock.Add(admitto.Hour - 2*admitto.Second)
		other.get("/api/ping", key(expiring)).want(t, 200)
		s.clock.Add(admitto.Second)
		other.get("/api/ping", key(expiring)).want(t, 401).problem(t, "unauthorized")
		s.get("/api/ping", key(expiring)).want(t, 401)
	}
	storetest.Migrated.Each(t, both)
}

// What the scopes allow; HEAD follows GET.
func TestScopes(t *testing.T) {
	cases := []struct {
		method, path string
		readOnly     bool
		operations   bool
	}{
		{"GET", "/api/v10/applicants/1", true, true},
		{"HEAD", "/api/v10/applicants/1", true, true},
		{"GET", "/api/applicants/2", true, true},
		{"GET", "/api/applicants", true, false},
		{"HEAD", "/api/applicants", true, false},
		{"GET", "/api/ping", true, false},
		{"GET", "/api/version", true, true},
		{"POST", defaultPath("/applicants/trackers"), false, true},
		{"POST", "/api/applicants", false, false},
		{"GET", "/api/applicants/trackers", true, false},
		{"PUT", "/api/applicants/1/trackers/1", false, false},
		{"DELETE", "/api/applicants/1/trackers/1", false, true},
		{"GET", "/api/applicants/1/trackers/1", true, false},
		{"PUT", "/api/applicants/1/reference", false, false},
	}
	onEach(t, func(t *testing.T, s *service) {
		_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		_, limited := s.newKey(apikey.NewKey{Label: "limited", Scope: admitto.ScopeOperations,
			Operations: []string{"GET /applicants/{id}", "POST /applicants/trackers", "DELETE /applicants/{id}/trackers/{id}"}})
		_, nothing := s.newKey(apikey.NewKey{Label: "nothing", Scope: admitto.ScopeOperations})
		for _, c := range cases {
			for _, k := range []struct {
				secret string
				may    bool
			}{{s.key, true}, {reader, c.readOnly}, {limited, c.operations}, {nothing, c.path == "/api/version"}} {
				a := s.do(c.method, c.path, "", key(k.secret))
				if (a.status != 403) != k.may {
					t.Errorf("%s %s: status %d, may %v", c.method, c.path, a.status, k.may)
				}
				if a.status == 403 && c.method != "HEAD" {
					p := a.problem(t, "not-permitted")
					if !strings.Contains(p["detail"].(string), c.method+" /applicants") &&
						!strings.Contains(p["detail"].(string), "/ping") {
						t.Errorf("%s %s: %v", c.method, c.path, p["detail"])
					}
				}
			}
		}
	})
}

// GET and HEAD of version need no key, look at none and count nothing.
func TestVersionIsOpen(t *testing.T) {
	onAll(t, func(t *testing.T, s *service) {
		s.get("/api/ping").want(t, 200)
		s.get("/api/ping").want(t, 429)
		body := s.get("/api/version", noKey).want(t, 200).body
		for prefix := range prefixes() {
			for _, k := range []with{noKey, key(s.key), key("wrong"), s.headers("Authorization", "Basic x", "Basic y")} {
				get, head := s.get(prefix+"/version", k), s.do("HEAD", prefix+"/version/", "", k)
				if get.status != 200 || get.body != body || head.status != 200 || head.body != "" {
					t.Errorf("%s/version: GET %d %s, HEAD %d", prefix, get.status, get.body, head.status)
				}
				for _, name := range []string{"RateLimit", "RateLimit-Policy", "WWW-Authenticate"} {
					if get.header.Get(name) != "" || head.header.Get(name) != "" {
						t.Errorf("%s/version has %s", prefix, name)
					}
				}
			}
		}
		s.do("POST", "/api/version", "", noKey).want(t, 401)
		_, fresh := s.newKey(apikey.NewKey{Label: "fresh", Scope: admitto.ScopeAll})
		if a := s.do("POST", "/api/version", "", key(fresh)).want(t, 405); a.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("Allow %q", a.header.Get("Allow"))
		}
		s.do("GET", "/api/v11/version", "", noKey).want(t, 401)
		s.do("GET", "/api//version", "", noKey).want(t, 401)
	}, func(o *options) { o.settings.Quota.PerMinute = 1 })
}
