package load

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/columns"
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

// MatriculationRow is the number that an applicant is given.
type MatriculationRow struct {
	Applicant int64
	Number    string
}

// Applicants stores applicants under their own IDs, in the state that each says; the visible ones are
// counted. An address or a reference that somebody holds is db.ErrUnique.
func Applicants(tx *store.Tx, list []ApplicantRow) error {
	err := rowsOf(tx, columns.Applicant, list, func(a *ApplicantRow, row []any) []any {
		return columns.Applicant.Values(row, &a.Applicant, a.EmailKey)
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
	if err := rows(tx, columns.ApplicantTracker, list); err != nil {
		return err
	}
	for _, a := range list {
		sql(tx).CountTracker(a.Tracker, a.Applicant)
	}
	return nil
}

// Notes stores notes on applicants and offers under their own IDs.
func Notes(tx *store.Tx, list []NoteRow) error {
	return rowsOf(tx, columns.Note, list, func(n *NoteRow, row []any) []any {
		return columns.Note.Values(row, &n.Note, columns.OrNull(n.Applicant), columns.OrNull(n.Offer))
	})
}

// Emails stores copies of mails under their own IDs.
func Emails(tx *store.Tx, list []admitto.Email) error { return rows(tx, columns.Email, list) }

// EmailAttachments stores attachments of mails; Owner is the mail.
func EmailAttachments(tx *store.Tx, list []admitto.File) error {
	return rows(tx, columns.EmailAttachment, list)
}

// Photos stores photos; Owner is the applicant.
func Photos(tx *store.Tx, list []admitto.File) error { return rows(tx, columns.Photo, list) }

// ConsentDecisions stores the only decisions on consents, on the first version of their texts.
func ConsentDecisions(tx *store.Tx, list []admitto.ConsentDecision) error {
	for _, t := range []*columns.Table[admitto.ConsentDecision]{columns.ConsentDecision, columns.ConsentHistory} {
		err := rowsOf(tx, t, list, func(d *admitto.ConsentDecision, row []any) []any { return t.Values(row, d, 1) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Wishes stores wishes.
func Wishes(tx *store.Tx, list []admitto.Wish) error { return rows(tx, columns.Wish, list) }

// SetMatriculations stores the numbers of applicants.
func SetMatriculations(tx *store.Tx, list []MatriculationRow) error {
	return each(tx, "UPDATE applicant SET matriculation = $2 WHERE id = $1", list,
		func(m *MatriculationRow, row []any) []any { return append(row, m.Applicant, m.Number) })
}
