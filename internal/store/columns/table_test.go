package columns

import (
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

func TestStatements(t *testing.T) {
	file := &admitto.File{ID: 7, Owner: 8, Name: "a.pdf"}
	for want, got := range map[string]string{
		"INSERT INTO document (id, application_id, uploaded, name, mime, size, hash, expires, task_id, trashed) VALUES " +
			"($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)": Document.Load(),
		"INSERT INTO email_attachment (email_id, uploaded, name, mime, size, hash, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)": EmailAttachment.Insert(),
		"d.id, d.application_id, d.uploaded, d.name, d.mime, d.size, d.hash, d.expires":                                          Document.Select("d"),
		"n, export_id, uploaded, name, mime, size, hash, expires":                                                                ExportBlob.Select(""),
		"INSERT INTO wish (id, applicant_id, course_id, intake_id, wished, notes) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET " +
			"applicant_id = excluded.applicant_id, course_id = excluded.course_id, intake_id = excluded.intake_id, wished = excluded.wished, " +
			"notes = excluded.notes": Wish.Replace(),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if row := Document.Values(nil, file, int64(9), nil); row[0] != int64(7) || row[1] != int64(8) || row[8] != int64(9) || len(row) != 10 {
		t.Error(row)
	}
	if row := Document.New(file, nil, nil); row[0] != int64(8) || len(row) != 9 {
		t.Error(row)
	}
	if text := Offer.Select("o") + Offer.Load(); !strings.Contains(text, "o.row_version") || strings.Contains(text, " row_version") {
		t.Error(text)
	}
}

// A table has no column twice, and as many values as columns.
func TestTables(t *testing.T) {
	check(t, Applicant, "email_key")
	check(t, Note, 1, nil)
	check(t, Email)
	check(t, Wish)
	check(t, Application)
	check(t, Score)
	check(t, Document, 1, nil)
	check(t, OfferAttachment)
	check(t, EmailAttachment)
	check(t, ExportBlob, "token")
	check(t, Letter)
	check(t, Offer, 0, "")
	check(t, Institution)
	check(t, Department)
	check(t, Course, "[]")
	check(t, Intake)
	check(t, Fee)
	check(t, Ranking, "{}")
	check(t, StudyPlan, "[]")
}

func check[T any](t *testing.T, table *Table[T], also ...any) {
	t.Helper()
	if row := table.Values(nil, new(T), also...); len(row) != len(table.names) {
		t.Errorf("%s: %d values for %d columns", table.name, len(row), len(table.names))
	}
	names := slices.Sorted(slices.Values(table.names))
	if len(slices.Compact(names)) != len(table.names) {
		t.Errorf("%s has a column twice: %v", table.name, table.names)
	}
}
