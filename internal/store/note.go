package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// NotesOfApplicant returns the notes on an applicant by age, those taken off the card included.
func (tx *Tx) NotesOfApplicant(applicant int64) ([]admitto.Note, error) {
	return tx.notes("applicant_id", applicant)
}

// NotesOfOffer returns the notes on an offer by age, those taken off the card included.
func (tx *Tx) NotesOfOffer(offer int64) ([]admitto.Note, error) { return tx.notes("offer_id", offer) }

func (tx *Tx) notes(column string, parent int64) (list []admitto.Note, err error) {
	err = each(tx.query("SELECT "+columns.Note.Select("")+" FROM note WHERE "+column+" = $1 ORDER BY id", parent),
		func(r *db.Rows) {
			var n admitto.Note
			columns.Note.Scan(r, &n)
			list = append(list, n)
		})
	return list, err
}

// NotesOfOffers returns the notes on each offer by age, those taken off the card included.
func (tx *Tx) NotesOfOffers(offers []int64) (map[int64][]admitto.Note, error) {
	return grouped(tx.query("SELECT "+columns.Note.Select("")+", offer_id FROM note WHERE "+tx.dialect.in("offer_id", 1)+
		" ORDER BY offer_id, id", offers), func(r *db.Rows, n *admitto.Note) int64 {
		columns.Note.Scan(r, n)
		return r.Int64(columns.Note.Width())
	})
}

// VisibleOfferNotes returns the texts of the active notes of each offer, by age.
func (tx *Tx) VisibleOfferNotes(offers []int64) (map[int64][]string, error) {
	notes := map[int64][]string{}
	err := each(tx.query("SELECT offer_id, text FROM note WHERE "+tx.dialect.in("offer_id", 1)+
		" AND removed IS NULL ORDER BY offer_id, id", offers), func(r *db.Rows) {
		notes[r.Int64(0)] = append(notes[r.Int64(0)], r.Text(1))
	})
	return notes, err
}
