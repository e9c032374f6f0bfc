package admissions

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// CloseApplication ends an application (lifecycle.md T12, and T22 for the applicant; resources.md 24.3): nobody edits
// it any more, and its automatic invoices lapse. tell says whether the applicant gets an e-mail about it; an applicant
// who closes it gets none. Errors: not-found, not-allowed-now when it is Closed already.
func (s *Service) CloseApplication(ctx context.Context, by usecase.Caller, application int64, tell bool) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsClose); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.Close, "")
		if err == nil {
			err = s.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		if d.Status != admitto.Withdrawn { // which keeps the status before it, and can be told by its time
			d.StatusBefore = d.Status
		}
		d.Status = step.To
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		d.Record(tx, admitto.ApplicationClosed)
		if tell && d.Actor.Kind != admitto.ByApplicant {
			if err := s.tellApplicant(tx, d, mail.KindApplicationClosed, nil, nil); err != nil {
				return err
			}
		}
		if err := s.billing.LapseInvoices(tx, d.Actor, d.ID); err != nil {
			return err
		}
		return by.Done(tx)
	})
}

// ClosingMail is what CloseApplication tells.
func (s *Service) ClosingMail(tx *store.Tx, a Ahead) (notify.Written, error) {
	return s.mailAhead(tx, a, func(d *usecase.LockedApplication) (*notify.OutgoingMail, error) {
		d.Status = admitto.Closed
		return s.applicationMail(tx, d, mail.KindApplicationClosed, nil)
	})
}

// UndoClosing brings a closed application back to the status before, and its invoices that lapsed by the closing
// (lifecycle.md T13).
// Errors: not-found, invalid-parameter without a reason, not-allowed-now.
func (s *Service) UndoClosing(ctx context.Context, by usecase.Caller, application int64, reason string) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsRevert); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.UndoClosing, reason)
		if err == nil {
			err = s.may(tx, d, &step, &question{})
		}
		if err != nil {
			return err
		}
		if d.Withdrawn != 0 {
			d.Status = admitto.Withdrawn
		} else {
			d.Status, d.StatusBefore = statusBefore(d), ""
		}
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		recordWhy(tx, d, admitto.ApplicationClosingReverted, reason)
		lapsed, err := lapsedByClosing(tx, application)
		if err != nil {
			return err
		}
		return s.billing.ReviveInvoices(tx, d.Actor, application, lapsed)
	})
}

// mostLapsed is how many events are looked at for the invoices that lapsed by a closing.
const mostLapsed = 100

// lapsedByClosing finds in the journal which invoices lapsed when an application was closed last.
func lapsedByClosing(tx *store.Tx, application int64) (invoices []int64, err error) {
	closed, lapsed, err := lastClosing(tx, application)
	for _, r := range lapsed {
		if r.ID > closed.ID && r.Logged == closed.Logged {
			invoices = append(invoices, r.Links.Invoice)
		}
	}
	return invoices, err
}

// discardedUntil is when the applicant can no longer take back that the application was discarded; 0 when somebody else
// closed it.
func (s *Service) discardedUntil(tx *store.Tx, application int64) (admitto.Time, error) {
	closed, _, err := lastClosing(tx, application)
	if err != nil || closed.Actor.Kind != admitto.ByApplicant {
		return 0, err
	}
	return closed.Logged + s.undoTime(), nil
}

// lastClosing is the event of the last closing of an application, with the invoices that lapsed lately.
func lastClosing(tx *store.Tx, application int64) (closed admitto.Record, lapsed []admitto.Record, err error) {
	_, err = tx.EachRecord(admitto.JournalQuery{ApplicationIDs: []int64{application}, NewestFirst: true, Limit: mostLapsed,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicationClosed}, {Pattern: admitto.InvoiceLapsed}}},
		func(r *admitto.Record) error {
			if r.Pattern == admitto.InvoiceLapsed {
				lapsed = append(lapsed, *r)
			} else if r.ID > closed.ID {
				closed = *r
			}
			return nil
		})
	return closed, lapsed, err
}

