package api_test

import (
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// Letterheads, which letters link to (resources.md 24.10).
func TestLetterheads(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		const plain = `{"id":1,"name":"Plain","created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T09:00:00+00:00"}`
		if got := s.get("/api/v10/letterheads").want(t, 200); got.body != `{"1":`+plain+`}` || got.header.Get("X-Count") != "1" {
			t.Errorf("%s %v", got.body, got.header)
		}
		if got := s.get(oldestPath("/letterheads/1")).want(t, 200); got.body != plain {
			t.Errorf("%s", got.body)
		}
		s.get("/api/v10/letterheads/2").want(t, 404).problem(t, "not-found")
		s.get("/api/v10/letterheads/x").want(t, 400).problem(t, "invalid-id")
	})
}

// Documents of a task (resources.md 24.6): those attached to it, of its own application only.
func TestTaskDocuments(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return sqltest.In(tx).Script(`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a@example.org', 'a@example.org');
				INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'T', 1, '2026-08-31', '2026-10-31', '2027-01-31');
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (1, 1, 1, 'Draft', 1, 1);
				INSERT INTO task (id, application_id, template_id, created, status) VALUES (1, 1, 1, 1, 'Waiting'), (2, 1, 1, 1, 'Waiting');
				INSERT INTO document (id, application_id, task_id, uploaded, name, mime, size, hash) VALUES
				(5, 1, 1, 1000000, 'a.pdf', 'application/pdf', 3, '00'), (6, 1, NULL, 1000000, 'b.pdf', 'application/pdf', 3, '00')`)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			path   string
			status int
			body   string
		}{
			{"/api/v10/applications/1/tasks/1/documents", 200, `{"5":{"id":5,"uploaded":"1970-01-01T00:00:01+00:00","name":"a.pdf","mime":"application/pdf","size":"3","expires":null}}`},
			{"/api/v8/applications/1/tasks/2/documents", 200, `{}`},
			{"/api/v10/applications/1/tasks/3/documents", 404, ""},
			{"/api/v10/applications/2/tasks/1/documents", 404, ""},
			{"/api/v7/applications/1/tasks/1/documents", 404, ""},
			{"/api/v10/applications/1/tasks/1/documents/6", 404, ""},
			{"/api/v10/applications/1/tasks/1/documents/5", 404, ""}, // its bytes are missing
		} {
			if got := s.get(c.path).want(t, c.status); c.body != "" && got.body != c.body {
				t.Errorf("%s: %s", c.path, got.body)
			}
		}
	})
}
