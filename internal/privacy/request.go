package privacy

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

const (
	mostReason   = 2000 // characters of why somebody asks, and of an answer
	mostRequests = 500  // that are listed
	// answeredShown is how long answered requests are listed.
	answeredShown = 90 * admitto.Day
	// ownRequests is how many of their requests applicants see.
	ownRequests = 5
)

// AskToBeForgotten asks for the erasure of the applicant who calls (lifecycle.md 13); the reason may be empty. While a
// request is open, asking again changes nothing. A mail confirms it. Errors: not-permitted, invalid-parameter (reason).
func (s *Service) AskToBeForgotten(ctx context.Context, by usecase.Caller, reason string) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	reason, err := text.Multiline(reason, 0, mostReason)
	if err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "page.reason", "", message.From(err))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(by.Applicant)
		if err != nil {
			return err
		}
		open, err := openRequest(tx, a.ID, admitto.RequestErase)
		if err != nil || open != nil {
			return err
		}
		q := admitto.DataRequest{Applicant: a.ID, Kind: admitto.RequestErase, Reason: reason,
			Received: s.core.Today(tx)}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ForgetAsked, Links: admitto.Links{Applicant: a.ID}})
		return s.addRequest(tx, &a, &q)
	})
}

// openRequest is the open request of a kind of a locked applicant, nil for none.
func openRequest(tx *store.Tx, applicant int64, kind admitto.DataRequestKind) (*admitto.DataRequest, error) {
	list, err := tx.DataRequestsOf(applicant, mostRequests)
	for i := range list {
		if list[i].Kind == kind && list[i].Answered == 0 {
			return &list[i], err
		}
	}
	return nil, err
}

// addRequest keeps a request and confirms it to the applicant.
func (s *Service) addRequest(tx *store.Tx, a *admitto.Applicant, q *admitto.DataRequest) (err error) {
	if q.ID, err = tx.AddDataRequest(q); err != nil {
		return err
	}
	_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindPrivacyRequestReceived, Applicant: a,
		Record: q.ID,
		Values: mail.Values{mail.PrivacyLink: s.core.Links().OwnData()}})
	return err
}

// TakeBackRequest takes the request of the applicant who calls to be forgotten back, as long as it is open; without one
// it changes nothing. Errors: not-permitted.
func (s *Service) TakeBackRequest(ctx context.Context, by usecase.Caller) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(by.Applicant)
		if err != nil {
			return err
		}
		q, err := openRequest(tx, a.ID, admitto.RequestErase)
		if err != nil || q == nil {
			return err
		}
		q.Outcome = admitto.RequestWithdrawn
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ForgetTakenBack, Links: admitto.Links{Applicant: a.ID}})
		return tx.AnswerDataRequest(q)
	})
}

// OwnRequests lists the newest requests of the applicant who calls. Errors: not-permitted.
func (s *Service) OwnRequests(ctx context.Context, by admitto.Caller) ([]admitto.DataRequest, error) {
	if err := by.ApplicantOnly(); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.DataRequest, error) {
		return tx.DataRequestsOf(by.Applicant, ownRequests)
	})
}

// Case is a request about somebody's data as staff see it, with the names of who recorded and who answered it.
type Case struct {
	store.RequestCase
	RecordedBy, AnsweredName string
}

// Requests lists the open requests, the one whose answer is due first before the others, and those that were answered
// of late, the newest first. Errors: not-permitted.
func (s *Service) Requests(ctx context.Context, by admitto.Caller) (open, answered []Case, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return nil, nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		waiting, done, err := tx.DataRequests(tx.Now()-answeredShown, mostRequests)
		if err != nil {
			return err
		}
		var staff []int64
		for _, list := range [][]store.RequestCase{waiting, done} {
			for i := range list {
				staff = append(staff, list[i].Administrator, list[i].AnsweredBy)
			}
		}
		names, err := tx.AdministratorNames(staff)
		named := func(list []store.RequestCase) (cases []Case) {
			for i := range list {
				cases = append(cases, Case{list[i], names[list[i].Administrator], names[list[i].AnsweredBy]})
			}
			return cases
		}
		open, answered = named(waiting), named(done)
		return err
	})
	return open, answered, err
}

// Request reads one request with its applicant. Errors: not-permitted, not-found.
func (s *Service) Request(ctx context.Context, by admitto.Caller, id int64) (c Case, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return c, err
	}
	open, answered, err := s.Requests(ctx, by)
	if err != nil {
		return c, err
	}
	for _, list := range [][]Case{open, answered} {
		for i := range list {
			if list[i].ID == id {
				return list[i], nil
			}
		}
	}
	return c, &admitto.Error{Kind: admitto.NotFound}
}

// NewRequest is a request that came by letter, by telephone or in person.
type NewRequest struct {
	Applicant int64
	Kind      admitto.DataRequestKind
	Received  admitto.Date
	Reason    string
}

