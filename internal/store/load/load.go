// Package load puts many rows at once into an empty database, with IDs that the caller chooses. It serves invented data, which
// one caller puts in who works on the database alone; use cases insert one row and let the sequence choose the ID. Each function
// keeps the counts and moves the sequence of its table above the highest ID.
package load

import (
	"iter"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/internal/permit"
)

// ApplicantRow is an applicant with the normal form of the address, which this package cannot make.
type ApplicantRow struct {
	admitto.Applicant
	EmailKey string
}

// NoteRow is a note and the applicant or the offer it is on.
type NoteRow struct {
	admitto.Note
	Applicant, Offer int64 // one of them is 0
}

// Trackers stores trackers under their own IDs. A code that exists is db.ErrUnique.
func Trackers(tx *store.Tx, list []admitto.Tracker) error {
	return insertMany(tx, "tracker", `INSERT INTO tracker (id, created, code, code_key, notes, percent, amount, currency)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, list, func(t *admitto.Tracker, row []any) (int64, []any) {
		var percent, amount any
		currency := ""
		if r := t.Reduction; r != nil {
			if currency = r.Currency; r.ByAmount() {
				amount = r.Amount
			} else {
				percent = r.Percent
			}
		}
		return t.ID, append(row, t.ID, t.Created, t.Code, columns.CodeKey(t.Code), t.Notes, percent, amount, currency)
	})
}

// Applicants stores applicants under their own IDs, in the state that each says; the visible ones are
// counted. An address or a reference that somebody holds is db.ErrUnique.
func Applicants(tx *store.Tx, list []ApplicantRow) error {
	err := insertMany(tx, "applicant", columns.Applicant.Load(), list, func(a *ApplicantRow, row []any) (int64, []any) {
		return a.ID, columns.Applicant.Values(row, &a.Applicant, a.EmailKey)
	})
	if err != nil {
		return err
	}
	for i := range list {
		sql(tx).CountApplicant(&list[i].Applicant)
	}
	return nil
}

// TrackerAssociations sets trackers on visible applicants; none of them may be set already.
func TrackerAssociations(tx *store.Tx, list []admitto.TrackerAssociation) error {
	err := insertMany(tx, "", "INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES ($1, $2, $3)", list,
		func(a *admitto.TrackerAssociation, row []any) (int64, []any) {
			return 0, append(row, a.Tracker, a.Applicant, a.Assigned)
		})
	if err != nil {
		return err
	}
	for _, a := range list {
		sql(tx).CountTracker(a.Tracker, a.Applicant)
	}
	return nil
}

// Notes stores notes on applicants and offers under their own IDs.
func Notes(tx *store.Tx, list []NoteRow) error {
	return insertMany(tx, "note", columns.Note.Load(), list, func(n *NoteRow, row []any) (int64, []any) {
		return n.ID, columns.Note.Values(row, &n.Note, columns.OrNull(n.Applicant), columns.OrNull(n.Offer))
	})
}

// Emails stores copies of mails under their own IDs.
func Emails(tx *store.Tx, list []admitto.Email) error {
	return rows(tx, columns.Email, list)
}

// rows loads rows of a table whose columns all have a field.
func rows[T any](tx *store.Tx, t *columns.Table[T], list []T) error {
	return insertMany(tx, t.Name(), t.Load(), list, func(v *T, row []any) (int64, []any) {
		row = t.Values(row, v)
		return row[0].(int64), row
	})
}

// insertMany runs the statement for each item of the list. args appends the parameters of an item to an
// empty row, which is used again, and returns its ID; table is "" when there is no sequence to move.
func insertMany[T any](tx *store.Tx, table, statement string, list []T, args func(item *T, row []any) (id int64, _ []any)) error {
	if len(list) == 0 {
		return nil
	}
	highest := int64(0)
	var rows iter.Seq[[]any] = func(yield func([]any) bool) {
		var row []any
		for i := range list {
			var id int64
			id, row = args(&list[i], row[:0])
			highest = max(highest, id)
			if !yield(row) {
				return
			}
		}
	}
	if err := sql(tx).Bulk(statement, rows); err != nil || table == "" {
		return err
	}
	return sql(tx).RaiseSequence(table, highest)
}

// bulk runs one statement for each set of parameters.
func bulk(tx *store.Tx, statement string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	return sql(tx).Bulk(statement, slices.Values(rows))
}

func sql(tx *store.Tx) store.SQL { return tx.SQL(permit.SQL{}) }
