package store

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var institutionColumns = columns.Institution.Select("i")

func scanInstitution(r *db.Rows) (i admitto.Institution) {
	columns.Institution.Scan(r, &i)
	return i
}

// where joins conditions that each are driven by a list parameter; a nil list is no condition.
type where struct {
	listBuilder
	conditions []string
}

func (w *where) texts(column string, values []string) {
	if values != nil {
		w.conditions = append(w.conditions, w.tx.dialect.in(column, w.arg(values)))
	}
}

func (w *where) ids(column string, values []int64) {
	if values != nil {
		w.conditions = append(w.conditions, w.tx.dialect.in(column, w.arg(values)))
	}
}

// String returns the clause with a space before it, "" without a condition.
func (w *where) String() string {
	if w.conditions == nil {
		return ""
	}
	return " WHERE " + strings.Join(w.conditions, " AND ")
}

// Institutions returns the institutions of the query by ascending ID.
func (tx *Tx) Institutions(q admitto.InstitutionQuery) (list []admitto.Institution, err error) {
	w := where{listBuilder: listBuilder{tx: tx}}
	w.texts("i.status", q.Statuses)
	w.texts("i.mode", q.Modes)
	w.texts("i.country", q.Countries)
	err = each(tx.query("SELECT "+institutionColumns+" FROM institution i"+w.String()+" ORDER BY i.id", w.args...),
		func(r *db.Rows) {
			list = append(list, scanInstitution(r))
		})
	return list, err
}

// Institution reads one institution, or answers NotFound.
func (tx *Tx) Institution(id int64) (i admitto.Institution, err error) {
	err = one(tx.query("SELECT "+institutionColumns+" FROM institution i WHERE i.id = $1", id),
		func(r *db.Rows) { i = scanInstitution(r) })
	return i, err
}

// Departments returns the departments of an institution by ascending ID.
func (tx *Tx) Departments(institution int64) (list []admitto.Department, err error) {
	err = each(tx.query("SELECT "+departmentColumns+" FROM department WHERE institution_id = $1 ORDER BY id",
		institution), func(r *db.Rows) {
		list = append(list, scanned(columns.Department, r))
	})
	return list, err
}

// Department reads one department of an institution; NotFound when it belongs to another one.
func (tx *Tx) Department(institution, id int64) (d admitto.Department, err error) {
	err = one(tx.query("SELECT "+departmentColumns+" FROM department WHERE id = $1 AND institution_id = $2",
		id, institution), func(r *db.Rows) { d = scanned(columns.Department, r) })
	return d, err
}

var departmentColumns = columns.Department.Select("")

// Courses returns the courses of the query by ascending ID, each with its intakes.
func (tx *Tx) Courses(q admitto.CourseQuery) (list []admitto.Course, err error) {
	w := where{listBuilder: listBuilder{tx: tx}}
	w.ids("c.institution_id", q.Institutions)
	w.texts("c.status", q.Statuses)
	w.texts("c.type", q.Types)
	w.texts("c.mode", q.Modes)
	w.texts("c.code", q.Codes)
	return tx.courses(w.String(), w.args)
}

// Course reads one course with its intakes, or answers NotFound.
func (tx *Tx) Course(id int64) (c admitto.Course, err error) {
	list, err := tx.courses(" WHERE c.id = $1", []any{id})
	if err != nil {
		return c, err
	}
	if len(list) == 0 {
		return c, &admitto.Error{Kind: admitto.NotFound}
	}
	return list[0], nil
}

func (tx *Tx) courses(where string, args []any) (list []admitto.Course, err error) {
	var ids []int64
	err = each(tx.query("SELECT "+columns.Course.Select("c")+" FROM course c"+where+" ORDER BY c.id", args...),
		func(r *db.Rows) {
			c := scanned(columns.Course, r)
			list, ids = append(list, c), append(ids, c.ID)
		})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	intakes, err := tx.IntakesOf(ids)
	for i := range list {
		list[i].Intakes = intakes[list[i].ID]
	}
	return list, err
}

// IntakesOf returns the IDs of the intakes of each course, ascending.
func (tx *Tx) IntakesOf(courses []int64) (map[int64][]int64, error) {
	byCourse := map[int64][]int64{}
	err := each(tx.query("SELECT course_id, intake_id FROM course_intake WHERE "+tx.dialect.in("course_id", 1)+
		" ORDER BY course_id, intake_id", courses), func(r *db.Rows) {
		byCourse[r.Int64(0)] = append(byCourse[r.Int64(0)], r.Int64(1))
	})
	return byCourse, err
}
