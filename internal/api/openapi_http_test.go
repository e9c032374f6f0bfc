package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
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

// The documents need no key, come with an ETag, and are those of `admitto openapi`.
func TestOpenAPIServed(t *testing.T) {
	onAll(t, func(t *testing.T, s *service) {
		for _, v := range versions() {
			path := fmt.Sprintf("/developers/openapi-v%d.json", v)
			a := s.get(path, noKey).want(t, 200)
			text := documentText(t, v)
			if a.body != string(text) || a.header.Get("Content-Type") != "application/json" ||
				a.header.Get("Cache-Control") != "public, max-age=3600" {
				t.Errorf("%s: %v, %d bytes instead of %d", path, a.header, len(a.body), len(text))
			}
			s.get(path, noKey, header("If-None-Match", a.header.Get("ETag"))).want(t, 304)
			if head := s.do("HEAD", path, "", noKey).want(t, 200); head.body != "" ||
				head.header.Get("Content-Length") != fmt.Sprint(len(text)) {
				t.Errorf("HEAD %s: %v", path, head.header)
			}
		}
		unversioned := s.get("/developers/openapi.json", noKey).want(t, 200)
		if unversioned.body != string(api.OpenAPIUnversioned(documentSettings())) || unversioned.header.Get("ETag") == "" {
			t.Errorf("the document of paths without a version: %v", unversioned.header)
		}
		for _, path := range []string{"/developers/openapi-v0.json", "/developers/openapi-v11.json",
			"/developers/openapi-v03.json", "/developers/openapi-v99999.json",
			"/developers/openapi-v3.yaml", "/developers/openapi-v3.json/"} {
			s.get(path, noKey).want(t, 404).problem(t, "no-such-path")
		}
		if a := s.do("POST", "/developers/openapi-v3.json", "{}", noKey).want(t, 405); a.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("Allow %q", a.header.Get("Allow"))
		}
	})
	onAll(t, func(t *testing.T, s *service) {
		s.get(fmt.Sprintf("/developers/openapi-v%d.json", config.OldestVersion), noKey).want(t, 404).problem(t,
			"no-such-path")
		s.get(fmt.Sprintf("/developers/openapi-v%d.json", config.OldestVersion+1), noKey).want(t, 200)
	}, func(o *options) {
		o.settings.API.OldestVersion, o.settings.API.DefaultVersion = config.OldestVersion+1, config.OldestVersion+1
	})
}

// caller sends requests for operations and holds the answers against the document of a version.
type caller struct {
	s          *service
	version    int
	check      *validator
	operations map[string]documented
}

// answer sends a request and checks that the document allows the answer.
func (a *caller) answer(t *testing.T, r api.Row, path, body string, changes ...with) answer {
	t.Helper()
	got := a.s.do(r.Method, fmt.Sprintf("/api/v%d%s", a.version, path), body, changes...)
	where := fmt.Sprintf("%s /api/v%d%s: %d", r.Method, a.version, path, got.status)
	response, err := a.check.resolve(at(a.operations[r.Name].op, "responses", fmt.Sprint(got.status)))
	if err != nil {
		t.Errorf("%s is not in the document: %s", where, got.body)
		return got
	}
	for name := range got.header {
		if slices.Contains([]string{"Link", "Deprecation", "Sunset", "Location"}, name) &&
			at(response, "headers", name) == nil {
			t.Errorf("%s: the document does not say the header %s", where, name)
		}
	}
	mediaType, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	content, _ := response["content"].(map[string]any)
	media, known := content[mediaType]
	if _, anything := content["*/*"]; got.body != "" && !known && !anything {
		t.Errorf("%s: %s is not in the document, it has %v", where, mediaType, slices.Sorted(maps.Keys(content)))
	}
	if schema := at(media, "schema"); schema != nil && strings.HasSuffix(mediaType, "json") && got.body != "" {
		if err := a.check.check(schema, parsed(t, []byte(got.body)), ""); err != nil {
			t.Errorf("%s: %v: %s", where, err, got.body)
		}
	}
	return got
}

