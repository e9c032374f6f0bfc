package admissions

import (
	"context"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Matriculate returns the applicant of an offer a matriculation number, by staff (lifecycle.md 4.4): the number as
// typed, or, for "", the next one of the setting matriculation.format, which are counted without gaps. The offer must
// be Final, or its confirmed type In quota. Of an applicant who has a number already, "" takes no other. Statuses stay.
// It returns the number that the applicant has then.
//
// Errors: not-found; invalid-parameter (matriculation) for a number of another form; not-allowed-now
// (offer-not-accepted), and (matriculation-format-missing) when the next number is asked for without a format.
func (s *Service) Matriculate(ctx context.Context, by usecase.Caller, application, id int64,
	number string) (given string, err error) {
	if err := by.Needs(admitto.MatriculationEdit); err != nil {
		return given, err
	}
	check := func(*store.Tx, *usecase.LockedApplication, *admitto.OfferCase) error {
		if number != "" && !s.core.Settings().Applicants.MatriculationPattern.MatchString(number) {
			return admitto.Refuse(admitto.InvalidParameter, "applicant.matriculation", "",
				message.Of("matriculation-form", text.Quote(number), s.core.Settings().Applicants.MatriculationPattern.String()))
		}
		return nil
	}
	err = s.changeOffer(ctx, by, application, id, check, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		if err := acceptedOffer(tx, offer); err != nil {
			return err
		}
		old := d.Applicant.Matriculation
		if given = number; given == "" {
			given = old
		}
		if given == "" {
			if given, err = s.nextMatriculation(tx); err != nil {
				return err
			}
		}
		if given == old {
			return nil
		}
		if err := tx.SetMatriculation(d.Applicant.ID, given); err != nil {
			return err
		}
		links := admitto.Links{Applicant: d.Applicant.ID, Offer: offer.ID}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantMatriculationSet, Links: links,
			Details: []admitto.Detail{{Path: "matriculation", Old: old, New: given}}})
		return nil
	})
	return given, err
}

// acceptedOffer demands an offer that is Final, or whose confirmed type is In quota.
func acceptedOffer(tx *store.Tx, offer *admitto.OfferCase) error {
	if offer.Decision == admitto.DecisionFinal {
		return nil
	}
	if offer.TypeConfirmed != 0 {
		kind, err := tx.OfferType(offer.TypeConfirmed)
		if err != nil || kind.Ranking == admitto.RankedInQuota {
			return err
		}
	}
	return notNow([]admitto.Fault{{Code: "offer-not-accepted", Text: message.Of("offer-not-accepted")}})
}

// nextMatriculation takes the next number of the format.
func (s *Service) nextMatriculation(tx *store.Tx) (string, error) {
	if s.core.Settings().Matriculation.Format == "" {
		return "", notNow([]admitto.Fault{{Code: "matriculation-format-missing",
			Text: message.Of("matriculation-format-missing")}})
	}
	format, err := admitto.ParseNumberFormat(s.core.Settings().Matriculation.Format)
	if err != nil {
		return "", fmt.Errorf("matriculation.format: %w", err)
	}
	day := s.core.Today(tx)
	n, err := tx.NextMatriculation(format.Period(day))
	if err != nil {
		return "", err
	}
	return format.Number(day, n), nil
}
