package admissions

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

// AnswerOffer takes the answer of the applicant, Final or Declined, to an offer (lifecycle.md 4.4, D2 and D3). All
// guards that fail are told together. Accepting an offer whose confirmed type declines all others is binding (B1):
// one acceptance of an applicant in a term, and every other offer of the term becomes Declined. The applicant gets a
// mail. Answering what is the answer already changes nothing. Who declines may say why.
//
// Errors: not-found, also for an application of somebody else; invalid-parameter for a reason that is not among the
// codes of its class, or in more than 500 characters; not-allowed-now with the codes of G9 and offer-unconfirmed,
// type-without-decision, decision-deadline-passed, decision-final, binding-accepted.
func (s *Service) AnswerOffer(ctx context.Context, by usecase.Caller, application, id int64,
	answer admitto.Decision, why admitto.Declining) error {
	if err := by.NeedsOrApplicant(admitto.OffersEdit); err != nil {
		return err
	}
	event := admitto.AcceptOffer
	if answer == admitto.DecisionDeclined {
		event = admitto.DeclineOffer
	}
	return s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		if offer.Decision == answer && by.Actor.Kind == admitto.ByApplicant {
			return nil
		}
		step, err := admitto.DecisionStep(event, offer.Decision, by.Actor.Kind)
		if err != nil {
			return err
		}
		a := answering{service: s, d: d, offer: offer, buffer: s.core.Settings().Offers.DecisionBufferHours}
		if err := a.load(tx); err != nil {
			return err
		}
		if err := a.ask(tx, step.Guards); err != nil {
			return err
		}
		if answer != admitto.DecisionDeclined {
			why = admitto.Declining{}
		}
		why, said, err := checkDeclining(tx, why)
		if err != nil {
			return err
		}
		return a.save(tx, answer, why, said)
	})
}

// mostDeclining is how many characters an applicant may say of why.
const mostDeclining = 500

// checkDeclining checks why an applicant declines, and says it: the title of the reason, own words after a colon.
func checkDeclining(tx *store.Tx, why admitto.Declining) (checked admitto.Declining, said string, err error) {
	if why.Words, err = text.Multiline(why.Words, 0, mostDeclining); err != nil {
		return why, "", admitto.Refuse(admitto.InvalidParameter, "offer.decline-reason", "", message.From(err))
	}
	if why.Class == "" {
		return why, why.Words, nil
	}
	classes, err := tx.Classificators()
	if err != nil {
		return why, "", err
	}
	title := ""
	for i := range classes {
		for _, c := range classes[i].Codes {
			if classes[i].Class == admitto.DeclineReasons && c.Code == why.Class && !c.Off {
				title = c.Title
			}
		}
	}
	if title == "" {
		return why, "", admitto.Refuse(admitto.InvalidParameter, "offer.decline-class", "", message.Of("choose-one"))
	}
	return why, why.Say(title), nil
}

// DeclineUnanswered declines an offer that was not answered by its Required deadline (lifecycle.md 4.4, D4); the rule
// that asks for it was switched on and its list released. Errors: not-found; not-allowed-now with the codes of G9 and
// offer-unconfirmed, type-without-decision, decision-deadline-open.
func (s *Service) DeclineUnanswered(ctx context.Context, by usecase.Caller, application, id int64) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		if err := s.mayMiss(tx, d, offer, s.core.Settings().Offers.DecisionBufferHours); err != nil {
			return err
		}
		if err := s.put(tx, offer, admitto.DecisionDeclined, admitto.DeadlinePassed); err != nil {
			return err
		}
		recordDecision(tx, by.Actor, admitto.OfferDecisionSet, offer, admitto.DecisionNone,
			admitto.Detail{Path: "/reason", New: message.Of("no-answer-by", offer.DecisionDeadline).String()})
		return s.tellDecision(tx, d, offer)
	})
}

// mayMiss refuses what speaks against declining an offer for want of an answer, all of it, so many hours behind its
// deadline.
func (s *Service) mayMiss(tx *store.Tx, d *usecase.LockedApplication, offer *admitto.OfferCase, hours int) error {
	step, err := admitto.DecisionStep(admitto.MissDeadline, offer.Decision, d.Actor.Kind)
	if err != nil {
		return err
	}
	a := answering{service: s, d: d, offer: offer, buffer: hours}
	if err := a.loadSent(tx); err != nil {
		return err
	}
	return a.ask(tx, step.Guards)
}

