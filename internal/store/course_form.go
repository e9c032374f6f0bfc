package store

import (
	"errors"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Asked is what courses ask for together; the first is the one that the applicant wants most.
func (tx *Tx) Asked(courses []int64) (form.Asked, error) {
	forms, err := tx.CourseForms(courses)
	if err != nil {
		return form.Asked{}, err
	}
	list := make([]form.Settings, len(courses))
	for i, id := range courses {
		list[i] = forms[id]
	}
	return form.Together(list), nil
}

// CourseForms returns the forms of courses, by ID.
func (tx *Tx) CourseForms(courses []int64) (map[int64]form.Settings, error) {
	return tx.courseForms("SELECT id, form FROM course WHERE "+tx.dialect.in("id", 1), courses)
}

// ChangedForms returns the forms of the courses that have another than the default one, by ID.
func (tx *Tx) ChangedForms() (map[int64]form.Settings, error) {
	return tx.courseForms("SELECT id, form FROM course WHERE form <> ''")
}

func (tx *Tx) courseForms(sql string, args ...any) (map[int64]form.Settings, error) {
	byCourse := map[int64]form.Settings{}
	var wrong error
	err := each(tx.query(sql, args...), func(r *db.Rows) {
		settings, err := form.ParseSettings(r.Text(1))
		if err != nil {
			wrong = fmt.Errorf("course %d: %w", r.Int64(0), err)
		}
		byCourse[r.Int64(0)] = settings
	})
	return byCourse, errors.Join(err, wrong)
}

// SetCourseForm stores the form of a course, which counts as a change of the course.
func (tx *Tx) SetCourseForm(course int64, s *form.Settings) error {
	_, err := tx.exec("UPDATE course SET form = $2, updated = $3, row_version = row_version + 1 WHERE id = $1", course,
		s.Stored(), tx.Now())
	return err
}

// SaveQuestion stores a question.
func (tx *Tx) SaveQuestion(q *admitto.Question) ([]admitto.Detail, error) {
	return saved(tx, columns.Question, &q.ID, q)
}

// Question reads a question, or answers NotFound.
func (tx *Tx) Question(id int64) (q admitto.Question, err error) {
	err = one(tx.query("SELECT "+columns.Question.Select("")+" FROM question WHERE id = $1", id),
		func(r *db.Rows) { q = scanned(columns.Question, r) })
	return q, err
}
