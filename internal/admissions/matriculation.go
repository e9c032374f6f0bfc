package admissions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Matriculation is what staff say of the matriculation number of the applicant of an offer.
type Matriculation struct {
	Number string // as typed; "": the next one of the setting matriculation.format
	Again  bool   // the next one replaces a number that the applicant has
	Reason string // why a number is replaced
	Type   int64  // of a letter that is confirmed with it; 0: none
}

// Matriculate gives the applicant of an offer a matriculation number, by staff (lifecycle.md 4.4): the number as
// typed, or, for "", the next one of the setting matriculation.format, which are counted without gaps. The offer must
// be Final, or its confirmed type In quota. Of an applicant who has a number already, "" takes no other unless it is to
// be taken again; replacing one needs a reason. Statuses stay, but for a letter that is confirmed in the same
// transaction. It returns the number that the applicant has then.
//
// Errors: not-found; invalid-parameter (matriculation) for a number of another form, and (reason) without a reason;
// not-allowed-now (offer-not-accepted), (matriculation-format-missing) when the next number is asked for without a
// format, and those of ConfirmOffer.
func (s *Service) Matriculate(ctx context.Context, by usecase.Caller, application, id int64,
	in Matriculation) (given string, err error) {
	if err := by.Needs(admitto.MatriculationEdit); err != nil {
		return given, err
	}
	if err := s.matriculationForm(in.Number); err != nil {
		return given, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) (err error) {
		part := s.Within(tx)
		if given, err = part.matriculate(ctx, by, application, id, &in); err != nil || in.Type == 0 {
			return err
		}
		seen := by
		seen.Version = 0 // it was compared
		if err := part.EditOffer(ctx, seen, application, id, OfferEdit{Type: &in.Type}); err != nil {
			return err
		}
		return part.ConfirmOffer(ctx, seen, application, id, false)
	})
	return given, err
}

// matriculationForm refuses a number of another form than that of the setting; "" is none.
func (s *Service) matriculationForm(number string) error {
	pattern := s.core.Settings().Applicants.MatriculationPattern
	if number == "" || pattern.MatchString(number) {
		return nil
	}
	return admitto.Refuse(admitto.InvalidParameter, "applicant.matriculation", "",
		message.Of("matriculation-form", text.Quote(number), pattern.String()))
}

func (s *Service) matriculate(ctx context.Context, by usecase.Caller, application, id int64,
	in *Matriculation) (given string, err error) {
	err = s.changeOffer(ctx, by, application, id, nil, func(tx *store.Tx, d *usecase.LockedApplication,
		offer *admitto.OfferCase) error {
		if err := acceptedOffer(tx, offer); err != nil {
			return err
		}
		old := d.Applicant.Matriculation
		if given = in.Number; given == "" && !in.Again {
			given = old
		}
		if old != "" && given != old && strings.TrimSpace(in.Reason) == "" {
			return admitto.Refuse(admitto.InvalidParameter, "application.reason", "", message.Of("reason-required"))
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
		details := []admitto.Detail{{Path: "matriculation", Old: old, New: given}}
		if in.Reason != "" {
			details = append(details, admitto.Detail{Path: "/reason", New: in.Reason})
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantMatriculationSet, Details: details,
			Links: admitto.Links{Applicant: d.Applicant.ID, Offer: offer.ID}})
		return nil
	})
	return given, err
}

// MatriculationNow is how things stand before a matriculation.
type MatriculationNow struct {
	Faults []admitto.Fault // why the offer does not allow it
	Old    string          // the number that the applicant has
	Next   string          // what the next number would be by now; "" without a format
}

// MatriculationNow reads what Matriculate would find. Errors: not-found.
func (s *Service) MatriculationNow(ctx context.Context, by usecase.Caller, application,
	id int64) (now MatriculationNow, err error) {
	if err := by.Needs(admitto.MatriculationEdit); err != nil {
		return now, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		now = MatriculationNow{}
		_, applicant, err := tx.ApplicationCase(application)
		if err != nil {
			return err
		}
		offer, err := tx.OfferCase(application, id)
		if err != nil {
			return err
		}
		now.Old = applicant.Matriculation
		if err := acceptedOffer(tx, &offer); err != nil {
			if now.Faults = faultsIn(err); now.Faults == nil {
				return err
			}
		}
		format, set, err := s.matriculationFormat()
		if err != nil || !set {
			return err
		}
		day := s.core.Today(tx)
		last, err := tx.LastMatriculation(format.Period(day))
		now.Next = format.Number(day, last+1)
		return err
	})
	return now, err
}

// MatriculatedAs returns the applicants, but one, who have a matriculation number. Errors: invalid-parameter for a
// number of another form.
func (s *Service) MatriculatedAs(ctx context.Context, by usecase.Caller, number string, but int64) (ids []int64,
	err error) {
	if err := by.Needs(admitto.MatriculationEdit); err != nil {
		return nil, err
	}
	if err := s.matriculationForm(number); err != nil || number == "" {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		ids, err = tx.ApplicantsByMatriculation(number)
		ids = slices.DeleteFunc(ids, func(id int64) bool { return id == but })
		return err
	})
	return ids, err
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

// matriculationFormat reads the setting; set is false without one.
func (s *Service) matriculationFormat() (format admitto.NumberFormat, set bool, err error) {
	text := s.core.Settings().Matriculation.Format
	if text == "" {
		return format, false, nil
	}
	if format, err = admitto.ParseNumberFormat(text); err != nil {
		err = fmt.Errorf("matriculation.format: %w", err)
	}
	return format, true, err
}

// nextMatriculation takes the next number of the format.
func (s *Service) nextMatriculation(tx *store.Tx) (string, error) {
	format, set, err := s.matriculationFormat()
	if err != nil {
		return "", err
	}
	if !set {
		return "", notNow([]admitto.Fault{noMatriculationFormat()})
	}
	day := s.core.Today(tx)
	n, err := tx.NextMatriculation(format.Period(day))
	if err != nil {
		return "", err
	}
	return format.Number(day, n), nil
}

func noMatriculationFormat() admitto.Fault {
	return admitto.Fault{Code: "matriculation-format-missing", Text: message.Of("matriculation-format-missing")}
}
