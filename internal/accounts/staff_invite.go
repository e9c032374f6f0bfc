package accounts

import (
	"context"
	"errors"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// NewStaff is somebody who is to become an administrator.
type NewStaff struct {
	Name, Email string
	Roles       []int64      // IDs
	ValidUntil  admitto.Date // zero: no end
}

// Invite makes an administrator and mails them a link to set a password. Faults: the name, the address, the roles, one
// at least, of which the caller must have every permission, and an end that is over. Already-exists with the ID when
// somebody has the address.
func (s *Service) Invite(ctx context.Context, by usecase.Caller, in NewStaff) (id int64, err error) {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return 0, err
	}
	if len(in.Roles) == 0 {
		faults := []admitto.Fault{{Path: "administrator.roles", Text: message.Of("role-needed")}}
		if _, err := staffOf(in.Name, in.Email); err != nil { // all faults are found
			if e, ok := errors.AsType[*admitto.Error](err); ok {
				faults = append(e.Faults, faults...)
			}
		}
		return 0, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	id, _, err = s.createStaff(ctx, by, in, true)
	return id, err
}

// CreateStaff makes an administrator and returns the link to set a password, for operators on the command line.
func (s *Service) CreateStaff(ctx context.Context, by usecase.Caller, in NewStaff) (id int64, link string, err error) {
	if err := by.System(); err != nil {
		return 0, "", err
	}
	return s.createStaff(ctx, by, in, false)
}

// InviteAgain mails another link to somebody who has not set a password yet.
func (s *Service) InviteAgain(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.manageable(tx, by, id)
		if err != nil {
			return err
		}
		if a.Password != "" {
			return admitto.Refuse(admitto.NotAllowedNow, "", "password-set", message.Of("password-set"))
		}
		_, err = s.sendStaffLink(tx, &a, ForInvitation, a.Email)
		return err
	})
}

// ResetLink makes a link by which an administrator sets another password, or the first one (ForInvitation), for
// operators on the command line. Not-found: nobody has the address.
func (s *Service) ResetLink(ctx context.Context, by usecase.Caller, email string) (link string, purpose Purpose,
	err error) {
	if err := by.System(); err != nil {
		return "", "", err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := tx.StaffAccountByEmail(text.EmailKey(email))
		if err != nil {
			return err
		}
		purpose = ForReset
		if a.Password == "" {
			purpose = ForInvitation
		}
		link, err = s.newStaffLink(tx, &a, purpose, a.Email)
		return err
	})
	return link, purpose, err
}

func (s *Service) createStaff(ctx context.Context, by usecase.Caller, in NewStaff, send bool) (id int64, link string,
	err error) {
	a := store.StaffAccount{ValidUntil: in.ValidUntil}
	if a.Administrator, err = staffOf(in.Name, in.Email); err != nil {
		return 0, "", err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if send && !in.ValidUntil.IsZero() && in.ValidUntil.Before(s.core.Today(tx)) {
			return admitto.Refuse(admitto.InvalidParameter, "administrator.until", "", message.Of("until-over"))
		}
		if a.ID, err = s.insertStaff(tx, by.Actor, a.Administrator, in.ValidUntil); err != nil {
			return err
		}
		if err := s.grant(tx, by, in.Roles, nil); err != nil {
			return err
		}
		if err := by.Checked(); err != nil { // with it goes the row that found out whether the address is taken
			return err
		}
		if err := tx.SetStaffRoles(a.ID, uniqueRoles(in.Roles)); err != nil {
			return err
		}
		if link, err = s.newStaffLink(tx, &a, ForInvitation, a.Email); err != nil || !send {
			return err
		}
		return s.mailStaffLink(tx, &a, ForInvitation, a.Email, link)
	})
	return a.ID, link, err
}

// staffOf checks name and address of an administrator.
func staffOf(name, email string) (a admitto.Administrator, err error) {
	var faults []admitto.Fault
	if a.Name, err = text.Line(name, 1, 100); err != nil {
		faults = append(faults, admitto.Fault{Path: "administrator.name", Text: message.From(err)})
	}
	if a.Email, err = text.Email(email); err != nil {
		faults = append(faults, admitto.Fault{Path: "administrator.email", Text: message.From(err)})
	}
	if len(faults) > 0 {
		return a, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return a, nil
}

// insertStaff stores an administrator whose address nobody has.
func (s *Service) insertStaff(tx *store.Tx, by admitto.Actor, a admitto.Administrator,
	until admitto.Date) (int64, error) {
	if err := freeAddress(tx, text.EmailKey(a.Email), 0); err != nil {
		return 0, err
	}
	id, err := tx.InsertStaff(&a, text.EmailKey(a.Email), until)
	if err == nil {
		tx.Record(by, about(admitto.StaffCreated, id))
	}
	return id, err
}

// freeAddress refuses an address that another administrator has. Those who take one wait for each other.
func freeAddress(tx *store.Tx, key string, own int64) error {
	if err := tx.LockStaffAddresses(); err != nil {
		return err
	}
	other, err := tx.StaffAccountByEmail(key)
	switch {
	case admitto.KindOf(err) == admitto.NotFound:
		return nil
	case err != nil || other.ID == own:
		return err
	}
	return &admitto.Error{Kind: admitto.AlreadyExists, Existing: other.ID,
		Faults: []admitto.Fault{{Path: "administrator.email",
			Text: message.Of("staff-exists")}}}
}

// grant refuses roles that do not exist, and those that permit what the caller may not do, unless they are had already.
func (s *Service) grant(tx *store.Tx, by usecase.Caller, roles []int64, had []admitto.Role) error {
	known, err := tx.Roles()
	if err != nil {
		return err
	}
	var faults []admitto.Fault
	for _, id := range uniqueRoles(roles) {
		at := slices.IndexFunc(known, func(r admitto.Role) bool { return r.ID == id })
		switch {
		case at < 0:
			faults = append(faults, admitto.Fault{Path: "administrator.roles", Text: message.Of("no-such-object", "role", id)})
		case slices.ContainsFunc(had, func(r admitto.Role) bool { return r.ID == id }):
		case !by.Permissions.HasAll(known[at].Permissions):
			faults = append(faults, admitto.Fault{Path: "administrator.roles", Code: "role-above-own",
				Text: message.Of("role-above-own", known[at].Name)})
		}
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return nil
}

func uniqueRoles(roles []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(roles))) }

// FirstAdministrator makes the first administrator of an instance, a Superuser with a password that is hashed already.
func (s *Service) FirstAdministrator(tx *store.Tx, name, email, hash string) (id int64, err error) {
	a, err := staffOf(name, email)
	if err != nil {
		return 0, err
	}
	// Nobody is signed in yet; the administrator begins to exist by this, so it is the system who makes it.
	if id, err = s.insertStaff(tx, admitto.System(), a, admitto.Date{}); err != nil {
		return 0, err
	}
	return id, errors.Join(tx.SetStaffRoles(id, []int64{superuser}), tx.SetStaffPassword(id, hash), tx.SignedInStaff(id))
}

// superuser is the built-in role that may do everything.
const superuser = 1

// CheckFirst refuses what the first administrator cannot be made of, and returns the hash of the password.
func (s *Service) CheckFirst(ctx context.Context, name, email, password string) (hash string, err error) {
	var faults []admitto.Fault
	add := func(err error) {
		if e, ok := errors.AsType[*admitto.Error](err); ok {
			faults = append(faults, e.Faults...)
		}
	}
	_, err = staffOf(name, email)
	add(err)
	add(checkPassword("administrator.password", password, name, email))
	if len(faults) > 0 {
		return "", &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return s.hashed(ctx, password)
}
