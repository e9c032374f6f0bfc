package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

var (
	offerColumns     = columns.Offer.Select("o")
	insertOffer      = columns.Offer.Insert() + " RETURNING id"
	insertAttachment = columns.OfferAttachment.Insert() + " RETURNING id"
	insertLetter     = columns.Letter.Insert() + " RETURNING id"
)

func scanOffer(r *db.Rows) (o admitto.Offer) {
	columns.Offer.Scan(r, &o)
	return o
}

// scanHundredths reads a decimal that may be NULL.
func scanHundredths(r *db.Rows, i int) *admitto.Hundredths {
	if r.Null(i) {
		return nil
	}
	h := admitto.Hundredths(r.Int64(i))
	return &h
}

// OffersOf returns the offers of each application, by ID.
func (tx *Tx) OffersOf(applications []int64) (map[int64][]admitto.Offer, error) {
	condition, args := tx.among("o.application_id", applications)
	return grouped(tx.query("SELECT "+offerColumns+" FROM offer o WHERE "+condition+" ORDER BY o.application_id, o.id",
		args...),
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

var attachmentColumns = columns.OfferAttachment.Select("")

// OfferAttachments returns what is known of the files attached to an offer, by ID.
func (tx *Tx) OfferAttachments(offer int64) (list []admitto.File, err error) {
	err = each(tx.query("SELECT "+attachmentColumns+" FROM offer_attachment WHERE offer_id = $1 ORDER BY place, id",
		offer),
		func(r *db.Rows) { list = append(list, scanned(columns.OfferAttachment, r)) })
	return list, err
}

// OrderOfferAttachments stores the order of the files attached to an offer.
func (tx *Tx) OrderOfferAttachments(files []admitto.File) error {
	for place := range files {
		if _, err := tx.exec("UPDATE offer_attachment SET place = $2 WHERE id = $1", files[place].ID, place); err != nil {
			return err
		}
	}
	return nil
}

// OfferAttachment reads what is known of one file attached to an offer, or answers NotFound.
func (tx *Tx) OfferAttachment(offer, id int64) (f admitto.File, err error) {
	err = one(tx.query("SELECT "+attachmentColumns+" FROM offer_attachment WHERE id = $2 AND offer_id = $1", offer, id),
		func(r *db.Rows) { f = scanned(columns.OfferAttachment, r) })
	return f, err
}

var letterColumns = columns.Letter.Select("")

func scanLetter(r *db.Rows) (l admitto.Letter) {
	columns.Letter.Scan(r, &l)
	return l
}

// OfferLetters returns the rendered letters of an offer, by ID.
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
