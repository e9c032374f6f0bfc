package query

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Consents lists all consents by ascending ID, those not asked for any more among them (resources.md 4).
func (s *Service) Consents(ctx context.Context, by admitto.Caller) (list []admitto.Consent, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.Consents()
		return err
	})
	return list, err
}

// Consent reads one consent, or answers NotFound.
func (s *Service) Consent(ctx context.Context, by admitto.Caller, id int64) (c admitto.Consent, err error) {
	if err := by.SignedIn(); err != nil {
		return c, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		c, err = tx.Consent(id)
		return err
	})
	return c, err
}

// Flags lists all flags by ascending ID (resources.md 6.1).
func (s *Service) Flags(ctx context.Context, by admitto.Caller) (list []admitto.Flag, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.Flags()
		return err
	})
	return list, err
}

// Flag reads one flag, or answers NotFound.
func (s *Service) Flag(ctx context.Context, by admitto.Caller, id int64) (f admitto.Flag, err error) {
	if err := by.Staff(); err != nil {
		return f, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		f, err = tx.Flag(id)
		return err
	})
	return f, err
}

// StatusTexts lists how the application statuses are shown, in their order (resources.md 6.2).
func (s *Service) StatusTexts(ctx context.Context, by admitto.Caller) (list []admitto.StatusText, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.StatusTexts()
		return err
	})
	return list, err
}

// OfferTypes lists all offer types by ascending ID, archived ones among them (resources.md 6.3).
func (s *Service) OfferTypes(ctx context.Context, by admitto.Caller) (list []admitto.OfferType, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.OfferTypes()
		return err
	})
	return list, err
}

// OfferType reads one offer type, or answers NotFound.
func (s *Service) OfferType(ctx context.Context, by admitto.Caller, id int64) (t admitto.OfferType, err error) {
	if err := by.Staff(); err != nil {
		return t, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, err = tx.OfferType(id)
		return err
	})
	return t, err
}

// Administrators lists the members of staff by ascending ID, suspended ones among them, removed ones not
// (resources.md 22).
func (s *Service) Administrators(ctx context.Context, by admitto.Caller) (list []admitto.Administrator, err error) {
	if err := by.Staff(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = tx.Administrators()
		return err
	})
	return list, err
}

// Administrator reads one member of staff; not-found when removed.
func (s *Service) Administrator(ctx context.Context, by admitto.Caller, id int64) (a admitto.Administrator, err error) {
	if err := by.Staff(); err != nil {
		return a, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err = tx.Administrator(id)
		return err
	})
	return a, err
}

// The numbers of the classes that are computed from the institutions (resources.md 18).
const (
	homeInstitutions = 27
	hostInstitutions = 28
)

// Classificators lists all classes in order, the two that are computed from the institutions in their places
// (resources.md 18). Codes that are switched off are among them.
func (s *Service) Classificators(ctx context.Context, by admitto.Caller) (list []admitto.Classificator, err error) {
	if err := by.SignedIn(); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err = ReadClassificators(tx)
		return err
	})
	return list, err
}

func ReadClassificators(tx *store.Tx) (list []admitto.Classificator, err error) {
	if list, err = tx.Classificators(); err != nil {
		return nil, err
	}
	for _, computed := range []struct {
		number      int
		class, mode string
	}{{homeInstitutions, "Home institution", "External"}, {hostInstitutions, "Host institution", "Internal"}} {
		institutions, err := tx.Institutions(admitto.InstitutionQuery{Statuses: []string{"Online"}, Modes: []string{computed.mode}})
		if err != nil {
			return nil, err
		}
		list = withInstitutions(list, computed.number, computed.class, institutions)
	}
	return list, nil
}

// withInstitutions puts the codes of institutions before the stored ones of a class, which comes to be when
// it has none stored. A code stands once: institutions that share an Erasmus code go by the one with the
// lowest ID, so that the code keeps its meaning when others come and go.
func withInstitutions(list []admitto.Classificator, number int, class string, institutions []admitto.Institution) []admitto.Classificator {
	at := slices.IndexFunc(list, func(c admitto.Classificator) bool { return c.Class == class })
	if at < 0 {
		at = min(number-1, len(list))
		list = slices.Insert(list, at, admitto.Classificator{Class: class})
	}
	stored, seen := list[at].Codes, map[string]bool{}
	for _, c := range stored {
		seen[c.Code] = true
	}
	var codes []admitto.ClassificatorCode
	for _, i := range institutions {
		code := i.Erasmus
		if code == "" {
			code = strconv.FormatInt(i.ID, 10)
		}
		if !seen[code] {
			seen[code] = true
			codes = append(codes, admitto.ClassificatorCode{Code: code, Title: i.Name})
		}
	}
	list[at].Codes = append(codes, stored...)
	return list
}
