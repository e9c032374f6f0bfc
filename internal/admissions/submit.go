package admissions

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Submission is how an application is submitted.
type Submission struct {
	Reason string // of an administrator who sets guards aside
	// Seen are the sentences of what an administrator was shown that the reason sets aside; nil: all that there is.
	Seen     []string
	Declared []string // what the applicant has declared with it; the receipt keeps it
}

// Submit hands an application in, for the first time or again (lifecycle.md T7, T9): the courses get their offers, and
// the applicant a receipt and a mail. A reason of an administrator sets aside the guards that the table of
// transitions says, and is kept with the record. An attempt of the applicant that is refused leaves a receipt, too,
// which is given next to the error. Errors: not-found, not-allowed-now with the codes of all guards that fail,
// changed-meanwhile for a guard that was not seen.
func (s *Service) Submit(ctx context.Context, by usecase.Caller, application int64,
	in Submission) (receipt admitto.Receipt, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return receipt, err
	}
	var refused error // commits, since its receipt must stay
	err = s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) (err error) {
		refused, receipt = nil, admitto.Receipt{}
		q := &question{reason: strings.TrimSpace(in.Reason), seen: in.Seen, declared: in.Declared}
		if q.courses, err = coursesByPriority(tx, application); err != nil {
			return err
		}
		step, err := s.step(d, by, admitto.Submit, "")
		if err == nil {
			err = s.may(tx, d, &step, q)
		}
		if admitto.KindOf(err) == admitto.NotAllowedNow && d.Actor.Kind == admitto.ByApplicant {
			refused = err
			codes := codesOf(err)
			receipt, err = s.makeReceipt(tx, d, q, codes)
			d.Record(tx, admitto.ApplicationRefused, strings.Join(codes, "+"))
			return err
		}
		if err != nil {
			return err
		}
		receipt, err = s.submit(tx, d, &step, q)
		return err
	})
	if err == nil {
		err = refused
	}
	return receipt, err
}

// submit does what follows when nothing stands in the way.
func (s *Service) submit(tx *store.Tx, d *usecase.LockedApplication, step *admitto.Transition,
	q *question) (receipt admitto.Receipt, err error) {
	pattern, template := admitto.ApplicationSubmitted, mail.KindApplicationSubmitted
	if d.Status == admitto.Reopened {
		pattern, template = admitto.ApplicationResubmitted, mail.KindApplicationResubmitted
	}
	if d.Submitted == 0 {
		d.Submitted = tx.Now()
	} else {
		d.Resubmitted = tx.Now()
	}
	d.Status = step.To
	if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
		return receipt, err
	}
	if err := s.submitCourses(tx, d, q); err != nil {
		return receipt, err
	}
	recordWhy(tx, d, pattern, q.reason, q.aside...)
	if err := s.createOffers(tx, d, q.courses); err != nil {
		return receipt, err
	}
	if err := s.causeTasks(tx, d, "submitted", 0, 0); err != nil {
		return receipt, err
	}
	number := "…" // a rehearsal takes none
	if !s.rehearsed {
		if receipt, err = s.makeReceipt(tx, d, q, nil); err != nil {
			return receipt, err
		}
		number = receipt.NumberText()
	}
	values := mail.Values{mail.ReceiptNumber: number, mail.ReceiptTime: mail.ZonedTime{At: receipt.Made,
		Zone: s.core.Settings().Instance.Timezone, Exact: true}}
	attached := []mail.Attachment{{Name: "receipt-" + receipt.NumberText() + ".txt", Type: "text/plain",
		Data: []byte(receipt.Whole())}}
	if err := s.tellApplicant(tx, d, template, values, attached); err != nil {
		return receipt, err
	}
	return receipt, s.billing.ChargeFees(tx, d, string(admitto.FeeAtSubmission), q.courses)
}

// submitCourses notes the first submission of each course that had none.
func (s *Service) submitCourses(tx *store.Tx, d *usecase.LockedApplication, q *question) error {
	for i := range q.courses {
		c := &q.courses[i]
		if c.Submitted != 0 {
			continue
		}
		late := false
		if c.Intake != 0 {
			intake, err := tx.Intake(c.Intake)
			if err != nil {
				return err
			}
			l, err := s.deadlineOf(tx, d, &intake, q)
			if err != nil {
				return err
			}
			late = l.IsLate(tx.Now())
		}
		if err := tx.SubmitApplicationCourse(d.ID, c.Course, late); err != nil {
			return err
		}
		c.Submitted = tx.Now()
	}
	return nil
}

// coursesByPriority returns the courses of an application, the first choice first.
func coursesByPriority(tx *store.Tx, application int64) ([]admitto.ApplicationCourse, error) {
	all, err := tx.CoursesOfApplications([]int64{application})
	list := all[application]
	slices.SortFunc(list, func(a, b admitto.ApplicationCourse) int { return a.Priority - b.Priority })
	return list, err
}

// codesOf returns the codes of a refusal, each once, in their order.
func codesOf(err error) (codes []string) {
	for _, f := range faultsIn(err) {
		if !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// faultsIn returns what a refusal has against something.
func faultsIn(err error) []admitto.Fault {
	var refused *admitto.Error
	if !errors.As(err, &refused) {
		return nil
	}
	return refused.Faults
}
