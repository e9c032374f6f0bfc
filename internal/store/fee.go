package store

import (
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Fees returns all fees with their amounts and courses, by ID (resources.md 24.14).
func (tx *Tx) Fees() ([]admitto.Fee, error) { return tx.fees("") }

// Fee reads one fee, or answers NotFound.
func (tx *Tx) Fee(id int64) (f admitto.Fee, err error) {
	list, err := tx.fees(" WHERE f.id = $1", id)
	if err == nil && len(list) == 0 {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return f, err
	}
	return list[0], nil
}

// FeesAt returns the fees that bring invoices at a cause, by ID.
func (tx *Tx) FeesAt(cause admitto.FeeCause) ([]admitto.Fee, error) {
	return tx.fees(" WHERE f.causing = $1 AND f.automatic <> 'none'", string(cause))
}

func (tx *Tx) fees(where string, args ...any) (list []admitto.Fee, err error) {
	err = each(tx.query("SELECT "+columns.Fee.Select("f")+" FROM fee f"+where+" ORDER BY f.id", args...),
		func(r *db.Rows) {
			list = append(list, scanned(columns.Fee, r))
		})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	ids, at := make([]int64, len(list)), make(map[int64]*admitto.Fee, len(list))
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, &list[i]
	}
	err = each(tx.query("SELECT "+columns.FeeAmount.Select("")+" FROM fee_amount WHERE "+
		tx.dialect.in("fee_id", 1)+" ORDER BY fee_id, territory", ids), func(r *db.Rows) {
		amount := scanned(columns.FeeAmount, r)
		f := at[amount.Owner]
		f.Amounts = append(f.Amounts, amount.Value)
	})
	if err != nil {
		return nil, err
	}
	err = each(tx.query("SELECT fee_id, course_id FROM fee_course WHERE "+tx.dialect.in("fee_id",
		1)+" ORDER BY fee_id, course_id", ids),
		func(r *db.Rows) { at[r.Int64(0)].Courses = append(at[r.Int64(0)].Courses, r.Int64(1)) })
	return list, err
}

// ReductionsOf returns the trackers of an applicant that bring a reduction, by ID.
func (tx *Tx) ReductionsOf(applicant int64) (list []admitto.Tracker, err error) {
	err = each(tx.query("SELECT "+trackerColumns+` FROM tracker WHERE id IN (SELECT tracker_id FROM applicant_tracker WHERE applicant_id = $1)
		AND (percent IS NOT NULL OR amount IS NOT NULL) ORDER BY id`, applicant), func(r *db.Rows) { list = append(list, scanTracker(r)) })
	return list, err
}

// SaveFee stores a fee with its amounts and courses.
func (tx *Tx) SaveFee(f *admitto.Fee) (changes []admitto.Detail, err error) {
	var was admitto.Fee
	if f.ID != 0 {
		if was, err = tx.Fee(f.ID); err != nil {
			return nil, err
		}
	}
	if changes, err = saved(tx, columns.Fee, &f.ID, f); err != nil {
		return nil, err
	}
	own := len(changes)
	if !slices.Equal(was.Amounts, f.Amounts) {
		if _, err := tx.exec("DELETE FROM fee_amount WHERE fee_id = $1", f.ID); err != nil {
			return nil, err
		}
		var parts []columns.Part[admitto.FeeAmount]
		for _, a := range f.Amounts {
			parts = append(parts, columns.Part[admitto.FeeAmount]{Owner: f.ID, Value: a})
		}
		if err := insertRows(tx, columns.FeeAmount, parts); err != nil {
			return nil, err
		}
		changes = append(changes, admitto.Detail{Path: "/amounts", Old: fmt.Sprint(columns.JSON(was.Amounts)),
			New: fmt.Sprint(columns.JSON(f.Amounts))})
	}
	if !slices.Equal(was.Courses, f.Courses) {
		if _, err := tx.exec("DELETE FROM fee_course WHERE fee_id = $1", f.ID); err != nil {
			return nil, err
		}
		var rows [][]any
		for _, course := range f.Courses {
			rows = append(rows, []any{f.ID, course})
		}
		if err := tx.bulk("INSERT INTO fee_course (fee_id, course_id) VALUES ($1, $2)", rows); err != nil {
			return nil, err
		}
		changes = append(changes, admitto.Detail{Path: "/courses", Old: fmt.Sprint(columns.JSON(was.Courses)),
			New: fmt.Sprint(columns.JSON(f.Courses))})
	}
	if was.ID != 0 && own == 0 && len(changes) > 0 {
		_, err = tx.exec("UPDATE fee SET row_version = row_version + 1 WHERE id = $1", f.ID)
	}
	return changes, err
}
