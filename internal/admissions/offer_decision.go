package admissions

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// DecisionChange is what staff may say next to the decision itself.
type DecisionChange struct {
	Decision admitto.Decision
	Tell     bool   // the applicant gets a mail; never for changes through the API
	Reason   string // of staff, for the history
}

// SetDecision sets the decision on an offer without looking at anything else (lifecycle.md 4.4, D1): other offers,
// types, deadlines and the status of the application do not matter. Leaving Final releases the binding acceptance.
// Errors: not-found; not-allowed-now for applicants.
func (s *Service) SetDecision(ctx context.Context, by usecase.Caller, application, id int64,
	change DecisionChange) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		if _, err := admitto.DecisionStep(admitto.SetDecision, offer.Decision, by.Actor.Kind); err != nil {
			return err
		}
		if offer.Decision == change.Decision {
			return nil
		}
		was := offer.Decision
		if err := s.put(tx, offer, change.Decision, admitto.ByHand); err != nil {
			return err
		}
		var why []admitto.Detail
		if change.Reason != "" {
			why = []admitto.Detail{{Path: "/reason", New: change.Reason}}
		}
		recordDecision(tx, by.Actor, admitto.OfferDecisionSet, offer, was, why...)
		if !change.Tell {
			return nil
		}
		return s.tellDecision(tx, d, offer)
	})
}

// tellDecision queues the mail about the decision that an offer has now.
func (s *Service) tellDecision(tx *store.Tx, d *usecase.LockedApplication, offer *admitto.OfferCase) error {
	m, err := s.decisionMail(tx, d, offer)
	if err != nil {
		return err
	}
	m.Record, m.Occurrence = offer.ID, strconv.FormatInt(offer.RowVersion+1, 10)
	_, err = s.notify.Queue(tx, *m)
	return err
}

// decisionMail is the mail about the decision that an offer has.
func (s *Service) decisionMail(tx *store.Tx, d *usecase.LockedApplication,
	offer *admitto.OfferCase) (*notify.OutgoingMail, error) {
	values, err := s.OfferMarkers(tx, d, &offer.Offer)
	if err != nil {
		return nil, err
	}
	values[mail.OfferDecision] = DecisionMarker(offer.Decision, offer.Origin)
	return &notify.OutgoingMail{Template: mail.KindOfferDecisionConfirmation, Applicant: &d.Applicant, Application: d.ID,
		Values: values}, nil
}

// DecisionMarker is how a mail says what the answer to an offer is.
func DecisionMarker(decision admitto.Decision, origin admitto.DecisionOrigin) message.Text {
	switch {
	case decision == admitto.DecisionFinal:
		return message.Of("mail-offer-accepted")
	case decision == admitto.DecisionDeclined && origin == admitto.DeadlinePassed:
		return message.Of("mail-offer-missed")
	case decision == admitto.DecisionDeclined:
		return message.Of("mail-offer-declined")
	}
	return message.Of("mail-offer-unanswered")
}

// SetExtraScore sets the extra score of an offer, nil clears it (lifecycle.md O10). Errors: not-found.
func (s *Service) SetExtraScore(ctx context.Context, by usecase.Caller, application, id int64,
	score *admitto.Hundredths) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	return s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, _ *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		return putExtraScore(tx, by.Actor, offer, score)
	})
}

// ClearExtraScore takes the extra score of an offer away; not-found also when there is none (resources.md 0.5).
func (s *Service) ClearExtraScore(ctx context.Context, by usecase.Caller, application, id int64) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	some := func(_ *store.Tx, _ *usecase.LockedApplication, offer *admitto.OfferCase) error {
		if offer.ScoreExtra == nil {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		return nil
	}
	return s.changeOffer(ctx, by, application, id, some, func(tx *store.Tx, _ *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		return putExtraScore(tx, by.Actor, offer, nil)
	})
}

func putExtraScore(tx *store.Tx, actor admitto.Actor, offer *admitto.OfferCase, score *admitto.Hundredths) error {
	show := func(h *admitto.Hundredths) string {
		if h == nil {
			return ""
		}
		return h.String()
	}
	if show(offer.ScoreExtra) == show(score) {
		return nil
	}
	if err := tx.SetOfferScoreExtra(offer.ID, score); err != nil {
		return err
	}
	pattern := admitto.OfferExtraScoreSet
	if score == nil {
		pattern = admitto.OfferExtraScoreCleared
	}
	tx.Record(actor, admitto.Event{Pattern: pattern, Links: offer.Links(),
		Details: []admitto.Detail{{Path: "score/extra", Old: show(offer.ScoreExtra), New: show(score)}}})
	return nil
}
