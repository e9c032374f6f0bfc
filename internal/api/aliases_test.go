package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/google/go-cmp/cmp"
)

// copiesOf returns the paths of the copies of what is below a record of the contract's fixture, and of those below a
// parent that does not have it.
func copiesOf(path string) (right, wrong []string) {
	owner := map[string]string{"9001": "4711", "9002": "4713", "9003": "4714", "9004": "4713"}
	billed := map[string]string{"2001": "9001", "2002": "9003"}
	segments := strings.Split(path, "/")
	if len(segments) < 4 {
		return nil, nil
	}
	id := segments[2]
	switch {
	case segments[1] == "applications" && owner[id] != "":
		right, wrong = []string{"/applicants/" + owner[id] + path}, []string{"/applicants/999" + path}
		for _, other := range owner {
			if other != owner[id] {
				wrong = append(wrong, "/applicants/"+other+path)
			}
		}
	case segments[1] == "invoices" && billed[id] != "":
		app := billed[id]
		right = []string{"/applications/" + app + path, "/applicants/" + owner[app] + path,
			"/applicants/" + owner[app] + "/applications/" + app + path}
		wrong = []string{"/applications/9002" + path, "/applicants/4713" + path,
			"/applicants/" + owner[app] + "/applications/9002" + path,
			"/applicants/4713/applications/" + app + path, "/applications/999" + path}
	}
	return right, wrong
}

// What stands below a copy of a record answers as what stands below the record does, in every version; below another
// parent there is nothing (resources.md 24).
func TestAliasesAnswerAsTheirTarget(t *testing.T) {
	onAll(t, func(t *testing.T, s *service) {
		putContract(s)
		compared := map[string]bool{}
		for _, version := range versions() {
			prefix := fmt.Sprintf("/api/v%d", version)
			for _, r := range api.Rows() {
				if r.Method != "GET" {
					continue
				}
				for _, path := range contractPaths(t, r.Path) {
					right, wrong := copiesOf(path)
					for _, other := range right {
						want, got := s.get(prefix+path), s.get(prefix+other)
						if got.status != want.status || want.status == 200 && got.body != want.body {
							t.Errorf("%s%s: %d %.200s, want %d %.200s", prefix, other, got.status, got.body, want.status, want.body)
							continue
						}
						names := []string{"ETag", "X-Count", "Content-Type", "Content-Disposition", "Last-Modified", "Allow"}
						if want.status == 200 { // a problem names the path
							names = append(names, "Content-Length")
						}
						for _, name := range names {
							if got.header.Get(name) != want.header.Get(name) {
								t.Errorf("%s%s: %s is %q, want %q", prefix, other, name, got.header.Get(name), want.header.Get(name))
							}
						}
						if want.status >= 400 {
							var a, b map[string]any
							decode(t, want.body, &a)
							decode(t, got.body, &b)
							if a["type"] != b["type"] || a["detail"] != b["detail"] {
								t.Errorf("%s%s: %s, want %s", prefix, other, got.body, want.body)
							}
						}
						compared[r.Path] = true
						if head := s.do("HEAD", prefix+other, ""); head.status != got.status || head.body != "" {
							t.Errorf("HEAD %s%s: %d %s", prefix, other, head.status, head.body)
						}
					}
					if version < r.First || r.Last < version {
						continue
					}
					for _, other := range wrong {
						s.get(prefix+other).want(t, 404).problem(t, "not-found")
					}
				}
			}
		}
		for _, r := range api.Rows() {
			if r.Method == "GET" && (strings.HasPrefix(r.Path, "/applications/{id}/") ||
				strings.HasPrefix(r.Path, "/invoices/{id}/")) && !compared[r.Path] {
				t.Errorf("no copy of %s was compared", r.Path)
			}
		}
		// The record itself is no alias but for what the table names.
		s.do("PATCH", "/api/v10/applicants/4711/applications/9001", "{}").want(t, 405)
		s.get("/api/v10/applicants/4711/applications/9001/nothing").want(t, 404).problem(t, "no-such-path")
		s.get("/api/v10/applicants/x/applications/9001/tasks").want(t, 400).problem(t, "invalid-id")
		if allow := s.do("POST", "/api/v10/applicants/4711/invoices/2001", "").want(t,
			405).header.Get("Allow"); allow != "GET, HEAD, DELETE" {
			t.Errorf("Allow: %s", allow)
		}
	})
}

