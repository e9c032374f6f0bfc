package admissions

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// contentSaved does what follows every saved change of an application's content (lifecycle.md T3, T4, T6): revised is
// now, the change is recorded with its old and new values, and Blank or Inactive becomes Draft.
func (o *Office) contentSaved(tx *store.Tx, d *dossier, details []admitto.Detail) error {
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationEdited, Links: d.links(), Details: details})
	return o.contentRevised(tx, d)
}

// contentRevised is contentSaved for a change that has an event of its own, which was recorded before.
func (o *Office) contentRevised(tx *store.Tx, d *dossier) error {
	step, err := admitto.ApplicationStep(admitto.ContentSaved, d.Status, d.Actor.Kind)
	if err != nil {
		return err
	}
	if err := tx.ContentRevised(d.ID, step.To); err != nil {
		return err
	}
	d.Revised = tx.Now()
	d.RowVersion++
	if step.To != d.Status {
		d.Status = step.To
		d.record(tx, admitto.ApplicationStatusChanged, string(step.To))
	}
	return nil
}

// mayChangeContent refuses a change of content that the status forbids to the actor. The applicant is also bound by
// G9; what else stands against the change is told together with that.
func (o *Office) mayChangeContent(tx *store.Tx, d *dossier, more func() ([]admitto.Fault, error)) error {
	if _, err := admitto.ApplicationStep(admitto.ContentSaved, d.Status, d.Actor.Kind); err != nil {
		return err
	}
	faults, err := more()
	if err != nil {
		return err
	}
	if d.Actor.Kind == admitto.ByApplicant {
		closed, err := o.closedFaults(tx, d)
		if err != nil {
			return err
		}
		faults = append(closed, faults...)
	}
	return notNow(faults)
}
