package store

import (
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// CourseName is how lists name a course.
type CourseName struct {
	ID, Institution int64
	Name, Code      string
	Names           admitto.Versions // in other languages
	IsOpen          bool             // everybody, or who has its address, can apply to it
}

// In is what the course is called in a language.
func (c *CourseName) In(lang string) (name string, fallback bool) {
	return c.Names.In(lang, "name", c.Name)
}

// CourseNames returns the names of courses, by ID.
func (tx *Tx) CourseNames(ids []int64) (map[int64]CourseName, error) {
	names := map[int64]CourseName{}
	err := each(tx.query("SELECT id, institution_id, name, code, names, status FROM course WHERE "+tx.dialect.in("id", 1), ids),
		func(r *db.Rows) {
			names[r.Int64(0)] = CourseName{r.Int64(0), r.Int64(1), r.Text(2), r.Text(3), readVersions(r, 4),
				r.Text(5) == "Online" || r.Text(5) == "Private"}
		})
	return names, err
}

// readVersions reads a column of texts in other languages.
func readVersions(r *db.Rows, column int) (v admitto.Versions) {
	if err := columns.ParseVersions(r.Raw(column), &v); err != nil {
		r.Fail(fmt.Errorf("texts in other languages: %w", err))
	}
	return v
}

// AdministratorNames returns the names of administrators, removed ones too, by ID.
func (tx *Tx) AdministratorNames(ids []int64) (map[int64]string, error) {
	return tx.namesOf("SELECT id, name FROM administrator WHERE "+tx.dialect.in("id", 1), ids)
}

// TaskTitles returns the titles of tasks by ID, of those in the trash as well; deleted ones have none.
func (tx *Tx) TaskTitles(ids []int64) (map[int64]string, error) {
	return tx.namesOf("SELECT t.id, p.title FROM task t JOIN task_template p ON p.id = t.template_id WHERE "+
		tx.dialect.in("t.id", 1), ids)
}

// DocumentNames returns the names of documents by ID, of those that were removed as well; there says which were not.
func (tx *Tx) DocumentNames(ids []int64) (names map[int64]string, there map[int64]bool, err error) {
	names, there = map[int64]string{}, map[int64]bool{}
	if len(ids) == 0 {
		return names, there, nil
	}
	err = each(tx.query("SELECT id, name, trashed IS NULL FROM document WHERE "+tx.dialect.in("id", 1), ids),
		func(r *db.Rows) { names[r.Int64(0)], there[r.Int64(0)] = r.Text(1), r.Bool(2) })
	return names, there, err
}

// ScoresheetNames returns the names of scoresheets by ID.
func (tx *Tx) ScoresheetNames(ids []int64) (map[int64]string, error) {
	return tx.namesOf("SELECT id, name FROM scoresheet WHERE "+tx.dialect.in("id", 1), ids)
}

// namesOf reads IDs and names; without IDs there is nothing to read.
func (tx *Tx) namesOf(sql string, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	if len(ids) == 0 {
		return names, nil
	}
	err := each(tx.query(sql, ids), func(r *db.Rows) { names[r.Int64(0)] = r.Text(1) })
	return names, err
}

// OfferTags returns of the offers of applications what lists show: their types and decisions.
func (tx *Tx) OfferTags(applications []int64) (map[int64][]admitto.Offer, error) {
	condition, args := tx.among("application_id", applications)
	return grouped(tx.query(`SELECT application_id, id, course_id, priority, type_id, type_confirmed_id, confirmed, decision FROM offer WHERE `+
		condition+" ORDER BY application_id, priority, id", args...), func(r *db.Rows, o *admitto.Offer) int64 {
		o.Application, o.ID, o.Course, o.Priority = r.Int64(0), r.Int64(1), r.Int64(2), int(r.Int64(3))
		o.Type, o.TypeConfirmed, o.Confirmed, o.Decision = r.Int64(4), r.Int64(5), r.Time(6), admitto.Decision(r.Text(7))
		return o.Application
	})
}
