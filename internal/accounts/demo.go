package accounts

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// DemoAccess is how one gets into an instance with invented data. All accounts have the same password.
type DemoAccess struct {
	Password  string
	Staff     []DemoAccount // one for each built-in role, in their order
	Applicant DemoAccount   // who has offers to answer
}

// DemoAccount is one of the accounts; Role is that of staff.
type DemoAccount struct {
	ID          int64
	Role        admitto.Role
	Name, Email string
}

// demoDays is how long the applicant of the demo has to answer offers whose days were over.
const demoDays = 21

// OpenDemo gives one administrator of each built-in role and one applicant with offers to answer a new password, and
// ends the sessions that they had. It is for instances with invented data only.
func (s *Service) OpenDemo(ctx context.Context, by usecase.Caller) (d DemoAccess, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return d, err
	}
	d.Password = seal.NewPassword()
	hash := s.hash(d.Password)
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if d.Staff, err = demoStaff(tx); err != nil {
			return err
		}
		for _, a := range d.Staff {
			if err := tx.SetStaffPassword(a.ID, hash); err != nil {
				return err
			}
			if err := tx.DeleteSessions(string(Administration), a.ID, [32]byte{}); err != nil {
				return err
			}
		}
		applicant, err := tx.WithOffersToAnswer(tx.Now())
		if err != nil {
			return err
		}
		if applicant == 0 {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("demo-no-applicant"))
		}
		if err := tx.LetAnswer(applicant, s.core.Today(tx).AddDays(demoDays)); err != nil {
			return err
		}
		a, err := tx.Applicant(applicant)
		if err != nil {
			return err
		}
		d.Applicant = DemoAccount{ID: a.ID, Name: a.Name.Full(), Email: a.Email}
		if err := tx.SetPassword(a.ID, hash, false); err != nil {
			return err
		}
		return tx.DeleteSessions(string(Portal), a.ID, [32]byte{})
	})
	return d, err
}

// demoStaff finds an administrator for each built-in role, with few others next to it, and another one for each.
func demoStaff(tx *store.Tx) (found []DemoAccount, err error) {
	list, err := tx.Administrators()
	if err != nil {
		return nil, err
	}
	taken := map[int64]bool{}
	for _, role := range admitto.BuiltInRoles() {
		best, roles := DemoAccount{Role: role}, 0
		for _, a := range list {
			if taken[a.ID] {
				continue
			}
			full, err := tx.StaffAccount(a.ID)
			if err != nil {
				return nil, err
			}
			for _, has := range a.Roles {
				if has.ID == role.ID && !full.Suspended && a.Email != "" && (roles == 0 || len(a.Roles) < roles) {
					best.ID, best.Name, best.Email, roles = a.ID, a.Name, a.Email, len(a.Roles)
				}
			}
		}
		if roles > 0 {
			taken[best.ID] = true
			found = append(found, best)
		}
	}
	return found, nil
}
