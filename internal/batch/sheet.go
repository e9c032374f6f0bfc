package batch

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/scoring"
)

// sheetActions are those with scoresheets.
func sheetActions() []action {
	return []action{{name: "sheet", title: message.Of("batch-sheet"), sources: ofApplications, atOnce: true,
		fields: []string{"sheet"},
		needs:  []admitto.Permission{admitto.ApplicationsView, admitto.ApplicationsScore}, check: sheetThere,
		change: changeSheet, apply: putOnSheet,
		undo: takeOffSheet}}
}

// sheetThere wants a sheet whose scores may be changed.
func sheetThere(w *work) error {
	t, err := w.tx.Scoresheet(w.params.Sheet)
	switch {
	case admitto.KindOf(err) == admitto.NotFound:
		return admitto.Refuse(admitto.InvalidParameter, "batch.sheet", "", message.Of("batch-no-sheet"))
	case err == nil && t.Confirmed != 0 && !w.by.Has(admitto.ScorersEdit):
		return admitto.Refuse(admitto.InvalidParameter, "batch.sheet", "", message.Of("sheet-confirmed"))
	}
	return err
}

// changeSheet leaves out what is on the sheet already, and applications without offers where the sheet is for offers.
// The list says what is put on it: the IDs of offers, 0 for the application itself.
func changeSheet(w *work, id int64) (admitto.BatchRecord, error) {
	c, _, err := application(w, id)
	if err != nil {
		return c, err
	}
	t, err := w.tx.Scoresheet(w.params.Sheet)
	if err != nil {
		return c, err
	}
	missing, err := scoring.MissingOn(w.tx, &t, id)
	if err != nil {
		return c, err
	}
	if len(missing) == 0 {
		offers, err := w.tx.OffersOf([]int64{id})
		if err == nil && t.ByOffer && len(offers[id]) == 0 {
			return c, left(message.Of("batch-no-offers"))
		} else if err != nil {
			return c, err
		}
		return c, unchanged()
	}
	slices.Sort(missing)
	for _, offer := range missing {
		c.Becomes += " " + strconv.FormatInt(offer, 10)
	}
	c.Was, c.Becomes = notSet, strings.TrimSpace(c.Becomes)
	return c, nil
}

// offersIn are the offers that a line puts on the sheet.
func offersIn(c *admitto.BatchRecord) (offers []int64, err error) {
	for word := range strings.FieldsSeq(c.Becomes) {
		offer, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, err
		}
		offers = append(offers, offer)
	}
	return offers, nil
}

func putOnSheet(w *work, c *admitto.BatchRecord) error {
	offers, err := offersIn(c)
	if err != nil {
		return err
	}
	return w.scoring.PutOnSheet(w, w.by, w.params.Sheet, c.Record, offers)
}

// takeOffSheet takes off what nobody has given points since.
func takeOffSheet(w *work, c *admitto.BatchRecord) error {
	offers, err := offersIn(c)
	if err != nil {
		return err
	}
	t, err := w.tx.Scoresheet(w.params.Sheet)
	if err != nil {
		return err
	}
	for _, offer := range offers {
		score, found, err := w.tx.ScoreOn(&t, c.Record, offer)
		if err != nil {
			return err
		}
		if !found || !score.IsEmpty() {
			return changedSince()
		}
	}
	if w.preview {
		return nil
	}
	return w.scoring.TakeOffSheet(w, w.by, w.params.Sheet, c.Record, offers)
}