// RecordRequest records a request that came otherwise than through the portal, and confirms it to the applicant.
// Errors: not-permitted, invalid-parameter, not-allowed-now while the same one is open.
func (s *Service) RecordRequest(ctx context.Context, by usecase.Caller, in NewRequest) error {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return err
	}
	if err := byAdministrator(by); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		faults, today := []admitto.Fault(nil), s.core.Today(tx)
		fault := func(path admitto.Path, t message.Text) {
			faults = append(faults, admitto.Fault{Path: path, Text: t})
		}
		a, err := tx.LockApplicant(in.Applicant)
		switch {
		case admitto.KindOf(err) == admitto.NotFound:
			words := message.Of("no-such-applicant", in.Applicant)
			if _, err := tx.LockDeleted(in.Applicant); err == nil {
				words = message.Of("applicant-deleted", in.Applicant)
			} else if admitto.KindOf(err) != admitto.NotFound {
				return err
			}
			fault("page.applicant", words)
		case err != nil:
			return err
		}
		pattern := admitto.DataRequestRecorded
		switch in.Kind {
		case admitto.RequestErase:
			pattern = admitto.ForgetRecorded
		case admitto.RequestAccess, admitto.RequestCorrect:
		default:
			fault("page.kind", message.Of("no-request-kind"))
		}
		if in.Received.IsZero() {
			in.Received = today
		}
		if today.Before(in.Received) {
			fault("page.received", message.Of("request-later"))
		}
		reason, err := text.Multiline(in.Reason, 0, mostReason)
		if err != nil {
			fault("page.reason", message.From(err))
		}
		if len(faults) > 0 {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		if err := by.Checked(); err != nil {
			return err
		}
		if open, err := openRequest(tx, a.ID, in.Kind); err != nil {
			return err
		} else if open != nil {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("request-open"))
		}
		tx.Record(by.Actor, requestEvent(pattern, a.ID, in.Kind))
		return s.addRequest(tx, &a, &admitto.DataRequest{Applicant: a.ID, Kind: in.Kind, Reason: reason,
			Received: in.Received, Administrator: by.Actor.ID})
	})
}

// requestEvent is the event of a request; those to be forgotten have patterns of their own.
func requestEvent(pattern admitto.Pattern, applicant int64, kind admitto.DataRequestKind) admitto.Event {
	e := admitto.Event{Pattern: pattern, Links: admitto.Links{Applicant: applicant}}
	if kind != admitto.RequestErase {
		e.Bind = []string{string(kind)}
	}
	return e
}

// GrantRequest does what was asked for, or says that it was done: one to be forgotten deletes the applicant into the
// recovery list (lifecycle.md 9), which needs the permission for that. A mail tells it. Errors: not-permitted,
// not-found, not-allowed-now.
func (s *Service) GrantRequest(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return err
	}
	return s.answer(ctx, by, id, func(tx *store.Tx, a *admitto.Applicant, q *admitto.DataRequest) error {
		q.Outcome = admitto.RequestGranted
		pattern := admitto.DataRequestGranted
		values := s.notify.ApplicantMarkers(a, tx.Now())
		values[mail.PrivacyLink] = s.core.Links().OwnData()
		out := notify.OutgoingMail{Template: mail.KindPrivacyRequestDone, Record: q.ID, Applicant: a, Values: values}
		if q.Kind == admitto.RequestErase {
			if err := by.Needs(admitto.ApplicantsDelete); err != nil {
				return err
			}
			pattern = admitto.ForgetGranted
			address, err := text.EmailASCII(a.Email)
			if err != nil {
				return admitto.Refused(admitto.NotAllowedNow, message.From(err))
			}
			// It is no mail of the applicant any more: those that are on their way go with the account.
			language, err := s.notify.LanguageOf(tx, a.ID)
			if err != nil {
				return err
			}
			template, err := s.notify.Template(tx, mail.KindPrivacyRequestDone, language)
			if err != nil {
				return err
			}
			rendered, err := template.Render(values)
			if err != nil {
				return err
			}
			out.Applicant, out.To, out.Rendered = nil, &mail.Address{Name: a.Name.Full(), Email: address}, &rendered
			if err := tx.HideApplicant(a, by.Actor.ID); err != nil {
				return err
			}
		}
		tx.Record(by.Actor, requestEvent(pattern, a.ID, q.Kind))
		if q.Kind == admitto.RequestErase {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantDeleted, Links: admitto.Links{Applicant: a.ID}})
		}
		_, err := s.notify.Queue(tx, out)
		return err
	})
}

// RefuseRequest says no, with a reason that is mailed. Errors: not-permitted, not-found, not-allowed-now,
// invalid-parameter (answer).
func (s *Service) RefuseRequest(ctx context.Context, by usecase.Caller, id int64, answer string) error {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return err
	}
	return s.answer(ctx, by, id, func(tx *store.Tx, a *admitto.Applicant, q *admitto.DataRequest) error {
		answer, err := text.Multiline(answer, 1, mostReason)
		if err != nil {
			return admitto.Refuse(admitto.InvalidParameter, "page.answer", "", message.From(err))
		}
		q.Outcome, q.Answer = admitto.RequestRefused, answer
		pattern := admitto.DataRequestRefused
		if q.Kind == admitto.RequestErase {
			pattern = admitto.ForgetRefused
		}
		tx.Record(by.Actor, requestEvent(pattern, a.ID, q.Kind))
		_, err = s.notify.Queue(tx, notify.OutgoingMail{Template: mail.KindPrivacyRequestRefused, Applicant: a,
			Record: q.ID,
			Values: mail.Values{mail.RequestAnswer: answer}})
		return err
	})
}

// answer ends an open request of an applicant who is there.
func (s *Service) answer(ctx context.Context, by usecase.Caller, id int64,
	do func(tx *store.Tx, a *admitto.Applicant, q *admitto.DataRequest) error) error {
	if err := byAdministrator(by); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		q, err := tx.DataRequestByID(id)
		if err != nil {
			return err
		}
		a, err := tx.LockApplicant(q.Applicant)
		if err != nil {
			return err
		}
		if q, err = tx.DataRequestByID(id); err != nil { // who else answers it had the lock before
			return err
		}
		if q.Answered != 0 {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("request-answered"))
		}
		q.AnsweredBy = by.Actor.ID
		if err := do(tx, &a, &q); err != nil {
			return err
		}
		return tx.AnswerDataRequest(&q)
	})
}