// Unanswered is an offer that DeclineUnanswered would decline, and the mail that it would send.
type Unanswered struct {
	admitto.OfferCase
	Letter notify.Written
}

// Unanswered finds offers above an ID that DeclineUnanswered may decline, so many hours behind their deadlines.
func (s *Service) Unanswered(tx *store.Tx, after int64, hours int) ([]store.Candidate, error) {
	return tx.Unanswered(after, s.core.DayOf(tx.Now()-admitto.Time(hours)*admitto.Hour), s.core.Today(tx))
}

// LookUnanswered looks at an offer that nobody has answered so many hours behind its deadline, for a mail that is dated
// then. It changes nothing. Errors are those of DeclineUnanswered.
func (s *Service) LookUnanswered(tx *store.Tx, by usecase.Caller, id int64, hours int,
	then admitto.Time) (u Unanswered, err error) {
	if u.OfferCase, err = tx.OfferCaseByID(id); err != nil {
		return u, err
	}
	a := Ahead{By: by, Application: u.Application, Then: then}
	u.Letter, err = s.mailAhead(tx, a, func(d *usecase.LockedApplication) (*notify.OutgoingMail, error) {
		if err := s.mayMiss(tx, d, &u.OfferCase, hours); err != nil {
			return nil, err
		}
		declined := u.OfferCase
		declined.Decision, declined.Origin = admitto.DecisionDeclined, admitto.DeadlinePassed
		return s.decisionMail(tx, d, &declined)
	})
	return u, err
}

// answering is an answer to an offer with everything that its guards look at.
type answering struct {
	service *Service
	d       *usecase.LockedApplication
	offer   *admitto.OfferCase
	buffer  int                 // hours behind a deadline in which an answer is still taken
	others  []admitto.OfferCase // all offers of the applicant in the term
	holder  *admitto.OfferCase  // the binding acceptance among them, of another offer
	sent    admitto.OfferType   // the confirmed type; none before a confirmation
	letter  admitto.Confirmation
	faults  []admitto.Fault
}

func (a *answering) load(tx *store.Tx) (err error) {
	if a.others, err = tx.LockOffersInTerm(a.d.Applicant.ID, a.d.Term); err != nil {
		return err
	}
	if a.holder, _, err = bindingOffer(tx, a.others, a.offer.ID); err != nil {
		return err
	}
	return a.loadSent(tx)
}

// loadSent reads the type that was confirmed, and the letter.
func (a *answering) loadSent(tx *store.Tx) (err error) {
	if a.offer.Confirmed == 0 {
		return nil
	}
	if a.sent, err = tx.OfferType(a.offer.TypeConfirmed); err == nil {
		a.letter, err = tx.LastLetter(a.offer)
	}
	return err
}

func (a *answering) fault(code string, text message.Text) {
	a.faults = append(a.faults, admitto.Fault{Code: code, Text: text})
}

// ask tells all guards that fail, together.
func (a *answering) ask(tx *store.Tx, guards []admitto.DecisionGuard) error {
	for _, g := range guards {
		if err := a.guard(tx, g); err != nil {
			return err
		}
	}
	return notNow(a.faults)
}

