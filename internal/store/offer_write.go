package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// offerCaseColumns are read by scanOfferCase; the first of them are those of scanOffer.
var offerCaseColumns = offerColumns +
	`, o.decision_before, o.decided_before, o.decision_origin, o.decision_late, o.deadline_typed`

func scanOfferCase(r *db.Rows) admitto.OfferCase {
	own := columns.Offer.Width()
	return admitto.OfferCase{Offer: scanOffer(r), DecisionBefore: admitto.Decision(r.Text(own)),
		DecidedBefore: r.Time(own + 1),
		Origin:        admitto.DecisionOrigin(r.Text(own + 2)), Late: r.Bool(own + 3), DeadlineTyped: r.Bool(own + 4)}
}

// LockOffer reads an offer of an application that is locked, with what its lifecycle asks about, or answers
// NotFound.
func (tx *Tx) LockOffer(application, id int64) (o admitto.OfferCase, err error) {
	err = one(tx.query("SELECT "+offerCaseColumns+" FROM offer o WHERE o.id = $2 AND o.application_id = $1"+
		tx.forUpdate(lockOffer, id),
		application, id), func(r *db.Rows) { o = scanOfferCase(r) })
	return o, err
}

// OfferCase is LockOffer for those who only read.
func (tx *Tx) OfferCase(application, id int64) (o admitto.OfferCase, err error) {
	err = one(tx.query("SELECT "+offerCaseColumns+" FROM offer o WHERE o.id = $2 AND o.application_id = $1", application,
		id),
		func(r *db.Rows) { o = scanOfferCase(r) })
	return o, err
}

// LockOffersOf reads the offers of an application that is locked, by ID.
func (tx *Tx) LockOffersOf(application int64) (list []admitto.OfferCase, err error) {
	err = each(tx.query("SELECT "+offerCaseColumns+" FROM offer o WHERE o.application_id = $1 ORDER BY o.id"+
		tx.forUpdate(lockOffer, 0),
		application), func(r *db.Rows) { list = append(list, scanOfferCase(r)) })
	return list, err
}

// LockOffersInTerm reads all offers that an applicant, who is locked, has in a term, by ID.
func (tx *Tx) LockOffersInTerm(applicant, term int64) (list []admitto.OfferCase, err error) {
	err = each(tx.query("SELECT "+offerCaseColumns+` FROM offer o WHERE o.applicant_id = $1 AND o.application_id IN
		(SELECT id FROM application WHERE applicant_id = $1 AND academic_term_id = $2) ORDER BY o.id`+tx.forUpdate(lockOffer, 0),
		applicant, term), func(r *db.Rows) { list = append(list, scanOfferCase(r)) })
	return list, err
}

// ApplicationCase reads a visible application with what its lifecycle asks about, and its applicant, without keeping
// them from being changed, or answers NotFound.
func (tx *Tx) ApplicationCase(id int64) (a admitto.ApplicationCase, applicant admitto.Applicant, err error) {
	err = one(tx.query("SELECT "+caseColumns+" FROM application a WHERE a.id = $1 AND a.visible", id),
		func(r *db.Rows) { scanCase(r, &a) })
	if err == nil {
		applicant, err = tx.Applicant(a.Applicant)
	}
	return a, applicant, err
}

// InsertOffer stores a new offer and returns its ID.
func (tx *Tx) InsertOffer(o *admitto.Offer) (int64, error) {
	if err := tx.offersChange(o.Application); err != nil {
		return 0, err
	}
	return tx.insert(insertOffer, columns.Offer.New(o, 0, "")...)
}

// SaveOffer stores the working copy of an offer, saved now.
func (tx *Tx) SaveOffer(o *admitto.OfferCase) error {
	if err := tx.offersChange(o.Application); err != nil {
		return err
	}
	_, err := tx.exec(`UPDATE offer SET type_id = $2, subject = $3, comments = $4, reason_id = $5, reason = $6, decision_policy = $7,
		decision_deadline = $8, deadline_typed = $9, saved = $10, row_version = row_version + 1 WHERE id = $1`,
		o.ID, o.Type, o.Subject, o.Comments, columns.OrNull(o.Reason.ID), o.Reason.Reason, o.DecisionPolicy,
		o.DecisionDeadline, o.DeadlineTyped,
		tx.Now())
	return err
}

// TouchOffer notes that something of the working copy that has rows of its own was changed now.
func (tx *Tx) TouchOffer(id int64) error {
	_, err := tx.exec("UPDATE offer SET saved = $2, row_version = row_version + 1 WHERE id = $1", id, tx.Now())
	return err
}

// PlaceOffer stores priority and intake, which are those of the application's course.
func (tx *Tx) PlaceOffer(id int64, priority int, intake int64) error {
	_, err := tx.exec("UPDATE offer SET priority = $2, intake_id = $3, row_version = row_version + 1 WHERE id = $1", id,
		priority, columns.OrNull(intake))
	return err
}

