package usecase

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// LockedApplication is an application in the hands of a use case: locked together with its applicant until the
// transaction ends.
type LockedApplication struct {
	admitto.ApplicationCase
	Applicant admitto.Applicant
	Actor     admitto.Actor // who changes it
}

// LockApplication locks a visible application for a change, or answers not-found, also when the caller is another
// applicant. The use case compares the row version that the caller has seen once everything that was named is known to
// exist.
func LockApplication(tx *store.Tx, by Caller, application int64) (d *LockedApplication, err error) {
	d = &LockedApplication{Actor: by.Actor}
	d.ApplicationCase, d.Applicant, err = tx.LockApplication(application)
	if err == nil {
		err = OnlyOwn(by.Caller, d.Applicant.ID)
	}
	return d, err
}

// Links names the applicant and the application in journal events.
func (d *LockedApplication) Links() admitto.Links {
	return admitto.Links{Applicant: d.Applicant.ID, Application: d.ID}
}

// TaskLinks is Links with a task of the application.
func (d *LockedApplication) TaskLinks(task int64) admitto.Links {
	links := d.Links()
	links.Task = task
	return links
}

// Record writes an event about the application itself.
func (d *LockedApplication) Record(tx *store.Tx, pattern admitto.Pattern, bind ...string) {
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Bind: bind, Links: d.Links()})
}

// System is the actor of what follows by rule from something that somebody did.
func (d *LockedApplication) System() admitto.Actor {
	return admitto.Actor{Kind: admitto.BySystem, RequestID: d.Actor.RequestID, Batch: d.Actor.Batch}
}
