package api_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// The biggest list there is comes in one answer and a constant number of statements, and Link leads to the rest.
func TestBiggestList(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return errors.Join(sqltest.In(tx).Script(`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a@example.org', 'a@example.org');
				INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'T', 1, '2026-08-31', '2026-10-31', '2027-01-31');
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised)
				WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16400) SELECT i, 1, 1, 'Closed', 1000000, 1000000 FROM n`), tx.RecountCounters())
		})
		if err != nil {
			t.Fatal(err)
		}
		before := s.store.Statements()
		first := s.get("/api/v10/applications").want(t, 200)
		if n := s.store.Statements() - before; n > 6 {
			t.Errorf("%d statements for one list", n)
		}
		if n := len(first.object(t)); n != 16384 || first.header.Get("X-Count") != "16400" {
			t.Fatalf("%d elements, X-Count %s", n, first.header.Get("X-Count"))
		}
		link, _, _ := strings.Cut(strings.TrimPrefix(first.header.Get("Link"), "<"), ">")
		rest := s.get(link).want(t, 200)
		if n := len(rest.object(t)); n != 16 || rest.header.Get("X-Count") != "16400" || rest.header.Get("Link") != "" {
			t.Fatalf("%d elements behind %s, %v", n, link, rest.header)
		}
		expanded := s.get("/api/v10/applications?expand=*").want(t, 200)
		if n := len(expanded.object(t)); n != 512 {
			t.Fatalf("%d elements with expand", n)
		}
	})
}
