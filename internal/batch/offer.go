package batch

import (
	"encoding/json"
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// offerActions are about the offer that each application has for one course.
func offerActions() []action {
	return []action{
		{name: "offer-type", title: message.Of("batch-offer-type"), sources: ofApplications,
			fields: []string{"course", "type"},
			needs:  []admitto.Permission{admitto.OffersBulk, admitto.OffersEdit}, check: offersThere, change: changeType,
			apply: func(w *work, c *admitto.BatchRecord) error {
				id, err := w.offerID(c)
				if err != nil {
					return err
				}
				return w.admissions.EditOffer(w, w.by, c.Record, id, admissions.OfferEdit{Type: &w.params.Type})
			}, undo: undoType},
		{name: "confirm", title: message.Of("batch-confirm"), sources: ofApplications, fields: []string{"course"},
			needs:   []admitto.Permission{admitto.OffersBulk, admitto.OffersConfirm},
			reaches: true, letters: true, check: offersThere, change: changeLetter,
			apply: func(w *work, c *admitto.BatchRecord) error {
				id, err := w.offerID(c)
				if err != nil {
					return err
				}
				return w.admissions.ConfirmOffer(w, w.by, c.Record, id, false)
			}},
	}
}

func offersThere(w *work) error {
	if _, err := w.tx.Course(w.params.Course); err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "batch.course", "", message.Of("batch-no-course"))
	}
	if w.params.Type == 0 {
		return nil
	}
	kind, err := w.tx.OfferType(w.params.Type)
	if err != nil || kind.Archived {
		return admitto.Refuse(admitto.InvalidParameter, "batch.type", "", message.Of("batch-no-type"))
	}
	return nil
}

// offer finds the offer of an application for the course.
func (w *work) offer(application int64) (admitto.Offer, error) {
	offers, err := w.tx.OffersOf([]int64{application})
	for _, o := range offers[application] {
		if o.Course == w.params.Course {
			return o, err
		}
	}
	if err == nil {
		err = left(message.Of("batch-no-offer"))
	}
	return admitto.Offer{}, err
}

func (w *work) offerID(c *admitto.BatchRecord) (int64, error) {
	o, err := w.offer(c.Record)
	return o.ID, err
}

// workingCopy is what setting a type changes of an offer, as the list keeps it.
type workingCopy struct {
	Type    int64  `json:"type"`
	Subject string `json:"subject,omitempty"`
	Text    string `json:"text,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

func changeType(w *work, id int64) (admitto.BatchRecord, error) {
	c, _, err := application(w, id)
	if err != nil {
		return c, err
	}
	o, err := w.offer(id)
	if err != nil {
		return c, err
	}
	if o.Type == w.params.Type {
		return c, unchanged()
	}
	kept, err := json.Marshal(workingCopy{o.Type, o.Subject, o.Comments, o.Reason.Reason})
	c.Version = o.RowVersion
	c.Was, c.Becomes, c.Body = strconv.FormatInt(o.Type, 10), strconv.FormatInt(w.params.Type, 10), string(kept)
	return c, err
}

// undoType puts back the type with the texts that the offer had, if nobody has set another one or confirmed it since.
func undoType(w *work, c *admitto.BatchRecord) error {
	o, err := w.offer(c.Record)
	if err != nil {
		return err
	}
	var before workingCopy
	if err := json.Unmarshal([]byte(c.Body), &before); err != nil {
		return err
	}
	if o.Type != w.params.Type || o.Confirmed != 0 && o.TypeConfirmed == o.Type {
		return changedSince()
	}
	if w.preview {
		return nil
	}
	return w.admissions.EditOffer(w, w.by, c.Record, o.ID, admissions.OfferEdit{Type: &before.Type,
		Subject: &before.Subject, Comments: &before.Text, Reason: &before.Reason})
}

// changeLetter renders the letter that confirming would send.
func changeLetter(w *work, id int64) (admitto.BatchRecord, error) {
	c, _, err := application(w, id)
	if err != nil {
		return c, err
	}
	o, err := w.offer(id)
	if err != nil {
		return c, err
	}
	letter, to, same, err := w.admissions.LetterToConfirm(w.tx, w.by, id, o.ID)
	if err == nil && same {
		err = unchanged()
	}
	confirmed := o.TypeConfirmed
	if o.Confirmed == 0 {
		confirmed = 0
	}
	c.Version = o.RowVersion
	c.Was, c.Becomes = strconv.FormatInt(confirmed, 10), strconv.FormatInt(o.Type, 10)
	c.Recipient, c.Subject, c.Body = to, letter.Subject, letter.Text
	return c, err
}
