package store

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var (
	applicationColumns = columns.Application.Select("a")
	insertApplication  = columns.Application.Insert() + " RETURNING id"
)

// outcomeOf is what an application a reads as where the outcome of its offers counts (resources.md 6.2).
const outcomeOf = `CASE
	WHEN a.status = 'Submitted' AND EXISTS (SELECT 1 FROM offer n WHERE n.application_id = a.id AND n.decision = 'Final') THEN 'Accepted'
	WHEN a.status IN ('Submitted', 'Closed') AND EXISTS (SELECT 1 FROM offer n WHERE n.application_id = a.id)
		AND NOT EXISTS (SELECT 1 FROM offer n LEFT JOIN offer_type t ON t.id = n.type_confirmed_id
			WHERE n.application_id = a.id AND (n.confirmed IS NULL OR coalesce(t.ranking, '') <> 'Eliminated')) THEN 'Rejected'
	ELSE a.status END`

// columnsOf returns the columns that scanApplication reads, with the status by the outcome or as it is stored.
func columnsOf(byOutcome bool) string {
	if byOutcome {
		return strings.Replace(applicationColumns, "a.status", outcomeOf, 1)
	}
	return applicationColumns
}

func scanApplication(r *db.Rows, a *admitto.Application) { columns.Application.Scan(r, a) }

// Application reads one visible application, or answers NotFound.
func (tx *Tx) Application(id int64) (admitto.Application, error) { return tx.ApplicationAs(id, false) }

// ApplicationAs reads one visible application, its status by the outcome of its offers if that is asked, or answers
// NotFound.
func (tx *Tx) ApplicationAs(id int64, byOutcome bool) (a admitto.Application, err error) {
	err = one(tx.query("SELECT "+columnsOf(byOutcome)+" FROM application a WHERE a.id = $1 AND a.visible", id),
		func(r *db.Rows) { scanApplication(r, &a) })
	return a, err
}

// HasApplication answers NotFound when no visible application has the ID.
func (tx *Tx) HasApplication(id int64) error {
	return one(tx.query("SELECT 1 FROM application WHERE id = $1 AND visible", id), func(*db.Rows) {})
}

// VisibleApplications returns which of the applications are there and visible.
func (tx *Tx) VisibleApplications(ids []int64) (map[int64]bool, error) {
	visible := map[int64]bool{}
	condition, args := tx.among("id", ids)
	err := each(tx.query("SELECT id FROM application WHERE visible AND "+condition, args...),
		func(r *db.Rows) { visible[r.Int64(0)] = true })
	return visible, err
}

// ApplicationsOf returns the IDs of the visible applications of an applicant, in order.
func (tx *Tx) ApplicationsOf(applicant int64) (ids []int64, err error) {
	err = each(tx.query("SELECT id FROM application WHERE applicant_id = $1 AND visible ORDER BY id", applicant),
		func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}

// ApplicationContent reads what the applicant filled in; the zero Content when nothing was.
func (tx *Tx) ApplicationContent(id int64) (content form.Content, err error) {
	var raw []byte
	err = each(tx.query("SELECT content FROM application_content WHERE application_id = $1", id),
		func(r *db.Rows) { raw = r.Bytes(0) })
	if err != nil || raw == nil {
		return content, err
	}
	if content, err = form.Read(raw); err != nil {
		return content, fmt.Errorf("content of application %d: %w", id, err)
	}
	return content, nil
}

// CoursesOfApplications returns the course associations of each application, by course ID.
func (tx *Tx) CoursesOfApplications(applications []int64) (map[int64][]admitto.ApplicationCourse, error) {
	condition, args := tx.among("application_id", applications)
	return grouped(tx.query("SELECT "+columns.ApplicationCourse.Select("")+" FROM application_course WHERE "+condition+
		" ORDER BY application_id, course_id", args...),
		func(r *db.Rows, c *admitto.ApplicationCourse) int64 {
			columns.ApplicationCourse.Scan(r, c)
			return c.Application
		})
}

// FlagsOfApplications returns the flag associations of each application, by flag ID.
func (tx *Tx) FlagsOfApplications(applications []int64) (map[int64][]admitto.FlagAssociation, error) {
	condition, args := tx.among("application_id", applications)
	return grouped(tx.query("SELECT "+columns.ApplicationFlag.Select("")+" FROM application_flag WHERE "+condition+
		" ORDER BY application_id, flag_id", args...), func(r *db.Rows, f *admitto.FlagAssociation) int64 {
		columns.ApplicationFlag.Scan(r, f)
		return f.Application
	})
}

// VisibleApplicants returns those of the applicants that are visible, by ID.
func (tx *Tx) VisibleApplicants(ids []int64) (map[int64]*admitto.Applicant, error) {
	list := make([]admitto.Applicant, 0, len(ids)) // long enough for all, so that none of them moves
	byID := make(map[int64]*admitto.Applicant, len(ids))
	err := each(tx.query("SELECT "+applicantColumns+" FROM applicant a WHERE "+tx.dialect.in("a.id", 1)+" AND a.visible",
		ids),
		func(r *db.Rows) {
			list = append(list, admitto.Applicant{})
			a := &list[len(list)-1]
			scanApplicant(r, a)
			byID[a.ID] = a
		})
	return byID, err
}

// OfferTypeIDsByTitle returns the IDs of the offer types with these titles, without letter case.
func (tx *Tx) OfferTypeIDsByTitle(titles []string) ([]int64, error) {
	keys := make([]string, len(titles))
	for i, title := range titles {
		keys[i] = strings.ToLower(title)
	}
	ids := []int64{} // not nil: a filter that matches nothing is still a filter
	err := each(tx.query("SELECT id FROM offer_type WHERE "+tx.dialect.in("title_key", 1)+" ORDER BY id", keys),
		func(r *db.Rows) {
			ids = append(ids, r.Int64(0))
		})
	return ids, err
}
