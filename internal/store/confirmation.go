package store

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// confirmedFile is an attachment in the list that a confirmation keeps.
type confirmedFile struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	MIME string `json:"mime"`
	Size int64  `json:"size"`
	Hash string `json:"hash"`
}

// ConfirmOffer stores that the letter was sent now: the copy that the applicant sees, and the confirmation row with
// it, of which it returns the ID.
func (tx *Tx) ConfirmOffer(o *admitto.OfferCase, c *admitto.Confirmation) (int64, error) {
	if err := tx.offersChange(o.Application); err != nil {
		return 0, err
	}
	_, err := tx.exec(`UPDATE offer SET confirmed = $2, type_confirmed_id = $3, comments_confirmed = $4, decision_policy = $5,
		decision_deadline = $6, row_version = row_version + 1 WHERE id = $1`,
		o.ID, o.Confirmed, o.TypeConfirmed, o.CommentsConfirmed, o.DecisionPolicy, o.DecisionDeadline)
	if err != nil {
		return 0, err
	}
	files := []confirmedFile{}
	for _, f := range c.Attachments {
		files = append(files, confirmedFile{f.ID, f.Name, f.MIME, f.Size, f.Hash})
	}
	list, err := json.Marshal(files)
	if err != nil {
		return 0, err
	}
	return tx.insert(`INSERT INTO offer_confirmation (offer_id, confirmed, type_id, subject, body, html, attachments, policy, deadline,
		reason, source) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`,
		o.ID, o.Confirmed, c.Type, c.Subject, c.Body, c.HTML, string(list), c.Policy, c.Deadline, c.Reason, c.Source)
}

// SetConfirmationEmail says which e-mail carries the letter.
func (tx *Tx) SetConfirmationEmail(confirmation, email int64) error {
	_, err := tx.exec("UPDATE offer_confirmation SET email_id = $2 WHERE id = $1", confirmation, columns.OrNull(email))
	return err
}

// LastConfirmation reads the last letter that was sent for an offer, or answers NotFound.
func (tx *Tx) LastConfirmation(offer int64) (c admitto.Confirmation, err error) {
	var files []confirmedFile
	var bad error
	err = one(tx.query(`SELECT id, offer_id, confirmed, type_id, subject, body, html, attachments, policy, deadline, reason, source, email_id
		FROM offer_confirmation WHERE offer_id = $1 ORDER BY id DESC LIMIT 1`, offer), func(r *db.Rows) {
		c = admitto.Confirmation{ID: r.Int64(0), Offer: r.Int64(1), Confirmed: r.Time(2), Type: r.Int64(3),
			Subject: r.Text(4), Body: r.Text(5),
			HTML: r.Text(6), Policy: r.Text(8), Deadline: r.Date(9), Reason: r.Text(10), Source: r.Text(11), Email: r.Int64(12)}
		bad = json.Unmarshal(r.Raw(7), &files)
	})
	if err == nil {
		err = bad
	}
	for _, f := range files {
		c.Attachments = append(c.Attachments, admitto.File{ID: f.ID, Owner: offer, Name: f.Name, MIME: f.MIME, Size: f.Size,
			Hash: f.Hash})
	}
	return c, err
}

// LastLetter is LastConfirmation of a confirmed offer, also where its letter was sent before letters were kept.
func (tx *Tx) LastLetter(o *admitto.OfferCase) (c admitto.Confirmation, err error) {
	c, err = tx.LastConfirmation(o.ID)
	if admitto.KindOf(err) != admitto.NotFound {
		return c, err
	}
	c = admitto.Confirmation{Offer: o.ID, Type: o.TypeConfirmed, Confirmed: o.Confirmed, Body: o.CommentsConfirmed,
		Policy: o.DecisionPolicy, Deadline: o.DecisionDeadline}
	c.Subject, err = tx.OfferTypePublicTitle(o.TypeConfirmed)
	return c, err
}
