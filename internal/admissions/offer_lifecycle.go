package admissions

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// changeOffer runs a change of an offer in a write transaction: applicant, application and offer are locked and the
// faults of the given values are told before the caller's condition is asked. check may be nil. Not-found without the
// application, or when the offer is not one of it.
func (s *Service) changeOffer(ctx context.Context, by usecase.Caller, application, id int64,
	check, change func(*store.Tx, *usecase.LockedApplication, *admitto.OfferCase) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		offer, err := tx.LockOffer(application, id)
		if err != nil {
			return err
		}
		if check != nil {
			if err := check(tx, d, &offer); err != nil {
				return err
			}
		}
		if err := by.Sees(offer.RowVersion); err != nil {
			return err
		}
		return change(tx, d, &offer)
	})
}

// createOffers makes the offer of every submitted course, or takes the one that was there before (lifecycle.md O1, O2).
// The courses are all those of the application: an offer whose course is not among them was removed and is declined
// until it comes back.
func (s *Service) createOffers(tx *store.Tx, d *usecase.LockedApplication, courses []admitto.ApplicationCourse) error {
	offers, err := tx.LockOffersOf(d.ID)
	if err != nil {
		return err
	}
	for i := range courses {
		c := &courses[i]
		at := slices.IndexFunc(offers, func(old admitto.OfferCase) bool { return old.Course == c.Course })
		if at < 0 {
			err = s.createOffer(tx, d, c)
		} else {
			err = s.placeAgain(tx, d, &offers[at], c)
		}
		if err != nil {
			return err
		}
	}
	for i := range offers {
		old := &offers[i]
		gone := !slices.ContainsFunc(courses, func(c admitto.ApplicationCourse) bool { return c.Course == old.Course })
		if gone && old.Decision != admitto.DecisionDeclined {
			if err := s.decide(tx, d.Actor, old, admitto.DecisionDeclined, admitto.CourseWasGone); err != nil {
				return err
			}
		}
	}
	return s.scoring.RecalculateScores(tx, d.System(), d.ID)
}

func (s *Service) createOffer(tx *store.Tx, d *usecase.LockedApplication, c *admitto.ApplicationCourse) error {
	intake, err := intakeOf(tx, c.Intake)
	if err != nil {
		return err
	}
	offer := admitto.Offer{Application: d.ID, Applicant: d.Applicant.ID, Course: c.Course, Institution: c.Institution,
		Intake:   c.Intake,
		Priority: c.Priority, Inserted: tx.Now(), Type: admitto.InitialOfferType, Decision: admitto.DecisionNone}
	offer.DecisionPolicy, offer.DecisionDeadline = admitto.ProposedDeadline(intake, s.core.Today(tx))
	if offer.ID, err = tx.InsertOffer(&offer); err != nil {
		return err
	}
	tx.Record(d.System(), admitto.Event{Pattern: admitto.OfferCreated, Links: offer.Links()})
	return nil
}

// placeAgain copies what an offer has of its course, and takes back that the course was removed.
func (s *Service) placeAgain(tx *store.Tx, d *usecase.LockedApplication, old *admitto.OfferCase,
	c *admitto.ApplicationCourse) error {
	if old.Priority != c.Priority || old.Intake != c.Intake {
		if err := tx.PlaceOffer(old.ID, c.Priority, c.Intake); err != nil {
			return err
		}
	}
	if old.Origin != admitto.CourseWasGone {
		return nil
	}
	return s.decide(tx, d.Actor, old, admitto.DecisionNone, admitto.ByHand)
}

// intakeOf reads an intake; nil for none.
func intakeOf(tx *store.Tx, id int64) (*admitto.Intake, error) {
	if id == 0 {
		return nil, nil
	}
	intake, err := tx.Intake(id)
	return &intake, err
}

// put stores a decision with its origin. Whatever a withdrawal remembered is forgotten with it, and leaving Final
// releases the binding acceptance.
func (s *Service) put(tx *store.Tx, offer *admitto.OfferCase, decision admitto.Decision,
	origin admitto.DecisionOrigin) error {
	was := offer.Decision
	offer.Decision, offer.Decided, offer.Origin, offer.Late = decision, tx.Now(), origin, false
	offer.DecisionBefore, offer.DecidedBefore, offer.Declining = "", 0, admitto.Declining{}
	if decision == admitto.DecisionNone {
		offer.Decided = 0
	}
	if err := tx.SetOfferDecision(offer); err != nil {
		return err
	}
	if was == admitto.DecisionFinal {
		return tx.ReleaseBinding(offer.ID)
	}
	return nil
}

