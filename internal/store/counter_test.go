package store

import (
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// The step that begins to count applications, invoices and scores counts those that are there.
func TestCountsOfOldData(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		s := opened(t, url, o)
		list, err := s.dialect.migrations()
		if err != nil {
			t.Fatal(err)
		}
		step := slices.IndexFunc(list, func(m migration) bool { return m.name == "0009_counts" })
		if _, err := s.migrate(t.Context(), list[:step]); err != nil {
			t.Fatal(err)
		}
		err = s.Write(t.Context(), func(tx *Tx) error {
			return tx.sql.Script(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'A', 1, '', '', ''), (2, 2026, 'B', 1, '', '', '');
				INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a', 'a'), (2, 'recovery', FALSE, 1, 'b', 'b');
				INSERT INTO tally (family, facet, block, n, low, high) VALUES ('applicant', '', 0, 1, 1, 1), ('applicant', 'c:', 0, 1, 1, 1), ('applicant', 'day', 0, 1, 1, 1);
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible) VALUES
					(1023, 1, 1, 'Closed', 1, 1, TRUE), (1024, 1, 1, 'Closed', 1, 1, TRUE), (1025, 1, 1, 'Draft', 1, 1, TRUE), (5000, 1, 2, 'Draft', 1, 1, TRUE),
					(1026, 2, 1, 'Draft', 1, 1, FALSE);
				INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale) VALUES (7, 1, 'A', 'x', 'Application', 0, 10, 0), (8, 1, 'B', 'x', 'Application', 0, 10, 0);
				INSERT INTO score (scoresheet_id, application_id) VALUES (7, 1023), (8, 1023), (7, 5000), (7, 1026);
				INSERT INTO invoice_series (id, name, format) VALUES (1, 'A', '%inc%');
				INSERT INTO invoice (id, type, nr, series_id, issued, deadline, currency, total, payer_name) VALUES (1, 'Invoice', '1', 1, 1, '2026-01-01', 'EUR', 1, 'A'),
					(2048, 'Invoice', '2', 1, 1, '2026-01-01', 'EUR', 1, 'A')`)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		err = s.Read(t.Context(), func(tx *Tx) error {
			if n, err := tx.number("SELECT count(*) FROM tally WHERE family <> 'applicant'"); n != 3+3+4+2+2+
				3 { // blocks of all, terms, statuses, invoices, sheets, statuses in terms
				t.Errorf("%d counts, %v", n, err)
			}
			return tx.VerifyCounters()
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// The step that begins to count tasks by cell counts those that are there.
func TestTasksOfOldData(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		s := opened(t, url, o)
		list, err := s.dialect.migrations()
		if err != nil {
			t.Fatal(err)
		}
		step := slices.IndexFunc(list, func(m migration) bool { return m.name == "0031_tasks" })
		if _, err := s.migrate(t.Context(), list[:step]); err != nil {
			t.Fatal(err)
		}
		err = s.Write(t.Context(), func(tx *Tx) error {
			return tx.sql.Script(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'A', 1, '', '', ''), (2, 2026, 'B', 1, '', '', '');
				INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a', 'a'), (2, 'recovery', FALSE, 1, 'b', 'b');
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible) VALUES
					(1, 1, 1, 'Closed', 1, 1, TRUE), (2, 1, 2, 'Draft', 1, 1, TRUE), (3, 2, 1, 'Draft', 1, 1, FALSE);
				INSERT INTO task_template (id, class, title, active) VALUES (7, 'x', 'X', TRUE);
				INSERT INTO task (id, application_id, template_id, created, status, committed, resolved, trashed) VALUES
					(1, 1, 7, 1, 'Open', NULL, NULL, NULL), (2, 1, 7, 1, 'Open', NULL, NULL, NULL), (3, 2, 7, 1, 'Done: well', 1, 1, NULL),
					(20000, 2, 7, 1, 'Done: well', 1, 1, NULL), (4, 1, 7, 1, 'Open', 1, NULL, 1), (5, 3, 7, 1, 'Open', 1, NULL, NULL)`)
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		err = s.Read(t.Context(), func(tx *Tx) error {
			if n, err := tx.number("SELECT count(*) FROM tally WHERE family = 'task:1' OR family = 'task:2'"); n != 3 {
				t.Errorf("%d counts of tasks, %v", n, err)
			}
			cells, err := tx.TaskCells(0)
			want := []TaskCell{{Term: 1, Template: 7, Status: "Open", N: 2, name: "1:7:0:Open"},
				{Term: 2, Template: 7, HandedIn: true, Resolved: true, Status: "Done: well", N: 2, name: "2:7:3:Done: well"}}
			if !slices.Equal(cells, want) || err != nil {
				t.Errorf("%+v, %v", cells, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
