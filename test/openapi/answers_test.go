package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/test/internal/documents"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// Every operation of every version, and of the paths without one, is asked for what is there, for what is not, without
// a key, with what nobody knows, and with the example of its body. The validator accepts each document and each answer.
func TestAnswersAreWhatTheDocumentsSay(t *testing.T) {
	s := start(t)
	t.Run("faults", s.findsFaults)
	names := []string{""}
	for _, version := range documents.Versions(t) {
		names = append(names, fmt.Sprintf("-v%d", version))
	}
	for _, name := range names {
		t.Run("openapi"+name, func(t *testing.T) {
			w := newWalk(t, s, "/developers/openapi"+name+".json")
			w.read(t)
			w.write(t)
			w.coverage(t)
		})
	}
}

// walk goes through the interface as one document describes it.
type walk struct {
	service  *service
	document *openapi3.T
	router   routers.Router
	prefix   string
	known    map[string][]string // concrete paths by template
	queue    []string
	answered map[string][]int // statuses by method and template
}

// mostPaths is how many objects of a kind are looked at.
const mostPaths = 3

func newWalk(t *testing.T, s *service, path string) *walk {
	t.Helper()
	text := s.send(t, s.request(t, http.MethodGet, path, "", ""))
	document, err := openapi3.NewLoader().LoadFromData(text.body)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &walk{service: s, document: document, prefix: document.Servers[0].URL, known: map[string][]string{},
		answered: map[string][]int{}}
	if w.router, err = gorillamux.NewRouter(document); err != nil {
		t.Fatal(err)
	}
	return w
}

// route finds what the document says of a request, nil for nothing.
func (w *walk) route(t *testing.T, method, path string) (*routers.Route, map[string]string) {
	t.Helper()
	// The server of the document is a path, so requests are looked up by path alone.
	r, err := http.NewRequestWithContext(t.Context(), method, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	route, arguments, err := w.router.FindRoute(r)
	if err != nil {
		return nil, nil
	}
	return route, arguments
}

// learn takes note of a path that the document has with GET, to look at it later.
func (w *walk) learn(t *testing.T, path string) {
	t.Helper()
	route, _ := w.route(t, http.MethodGet, path)
	if route == nil || len(w.known[route.Path]) >= mostPaths || slices.Contains(w.known[route.Path], path) {
		return
	}
	w.known[route.Path] = append(w.known[route.Path], path)
	w.queue = append(w.queue, path)
}

// ask sends a request and has the answer validated.
func (w *walk) ask(t *testing.T, r *http.Request) answer {
	t.Helper()
	a := w.service.send(t, r)
	route, arguments := w.route(t, r.Method, r.URL.Path)
	if route == nil {
		t.Errorf("%s %s is not in the document", r.Method, r.URL.Path)
		return a
	}
	w.answered[r.Method+" "+route.Path] = append(w.answered[r.Method+" "+route.Path], a.status)
	if err := w.judge(t, r, route, arguments, a); err != nil {
		t.Errorf("%s %s: %d: %v: %.600s", r.Method, r.URL.RequestURI(), a.status, err, a.body)
	}
	return a
}

// judge has an answer validated.
func (w *walk) judge(t *testing.T, r *http.Request, route *routers.Route, arguments map[string]string, a answer) error {
	t.Helper()
	options := &openapi3filter.Options{IncludeResponseStatus: true,
		AuthenticationFunc:  openapi3filter.NoopAuthenticationFunc,
		ExcludeResponseBody: len(a.body) == 0 && a.status == http.StatusCreated} // that of POST /applicants is empty
	input := &openapi3filter.ResponseValidationInput{Status: a.status, Header: a.header, Options: options,
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: arguments, Route: route,
			Options: options}}
	input.SetBodyBytes(a.body)
	return openapi3filter.ValidateResponse(t.Context(), input)
}

