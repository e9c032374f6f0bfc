package privacy

import (
	"context"
	"io"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ownExportAgain is how long an applicant waits before the next file: it may hold many documents.
const ownExportAgain = 1 * admitto.Hour

// AskOwnData asks for an archive with what the portal shows the applicant who calls (screens.md P23). It is made in the
// background, and a mail says when it can be downloaded. While one waits or is being made, asking again changes
// nothing. Errors: not-permitted, not-allowed-now within an hour of the one before.
func (s *Service) AskOwnData(ctx context.Context, by usecase.Caller) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(by.Applicant); err != nil {
			return err
		}
		before, err := tx.DataExports(by.Applicant, true, 1)
		if err != nil {
			return err
		}
		if len(before) > 0 && !before[0].Running() && !before[0].Failed && tx.Now() < before[0].Asked+ownExportAgain {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("export-too-soon"))
		}
		_, asked, err := tx.AskDataExport(by.Applicant, 0, tx.Now()+exportKept)
		if err == nil && asked {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantDataExported,
				Links: admitto.Links{Applicant: by.Applicant}})
		}
		return err
	})
	select {
	case s.asked <- struct{}{}:
	default:
	}
	return err
}

// OwnData lists the newest archives that the applicant who calls has asked for, the newest first. Errors:
// not-permitted.
func (s *Service) OwnData(ctx context.Context, by admitto.Caller) ([]admitto.DataExport, error) {
	if err := by.ApplicantOnly(); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.DataExport, error) {
		return tx.DataExports(by.Applicant, true, mostExports)
	})
}

// OpenOwnData opens an archive that the applicant who calls has asked for, to be read while ctx lasts; the caller
// closes it. Errors: not-permitted; not-found as long as it is not made, once its days are over, and for those of
// others.
func (s *Service) OpenOwnData(ctx context.Context, by admitto.Caller, id int64) (io.ReadSeekCloser, error) {
	if err := by.ApplicantOnly(); err != nil {
		return nil, err
	}
	return s.openExport(ctx, by, by.Applicant, true, id)
}

// tellReady tells an applicant that the archive can be downloaded.
func (s *Service) tellReady(tx *store.Tx, e *admitto.DataExport) error {
	a, err := tx.Applicant(e.Applicant)
	if err != nil {
		return err
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindPrivacyDataReady, Applicant: &a, Record: e.ID,
		Values: mail.Values{mail.PrivacyLink: s.core.Links().OwnData()}})
	return err
}

// hideFromApplicant takes out what the portal does not show (lifecycle.md 12.3): notes, flags, trackers, scores,
// working copies of offers, and what staff wrote for each other.
func (d *personalData) hideFromApplicant() {
	d.Notes, d.Trackers, d.Imports, d.Accesses, d.Applicant.Reference = nil, nil, nil, nil, ""
	for i := range d.Invoices {
		for n := range d.Invoices[i].Transactions {
			d.Invoices[i].Transactions[n].Administrator = 0
		}
	}
	for i := range d.Applications {
		a := &d.Applications[i]
		a.Flags, a.Scores, a.StudyPlans, a.Silenced, a.StatusBefore = nil, nil, nil, false, ""
		a.Tasks = slices.DeleteFunc(a.Tasks, func(t admitto.TaskCase) bool { return t.Trashed != 0 })
		for n := range a.Tasks {
			if t := &a.Tasks[n]; !t.Shared {
				t.NotesAdministrator = ""
			}
		}
		a.Offers = slices.DeleteFunc(a.Offers, func(o offerData) bool { return o.Confirmed == 0 })
		for n := range a.Offers {
			a.Offers[n].hideFromApplicant()
		}
	}
}

// hideFromApplicant leaves what was sent, and the answer.
func (o *offerData) hideFromApplicant() {
	o.TypeTitle, o.Notes = "", nil
	o.Offer = admitto.Offer{ID: o.ID, Application: o.Application, Course: o.Course, Priority: o.Priority,
		Confirmed: o.Confirmed, CommentsConfirmed: o.CommentsConfirmed, Decision: o.Decision, Decided: o.Decided,
		Declining: o.Declining}
	for i := range o.Letters {
		o.Letters[i].Reason, o.Letters[i].Source = "", ""
	}
}
