package servicestest

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/usecase"
)

// Fair puts two applicants with applications into a seeded database: 1 with application 11 to the courses 55 and 56,
// which is a Draft, and 2 with application 12 to the course 55, Submitted, with offer 71.
func (d *Desk) Fair() {
	d.T.Helper()
	if err := d.Store.Seed(d.T.Context(), "Northfield University", 2026); err != nil {
		d.T.Fatal(err)
	}
	d.Write(
		`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship) VALUES
			(1, 'live', FALSE, 1, 'Ann', 'Lee', 'ann@example.org', 'ann@example.org', 'HU'), (2, 'live', FALSE, 1, 'Bo', 'Dijk', 'bo@example.org', 'bo@example.org', 'NL')`,
		`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (13, 2026, 'Autumn', 2, '2026-08-31', '2026-10-31', '2027-01-31')`,
		`INSERT INTO intake (id, name, policy, academic_term_id) VALUES (8, 'Autumn 2026', 'Rolling', 13)`,
		`INSERT INTO course (id, status, updated, institution_id, featured, awards, name) VALUES (55, 'Online', 1, 1, FALSE, '[]', 'Energy'),
			(56, 'Online', 1, 1, FALSE, '[]', 'Law'), (57, 'Draft', 1, 1, FALSE, '[]', 'Art')`,
		`INSERT INTO course_intake (course_id, intake_id) VALUES (55, 8)`,
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (11, 1, 13, 'Draft', 1, 1), (12, 2, 13, 'Submitted', 1, 1)`,
		`INSERT INTO application_course (application_id, course_id, intake_id, institution_id, priority, added) VALUES (11, 55, 8, 1, 1, 1), (11, 56, 8, 1, 2, 1),
			(12, 55, 8, 1, 1, 1)`)
}

func (d *Desk) Template(class string) int64 {
	return d.Number("SELECT id FROM task_template WHERE class = $1", class)
}

// As is a caller of the kind.
func As(kind admitto.ActorKind, id int64) usecase.Caller {
	if kind == admitto.ByApplicant {
		return usecase.Caller{Caller: admitto.ApplicantCaller(id, "r1")}
	}
	return usecase.Caller{Caller: admitto.Caller{Actor: admitto.Actor{Kind: kind, ID: id, RequestID: "r1"},
		Permissions: admitto.AllPermissions()}}
}

// Codes returns the codes of a refusal that the state makes.
func Codes(t *testing.T, err error) string {
	t.Helper()
	var list []string
	for _, f := range WantKind(t, err, admitto.NotAllowedNow).Faults {
		list = append(list, f.Code)
	}
	return strings.Join(list, " ")
}

// WantSince compares the events after the record.
func (d *Desk) WantSince(record int, want ...string) {
	d.T.Helper()
	if got := d.Since(record); !slices.Equal(got, want) {
		d.T.Errorf("events %q, want %q", got, want)
	}
}
