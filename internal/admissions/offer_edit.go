package admissions

import (
	"context"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// OfferEdit is what a request changes of the working copy of an offer; nil is left as it is. Texts that are "" are
// cleared. They are in their normal form and within their lengths.
type OfferEdit struct {
	Type                      *int64
	Subject, Comments, Reason *string
	DecisionPolicy            *string
	DecisionDeadline          *admitto.Date // the zero Date lets confirming compute it
}

// EditOffer changes the working copy of an offer (lifecycle.md O3, O4, O11; resources.md 7.3), in any status of the
// application; the applicant sees nothing of it. What is as it was is no change: then nothing is stored or recorded.
//
// Errors: not-found; invalid-parameter for an unknown or archived type (type-archived) and an unknown policy.
func (s *Service) EditOffer(ctx context.Context, by usecase.Caller, application, id int64, edit OfferEdit) error {
	if err := by.Needs(admitto.OffersEdit); err != nil {
		return err
	}
	var former, next admitto.OfferType
	check := func(tx *store.Tx, _ *usecase.LockedApplication, offer *admitto.OfferCase) (err error) {
		if former, err = tx.OfferType(offer.Type); err != nil {
			return err
		}
		next, err = takenType(tx, former, edit.Type)
		if err == nil && edit.DecisionPolicy != nil && !isPolicy(*edit.DecisionPolicy) {
			err = admitto.Refuse(admitto.InvalidParameter, "offer.decision-policy", "", message.Of("no-decision-policy"))
		}
		return err
	}
	return s.changeOffer(ctx, by, application, id, check, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		old := *offer
		edit.apply(offer, &former, &next)
		details := offerDetails(&old, offer)
		if details == nil {
			return nil
		}
		if err := tx.SaveOffer(offer); err != nil {
			return err
		}
		recordOffer(tx, by.Actor, admitto.OfferEdited, &offer.Offer, offer.Type, details...)
		return nil
	})
}

func isPolicy(s string) bool {
	return s == admitto.PolicyNone || s == admitto.PolicyAdvisory || s == admitto.PolicyRequired
}

// takenType reads the type that an offer is given; a type that it has already may be archived.
func takenType(tx *store.Tx, former admitto.OfferType, id *int64) (admitto.OfferType, error) {
	if id == nil || *id == former.ID {
		return former, nil
	}
	next, err := tx.OfferType(*id)
	switch {
	case admitto.KindOf(err) == admitto.NotFound:
		return next, admitto.Refuse(admitto.InvalidParameter, "offer.type", "", message.Of("no-such-offer-type", *id))
	case err == nil && next.Archived:
		return next, admitto.Refuse(admitto.InvalidParameter, "offer.type", "type-archived",
			message.Of("offer-type-archived", next.Title))
	}
	return next, err
}

func (e *OfferEdit) apply(offer *admitto.OfferCase, former, next *admitto.OfferType) {
	if next.ID != former.ID {
		offer.TakeType(former, next)
	}
	for _, text := range []struct{ given, into *string }{{e.Subject, &offer.Subject}, {e.Comments, &offer.Comments},
		{e.DecisionPolicy, &offer.DecisionPolicy}} {
		if text.given != nil {
			*text.into = *text.given
		}
	}
	if e.Reason != nil {
		offer.Reason = next.Reason(*e.Reason)
	}
	if e.DecisionDeadline != nil {
		offer.DecisionDeadline, offer.DeadlineTyped = *e.DecisionDeadline, !e.DecisionDeadline.IsZero()
	}
}

// offerDetails lists what differs between two working copies; nil for nothing.
func offerDetails(old, now *admitto.OfferCase) (details []admitto.Detail) {
	for _, d := range []admitto.Detail{
		{Path: "type", Old: fmt.Sprint(old.Type), New: fmt.Sprint(now.Type)},
		{Path: "subject", Old: old.Subject, New: now.Subject},
		{Path: "comments", Old: old.Comments, New: now.Comments},
		{Path: "reason", Old: old.Reason.Reason, New: now.Reason.Reason},
		{Path: "decision-policy", Old: old.DecisionPolicy, New: now.DecisionPolicy},
		{Path: "decision-deadline", Old: old.DecisionDeadline.String(), New: now.DecisionDeadline.String()},
	} {
		if d.Old != d.New {
			details = append(details, d)
		}
	}
	if details == nil && (old.Reason.ID != now.Reason.ID || old.DeadlineTyped != now.DeadlineTyped) {
		details = []admitto.Detail{}
	}
	return details
}

// recordOffer records an event about an offer that names an offer type.
func recordOffer(tx *store.Tx, actor admitto.Actor, pattern admitto.Pattern, offer *admitto.Offer, offerType int64,
	details ...admitto.Detail) {
	tx.Record(actor, admitto.Event{Pattern: pattern, Bind: []string{fmt.Sprint(offerType)}, Links: offer.Links(),
		Details: details})
}
