package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
)

// InsertOfferNote stores a note on an offer and returns its ID.
func (tx *Tx) InsertOfferNote(offer int64, n *admitto.Note) (int64, error) {
	return tx.insert(insertNote, columns.Note.New(n, nil, offer)...)
}

// RemoveNote takes a note off the card; it stays in the collection.
func (tx *Tx) RemoveNote(id int64) error {
	_, err := tx.exec("UPDATE note SET removed = $2, row_version = row_version + 1 WHERE id = $1", id, tx.Now())
	return err
}

// RestoreNote puts a note back on the card.
func (tx *Tx) RestoreNote(id int64) error {
	_, err := tx.exec("UPDATE note SET removed = NULL, row_version = row_version + 1 WHERE id = $1", id)
	return err
}

// PinNote makes a note stand before all others, or not any more.
func (tx *Tx) PinNote(id int64, pinned bool) error {
	_, err := tx.exec("UPDATE note SET pinned = $2, row_version = row_version + 1 WHERE id = $1", id, pinned)
	return err
}

// CollapseNote shows the first words of a note alone, or all of it.
func (tx *Tx) CollapseNote(id int64, collapsed bool) error {
	_, err := tx.exec("UPDATE note SET collapsed = $2, row_version = row_version + 1 WHERE id = $1", id, collapsed)
	return err
}

// EditNote replaces text and colour of a note.
func (tx *Tx) EditNote(id int64, text string, colour admitto.Colour) error {
	_, err := tx.exec("UPDATE note SET text = $2, colour = $3, row_version = row_version + 1 WHERE id = $1", id, text,
		colour)
	return err
}
