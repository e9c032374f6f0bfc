package servicestest

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// Put runs statements, and counts what they have made.
func (d *Desk) Put(statements ...string) {
	d.T.Helper()
	err := d.Store.Write(d.T.Context(), func(tx *store.Tx) error {
		for _, sql := range statements {
			if _, err := sqltest.In(tx).Exec(sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return tx.RecountCounters()
	})
	if err != nil {
		d.T.Fatal(err)
	}
}

// Lines reads rows of one text.
func (d *Desk) Lines(sql string) string {
	d.T.Helper()
	var list []string
	err := d.Store.Read(d.T.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql)
		for rows.Next() {
			list = append(list, rows.Text(0))
		}
		return rows.Close()
	})
	if err != nil {
		d.T.Fatal(err)
	}
	return strings.Join(list, " ")
}

// Money makes applicant 1 with the applications 1 to n of terms of their own, course 1 in each, and courses 2 and 3.
func (d *Desk) Money(n int) {
	d.T.Helper()
	if err := d.Store.Seed(d.T.Context(), "Northfield University", 2026); err != nil {
		d.T.Fatal(err)
	}
	d.Create(Ilse())
	statements := []string{`INSERT INTO course (id, status, updated, institution_id, name) VALUES (1, 'Online', 1, 1, 'Energy'), (2, 'Online', 1, 1, 'Wind'), (3, 'Online', 1, 1, 'Water')`}
	for id := 1; id <= n; id++ {
		statements = append(statements, fmt.Sprintf(`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (%d, 2026, 'Term', 2, '2026-09-01', '2026-10-31', '2027-01-31')`, id),
			fmt.Sprintf(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (%d, 1, %d, 'Draft', 1, 1)`, id, id),
			fmt.Sprintf(`INSERT INTO application_course (application_id, course_id, institution_id, course_type, priority, added) VALUES (%d, 1, 1, '', 1, 1)`, id))
	}
	d.Put(statements...)
}