// examplePaths are the paths of the contract's world for a pattern. It has no examples of single notes, so the first of
// their collection stands for them.
func examplePaths(t *testing.T, s *service, pattern string) []string {
	t.Helper()
	notes, ofOne := strings.CutSuffix(pattern, "/notes/{id}")
	if !ofOne {
		return contractPaths(t, pattern)
	}
	for _, list := range contractPaths(t, notes+"/notes") {
		for id := range s.get("/api/v10"+list).want(t, 200).object(t) {
			return []string{list + "/" + id}
		}
	}
	t.Fatalf("there are no notes of %s", notes)
	return nil
}

// Every operation, asked in the ways that go wrong, answers what its document allows.
func TestOpenAPIAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putContractAccess(s)
		document := documentOf(t, 10)
		ask := &caller{s, 10, newValidator(document), operationsOf(t, document)}
		for _, r := range api.Rows() {
			if ask.operations[r.Name].op == nil {
				continue
			}
			unknown := regexp.MustCompile(`\{id\}`).ReplaceAllString(r.Path, "999999999")
			for name, value := range map[string]string{"{year}": "2099", "{blob}": "1-0000000000000000",
				"{report_name}": "ReportStatus", "{territory}": "XX"} {
				unknown = strings.ReplaceAll(unknown, name, value)
			}
			if !r.Open {
				ask.answer(t, r, unknown, "", noKey).want(t, 401)
			}
			ask.answer(t, r, unknown+"?nonsense=1", "{", header("Prefer", "handling=strict"),
				header("Content-Type", "application/json"))
			if unknown != r.Path && strings.Contains(r.Path, "{id}") {
				ask.answer(t, r, unknown, `{}`, header("Content-Type", "application/json")).want(t, 404)
				ask.answer(t, r, strings.Replace(unknown, "999999999", "x", 1), "").want(t, 400)
			}
			if r.Method != "GET" {
				continue
			}
			for _, path := range examplePaths(t, s, r.Path) {
				a := ask.answer(t, r, path, "")
				if tag := a.header.Get("ETag"); tag != "" {
					ask.answer(t, r, path, "", header("If-None-Match", tag)).want(t, 304)
				}
			}
		}
	})
}

// The parameters of the documents are those that the handlers know; each operation is asked in its newest version.
func TestOpenAPIParameters(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putContractAccess(s)
		budget := web.NewBudget(32<<20, 1, 0)
		for _, v := range versions() {
			document := documentOf(t, v)
			check, operations := newValidator(document), operationsOf(t, document)
			for _, r := range api.Rows() {
				op, found := operations[r.Name]
				body := at(op.op, "requestBody", "content", "application/x-www-form-urlencoded", "schema")
				if !found || r.Last != v || r.Method != "GET" && body == nil {
					continue
				}
				var want []string
				if parameters, ok := op.op["parameters"].([]any); ok {
					for _, one := range parameters {
						p, err := check.resolve(one)
						if err != nil {
							t.Fatal(err)
						}
						if p["in"] == "query" {
							want = append(want, p["name"].(string))
						}
					}
				}
				properties, _ := at(body, "properties").(map[string]any)
				want = slices.AppendSeq(want, maps.Keys(properties))
				slices.Sort(want)
				want = slices.Compact(want)
				fresh := api.New(s.services, budget, config.NewLive(documentSettings()), slog.New(slog.DiscardHandler))
				path := examplePaths(t, s, r.Path)[0]
				if r.Method != "GET" {
					path, _, _ = strings.Cut(path, "?")
				}
				separator := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
				request := httptest.NewRequest(r.Method, fmt.Sprintf("https://localhost/api/v%d%s%snonsense=1", v, path, separator),
					http.NoBody)
				key(s.key)(request)
				request.Header.Set("Prefer", "handling=strict")
				recorder := httptest.NewRecorder()
				web.Chain(web.Config{Sites: []web.Site{fresh.Site()}, Log: slog.New(slog.DiscardHandler)}).
					ServeHTTP(recorder, request)
				if recorder.Code != 400 {
					t.Errorf("version %d: %s %s answers %d with a parameter that nobody knows", v, r.Method, path, recorder.Code)
					continue
				}
				known := slices.DeleteFunc(api.KnownParameters(fresh), func(name string) bool { return name == "" })
				if !slices.Equal(known, want) {
					t.Errorf("version %d: %s knows %v, the document says %v", v, r.Name, known, want)
				}
			}
		}
	})
}