// decide stores a decision and records it.
func (s *Service) decide(tx *store.Tx, actor admitto.Actor, offer *admitto.OfferCase, decision admitto.Decision,
	origin admitto.DecisionOrigin) error {
	was := offer.Decision
	if err := s.put(tx, offer, decision, origin); err != nil {
		return err
	}
	recordDecision(tx, actor, admitto.OfferDecisionSet, offer, was)
	return nil
}

func recordDecision(tx *store.Tx, actor admitto.Actor, pattern admitto.Pattern, offer *admitto.OfferCase,
	was admitto.Decision, why ...admitto.Detail) {
	tx.Record(actor, admitto.Event{Pattern: pattern, Bind: []string{string(offer.Decision)}, Links: offer.Links(),
		Details: append([]admitto.Detail{{Path: "decision", Old: string(was), New: string(offer.Decision)}}, why...)})
}

// declineAllOffers declines what is not declined yet, since the application is withdrawn, and remembers the old
// decisions; an applicant may have said why (lifecycle.md T10).
func (s *Service) declineAllOffers(tx *store.Tx, d *usecase.LockedApplication, why admitto.Declining) error {
	offers, err := tx.LockOffersOf(d.ID)
	if err != nil {
		return err
	}
	for i := range offers {
		offer := &offers[i]
		was, decided := offer.Decision, offer.Decided
		if was == admitto.DecisionDeclined {
			continue
		}
		offer.Decision, offer.Decided, offer.Origin = admitto.DecisionDeclined, tx.Now(), admitto.WithWithdrawal
		offer.DecisionBefore, offer.DecidedBefore, offer.Declining = was, decided, why
		if err := tx.SetOfferDecision(offer); err != nil {
			return err
		}
		if err := tx.ReleaseBinding(offer.ID); err != nil {
			return err
		}
		recordDecision(tx, d.Actor, admitto.OfferDecisionSet, offer, was)
	}
	return nil
}

// restoreDecisions brings back what declineAllOffers remembered (lifecycle.md T11). A Final stays declined when the
// applicant has accepted another binding offer of the term meanwhile; kept are the IDs of these.
func (s *Service) restoreDecisions(tx *store.Tx, d *usecase.LockedApplication) (kept []int64, err error) {
	offers, err := tx.LockOffersInTerm(d.Applicant.ID, d.Term)
	if err != nil {
		return nil, err
	}
	holder, binding, err := bindingOffer(tx, offers, 0)
	if err != nil {
		return nil, err
	}
	for i := range offers {
		offer := &offers[i]
		if offer.Application != d.ID || offer.DecisionBefore == "" {
			continue
		}
		final := offer.DecisionBefore == admitto.DecisionFinal
		if final && holder != nil {
			kept = append(kept, offer.ID)
			offer.DecisionBefore, offer.DecidedBefore = "", 0
		} else {
			offer.Decision, offer.Decided, offer.Origin = offer.DecisionBefore, offer.DecidedBefore, admitto.ByHand
			offer.DecisionBefore, offer.DecidedBefore, offer.Declining = "", 0, admitto.Declining{}
		}
		if err := tx.SetOfferDecision(offer); err != nil {
			return nil, err
		}
		if offer.Decision == admitto.DecisionFinal && binding[offer.TypeConfirmed] {
			if _, err := tx.ClaimBinding(offer.Applicant, d.Term, offer.ID); err != nil {
				return nil, err
			}
		}
	}
	return kept, nil
}

// bindingOffer finds among the offers of an applicant in a term one that is Final under a confirmed type that
// declines all others, no matter who set it; except is left out. It returns as well which types do that.
func bindingOffer(tx *store.Tx, offers []admitto.OfferCase, except int64) (holder *admitto.OfferCase,
	binding map[int64]bool, err error) {
	types, err := tx.OfferTypes()
	if err != nil {
		return nil, nil, err
	}
	binding = map[int64]bool{}
	for i := range types {
		binding[types[i].ID] = types[i].Decline
	}
	for i := range offers {
		if f := &offers[i]; f.ID != except && f.Decision == admitto.DecisionFinal && binding[f.TypeConfirmed] &&
			holder == nil {
			holder = f
		}
	}
	return holder, binding, nil
}
