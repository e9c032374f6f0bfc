package accounts

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// Preferences are how an administrator likes the pages.
type Preferences struct {
	Language  string // "": as the browser says
	Scheme    string // "", "light" or "dark"
	Density   string // "" or "comfortable"
	Shortcuts bool
	Term      int64 // 0: none was chosen
}

// StaffMember is an administrator who may sign in, as pages need to know them.
type StaffMember struct {
	admitto.Administrator // with roles and what each permits
	Permissions           admitto.Permissions
	Preferences           Preferences
	HasSecondFactor       bool
	NeedsSecondFactor     bool // has none, and the instance requires one
	ValidUntil            admitto.Date
	LastSignIn            admitto.Time
	RowVersion            int64
}

// StaffMember reads who is signed in. Not-found: there is no such administrator, or they may not sign in (any more).
func (s *Service) StaffMember(ctx context.Context, id int64) (m StaffMember, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err := tx.StaffAccount(id)
		if err != nil {
			return err
		}
		if s.barred(tx, &a) != "" {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		m, err = s.member(tx, &a)
		return err
	})
	return m, err
}

// barred says why an administrator may not sign in, "" when they may.
func (s *Service) barred(tx *store.Tx, a *store.StaffAccount) admitto.LoginResult {
	switch {
	case a.Suspended:
		return admitto.LoginBlocked
	case !a.ValidUntil.IsZero() && a.ValidUntil.Before(s.core.Today(tx)):
		return admitto.LoginExpired
	}
	return ""
}

func (s *Service) member(tx *store.Tx, a *store.StaffAccount) (m StaffMember, err error) {
	m = StaffMember{Administrator: a.Administrator, HasSecondFactor: a.SecondFactor != nil, ValidUntil: a.ValidUntil,
		LastSignIn: a.LastSignIn, RowVersion: a.RowVersion, Preferences: Preferences{Language: a.Language, Scheme: a.Scheme,
			Density: a.Density, Shortcuts: a.Shortcuts, Term: a.Term}}
	m.NeedsSecondFactor = !m.HasSecondFactor && s.core.Settings().Signin.SecondFactor == config.SecondFactorRequired
	if m.Roles, err = tx.StaffRoles(a.ID); err != nil {
		return m, err
	}
	for _, r := range m.Roles {
		m.Permissions = m.Permissions.Union(r.Permissions)
	}
	return m, nil
}

// mostGrantors is how many names Grantors returns.
const mostGrantors = 3

// Grantors names administrators who can give a permission: they have it themselves, and may change roles.
func (s *Service) Grantors(ctx context.Context, by admitto.Caller, p admitto.Permission) (names []string, err error) {
	if err := by.Staff(); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, err := tx.Administrators()
		if err != nil {
			return err
		}
		for _, one := range list {
			a, err := tx.StaffAccount(one.ID)
			if err != nil {
				return err
			}
			m, err := s.member(tx, &a)
			if err != nil {
				return err
			}
			if s.barred(tx, &a) == "" && m.Permissions.Has(p) && m.Permissions.Has(admitto.AdministratorsEdit) {
				if names = append(names, a.Name); len(names) == mostGrantors {
					break
				}
			}
		}
		return nil
	})
	return names, err
}

// ChooseTerm keeps the term that the caller's lists begin with; not-found without it.
func (s *Service) ChooseTerm(ctx context.Context, by admitto.Caller, term int64) error {
	if err := by.Staff(); err != nil {
		return err
	}
	if by.Actor.Kind != admitto.ByAdministrator { // keys choose nothing
		return nil
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Term(term); err != nil {
			return err
		}
		return tx.SetStaffTerm(by.Actor.ID, term)
	})
}
