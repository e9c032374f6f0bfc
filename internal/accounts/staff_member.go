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

func (s *Service) member(tx *store.Tx, a *store.StaffAccount) (StaffMember, error) {
	roles, err := tx.StaffRoles(a.ID)
	return s.memberWith(a, roles), err
}

func (s *Service) memberWith(a *store.StaffAccount, roles []admitto.Role) StaffMember {
	m := StaffMember{Administrator: a.Administrator, HasSecondFactor: a.SecondFactor != nil, ValidUntil: a.ValidUntil,
		LastSignIn: a.LastSignIn, RowVersion: a.RowVersion, Preferences: Preferences{Language: a.Language, Scheme: a.Scheme,
			Density: a.Density, Shortcuts: a.Shortcuts, Term: a.Term}}
	m.NeedsSecondFactor = !m.HasSecondFactor && s.core.Settings().Signin.SecondFactor == config.SecondFactorRequired
	m.Roles = roles
	for _, r := range roles {
		m.Permissions = m.Permissions.Union(r.Permissions)
	}
	return m
}

// members reads all administrators by ascending ID, with what they may do.
func (s *Service) members(tx *store.Tx) (accounts []store.StaffAccount, list []StaffMember, err error) {
	if accounts, err = tx.StaffAccounts(); err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(accounts))
	for i := range accounts {
		ids[i] = accounts[i].ID
	}
	roles, err := tx.AllStaffRoles(ids)
	for i := range accounts {
		list = append(list, s.memberWith(&accounts[i], roles[ids[i]]))
	}
	return accounts, list, err
}

// mostGrantors is how many names Grantors returns.
const mostGrantors = 3

// Grantors names administrators who can give a permission: they have it themselves, and may change roles.
func (s *Service) Grantors(ctx context.Context, by admitto.Caller, p admitto.Permission) (names []string, err error) {
	if err := by.Staff(); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		accounts, list, err := s.members(tx)
		if err != nil {
			return err
		}
		for i, m := range list {
			if s.barred(tx, &accounts[i]) == "" && m.Permissions.Has(p) && m.Permissions.Has(admitto.AdministratorsEdit) {
				if names = append(names, m.Name); len(names) == mostGrantors {
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