// Writes below a copy do what they do below the record, and are found below either.
func TestWritesThroughAliases(t *testing.T) {
	const copied, foreign = "/api/v10/applicants/4711/applications/9001", "/api/v10/applicants/4713/applications/9001"
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		for _, w := range []struct {
			method, path, body string
			status             int
		}{
			{"PUT", "/tasks/410/status", `"Returned"`, 204}, {"PUT", "/flags/6", "", 204}, {"DELETE", "/flags/5", "", 204},
			{"PUT", "/offers/7001/subject", `"New"`, 204}, {"PUT", "/offers/7001/decision", `"Declined"`, 204}, {"POST",
				"/offers/7001/notes", `"Seen"`, 201},
			{"POST", "/freeze", "", 204}, {"POST", "/unfreeze", "", 204},
			{"POST", "/invoices", `{"items":[{"item":"Fee","price":"5.00"}],"send":false}`, 201},
			{"DELETE", "/tasks/410", "", 204}, {"POST", "/close", "", 204},
		} {
			before := s.lastEvent(t)
			s.do(w.method, foreign+w.path, w.body, contentType("application/json")).want(t, 404).problem(t, "not-found")
			if s.lastEvent(t) != before {
				t.Errorf("%s %s below another's applicant left an event", w.method, w.path)
			}
			a := s.do(w.method, copied+w.path, w.body, contentType("application/json")).want(t, w.status)
			if s.lastEvent(t) == before {
				t.Errorf("%s %s did nothing", w.method, w.path)
			}
			if w.status != 201 {
				continue
			}
			location := a.header.Get("Location")
			if !strings.HasPrefix(location, copied+w.path+"/") {
				t.Errorf("%s %s: Location %s", w.method, w.path, location)
			}
			target := "/api/v10" + strings.TrimPrefix(location, "/api/v10/applicants/4711")
			if here, there := s.get(location).want(t, 200), s.get(target).want(t, 200); here.body != a.body ||
				there.body != a.body {
				t.Errorf("%s: %s\n%s\n%s", location, a.body, here.body, there.body)
			}
		}
		if got := s.get("/api/v10/applications/9001").object(t)["status"]; got != "Closed" {
			t.Errorf("status %v", got)
		}
		// Transactions and the removal of an invoice, below each of its copies.
		for place, foreign := range map[string]string{"/applicants/4711/invoices/": "/applicants/4713/invoices/",
			"/applications/9001/invoices/":                 "/applications/9002/invoices/",
			"/applicants/4711/applications/9001/invoices/": "/applicants/4713/applications/9001/invoices/"} {
			made := s.postJSON("/api/v4/applications/9001/invoices",
				`{"items":[{"item":"Fee","price":"5.00"}],"send":false}`).want(t, 201)
			_, id, _ := strings.Cut(made.header.Get("Location"), "/invoices/")
			tag := s.get("/api/v4/invoices/" + id).header.Get("ETag")
			s.do("DELETE", "/api/v4"+foreign+id, "").want(t, 404).problem(t, "not-found")
			s.do("DELETE", "/api/v4"+place+id, "", header("If-Match", `"other"`)).want(t, 412)
			s.do("DELETE", "/api/v4"+place+id, "", header("If-Match", tag)).want(t, 204)
			s.get("/api/v4/invoices/"+id).want(t, 404)
		}
		invoice := s.unpaid()
		for _, place := range []string{"/api/v4/applicants/4711", "/api/v4/applicants/4711/applications/9001",
			"/api/v4/applications/9001"} {
			place += invoice + "/transactions"
			paid := s.postJSON(place, `{"amount":"1.00"}`).want(t, 201)
			if at := paid.header.Get("Location"); !strings.HasPrefix(at, place+"/") || s.get(at).want(t, 200).body != paid.body {
				t.Errorf("Location %s", at)
			}
		}
		before := s.lastEvent(t)
		s.postJSON("/api/v4/applicants/4713"+invoice+"/transactions", `{"amount":"1.00"}`).want(t, 404)
		if s.lastEvent(t) != before {
			t.Error("a payment below another's applicant left an event")
		}
	})
}