// SetOfferDecision stores the decision on an offer with what came with it, and what it was before a withdrawal.
func (tx *Tx) SetOfferDecision(o *admitto.OfferCase) error {
	if err := tx.offersChange(o.Application); err != nil {
		return err
	}
	_, err := tx.exec(`UPDATE offer SET decision = $2, decided = $3, decision_origin = $4, decision_late = $5, decision_before = $6,
		decided_before = $7, decline_class = $8, decline_words = $9, row_version = row_version + 1 WHERE id = $1`,
		o.ID, string(o.Decision), o.Decided, string(o.Origin), o.Late, string(o.DecisionBefore), o.DecidedBefore,
		o.Declining.Class,
		o.Declining.Words)
	return err
}

// SetOfferScoreExtra stores the extra score, nil clears it; scored now.
func (tx *Tx) SetOfferScoreExtra(id int64, score *admitto.Hundredths) error {
	_, err := tx.exec("UPDATE offer SET score_extra = $2, scored = $3, row_version = row_version + 1 WHERE id = $1",
		id, columns.Hundredths(score), tx.Now())
	return err
}

// OfferTypePublicTitle returns the title of an offer type that applicants see.
func (tx *Tx) OfferTypePublicTitle(id int64) (title string, err error) {
	err = one(tx.query("SELECT public_title FROM offer_type WHERE id = $1", id), func(r *db.Rows) { title = r.Text(0) })
	return title, err
}

// ClaimBinding notes the binding acceptance of an offer in a term and reports whether it could: another one stands in
// the way as long as it is Final under a confirmed type that declines all others (lifecycle.md 4.4, B1).
func (tx *Tx) ClaimBinding(applicant, term, offer int64) (bool, error) {
	n, err := tx.exec(`INSERT INTO binding_acceptance (applicant_id, academic_term_id, offer_id, accepted) VALUES ($1, $2, $3, $4)
		ON CONFLICT (applicant_id, academic_term_id) DO UPDATE SET offer_id = excluded.offer_id, accepted = excluded.accepted
		WHERE NOT EXISTS (SELECT 1 FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id
			WHERE o.id = binding_acceptance.offer_id AND o.id <> excluded.offer_id AND o.decision = 'Final' AND t.decline)`,
		applicant, term, offer, tx.Now())
	return n > 0, err
}

// ReleaseBinding takes back the binding acceptance of an offer, if there is one.
func (tx *Tx) ReleaseBinding(offer int64) error {
	_, err := tx.exec("DELETE FROM binding_acceptance WHERE offer_id = $1", offer)
	return err
}

// InsertLetter stores a letter made for an offer and the file with it, and returns both with their IDs. The file is
// named after the letter.
func (tx *Tx) InsertLetter(l admitto.Letter, f admitto.File, name func(letter int64) string) (admitto.Letter,
	admitto.File, error) {
	var err error
	if l.ID, err = tx.insert(insertLetter, columns.Letter.New(&l)...); err != nil {
		return l, f, err
	}
	f.Owner, f.Name, f.Uploaded = l.Offer, name(l.ID), l.Rendered
	if f.ID, err = tx.insert(insertAttachment, columns.OfferAttachment.New(&f)...); err != nil {
		return l, f, err
	}
	l.Attachment = f.ID
	_, err = tx.exec("UPDATE offer_letter SET attachment_id = $2 WHERE id = $1", l.ID, l.Attachment)
	return l, f, err
}

// NextMatriculation takes the next number of a period (lifecycle.md 4.4).
func (tx *Tx) NextMatriculation(period string) (int64, error) {
	return tx.insert(`INSERT INTO matriculation_counter (period, last) VALUES ($1, 1)
		ON CONFLICT (period) DO UPDATE SET last = matriculation_counter.last + 1 RETURNING last`, period)
}

// LastMatriculation returns the number of a period that was taken last, 0 for none.
func (tx *Tx) LastMatriculation(period string) (n int64, err error) {
	err = each(tx.query("SELECT last FROM matriculation_counter WHERE period = $1", period),
		func(r *db.Rows) { n = r.Int64(0) })
	return n, err
}

// mostNamesakes is how many applicants with one matriculation number are named.
const mostNamesakes = 10

// ApplicantsByMatriculation returns the visible applicants with a matriculation number, by ID; not all of very many.
func (tx *Tx) ApplicantsByMatriculation(number string) (ids []int64, err error) {
	err = each(tx.query(`SELECT id FROM applicant WHERE matriculation = $1 AND matriculation <> '' AND visible ORDER BY id LIMIT $2`,
		number, mostNamesakes), func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}

// OfferToMatriculate returns the offer by which an applicant can be matriculated and the latest application that it
// belongs to: one that is Final before one whose confirmed type is In quota; 0 for none.
func (tx *Tx) OfferToMatriculate(applicant int64) (offer int64, err error) {
	err = each(tx.query(`SELECT o.id FROM offer o JOIN application a ON a.id = o.application_id AND a.visible
		LEFT JOIN offer_type t ON t.id = o.type_confirmed_id WHERE o.applicant_id = $1 AND (o.decision = 'Final' OR t.ranking = $2)
		ORDER BY CASE WHEN o.decision = 'Final' THEN 0 ELSE 1 END, a.id DESC, o.priority LIMIT 1`, applicant,
		string(admitto.RankedInQuota)), func(r *db.Rows) { offer = r.Int64(0) })
	return offer, err
}