// The document of the paths without a version is that of the default version, with their prefix in paths and links.
func TestOpenAPIUnversioned(t *testing.T) {
	one, version := parsed(t, api.OpenAPIUnversioned(documentSettings())).(map[string]any),
		documentSettings().API.DefaultVersion
	if server := at(one["servers"].([]any)[0], "url"); server != "/api" ||
		at(one, "info", "version") != fmt.Sprint(version) ||
		at(one, "components", "schemas", "Link", "pattern") != "^/api/" {
		t.Errorf("server %v, version %v, links %v", server, at(one, "info", "version"),
			at(one, "components", "schemas", "Link"))
	}
	if names, of := slices.Sorted(maps.Keys(operationsOf(t, one))),
		slices.Sorted(maps.Keys(operationsOf(t, documentOf(t, version)))); !slices.Equal(names, of) {
		t.Errorf("the operations are %v, those of version %d are %v", names, version, of)
	}
	newest := documentSettings()
	newest.API.DefaultVersion = 10
	if text := string(api.OpenAPIUnversioned(newest)); !strings.Contains(text, `"/rankings/{ranking_id}"`) ||
		strings.Contains(text, `/api/v`) {
		t.Error("the document does not follow the default version")
	}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		check, operations := newValidator(one), operationsOf(t, one)
		for _, r := range api.Rows() {
			if op, found := operations[r.Name]; found && r.Method == "GET" {
				a := s.get("/api" + examplePaths(t, s, r.Path)[0])
				if schema := at(op.op, "responses", fmt.Sprint(a.status), "content", "application/json",
					"schema"); schema != nil && a.header.Get("Content-Type") == "application/json" {
					if err := check.check(schema, parsed(t, []byte(a.body)), ""); err != nil {
						t.Errorf("GET %s: %v", r.Path, err)
					}
				}
			}
		}
	})
}

// The header Link is said where it can be and nowhere else: next of what takes limit, deprecation of what is
// deprecated, and neither where a request is refused before its version is looked at.
func TestOpenAPILinks(t *testing.T) {
	for _, v := range versions() {
		document := documentOf(t, v)
		check := newValidator(document)
		for id, op := range operationsOf(t, document) {
			var takesLimit bool
			if parameters, ok := op.op["parameters"].([]any); ok {
				takesLimit = slices.ContainsFunc(parameters, func(p any) bool {
					return strings.HasSuffix(at(p, "$ref").(string),
						".limit")
				})
			}
			for status, one := range at(op.op, "responses").(map[string]any) {
				response, err := check.resolve(one)
				if err != nil {
					t.Fatal(err)
				}
				deprecated := op.op["deprecated"] == true && status != "401" && status != "429"
				paged := takesLimit && status == "200" && !strings.Contains(id, "Logins") &&
					!strings.Contains(id, "PurgedResources")
				want := map[[2]bool]any{{true, false}: "NextLink", {false, true}: "DeprecationLink",
					{true, true}: "NextAndDeprecation"}[[2]bool{paged, deprecated}]
				if want != nil {
					want = fmt.Sprint("#/components/headers/", want)
				}
				if got := at(response, "headers", "Link", "$ref"); got != want {
					t.Errorf("version %d: Link of %s of %s is %v, want %v", v, status, id, got, want)
				}
			}
		}
	}
}

// The document of the newest version is an object that tools can read.
func TestOpenAPIIsJSON(t *testing.T) {
	text, err := api.OpenAPI(documentSettings(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) || strings.Contains(string(text), "\\u003c") {
		t.Error("the document is not plain JSON")
	}
}
