package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// The words of an instance: consents, flags, titles of statuses, classificators.

// Consents returns all consents by ascending ID.
func (tx *Tx) Consents() (list []admitto.Consent, err error) {
	err = each(tx.query("SELECT id, type, text, link FROM consent ORDER BY id"), func(r *db.Rows) {
		list = append(list, admitto.Consent{ID: r.Int64(0), Type: r.Text(1), Text: r.Text(2), Link: r.Text(3)})
	})
	return list, err
}

// Consent reads one consent, or answers NotFound.
func (tx *Tx) Consent(id int64) (c admitto.Consent, err error) {
	err = one(tx.query("SELECT id, type, text, link FROM consent WHERE id = $1", id), func(r *db.Rows) {
		c = admitto.Consent{ID: r.Int64(0), Type: r.Text(1), Text: r.Text(2), Link: r.Text(3)}
	})
	return c, err
}

// Flags returns all flags by ascending ID.
func (tx *Tx) Flags() (list []admitto.Flag, err error) {
	err = each(tx.query("SELECT "+columns.Flag.Select("")+" FROM flag ORDER BY id"), func(r *db.Rows) {
		list = append(list, scanned(columns.Flag, r))
	})
	return list, err
}

// Flag reads one flag, or answers NotFound.
func (tx *Tx) Flag(id int64) (f admitto.Flag, err error) {
	err = one(tx.query("SELECT "+columns.Flag.Select("")+" FROM flag WHERE id = $1", id),
		func(r *db.Rows) { columns.Flag.Scan(r, &f) })
	return f, err
}

// StatusTexts returns how the application statuses are shown, in their order.
func (tx *Tx) StatusTexts() (list []admitto.StatusText, err error) {
	err = each(tx.query("SELECT name, title, colour, explained, versions FROM application_status ORDER BY position"),
		func(r *db.Rows) {
			list = append(list, admitto.StatusText{Name: admitto.ApplicationStatus(r.Text(0)), Title: r.Text(1),
				Colour: r.Text(2), Verbose: r.Text(3), Versions: readVersions(r, 4)})
		})
	return list, err
}

// Classificators returns the stored classes and their codes in order. Codes that are switched off are among them.
func (tx *Tx) Classificators() (list []admitto.Classificator, err error) {
	err = each(tx.query("SELECT class, code, title, active, class_position FROM classificator "+
		"ORDER BY class_position, class, position, code"), func(r *db.Rows) {
		class := r.Text(0)
		if len(list) == 0 || list[len(list)-1].Class != class {
			list = append(list, admitto.Classificator{Number: r.Int64(4), Class: class})
		}
		last := &list[len(list)-1]
		last.Codes = append(last.Codes, admitto.ClassificatorCode{Code: r.Text(1), Title: r.Text(2), Off: !r.Bool(3)})
	})
	return list, err
}