// findsFaults wants the validator to find what is wrong with an answer: without that, an accepted answer says nothing.
func (s *service) findsFaults(t *testing.T) {
	w := newWalk(t, s, "/developers/openapi-v10.json")
	path := w.prefix + "/applicants/trackers"
	r := s.request(t, http.MethodGet, path, "", "")
	route, arguments := w.route(t, http.MethodGet, path)
	good := s.send(t, r)
	if err := w.judge(t, r, route, arguments, good); err != nil || good.status != http.StatusOK ||
		!bytes.Contains(good.body, []byte(`"code":"`)) {
		t.Fatalf("%d: %v: %s", good.status, err, good.body)
	}
	for name, change := range map[string]func(*answer){
		"status":  func(a *answer) { a.status = http.StatusAccepted },
		"type":    func(a *answer) { a.header.Set("Content-Type", "text/html") },
		"text":    func(a *answer) { a.body = bytes.ReplaceAll(a.body, []byte(`"code":"`), []byte(`"code":5,"was":"`)) },
		"missing": func(a *answer) { a.body = bytes.ReplaceAll(a.body, []byte(`"code":`), []byte(`"kode":`)) },
		"pattern": func(a *answer) { a.body = bytes.ReplaceAll(a.body, []byte(`+00:00"`), []byte(`+02:00"`)) },
		"refusal": func(a *answer) {
			a.status, a.body = http.StatusNotFound, []byte(`{}`)
			a.header.Set("Content-Type", "application/problem+json")
		},
	} {
		bad := answer{good.status, good.header.Clone(), bytes.Clone(good.body)}
		change(&bad)
		if w.judge(t, r, route, arguments, bad) == nil {
			t.Errorf("%s: the validator accepts %d %s", name, bad.status, bad.body)
		}
	}
}

// read asks for everything that can be read.
func (w *walk) read(t *testing.T) {
	templates := w.document.Paths.InMatchingOrder()
	for _, template := range templates {
		if !strings.Contains(template, "{") && w.document.Paths.Value(template).Get != nil {
			w.learn(t, w.prefix+template)
		}
	}
	for len(w.queue) > 0 {
		path := w.queue[0]
		w.queue = w.queue[1:]
		w.readOne(t, path)
		if len(w.queue) == 0 {
			w.learnUnlinked(t, templates)
		}
	}
}

// learnUnlinked finds paths that no record links to: a known one and literal segments behind it.
func (w *walk) learnUnlinked(t *testing.T, templates []string) {
	t.Helper()
	for _, template := range templates {
		end := strings.LastIndex(template, "}") + 1
		for _, base := range w.known[template[:end]] {
			w.learn(t, base+template[end:])
		}
	}
}

var objectKey = regexp.MustCompile(`^[0-9A-Z]+(-[0-9a-f]{16})?$`)

// readOne asks for one path in all ways, and learns from the answer.
func (w *walk) readOne(t *testing.T, path string) {
	t.Helper()
	get := func(change func(*http.Request)) answer {
		t.Helper()
		r := w.service.request(t, http.MethodGet, path, "", "")
		change(r)
		return w.ask(t, r)
	}
	route, _ := w.route(t, http.MethodGet, path)
	first := len(w.answered["GET "+route.Path]) == 0
	a := get(func(*http.Request) {})
	if first { // what does not depend on the record is asked for one of them
		get(func(r *http.Request) { r.Header.Del("Authorization") })
		get(func(r *http.Request) { r.URL.RawQuery = "nonsense=1"; r.Header.Set("Prefer", "handling=strict") })
		if tag := a.header.Get("ETag"); tag != "" {
			get(func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
		}
		if head := w.ask(t, w.service.request(t, http.MethodHead, path, "", "")); head.status != a.status {
			t.Errorf("HEAD %s: %d, GET %d", path, head.status, a.status)
		}
	}
	var record any
	if a.status != http.StatusOK || json.Unmarshal(a.body, &record) != nil {
		return
	}
	if collection, is := record.(map[string]any); is {
		for _, key := range slices.Sorted(maps.Keys(collection)) {
			if objectKey.MatchString(key) {
				w.learn(t, path+"/"+key)
			}
		}
	}
	w.learnLinks(t, record)
}

// learnLinks learns every link in a record.
func (w *walk) learnLinks(t *testing.T, node any) {
	t.Helper()
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			w.learnLinks(t, node[key])
		}
	case []any:
		for _, inner := range node {
			w.learnLinks(t, inner)
		}
	case string:
		if strings.HasPrefix(node, w.prefix+"/") {
			w.learn(t, node)
		}
	}
}

