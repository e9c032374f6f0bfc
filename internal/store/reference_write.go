package store

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// What staff edit of the catalogue. A record whose ID is 0 is new and gets one; of another one all columns are written.
// Each function returns what changed: nothing where the record is as it was.

// LockReference keeps a record of the catalogue from being changed by others until the transaction ends, or answers
// NotFound.
func (tx *Tx) LockReference(row admitto.Row) error {
	sql, _ := rowVersionSQL(row.Kind)
	return one(tx.query(sql+tx.forUpdate(lockReference, row.ID), row.ID), func(*db.Rows) {})
}

// SaveInstitution stores an institution.
func (tx *Tx) SaveInstitution(i *admitto.Institution) ([]admitto.Detail, error) {
	return saved(tx, columns.Institution, &i.ID, i)
}

// SaveDepartment stores a department.
func (tx *Tx) SaveDepartment(d *admitto.Department) ([]admitto.Detail, error) {
	return saved(tx, columns.Department, &d.ID, d)
}

// SaveCourse stores a course without its intakes.
func (tx *Tx) SaveCourse(c *admitto.Course) ([]admitto.Detail, error) {
	return saved(tx, columns.Course, &c.ID, c)
}

// SaveTerm stores an academic term.
func (tx *Tx) SaveTerm(t *admitto.Term) ([]admitto.Detail, error) {
	return saved(tx, columns.Term, &t.ID, t)
}

// SaveTermType stores a kind of terms.
func (tx *Tx) SaveTermType(t *admitto.TermType) ([]admitto.Detail, error) {
	return saved(tx, columns.TermType, &t.ID, t)
}

// SaveYear stores an academic year that is there.
func (tx *Tx) SaveYear(y *admitto.Year) ([]admitto.Detail, error) {
	return saved(tx, columns.Year, &y.Year, y)
}

// AddYear stores an academic year, unless it is there, and reports whether it is new.
func (tx *Tx) AddYear(y *admitto.Year) (bool, error) {
	n, err := tx.exec(columns.Year.Add(), columns.Year.Values(nil, y)...)
	return n > 0, err
}

// SaveIntake stores an intake with its deadlines.
func (tx *Tx) SaveIntake(i *admitto.Intake) (changes []admitto.Detail, err error) {
	var was []admitto.Deadline
	if i.ID != 0 {
		all, err := tx.DeadlinesOf([]int64{i.ID})
		if err != nil {
			return nil, err
		}
		was = all[i.ID]
	}
	if changes, err = saved(tx, columns.Intake, &i.ID, i); err != nil {
		return nil, err
	}
	old, now := fmt.Sprint(columns.JSON(was)), fmt.Sprint(columns.JSON(i.Deadlines))
	if old == now || len(was)+len(i.Deadlines) == 0 {
		return changes, nil
	}
	if _, err := tx.exec("DELETE FROM intake_deadline WHERE intake_id = $1", i.ID); err != nil {
		return nil, err
	}
	for _, d := range i.Deadlines {
		part := columns.Part[admitto.Deadline]{Owner: i.ID, Value: d}
		if _, err := tx.exec(columns.IntakeDeadline.Load(), columns.IntakeDeadline.Values(nil, &part)...); err != nil {
			return nil, err
		}
	}
	return append(changes, admitto.Detail{Path: "/deadlines", Old: old, New: now}), nil
}

// SetIntakesOf ties a course to the intakes, and to no others.
func (tx *Tx) SetIntakesOf(course int64, intakes []int64) ([]admitto.Detail, error) {
	return tx.tie("course_id", "intake_id", course, intakes, "/intakes")
}

// SetCoursesOf ties an intake to the courses, and to no others.
func (tx *Tx) SetCoursesOf(intake int64, courses []int64) ([]admitto.Detail, error) {
	return tx.tie("intake_id", "course_id", intake, courses, "/courses")
}

// tie stores which others a course or an intake is tied to.
func (tx *Tx) tie(own, other string, id int64, wanted []int64, path string) ([]admitto.Detail, error) {
	var was []int64
	err := each(tx.query("SELECT "+other+" FROM course_intake WHERE "+own+" = $1 ORDER BY "+other, id),
		func(r *db.Rows) { was = append(was, r.Int64(0)) })
	if err != nil {
		return nil, err
	}
	wanted = slices.Compact(slices.Sorted(slices.Values(wanted)))
	if slices.Equal(was, wanted) {
		return nil, nil
	}
	for _, n := range wanted {
		if !slices.Contains(was, n) {
			_, err = tx.exec("INSERT INTO course_intake ("+own+", "+other+") VALUES ($1, $2)", id, n)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, n := range was {
		if !slices.Contains(wanted, n) {
			_, err = tx.exec("DELETE FROM course_intake WHERE "+own+" = $1 AND "+other+" = $2", id, n)
		}
		if err != nil {
			return nil, err
		}
	}
	return []admitto.Detail{{Path: path, Old: fmt.Sprint(was), New: fmt.Sprint(wanted)}}, nil
}

// saved stores a row of a table: a new one where its ID is 0.
func saved[T any](tx *Tx, t *columns.Table[T], id *int64, v *T) (changes []admitto.Detail, err error) {
	var was T
	if *id != 0 {
		if err := one(tx.query("SELECT "+t.Select("")+" FROM "+t.Name()+" WHERE "+t.Key()+" = $1", *id),
			func(r *db.Rows) { t.Scan(r, &was) }); err != nil {
			return nil, err
		}
	}
	for _, c := range t.Changes(&was, v) {
		changes = append(changes, admitto.Detail{Path: "/" + c.Name, Old: c.Old, New: c.New})
	}
	switch {
	case *id == 0:
		*id, err = tx.insert(t.Insert()+" RETURNING id", t.New(v)...)
	case len(changes) > 0:
		_, err = tx.exec(t.Update(), t.Values(nil, v)...)
	}
	return changes, err
}