func (a *answering) guard(tx *store.Tx, g admitto.DecisionGuard) error {
	zone, required := a.service.core.Settings().Instance.Timezone, a.offer.DecisionPolicy == admitto.PolicyRequired
	over := a.offer.DeadlineOver(tx.Now(), zone, a.buffer)
	switch g {
	case admitto.GuardConfirmed:
		switch {
		case a.offer.Confirmed == 0:
			a.fault("offer-unconfirmed", message.Of("no-letter-to-answer"))
		case !a.sent.Decide:
			a.fault("type-without-decision", message.Of("letter-without-question"))
		}
	case admitto.GuardOpen:
		faults, err := a.service.ClosedFaults(tx, a.d)
		a.faults = append(a.faults, faults...)
		return err
	case admitto.GuardInTime:
		if a.letter.Policy == admitto.PolicyRequired && a.letter.DeadlineOver(tx.Now(), zone, a.buffer) &&
			a.offer.Decision != admitto.DecisionFinal { // what was accepted can be given back
			a.fault("decision-deadline-passed", message.Of("answer-time-over", a.letter.Deadline))
		}
	case admitto.GuardNotStrict:
		if a.offer.Decision == admitto.DecisionDeclined && a.sent.StrictDeclined {
			a.fault("decision-final", message.Of("declined-for-good"))
		}
	case admitto.GuardBinding:
		if a.holder != nil { // whether this one is binding itself or not
			return a.bindingFault(tx)
		}
	case admitto.GuardDeadlineIsOut:
		if !required || !over {
			a.fault("decision-deadline-open", message.Of("answer-time-open"))
		}
	case admitto.GuardNamed:
		if !required || !over {
			break // GuardDeadlineIsOut has said so
		}
		if !a.deadlineNamed() {
			a.fault("decision-deadline-open", message.Of("deadline-unsaid"))
		}
	}
	return nil
}

// deadlineNamed reports whether the last letter said the deadline that counts now.
func (a *answering) deadlineNamed() bool {
	last := &a.letter
	if last.ID == 0 || last.Policy != admitto.PolicyRequired || last.Deadline != a.offer.DecisionDeadline {
		return false // with ID 0 nobody knows what was in it
	}
	return mail.NamesDay(last.Subject, last.Deadline) || mail.NamesDay(last.Body, last.Deadline)
}

// bindingFault names the offer that stands in the way, and the way out.
func (a *answering) bindingFault(tx *store.Tx) error {
	courses, err := tx.CourseNames([]int64{a.holder.Course})
	if err != nil {
		return err
	}
	course := named(courses[a.holder.Course].Name, courses[a.holder.Course].Names)
	intake, err := intakeOf(tx, a.holder.Intake)
	if err != nil {
		return err
	}
	when := message.Time{At: a.holder.Decided.Std().In(a.service.core.Settings().Instance.Timezone),
		Layout: admitto.LongDay + ", 15:04 MST"}
	if intake == nil {
		a.fault("binding-accepted", message.Of("bound-by-offer", course, when))
	} else {
		a.fault("binding-accepted", message.Of("bound-by-offer-in", course, named(intake.Name, intake.Versions), when))
	}
	return nil
}

// save stores the answer, records it, declines the others after a binding acceptance, and tells the applicant.
func (a *answering) save(tx *store.Tx, answer admitto.Decision, why admitto.Declining, said string) error {
	o, offer, was := a.service, a.offer, a.offer.Decision
	late := a.letter.Policy == admitto.PolicyAdvisory && a.letter.DeadlineOver(tx.Now(),
		o.core.Settings().Instance.Timezone, 0)
	if err := o.put(tx, offer, answer, admitto.ByHand); err != nil {
		return err
	}
	if late || why != (admitto.Declining{}) {
		offer.Late, offer.Declining = late, why
		if err := tx.SetOfferDecision(offer); err != nil {
			return err
		}
	}
	var details []admitto.Detail
	if said != "" {
		details = append(details, admitto.Detail{Path: "/reason", New: said})
	}
	recordDecision(tx, a.d.Actor, admitto.ApplicantDecision, offer, was, details...)
	if answer == admitto.DecisionFinal && a.sent.Decline {
		free, err := tx.ClaimBinding(offer.Applicant, a.d.Term, offer.ID)
		if err != nil {
			return err
		}
		if !free {
			return notNow([]admitto.Fault{{Code: "binding-accepted", Text: message.Of("bound-by-other-offer")}})
		}
		for i := range a.others {
			other := &a.others[i]
			if other.ID == offer.ID || other.Decision == admitto.DecisionDeclined {
				continue
			}
			if err := o.decide(tx, a.d.Actor, other, admitto.DecisionDeclined, admitto.OtherAccepted); err != nil {
				return err
			}
		}
	}
	return o.tellDecision(tx, a.d, offer)
}
