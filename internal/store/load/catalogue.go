package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
)

// AdministratorRow is an administrator with the state of the account.
type AdministratorRow struct {
	admitto.Administrator
	Suspended, Removed bool
	EmailKey           string // the normal form of the address
}

// Trackers stores trackers under their own IDs. A code that exists is db.ErrUnique.
func Trackers(tx *store.Tx, list []admitto.Tracker) error { return rows(tx, columns.Tracker, list) }

// Administrators stores administrators with their roles, which must exist.
func Administrators(tx *store.Tx, list []AdministratorRow) error {
	err := rowsOf(tx, columns.Administrator, list, func(a *AdministratorRow, row []any) []any {
		return columns.Administrator.Values(row, &a.Administrator, a.Suspended, a.Removed, a.EmailKey)
	})
	if err != nil {
		return err
	}
	return parts(tx, columns.AdministratorRole, list, func(a *AdministratorRow) (links []columns.Link) {
		for _, r := range a.Roles {
			links = append(links, columns.Link{From: a.ID, To: r.ID})
		}
		return links
	})
}

// Roles stores roles next to the built-in ones.
func Roles(tx *store.Tx, list []admitto.Role) error { return rows(tx, columns.Role, list) }

// Institutions stores institutions; one that exists, such as the seeded one, takes the new values.
func Institutions(tx *store.Tx, list []admitto.Institution) error {
	highest := int64(0)
	err := each(tx, columns.Institution.Replace(), list, func(i *admitto.Institution, row []any) []any {
		highest = max(highest, i.ID)
		return columns.Institution.Values(row, i)
	})
	if err != nil || len(list) == 0 {
		return err
	}
	return sql(tx).RaiseSequence("institution", highest)
}

// Departments stores departments of institutions.
func Departments(tx *store.Tx, list []admitto.Department) error {
	return rows(tx, columns.Department, list)
}

// Courses stores courses with their ties to intakes, which must exist.
func Courses(tx *store.Tx, list []admitto.Course) error {
	if err := rows(tx, columns.Course, list); err != nil {
		return err
	}
	return parts(tx, columns.CourseIntake, list, func(c *admitto.Course) []columns.Link {
		return columns.Links(c.ID,
			c.Intakes)
	})
}

// CourseForm is the form of a course.
type CourseForm struct {
	Course   int64
	Settings form.Settings
}

// CourseForms stores the forms of courses.
func CourseForms(tx *store.Tx, list []CourseForm) error {
	return each(tx, "UPDATE course SET form = $2 WHERE id = $1", list, func(f *CourseForm, row []any) []any {
		return append(row, f.Course, f.Settings.Stored())
	})
}

// Terms stores academic terms, their types next to the built-in ones, and puts exactly the given years
// in the place of the seeded ones, which depend on the day of the set-up.
func Terms(tx *store.Tx, years []admitto.Year, types []admitto.TermType, terms []admitto.Term) error {
	_, err := sql(tx).Exec("DELETE FROM academic_year")
	if err == nil {
		err = rows(tx, columns.Year, years)
	}
	if err == nil {
		err = rows(tx, columns.TermType, types)
	}
	if err != nil {
		return err
	}
	return rows(tx, columns.Term, terms)
}

// Intakes stores intakes of terms with their deadlines.
func Intakes(tx *store.Tx, list []admitto.Intake) error {
	if err := rows(tx, columns.Intake, list); err != nil {
		return err
	}
	return parts(tx, columns.IntakeDeadline, list, func(i *admitto.Intake) []columns.Part[admitto.Deadline] {
		return columns.Parts(i.ID, i.Deadlines)
	})
}

// Flags stores flags. A name that exists is db.ErrUnique.
func Flags(tx *store.Tx, list []admitto.Flag) error { return rows(tx, columns.Flag, list) }

// Questions stores questions.
func Questions(tx *store.Tx, list []admitto.Question) error { return rows(tx, columns.Question, list) }

// Tableviews stores tableviews of an owner, none of them private.
func Tableviews(tx *store.Tx, list []admitto.Tableview, owner int64) error {
	return rowsOf(tx, columns.Tableview, list, func(v *admitto.Tableview, row []any) []any {
		v.Owner = owner
		return columns.Tableview.Values(row, v)
	})
}

// ReseedTimes sets the times of the seeded letterhead, the tableview and the settings, which are those of the set-up.
func ReseedTimes(tx *store.Tx, at admitto.Time) error {
	for _, table := range []string{"letterhead", "tableview"} {
		if _, err := sql(tx).Exec("UPDATE "+table+" SET created = $1, modified = $1 WHERE id = 1", at); err != nil {
			return err
		}
	}
	_, err := sql(tx).Exec("UPDATE setting SET changed = $1", at)
	return err
}

// ActivateTemplates switches task templates on.
func ActivateTemplates(tx *store.Tx, ids []int64) error {
	return each(tx, "UPDATE task_template SET active = TRUE WHERE id = $1", ids,
		func(id *int64, row []any) []any { return append(row, *id) })
}

// Reasons stores predefined reasons of an offer type.
func Reasons(tx *store.Tx, offerType int64, list []admitto.OfferReason) error {
	return rows(tx, columns.OfferReason, columns.Parts(offerType, list))
}
