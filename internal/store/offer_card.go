package store

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// OfferCaseByID reads an offer by its ID alone, with what its lifecycle asks about, or answers NotFound. Whether its
// application is visible is not asked.
func (tx *Tx) OfferCaseByID(id int64) (o admitto.OfferCase, err error) {
	err = one(tx.query("SELECT "+offerCaseColumns+" FROM offer o WHERE o.id = $1", id),
		func(r *db.Rows) { o = scanOfferCase(r) })
	return o, err
}

// OfferCasesOf reads the offers of an application, by ID.
func (tx *Tx) OfferCasesOf(application int64) (list []admitto.OfferCase, err error) {
	err = each(tx.query("SELECT "+offerCaseColumns+" FROM offer o WHERE o.application_id = $1 ORDER BY o.id", application),
		func(r *db.Rows) { list = append(list, scanOfferCase(r)) })
	return list, err
}

// OffersElsewhere reads the offers that the applicant of an application has in the same term by other applications, by
// ID.
func (tx *Tx) OffersElsewhere(application int64) (list []admitto.OfferCase, err error) {
	err = each(tx.query("SELECT "+offerCaseColumns+` FROM application own JOIN application a ON a.applicant_id = own.applicant_id
		AND a.academic_term_id = own.academic_term_id AND a.id <> own.id JOIN offer o ON o.application_id = a.id
		WHERE own.id = $1 ORDER BY o.id`, application), func(r *db.Rows) { list = append(list, scanOfferCase(r)) })
	return list, err
}

// LateCourses are the courses of an application that were added or submitted after their deadline.
func (tx *Tx) LateCourses(application int64) (map[int64]bool, error) {
	late := map[int64]bool{}
	err := each(tx.query("SELECT course_id FROM application_course WHERE application_id = $1 AND late", application),
		func(r *db.Rows) { late[r.Int64(0)] = true })
	return late, err
}

// PlacesTaken counts the other offers of a course in a term that take a place: confirmed with a type in the quota, and
// not declined.
func (tx *Tx) PlacesTaken(course, term, except int64) (int64, error) {
	return tx.number(`SELECT count(*) FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id AND t.ranking = $4
		JOIN application a ON a.id = o.application_id AND a.visible
		WHERE o.course_id = $1 AND o.academic_term_id = $2 AND o.id <> $3 AND o.decision <> $5`,
		course, term, except, string(admitto.RankedInQuota), string(admitto.DecisionDeclined))
}

// SentLetter is a letter that was sent, with the mail that carries it.
type SentLetter struct {
	admitto.Confirmation
	Email admitto.Email // ID 0: the stored copy is gone
}

// SentLetters returns the letters that were sent for an offer, the newest first.
func (tx *Tx) SentLetters(offer int64) (list []SentLetter, err error) {
	var bad error
	err = each(tx.query(`SELECT c.id, c.offer_id, c.confirmed, c.type_id, c.subject, c.body, c.attachments, c.policy, c.deadline,
		c.reason, e.id, e.inserted, e.delivered, e.failed, e.opened FROM offer_confirmation c LEFT JOIN email e ON e.id = c.email_id
		WHERE c.offer_id = $1 ORDER BY c.id DESC`, offer), func(r *db.Rows) {
		l := SentLetter{Confirmation: admitto.Confirmation{ID: r.Int64(0), Offer: r.Int64(1), Confirmed: r.Time(2),
			Type:    r.Int64(3),
			Subject: r.Text(4), Body: r.Text(5), Policy: r.Text(7), Deadline: r.Date(8), Reason: r.Text(9)}}
		if !r.Null(10) {
			l.Email = admitto.Email{ID: r.Int64(10), Inserted: r.Time(11), Delivered: r.Time(12), Failed: r.Time(13),
				Opened: r.Time(14)}
		}
		var files []confirmedFile
		if err := json.Unmarshal(r.Raw(6), &files); err != nil {
			bad = err
		}
		for _, f := range files {
			l.Attachments = append(l.Attachments, admitto.File{ID: f.ID, Owner: offer, Name: f.Name, MIME: f.MIME, Size: f.Size,
				Hash: f.Hash})
		}
		list = append(list, l)
	})
	if err == nil {
		err = bad
	}
	return list, err
}

// InsertOfferAttachment stores what is known of a file attached to the offer f.Owner, and returns its ID.
func (tx *Tx) InsertOfferAttachment(f *admitto.File) (int64, error) {
	return tx.insert(insertAttachment, columns.OfferAttachment.New(f)...)
}

// DeleteOfferAttachment takes a file off an offer. The letters that were sent keep it.
func (tx *Tx) DeleteOfferAttachment(f *admitto.File) error {
	if _, err := tx.exec("DELETE FROM offer_attachment WHERE id = $1", f.ID); err != nil {
		return err
	}
	return tx.LoosenFile(f.Hash)
}