// unpaid issues an invoice for application 9001 and returns its path.
func (s *service) unpaid() string {
	made := s.postJSON("/api/v10/applications/9001/invoices",
		`{"items":[{"item":"Fee","price":"5.00"}],"send":false}`).want(s.t, 201)
	return strings.TrimPrefix(made.header.Get("Location"), "/api/v10/applications/9001")
}

// A key and an Idempotency-Key know one operation, whatever path it is asked for at.
func TestAliasesAreOneOperation(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		operation, known := api.Operation("GET /applicants/{id}/applications/{id}/tasks")
		if !known || operation != "GET /applications/{id}/tasks" {
			t.Fatalf("the operation is %q", operation)
		}
		for _, unknown := range []string{"PATCH /applicants/{id}/applications/{id}",
			"GET /applicants/{id}/applications/{id}/x", "GET /invoices/{id}/"} {
			if operation, known := api.Operation(unknown); known {
				t.Errorf("%s is %s", unknown, operation)
			}
		}
		_, secret := s.newKey(apikey.NewKey{Label: "tasks", Scope: admitto.ScopeOperations, Operations: []string{operation}})
		for _, path := range []string{"/api/v10/applications/9001/tasks",
			"/api/v10/applicants/4711/applications/9001/tasks"} {
			s.get(path, key(secret)).want(t, 200)
			s.get(path+"/410", key(secret)).want(t, 403).problem(t, "not-permitted")
			s.get(strings.TrimSuffix(path, "/tasks"), key(secret)).want(t, 403)
		}

		const transaction = `{"amount":"1.00"}`
		invoice := s.unpaid()
		var first answer
		for i, parents := range []string{"/applicants/4711", "", "/applications/9001", "/applicants/4711/applications/9001"} {
			path := parents + invoice + "/transactions"
			a := s.postJSON("/api/v10"+path, transaction, header("Idempotency-Key", "once")).want(t, 201)
			if i == 0 {
				first = a
			}
			if a.body != first.body || a.header.Get("Location") != first.header.Get("Location") {
				t.Errorf("%s: %s %s, want %s %s", path, a.header.Get("Location"), a.body, first.header.Get("Location"), first.body)
			}
		}
		s.postJSON("/api/v10"+invoice+"/transactions", `{"amount":"2.00"}`, header("Idempotency-Key", "once")).want(t,
			409).problem(t, "idempotency-conflict")
		if paid := s.get("/api/v10" + invoice).object(t)["paid"]; paid != "1.00" {
			t.Errorf("paid %v", paid)
		}
		s.postJSON("/api/v10/applicants/4713"+invoice+"/transactions", transaction, header("Idempotency-Key", "once")).want(t,
			404)
	})
}

// The aliases stand with their operation in the OpenAPI documents and in the reference.
func TestAliasesAreDocumented(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		var document struct {
			Paths map[string]map[string]json.RawMessage
		}
		decode(t, s.get("/developers/openapi-v10.json", noKey).want(t, http.StatusOK).body, &document)
		for path, want := range map[string][]string{
			"/applications/{application_id}/tasks": {"/applicants/{applicant_id}/applications/{application_id}/tasks"},
			"/invoices/{invoice_id}/transactions": {"/applications/{application_id}/invoices/{invoice_id}/transactions",
				"/applicants/{applicant_id}/applications/{application_id}/invoices/{invoice_id}/transactions",
				"/applicants/{applicant_id}/invoices/{invoice_id}/transactions"},
			"/applications/{application_id}": nil,
		} {
			var operation struct {
				Aliases     []string `json:"x-aliases"`
				Description string
			}
			decode(t, string(document.Paths[path]["get"]), &operation)
			if diff := cmp.Diff(want, operation.Aliases); diff != "" {
				t.Errorf("aliases of %s (-want +got)\n%s", path, diff)
			}
			if slices.ContainsFunc(want, func(other string) bool { return !strings.Contains(operation.Description, other) }) {
				t.Errorf("%s: the description is %q", path, operation.Description)
			}
			for _, other := range want {
				if document.Paths[other] != nil {
					t.Errorf("%s stands there by itself", other)
				}
			}
		}
		page := s.get("/developers/v10", noKey).want(t, http.StatusOK).body
		if !strings.Contains(page, "/applicants/{applicant_id}/applications/{application_id}/tasks") {
			t.Error("the reference does not name the alias")
		}
	})
}
