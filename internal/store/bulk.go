package store

import (
	"iter"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// Many rows at once, with IDs that the caller gives. They serve invented data, which is put into an empty
// database by one who works on it alone; use cases insert one row and let the sequence give the ID. Each
// keeps the counts and moves the sequence of its table above the highest ID.

// BulkApplicant is an applicant with the normal form of the address, which this package cannot make.
type BulkApplicant struct {
	admitto.Applicant
	EmailKey string
}

// BulkNote is a note and the applicant or the offer it is on.
type BulkNote struct {
	admitto.Note
	Applicant, Offer int64 // one of them is 0
}

// Blank tells whether the database holds no applicant (in any state), no tracker and no journal record.
func (tx *Tx) Blank() (bool, error) {
	n, err := tx.number(`SELECT (SELECT count(*) FROM (SELECT 1 FROM applicant LIMIT 1) a) +
		(SELECT count(*) FROM (SELECT 1 FROM tracker LIMIT 1) t) + (SELECT count(*) FROM (SELECT 1 FROM journal LIMIT 1) j)`)
	return n == 0, err
}

// MakeRoom gives the writer of SQLite a cache of 256 MiB, so that the indexes stay in memory while many rows are
// put in; with false it is as small as before. PostgreSQL needs nothing.
func (tx *Tx) MakeRoom(much bool) error {
	if tx.dialect.engine != db.SQLite {
		return nil
	}
	if much {
		return tx.Script("PRAGMA cache_size = -262144")
	}
	return tx.Script("PRAGMA cache_size = -16384")
}

// InsertTrackers stores trackers under their own IDs. A code that exists is db.ErrUnique.
func (tx *Tx) InsertTrackers(list []admitto.Tracker) error {
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
		return t.ID, append(row, t.ID, t.Created, t.Code, codeKey(t.Code), t.Notes, percent, amount, currency)
	})
}

// InsertApplicants stores applicants under their own IDs, in the state that each says; the visible ones are
// counted. An address or a reference that somebody holds is db.ErrUnique.
func (tx *Tx) InsertApplicants(list []BulkApplicant) error {
	err := insertMany(tx, "applicant", `INSERT INTO applicant (id, type, state, lead, registered, given, middle, family, parent, legal,
		email, email_key, phone, skype, reference, matriculation, citizenship, address, vatin)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`, list,
		func(a *BulkApplicant, row []any) (int64, []any) {
			return a.ID, append(row, a.ID, string(a.Type), string(a.State), a.Lead, a.Registered, a.Name.Given, a.Name.Middle, a.Name.Family,
				a.Name.Parent, a.Name.Legal, a.Email, a.EmailKey, a.Phone, a.Skype, a.Reference, a.Matriculation,
				a.Citizenship, a.Address, a.VATIN)
		})
	if err != nil {
		return err
	}
	for i := range list {
		if a := &list[i]; visible(a.State) {
			tx.countApplicant(a.ID, a.Citizenship, a.Registered, 1)
		}
	}
	return nil
}

// InsertTrackerAssociations sets trackers on visible applicants; none of them may be set already.
func (tx *Tx) InsertTrackerAssociations(list []admitto.TrackerAssociation) error {
	err := insertMany(tx, "", "INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES ($1, $2, $3)", list,
		func(a *admitto.TrackerAssociation, row []any) (int64, []any) {
			return 0, append(row, a.Tracker, a.Applicant, a.Assigned)
		})
	if err != nil {
		return err
	}
	for _, a := range list {
		tx.count(familyApplicant, facetTracker(a.Tracker), a.Applicant/blockSize, a.Applicant, 1)
	}
	return nil
}

// InsertNotes stores notes on applicants and offers under their own IDs.
func (tx *Tx) InsertNotes(list []BulkNote) error {
	return insertMany(tx, "note", `INSERT INTO note (id, applicant_id, offer_id, created, removed, colour, pinned, collapsed, text)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, list, func(n *BulkNote, row []any) (int64, []any) {
		return n.ID, append(row, n.ID, orNull(n.Applicant), orNull(n.Offer), n.Created, n.Removed, string(n.Colour), n.Pinned, n.Collapsed, n.Text)
	})
}

// InsertEmails stores copies of mails under their own IDs.
func (tx *Tx) InsertEmails(list []admitto.Email) error {
	return insertMany(tx, "email", `INSERT INTO email (id, applicant_id, inserted, delivered, failed, opened, from_name, from_email,
		subject, message) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, list, func(e *admitto.Email, row []any) (int64, []any) {
		return e.ID, append(row, e.ID, e.Applicant, e.Inserted, e.Delivered, e.Failed, e.Opened, e.FromName, e.FromEmail,
			e.Subject, e.Message)
	})
}

// insertMany runs the statement for each item of the list. args appends the parameters of an item to an
// empty row, which is used again, and gives its ID; table is "" when there is no sequence to move.
func insertMany[T any](tx *Tx, table, sql string, list []T, args func(item *T, row []any) (id int64, _ []any)) error {
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
	if err := tx.Bulk(sql, rows); err != nil || table == "" {
		return err
	}
	return tx.raiseSequence(table, highest)
}

// raiseSequence makes the next ID of the table one above id, unless it is above already.
func (tx *Tx) raiseSequence(table string, id int64) error {
	if tx.dialect.engine == db.SQLite {
		return nil // AUTOINCREMENT notes the highest ID that was ever inserted by itself
	}
	// SkipIDs would also move the sequence back, to IDs that deleted rows have had.
	next, err := tx.nextID(table)
	if err != nil {
		return err
	}
	return tx.SkipIDs(table, max(next, id))
}
