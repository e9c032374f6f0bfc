package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
)

// refusedHere are writes that the world of the contract refuses however they are put together; the tests of the writes
// see them succeed.
var refusedHere = []string{"setScoresheetScore", "setScoresheetScoreSubject", "setScoresheetScoreLanguage",
	"deleteScoresheetScoreSubject",
	"deleteScoresheetScoreLanguage"} // the sheets have neither subject nor language

// requestPath is where an operation is asked for: where its guards let it pass, which the contract's example of the
// path does not always do. made are the places of what was created before.
func requestPath(t *testing.T, s *service, r api.Row, made map[string]string) string {
	_, invoice, _ := strings.Cut(made["createApplicationInvoice"], "/invoices/")
	path := map[string]string{
		"createApplicantApplication":   "/applicants/4713/applications",
		"createApplicationCourse":      "/applications/9002/courses",
		"deleteApplicationCourse":      "/applications/9002/courses/55",
		"setApplicationCoursePriority": "/applications/9002/courses/55/priority",
		"createInvoiceTransaction":     "/invoices/2002/transactions", "deleteInvoice": "/invoices/" + invoice,
		"setApplicantNote": strings.TrimPrefix(made["createApplicantNote"], "/api/v10"),
	}[r.Name]
	if path == "" {
		path, _, _ = strings.Cut(examplePaths(t, s, r.Path)[0], "?")
	}
	return path
}

// Every operation that its document describes is sent requests made from the description alone: every body in every
// encoding, whole and with only what is required. The document allows each answer, and one of them is a success.
func TestOpenAPIRequests(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		freeSequences(s)
		done, made := map[string]bool{}, map[string]string{}
		for v := config.OldestVersion; v <= 10; v++ {
			document := documentOf(t, v)
			ask := &caller{s, v, newValidator(document), operationsOf(t, document)}
			for _, r := range requestOrder(v) {
				op := ask.operations[r.Name].op
				path := requestPath(t, s, r, made)
				last := ""
				for _, request := range requestsOf(t, ask.check, op) {
					a := ask.answer(t, r, path, request.body, header("Content-Type", request.kind))
					last = a.body
					if place := a.header.Get("Location"); place != "" {
						made[r.Name] = place
					}
					done[r.Name] = done[r.Name] || a.status < 300
					if a.status >= 500 {
						t.Errorf("%s %s: %d %s", r.Method, path, a.status, a.body)
					}
				}
				if !done[r.Name] {
					t.Logf("%s was refused each time, at last with %s", r.Name, last)
				}
			}
		}
		for _, r := range api.Rows() {
			if done[r.Name] == slices.Contains(refusedHere, r.Name) {
				t.Errorf("%s succeeds: %v", r.Name, done[r.Name])
			}
		}
	})
}

// freeSequences lets new objects get IDs above those that the fixture names, which the sequences of PostgreSQL do not
// see.
func freeSequences(s *service) {
	if s.store.Shared() {
		s.put(`DO $$ DECLARE s record; BEGIN FOR s IN SELECT oid FROM pg_class WHERE relkind = 'S' AND relnamespace = current_schema()::regnamespace
			LOOP PERFORM setval(s.oid::regclass, 100000); END LOOP; END $$`)
	}
}

// requestOrder returns the rows whose newest version this is: first what reads, then what makes and sets, at last what
// ends and deletes, the inner before the outer.
func requestOrder(v int) (rows []api.Row) {
	rank := func(r api.Row) int {
		switch {
		case r.Method == "GET":
			return 0
		case r.Name == "deleteApplicationCourse": // which makes room for the creation
			return 1
		case r.Name == "createApplicationCourse":
			return 2
		case r.Method == "DELETE" || r.Name == "closeApplication":
			return 4
		}
		return 3
	}
	for _, r := range api.Rows() {
		if r.Last == v {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b api.Row) int {
		if rank(a) == 4 && rank(b) == 4 {
			return strings.Count(b.Path, "/") - strings.Count(a.Path, "/")
		}
		return rank(a) - rank(b)
	})
	return rows
}

// madeRequest is a body of a kind; both are empty where an operation takes none.
type madeRequest struct{ kind, body string }

// requestsOf makes the requests of an operation.
func requestsOf(t *testing.T, check *validator, op map[string]any) (list []madeRequest) {
	content, _ := at(op, "requestBody", "content").(map[string]any)
	if content == nil {
		return []madeRequest{{"application/octet-stream", ""}}
	}
	for _, kind := range slices.Sorted(maps.Keys(content)) {
		for _, whole := range []bool{true, false} {
			made := maker{t, check, whole}.value(fmt.Sprint(op["operationId"]), at(content[kind], "schema"))
			if err := check.check(at(content[kind], "schema"), parsed(t, asJSON(t, made)), ""); err != nil {
				t.Errorf("%s of %v: what was made is none: %v", kind, op["operationId"], err)
			}
			list = append(list, encoded(t, kind, made))
		}
	}
	return list
}

func asJSON(t *testing.T, value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// maker makes values of schemas.
type maker struct {
	t     *testing.T
	check *validator
	whole bool // with what is not required
}

// known are values for names that stand for objects of the contract's world, or for codes.
func known() map[string]any {
	return map[string]any{
		"applicant": 4713, "intake": 8, "course": 55, "tracker_ID": 14, "letterhead": 1, "institution": 1,
		"application": 9003, "offer": 7002,
		"serie_ID": 1, "course_ID": 55, "invoice_class_ID": nil, "issuer_institution_ID": nil, "issuer_administrator_ID": nil,
		"currency": "USD", "citizenship": "HU", "country": "HU", "language": "en", "email": "made@example.org",
		"reference":           "MADE-1",
		"reduction[currency]": "EUR", "prospect_uri": "https://example.org", "upload": nil, "setApplicationOfferType": 17,
	}
}

// value makes a value for the schema of a member.
func (m maker) value(name string, of any) any {
	s, err := m.check.resolve(of)
	if err != nil {
		m.t.Fatal(err)
	}
	if value, is := known()[name]; is {
		return value
	}
	if all, is := s["enum"].([]any); is {
		return all[0]
	}
	if all, is := s["anyOf"].([]any); is {
		return m.value(name, all[0])
	}
	kind := s["type"]
	if several, is := kind.([]any); is {
		kind = several[0]
	}
	switch kind {
	case "object":
		return m.object(s)
	case "array":
		return []any{m.value("", s["items"])}
	case "integer":
		return 1
	case "number":
		return 1.5
	case "boolean":
		return false
	}
	for _, text := range []string{"Made text", "made", "Made-1", "1.00", "1", "2026-04-01", "en"} {
		if m.check.check(s, text, "") == nil {
			return text
		}
	}
	m.t.Errorf("there is no text to try for %v", s)
	return ""
}

// object makes an object with the members that are asked for.
func (m maker) object(s map[string]any) any {
	made := map[string]any{}
	required, _ := s["required"].([]any)
	properties, _ := s["properties"].(map[string]any)
	for name, of := range properties {
		if m.whole || slices.Contains(required, any(name)) {
			if value := m.value(name, of); value != nil {
				made[name] = value
			}
		}
	}
	return made
}