// write sends every write: with the example of its body, with a broken one, and for an object that is not there; what
// deletes comes last.
func (w *walk) write(t *testing.T) {
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		for _, template := range w.document.Paths.InMatchingOrder() {
			operation := w.document.Paths.Value(template).GetOperation(method)
			if operation == nil {
				continue
			}
			missing := w.prefix + regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(template, "999999999")
			if strings.Contains(template, "{") {
				w.ask(t, w.service.request(t, method, missing, "application/json", "{}"))
			}
			for _, path := range w.pathsOf(template) {
				if operation.RequestBody == nil {
					w.ask(t, w.service.request(t, method, path, "", ""))
					break
				}
				w.ask(t, w.service.request(t, method, path, "application/json", `{"`))
				for kind, media := range operation.RequestBody.Value.Content {
					if strings.HasSuffix(kind, "json") {
						w.sendExample(t, method, path, kind, media)
					}
				}
			}
		}
	}
}

// pathsOf returns concrete paths for a template; one that cannot be read stands below one that can.
func (w *walk) pathsOf(template string) (paths []string) {
	if !strings.Contains(template, "{") {
		return []string{w.prefix + template}
	}
	if w.known[template] != nil {
		return w.known[template]
	}
	end := strings.LastIndex(template, "}") + 1
	for _, base := range w.known[template[:end]] {
		paths = append(paths, base+template[end:])
	}
	return paths
}

// sendExample sends the example of a body, which the validator has to accept as such.
func (w *walk) sendExample(t *testing.T, method, path, kind string, media *openapi3.MediaType) {
	t.Helper()
	example, err := json.Marshal(media.Example)
	if err != nil || media.Example == nil {
		t.Errorf("%s %s has no example as %s: %v", method, path, kind, err)
		return
	}
	r := w.service.request(t, method, path, kind, string(example))
	route, arguments := w.route(t, method, path)
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		SkipSettingDefaults: true}
	input := &openapi3filter.RequestValidationInput{Request: r.Clone(t.Context()), PathParams: arguments, Route: route,
		Options: options}
	input.Request.Body, _ = r.GetBody()
	if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
		t.Errorf("%s %s: the example: %v", method, path, err)
	}
	w.ask(t, r)
}

// coverage fails when too little was seen, so that the test cannot pass by asking for nothing.
func (w *walk) coverage(t *testing.T) {
	t.Helper()
	var unseen []string
	reads, writes, read, written := 0, 0, 0, 0
	for _, template := range w.document.Paths.InMatchingOrder() {
		for method := range w.document.Paths.Value(template).Operations() {
			statuses := w.answered[method+" "+template]
			good := slices.ContainsFunc(statuses, func(status int) bool { return status < 300 })
			switch {
			case method == http.MethodHead:
			case method == http.MethodGet:
				if reads++; good {
					read++
				} else {
					unseen = append(unseen, fmt.Sprint(method, " ", template, " ", statuses))
				}
			default:
				if writes++; good {
					written++
				} else {
					unseen = append(unseen, fmt.Sprint(method, " ", template, " ", statuses))
				}
			}
		}
	}
	slices.Sort(unseen)
	t.Logf("%d of %d reads and %d of %d writes succeeded; not: %s", read, reads, written, writes,
		strings.Join(unseen, ", "))
	if read*100 < reads*85 || written*100 < writes*40 {
		t.Error("that is too little")
	}
}
