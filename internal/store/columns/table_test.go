package columns

import (
	"fmt"
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
		"INSERT INTO application_flag (flag_id, application_id, assigned) VALUES ($1, $2, $3) ON CONFLICT (flag_id, application_id) DO NOTHING": ApplicationFlag.Add(),
		"INSERT INTO consent_decision (applicant_id, consent_id, decided, decision, version) VALUES ($1, $2, $3, $4, $5) " +
			"ON CONFLICT (applicant_id, consent_id) DO UPDATE SET decided = excluded.decided, decision = excluded.decision, " +
			"version = excluded.version": ConsentDecision.Replace(),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if row := Document.Values(nil, file, int64(9), nil); row[0] != int64(7) || row[1] != int64(8) || row[8] != int64(9) ||
		len(row) != 10 {
		t.Error(row)
	}
	if row := Document.New(file, nil, nil); row[0] != int64(8) || len(row) != 9 {
		t.Error(row)
	}
	if text := Offer.Select("o") + Offer.Load(); !strings.Contains(text, "o.row_version") ||
		strings.Contains(text, " row_version") {
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
	check(t, Course)
	check(t, CourseIntake)
	check(t, Term)
	check(t, TermType)
	check(t, Year)
	check(t, Intake)
	check(t, IntakeDeadline)
	check(t, Fee)
	check(t, FeeAmount)
	check(t, FeeCourse)
	check(t, Ranking)
	check(t, RankingCourse)
	check(t, StudyPlan)
	check(t, Photo)
	check(t, ConsentDecision, 1)
	check(t, ApplicationContent)
	check(t, ApplicationCourse, "", false)
	check(t, ApplicationFlag)
	check(t, Task)
	check(t, TaskCase)
	check(t, RuleAction)
	check(t, Export)
	check(t, Tracker)
	check(t, ApplicantTracker)
	check(t, Flag)
	check(t, Administrator, false, false, "")
	check(t, AdministratorRole)
	check(t, Role)
	check(t, Question)
	check(t, Tableview)
	check(t, OfferReason)
	check(t, ScoresheetGroup)
	check(t, Scoresheet)
	check(t, Criterion)
	check(t, Series)
	check(t, Invoice)
	check(t, WholeInvoice)
	check(t, InvoiceItem)
	check(t, Transaction)
}

// The values of columns that are no field of their own.
func TestMadeValues(t *testing.T) {
	percent := &admitto.Tracker{Code: "Ab", Reduction: &admitto.Reduction{Percent: 250}}
	amount := &admitto.Tracker{Reduction: &admitto.Reduction{Amount: 300, Currency: "EUR"}}
	section := &admitto.Question{Type: admitto.ExtraSection, Fields: []admitto.Question{{ID: 3, Name: "N",
		Type: admitto.ExtraText}}}
	for _, c := range []struct {
		got  []any
		want string
	}{
		{Tracker.Values(nil, percent)[4:], "[250 <nil>  ab]"},
		{Tracker.Values(nil, amount)[4:], "[<nil> 300 EUR ]"},
		{Tracker.Values(nil, &admitto.Tracker{})[4:], "[<nil> <nil>  ]"},
		{Question.Values(nil, section)[3:], `[section [] [{"id":3,"name":"N","type":"text"}] {}]`},
		{Tableview.Values(nil, &admitto.Tableview{ByOffer: true})[4:7], "[Offer null {}]"},
		{Scoresheet.Values(nil, &admitto.Scoresheet{})[6:7], "[]"},
		{Scoresheet.Values(nil, &admitto.Scoresheet{Maps: []admitto.ScoreMap{{Label: "A", Value: 10000}}})[6:7],
			`[[{"label":"A","value":10000}]]`},
		{Transaction.Values(nil, &admitto.Transaction{})[6:7], "[]"},
		{ConsentDecision.Values(nil, &admitto.ConsentDecision{Accepted: true}, 2)[3:], "[Accept 2]"},
		{ConsentDecision.Values(nil, &admitto.ConsentDecision{}, 2)[3:], "[Reject 2]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
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
