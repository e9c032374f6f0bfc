package store

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var termColumns = columns.Term.Select("t")

// Terms returns the academic terms by ascending ID.
func (tx *Tx) Terms() (list []admitto.Term, err error) {
	err = each(tx.query("SELECT "+termColumns+" FROM academic_term t ORDER BY t.id"), func(r *db.Rows) {
		list = append(list, scanned(columns.Term, r))
	})
	return list, err
}

// Term reads one academic term, or answers NotFound.
func (tx *Tx) Term(id int64) (t admitto.Term, err error) {
	err = one(tx.query("SELECT "+termColumns+" FROM academic_term t WHERE t.id = $1", id),
		func(r *db.Rows) { columns.Term.Scan(r, &t) })
	return t, err
}

// OpenOfTerm counts the applications of a term that are not closed, and that no day of their own keeps open now.
func (tx *Tx) OpenOfTerm(term int64) (int64, error) {
	return tx.number(`SELECT count(*) FROM application WHERE academic_term_id = $1 AND visible AND status <> 'Closed'
		AND (grace_override IS NULL OR grace_override <= $2)`, term, int64(tx.Now()))
}

// TermTypes returns the kinds of terms by ascending ID.
func (tx *Tx) TermTypes() (list []admitto.TermType, err error) {
	err = each(tx.query("SELECT "+columns.TermType.Select("")+" FROM academic_term_type ORDER BY id"), func(r *db.Rows) {
		list = append(list, scanned(columns.TermType, r))
	})
	return list, err
}

// TermType reads one kind of terms, or answers NotFound.
func (tx *Tx) TermType(id int64) (t admitto.TermType, err error) {
	err = one(tx.query("SELECT "+columns.TermType.Select("")+" FROM academic_term_type WHERE id = $1", id),
		func(r *db.Rows) { columns.TermType.Scan(r, &t) })
	return t, err
}

// Years returns the academic years, ascending.
func (tx *Tx) Years() (list []admitto.Year, err error) {
	err = each(tx.query("SELECT "+columns.Year.Select("")+" FROM academic_year ORDER BY year"), func(r *db.Rows) {
		list = append(list, scanned(columns.Year, r))
	})
	return list, err
}

// Year reads one academic year, or answers NotFound.
func (tx *Tx) Year(year int64) (y admitto.Year, err error) {
	err = one(tx.query("SELECT "+columns.Year.Select("")+" FROM academic_year WHERE year = $1", year),
		func(r *db.Rows) { columns.Year.Scan(r, &y) })
	return y, err
}

// Intakes returns the intakes by ascending ID, each with its term and deadlines.
func (tx *Tx) Intakes() ([]admitto.Intake, error) { return tx.intakes("") }

// Intake reads one intake with its term and deadlines, or answers NotFound.
func (tx *Tx) Intake(id int64) (i admitto.Intake, err error) {
	list, err := tx.intakes(" WHERE i.id = $1", id)
	if err != nil {
		return i, err
	}
	if len(list) == 0 {
		return i, &admitto.Error{Kind: admitto.NotFound}
	}
	return list[0], nil
}

func (tx *Tx) intakes(where string, args ...any) (list []admitto.Intake, err error) {
	var ids []int64
	err = each(tx.query("SELECT "+columns.Intake.Select("i")+", "+termColumns+
		` FROM intake i JOIN academic_term t ON t.id = i.academic_term_id`+
		where+" ORDER BY i.id", args...), func(r *db.Rows) {
		i := scanned(columns.Intake, r)
		columns.Term.ScanFrom(r, columns.Intake.Width(), &i.Term)
		list, ids = append(list, i), append(ids, i.ID)
	})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	deadlines, err := tx.DeadlinesOf(ids)
	for i := range list {
		list[i].Deadlines = deadlines[list[i].ID]
	}
	return list, err
}

// DeadlinesOf returns the deadlines of each intake by ascending code of the territory. They are sorted here,
// since PostgreSQL sorts texts as the locale of the database says.
func (tx *Tx) DeadlinesOf(intakes []int64) (map[int64][]admitto.Deadline, error) {
	byIntake := map[int64][]admitto.Deadline{}
	err := each(tx.query("SELECT "+columns.IntakeDeadline.Select("")+" FROM intake_deadline WHERE "+
		tx.dialect.in("intake_id", 1), intakes), func(r *db.Rows) {
		d := scanned(columns.IntakeDeadline, r)
		byIntake[d.Owner] = append(byIntake[d.Owner], d.Value)
	})
	for _, list := range byIntake {
		slices.SortFunc(list, func(a, b admitto.Deadline) int { return strings.Compare(a.Territory, b.Territory) })
	}
	return byIntake, err
}
