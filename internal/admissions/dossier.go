package admissions

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// dossier is an application in the hands of a use case: locked together with its applicant until the transaction
// ends.
type dossier struct {
	admitto.ApplicationCase
	Applicant admitto.Applicant
	Actor     admitto.Actor // who changes it
}

// lockApplication locks a visible application for a change, or answers not-found, also when the caller is another applicant.
// The use case compares the row version that the caller has seen once everything that was named is known to exist.
func lockApplication(tx *store.Tx, by Caller, application int64) (d *dossier, err error) {
	d = &dossier{Actor: by.Actor}
	d.ApplicationCase, d.Applicant, err = tx.LockApplication(application)
	if err == nil {
		err = onlyOwn(by.Caller, d.Applicant.ID)
	}
	return d, err
}

// onlyOwn answers not-found when the caller is another applicant: nobody learns what others have. Every use case that lets
// applicants in before it knows whose record it is comes past here.
func onlyOwn(by admitto.Caller, applicant int64) error {
	if by.Actor.Kind == admitto.ByApplicant && by.Owns(applicant) != nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	return nil
}

// changeApplication runs a change of one application in a write transaction, with the row version that the
// caller has seen compared first. Use cases about something below an application open the dossier themselves, find what
// they change, and compare the row version of that.
func (o *Office) changeApplication(ctx context.Context, by Caller, application int64, change func(*store.Tx, *dossier) error) error {
	return o.write(ctx, func(tx *store.Tx) error {
		d, err := lockApplication(tx, by, application)
		if err != nil {
			return err
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		return change(tx, d)
	})
}

// links names the applicant and the application in journal events.
func (d *dossier) links() admitto.Links {
	return admitto.Links{Applicant: d.Applicant.ID, Application: d.ID}
}

// record writes an event about the application itself.
func (d *dossier) record(tx *store.Tx, pattern admitto.Pattern, bind ...string) {
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Bind: bind, Links: d.links()})
}