// recordWhy writes an event about the application with the reason that was given.
func recordWhy(tx *store.Tx, d *usecase.LockedApplication, pattern admitto.Pattern, reason string,
	details ...admitto.Detail) {
	if reason != "" {
		details = append(details, admitto.Detail{Path: "/reason", New: reason})
	}
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Links: d.Links(), Details: details})
}

// Reopening is what staff tell the applicant when they reopen an application. Until is information; the zero Date
// stands for the last day on which the application can be submitted again.
type Reopening struct {
	Text  string
	Until admitto.Date
}

// ReopenApplication lets the applicant change a submitted application again (lifecycle.md T8). Offers stay,
// and what is frozen stays frozen. Errors: not-found, invalid-parameter for a day that is over, not-allowed-now.
func (s *Service) ReopenApplication(ctx context.Context, by usecase.Caller, application int64, in Reopening) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	if by.Actor.Kind == admitto.ByApplicant {
		in = Reopening{}
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		step, err := s.step(d, by, admitto.Reopen, "")
		if err == nil {
			q := &question{}
			if q.courses, err = coursesByPriority(tx, application); err == nil {
				err = s.may(tx, d, &step, q)
			}
		}
		if err == nil && !in.Until.IsZero() && in.Until.Before(s.core.Today(tx)) {
			err = admitto.Refuse(admitto.InvalidParameter, "application.deadline", "", message.Of("time-passed"))
		}
		if err != nil {
			return err
		}
		d.Status, d.Reopened = step.To, tx.Now()
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		if err := tx.SetReopening(application, in.Text, in.Until); err != nil {
			return err
		}
		recordReopened(tx, d, in)
		until, err := s.againUntil(tx, d, in)
		if err != nil {
			return err
		}
		return s.tellApplicant(tx, d, mail.KindApplicationReopened, mail.Values{mail.StaffText: in.Text,
			mail.ReopenUntil: until}, nil)
	})
}

// mayReopenHimself reports whether the applicant may reopen the application (lifecycle.md T8): the types of its
// confirmed offers say so, or applications.reopen_until_deadline does before an offer was saved, while each course
// could still be submitted for the first time.
func (s *Service) mayReopenHimself(tx *store.Tx, d *usecase.LockedApplication, q *question) (bool, error) {
	offered, err := tx.MayReopenHimself(d.ID)
	if offered || err != nil || !s.core.Settings().Applications.ReopenUntilDeadline {
		return offered, err
	}
	touched, err := tx.HasSavedOffer(d.ID)
	if touched || err != nil {
		return false, err
	}
	first := *q
	first.courses = slices.Clone(q.courses)
	for i := range first.courses {
		first.courses[i].Submitted = 0
	}
	late, err := s.askDeadlines(tx, d, admitto.SubmitDeadline, &first)
	return len(late) == 0, err
}

// Reopened returns what staff told the applicant of a reopened application, and the last day on which it can be
// submitted again; the zero Date: there is none. Errors: not-found.
func (s *Service) Reopened(ctx context.Context, by usecase.Caller, application int64) (in Reopening, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return in, err
	}
	err = s.core.BelowApplication(ctx, by.Caller, application, func(tx *store.Tx) error {
		in = Reopening{}
		d := &usecase.LockedApplication{Actor: by.Actor}
		if d.ApplicationCase, d.Applicant, err = tx.ApplicationCase(application); err != nil {
			return err
		}
		if in.Text, in.Until, err = tx.Reopening(application); err == nil {
			in.Until, err = s.againUntil(tx, d, in)
		}
		return err
	})
	return in, err
}

// recordReopened writes the event with what the applicant was told.
func recordReopened(tx *store.Tx, d *usecase.LockedApplication, in Reopening) {
	var details []admitto.Detail
	if in.Text != "" {
		details = append(details, admitto.Detail{Path: "/text", New: in.Text})
	}
	if !in.Until.IsZero() {
		details = append(details, admitto.Detail{Path: "/until", New: in.Until.String()})
	}
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationReopened, Links: d.Links(), Details: details})
}
