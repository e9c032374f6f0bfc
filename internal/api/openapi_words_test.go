package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/api/openapi"
	"github.com/admitto/admitto/internal/config"
)

// Every row has a text that says more than its summary, every text a row, and every body an example that its schema
// takes.
func TestOpenAPITexts(t *testing.T) {
	texts, rows := openapi.Texts(), map[string]bool{}
	for _, r := range api.Rows() {
		rows[r.Name] = true
		if does := texts[r.Name].Does; len(does) < 20 || !strings.HasSuffix(does, ".") {
			t.Errorf("%s has no text in operations/ that says what happens: %q", r.Name, does)
		}
		if r.Method != "GET" && len(texts[r.Name].Does) < 60 {
			t.Errorf("%s: a write has effects to tell of: %q", r.Name, texts[r.Name].Does)
		}
	}
	for name := range texts {
		if !rows[name] {
			t.Errorf("operations/ has a text of %s, which is no row", name)
		}
	}
	for _, v := range versions() {
		document := documentOf(t, v)
		check := newValidator(document)
		for id, op := range operationsOf(t, document) {
			if at(op.op, "description") == nil {
				t.Errorf("version %d: %s has no description", v, id)
			}
			content, _ := at(op.op, "requestBody", "content").(map[string]any)
			for kind, media := range content {
				example, given := media.(map[string]any)["example"]
				if !given {
					t.Errorf("version %d: %s has no example as %s", v, id, kind)
				} else if err := check.check(at(media, "schema"), example, ""); err != nil {
					t.Errorf("version %d: the example of %s as %s: %v", v, id, kind, err)
				}
			}
		}
	}
}

// The documents say the codes of refusals, and each is in the catalogue for a type of its status.
func TestOpenAPICodes(t *testing.T) {
	operations, count := operationsOf(t, documentOf(t, 10)), 0
	for name, text := range openapi.Texts() {
		for status, codes := range text.Codes {
			op, found := operations[name]
			described := fmt.Sprint(at(op.op, "responses", fmt.Sprint(status), "description"))
			for _, code := range codes {
				count++
				if !slices.ContainsFunc(admitto.RefusalCodes(), func(c admitto.RefusalCode) bool {
					return c.Code == code &&
						slices.ContainsFunc(c.Kinds, func(k admitto.Kind) bool { return api.ProblemKinds()[string(k)] == status })
				}) {
					t.Errorf("%s: the catalogue has no code %s for %d", name, code, status)
				}
				if found && !strings.Contains(described, "`"+code+"`") {
					t.Errorf("%s: %d does not say %s: %s", name, status, code, described)
				}
			}
		}
	}
	if count < 60 {
		t.Errorf("only %d codes", count)
	}
}

var versionOfPath = regexp.MustCompile(`^/api(?:/v([0-9]+))?(/.*)$`)

// checkSaidCodes fails when a refusal has a code that the text of its operation does not name. Every request of every
// test goes through it.
func checkSaidCodes(t testing.TB, method, path string, a answer) {
	t.Helper()
	match := versionOfPath.FindStringSubmatch(path)
	if a.status < 400 || match == nil || !strings.Contains(a.body, `"code"`) {
		return
	}
	v, err := strconv.Atoi(match[1])
	if err != nil {
		v = documentSettings().API.DefaultVersion
	}
	plain, _, _ := strings.Cut(match[2], "?")
	operation := api.OperationOf(method, plain, v)
	var problem struct {
		Code   string
		Errors []struct{ Code string }
	}
	if operation == "" || json.Unmarshal([]byte(a.body), &problem) != nil {
		return
	}
	codes := []string{problem.Code}
	for _, e := range problem.Errors {
		codes = append(codes, e.Code)
	}
	for _, code := range codes {
		if code != "" && !slices.Contains(openapi.Texts()[operation].Codes[a.status], code) {
			t.Errorf("%s %s: %d has the code %s, which operations/ does not say of %s", method, path, a.status, code, operation)
		}
	}
}

// The examples of all bodies, sent as they stand in the documents, in every encoding, to a service with the objects
// that they name: each succeeds. Where versions have different examples, each is sent in the newest version that has
// it.
func TestOpenAPIBodyExamples(t *testing.T) {
	documents := map[int]map[string]any{}
	for v := config.OldestVersion; v <= 10; v++ {
		documents[v] = documentOf(t, v)
	}
	for _, kind := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data",
		"application/merge-patch+json"} {
		onEach(t, func(t *testing.T, s *service) {
			putContract(s)
			s.put(`UPDATE scoresheet SET subject = 'Optional', language = 'Optional', reference = 'Optional', date = 'Optional'`)
			freeSequences(s)
			s.do("DELETE", "/api/v10/applications/9002/courses/55", "").want(t, 204) // which the example adds
			made, sent := map[string]string{}, 0
			for v := config.OldestVersion; v <= 10; v++ {
				ask := &caller{s, v, newValidator(documents[v]), operationsOf(t, documents[v])}
				for _, r := range exampleOrder(t, documents, v, kind) {
					sent++
					example := at(ask.operations[r.Name].op, "requestBody", "content", kind, "example")
					request := encoded(t, kind, example)
					a := ask.answer(t, r, requestPath(t, s, r, made), request.body, header("Content-Type", request.kind))
					if a.status >= 300 {
						t.Errorf("the example of %s as %s: %d %s", r.Name, kind, a.status, a.body)
					}
					if place := a.header.Get("Location"); place != "" {
						made[r.Name] = place
					}
				}
			}
			if sent == 0 {
				t.Errorf("nothing takes %s", kind)
			}
		})
	}
}

// exampleOrder returns the rows of a version that take a kind of body and whose example the next version has not.
func exampleOrder(t *testing.T, documents map[int]map[string]any, v int, kind string) (rows []api.Row) {
	t.Helper()
	examplesOf := func(v int) map[string]string {
		all := map[string]string{}
		if documents[v] == nil {
			return all
		}
		for id, op := range operationsOf(t, documents[v]) {
			if media, takes := at(op.op, "requestBody", "content", kind).(map[string]any); takes {
				all[id] = string(asJSON(t, media["example"]))
			}
		}
		return all
	}
	now, next := examplesOf(v), examplesOf(v+1)
	for _, last := range slices.Compact([]int{v, 10}) { // rows that end with the version, and those that go on
		for _, r := range requestOrder(last) {
			example, takes := now[r.Name]
			if takes && example != next[r.Name] {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// encoded writes a value as the kind of body asks.
func encoded(t *testing.T, kind string, example any) madeRequest {
	t.Helper()
	object, _ := example.(map[string]any)
	switch kind {
	case "application/x-www-form-urlencoded":
		form := url.Values{}
		for name, value := range object {
			form.Set(name, fmt.Sprint(value))
		}
		return madeRequest{kind, form.Encode()}
	case "multipart/form-data":
		var body strings.Builder
		w := multipart.NewWriter(&body)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			make := w.CreateFormField
			if name == "file" {
				make = func(name string) (io.Writer, error) { return w.CreateFormFile(name, "example.txt") }
			}
			part, err := make(name)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(part, object[name])
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return madeRequest{w.FormDataContentType(), body.String()}
	}
	return madeRequest{kind, string(asJSON(t, example))}
}
