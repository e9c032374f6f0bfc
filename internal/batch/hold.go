package batch

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// holdActions keep applicants from changing something: they notice it, so a large batch waits for a second person.
func holdActions() []action {
	freeze := []admitto.Permission{admitto.ApplicationsFreeze}
	return []action{
		{name: "freeze", title: message.Of("batch-freeze"), sources: ofApplications, needs: freeze, reaches: true,
			check: noParams, change: changeFrozen(true), undo: func(w *work, c *admitto.BatchRecord) error {
				return w.refreeze(c, false)
			}, apply: func(w *work, c *admitto.BatchRecord) error { return w.admissions.Freeze(w, w.by, c.Record) }},
		{name: "unfreeze", title: message.Of("batch-unfreeze"), sources: ofApplications, needs: freeze, reaches: true,
			check: noParams, change: changeFrozen(false), undo: func(w *work, c *admitto.BatchRecord) error {
				return w.refreeze(c, true)
			}, apply: func(w *work, c *admitto.BatchRecord) error { return w.admissions.Unfreeze(w, w.by, c.Record) }},
		{name: "close", title: message.Of("batch-close"), sources: ofApplications, reaches: true, fields: []string{"tell"},
			needs:   []admitto.Permission{admitto.ApplicationsClose},
			undoing: []admitto.Permission{admitto.ApplicationsRevert},
			check:   noParams, change: changeClosed, undo: reopenClosed,
			apply: func(w *work, c *admitto.BatchRecord) error {
				return w.admissions.CloseApplication(w, w.by, c.Record, w.params.Tell)
			}},
	}
}

func noParams(*work) error { return nil }

func changeFrozen(to bool) func(*work, int64) (admitto.BatchRecord, error) {
	return func(w *work, id int64) (admitto.BatchRecord, error) {
		c, a, err := application(w, id)
		if err == nil && (a.Frozen != 0) == to {
			err = unchanged()
		}
		c.Was, c.Becomes = written(a.Frozen != 0), written(to)
		return c, err
	}
}

// refreeze undoes a change of a freeze. What was frozen again is what is there now, as freezing always does.
func (w *work) refreeze(c *admitto.BatchRecord, frozen bool) error {
	_, a, err := application(w, c.Record)
	switch {
	case err != nil:
		return err
	case (a.Frozen != 0) == frozen:
		return changedSince()
	case w.preview:
		return nil
	case frozen:
		return w.admissions.Freeze(w, w.by, c.Record)
	}
	return w.admissions.Unfreeze(w, w.by, c.Record)
}

// closedNow is how the list writes that an application is closed.
const closedNow = string(admitto.Closed)

func changeClosed(w *work, id int64) (admitto.BatchRecord, error) {
	c, a, err := application(w, id)
	if err == nil && a.Status == admitto.Closed {
		err = unchanged()
	}
	c.Was, c.Becomes = string(a.Status), closedNow
	if err == nil && w.params.Tell {
		err = tells(&c)(w.admissions.ClosingMail(w.tx, w.ahead(id)))
	}
	return c, err
}

func reopenClosed(w *work, c *admitto.BatchRecord) error {
	_, a, err := application(w, c.Record)
	if err != nil {
		return err
	}
	if a.Status != admitto.Closed {
		return changedSince()
	}
	if w.preview {
		return nil
	}
	return w.admissions.UndoClosing(w, w.by, c.Record, message.Of("batch-undo-reason", w.batch).String())
}
