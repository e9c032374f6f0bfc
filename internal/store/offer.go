package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// offerColumns are read by scanOffer, in this order.
const offerColumns = `o.id, o.application_id, o.applicant_id, o.course_id, o.intake_id, o.priority, o.inserted, o.saved,
	o.confirmed, o.decided, o.scored, o.type_id, o.type_confirmed_id, o.subject, o.comments, o.comments_confirmed, o.decision,
	o.decision_policy, o.decision_deadline, o.score_auto, o.score_extra, o.reason_id, o.reason, o.institution_id, o.row_version`

func scanOffer(r *db.Rows) admitto.Offer {
	return admitto.Offer{
		ID: r.Int64(0), Application: r.Int64(1), Applicant: r.Int64(2), Course: r.Int64(3), Intake: r.Int64(4),
		Priority: int(r.Int64(5)), Inserted: r.Time(6), Saved: r.Time(7), Confirmed: r.Time(8), Decided: r.Time(9), Scored: r.Time(10),
		Type: r.Int64(11), TypeConfirmed: r.Int64(12), Subject: r.Text(13), Comments: r.Text(14), CommentsConfirmed: r.Text(15),
		Decision: admitto.Decision(r.Text(16)), DecisionPolicy: r.Text(17), DecisionDeadline: r.Date(18),
		ScoreAuto: scanHundredths(r, 19), ScoreExtra: scanHundredths(r, 20),
		Reason: admitto.OfferReason{ID: r.Int64(21), Reason: r.Text(22)}, Institution: r.Int64(23), RowVersion: r.Int64(24),
	}
}

// scanHundredths reads a decimal that may be NULL.
func scanHundredths(r *db.Rows, i int) *admitto.Hundredths {
	if r.Null(i) {
		return nil
	}
	h := admitto.Hundredths(r.Int64(i))
	return &h
}

// OffersOf gives the offers of each application, by ID.
func (tx *Tx) OffersOf(applications []int64) (map[int64][]admitto.Offer, error) {
	condition, args := tx.among("o.application_id", applications)
	return grouped(tx.query("SELECT "+offerColumns+" FROM offer o WHERE "+condition+" ORDER BY o.application_id, o.id", args...),
		func(r *db.Rows, o *admitto.Offer) int64 {
			*o = scanOffer(r)
			return o.Application
		})
}

// Offer reads one offer of an application, or answers NotFound. Whether the application is visible is not
// asked.
func (tx *Tx) Offer(application, id int64) (o admitto.Offer, err error) {
	err = one(tx.query("SELECT "+offerColumns+" FROM offer o WHERE o.id = $2 AND o.application_id = $1", application, id),
		func(r *db.Rows) { o = scanOffer(r) })
	return o, err
}

// HasOffer answers NotFound when the application has no offer with the ID.
func (tx *Tx) HasOffer(application, id int64) error {
	return one(tx.query("SELECT 1 FROM offer WHERE id = $2 AND application_id = $1", application, id), func(*db.Rows) {})
}

// attachmentColumns are read by scanAttachment, in this order.
const attachmentColumns = "id, offer_id, uploaded, name, mime, size, hash, expires"

func scanAttachment(r *db.Rows) admitto.File {
	return admitto.File{ID: r.Int64(0), Owner: r.Int64(1), Uploaded: r.Time(2), Name: r.Text(3), MIME: r.Text(4), Size: r.Int64(5),
		Hash: r.Text(6), Expires: r.Time(7)}
}

// OfferAttachments gives what is known of the files attached to an offer, by ID.
func (tx *Tx) OfferAttachments(offer int64) (list []admitto.File, err error) {
	err = each(tx.query("SELECT "+attachmentColumns+" FROM offer_attachment WHERE offer_id = $1 ORDER BY id", offer),
		func(r *db.Rows) { list = append(list, scanAttachment(r)) })
	return list, err
}

// OfferAttachment reads what is known of one file attached to an offer, or answers NotFound.
func (tx *Tx) OfferAttachment(offer, id int64) (f admitto.File, err error) {
	err = one(tx.query("SELECT "+attachmentColumns+" FROM offer_attachment WHERE id = $2 AND offer_id = $1", offer, id),
		func(r *db.Rows) { f = scanAttachment(r) })
	return f, err
}

// letterColumns are read by scanLetter, in this order.
const letterColumns = "id, offer_id, letterhead_id, administrator_id, attachment_id, rendered"

func scanLetter(r *db.Rows) admitto.Letter {
	return admitto.Letter{ID: r.Int64(0), Offer: r.Int64(1), Letterhead: r.Int64(2), Administrator: r.Int64(3),
		Attachment: r.Int64(4), Rendered: r.Time(5)}
}

// OfferLetters gives the rendered letters of an offer, by ID.
func (tx *Tx) OfferLetters(offer int64) (list []admitto.Letter, err error) {
	err = each(tx.query("SELECT "+letterColumns+" FROM offer_letter WHERE offer_id = $1 ORDER BY id", offer),
		func(r *db.Rows) { list = append(list, scanLetter(r)) })
	return list, err
}

// OfferLetter reads one rendered letter of an offer, or answers NotFound.
func (tx *Tx) OfferLetter(offer, id int64) (l admitto.Letter, err error) {
	err = one(tx.query("SELECT "+letterColumns+" FROM offer_letter WHERE id = $2 AND offer_id = $1", offer, id),
		func(r *db.Rows) { l = scanLetter(r) })
	return l, err
}
