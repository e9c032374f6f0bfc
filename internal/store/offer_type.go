package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// OfferTypes returns all offer types in the order that staff give them, each with its reasons. Archived ones are among
// them.
func (tx *Tx) OfferTypes() ([]admitto.OfferType, error) { return tx.offerTypes("") }

// OfferType reads one offer type with its reasons, or answers NotFound.
func (tx *Tx) OfferType(id int64) (t admitto.OfferType, err error) {
	list, err := tx.offerTypes(" WHERE id = $1", id)
	if err != nil {
		return t, err
	}
	if len(list) == 0 {
		return t, &admitto.Error{Kind: admitto.NotFound}
	}
	return list[0], nil
}

func (tx *Tx) offerTypes(where string, args ...any) (list []admitto.OfferType, err error) {
	var ids []int64
	err = each(tx.query("SELECT "+columns.OfferType.Select("")+" FROM offer_type"+where+" ORDER BY position, id", args...),
		func(r *db.Rows) {
			t := scanned(columns.OfferType, r)
			list, ids = append(list, t), append(ids, t.ID)
		})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	reasons, err := tx.ReasonsOf(ids)
	for i := range list {
		list[i].Reasons = reasons[list[i].ID]
	}
	return list, err
}

// placeOfferType makes room for an offer type among the others, and corrects a place beyond the last one.
func (tx *Tx) placeOfferType(t *admitto.OfferType) error {
	others, err := tx.ids("SELECT id FROM offer_type WHERE id <> $1 ORDER BY position, id", t.ID)
	if err != nil {
		return err
	}
	t.Position = min(max(t.Position, 1), int64(len(others)+1))
	for n, id := range others {
		at := int64(n + 1)
		if at >= t.Position {
			at++
		}
		_, err := tx.exec("UPDATE offer_type SET position = $2 WHERE id = $1 AND position <> $2", id, at)
		if err != nil {
			return err
		}
	}
	return nil
}

// ReasonsOf returns the predefined reasons of each offer type by ascending ID.
func (tx *Tx) ReasonsOf(types []int64) (map[int64][]admitto.OfferReason, error) {
	byType := map[int64][]admitto.OfferReason{}
	err := each(tx.query("SELECT "+columns.OfferReason.Select("")+" FROM offer_reason WHERE "+
		tx.dialect.in("offer_type_id", 1)+
		" ORDER BY offer_type_id, id", types), func(r *db.Rows) {
		reason := scanned(columns.OfferReason, r)
		byType[reason.Owner] = append(byType[reason.Owner], reason.Value)
	})
	return byType, err
}

// OfferTypeTitles returns the current title of every offer type.
func (tx *Tx) OfferTypeTitles() (map[int64]string, error) {
	titles := map[int64]string{}
	err := each(tx.query("SELECT id, title FROM offer_type"), func(r *db.Rows) { titles[r.Int64(0)] = r.Text(1) })
	return titles, err
}
