package accounts

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// StaffEntry is an administrator as those see them who look after administrators.
type StaffEntry struct {
	StaffMember
	Disabled    bool
	HasPassword bool // false: the invitation was not accepted yet
	Sessions    []StaffSession
}

// manageable locks an administrator whom the caller may change: one who may not do more than the caller.
func (s *Service) manageable(tx *store.Tx, by usecase.Caller, id int64) (a store.StaffAccount, err error) {
	if a, err = tx.LockStaffAccount(id); err != nil {
		return a, err
	}
	if err := by.Sees(a.RowVersion); err != nil {
		return a, err
	}
	m, err := s.member(tx, &a)
	if err != nil {
		return a, err
	}
	if !by.Permissions.HasAll(m.Permissions) {
		return a, admitto.Refuse(admitto.NotPermitted, "", "staff-above-own", message.Of("staff-above-own"))
	}
	return a, nil
}

// StaffList returns all administrators by ascending ID, disabled ones too, each with the sessions.
func (s *Service) StaffList(ctx context.Context, by admitto.Caller) (list []StaffEntry, err error) {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		accounts, members, err := s.members(tx)
		if err != nil {
			return err
		}
		sessions, err := tx.SessionsIn(string(Administration))
		for i := range accounts {
			list = append(list, s.entry(tx, &accounts[i], members[i], sessions[accounts[i].ID]))
		}
		return err
	})
	return list, err
}

// StaffEntry returns one administrator.
func (s *Service) StaffEntry(ctx context.Context, by admitto.Caller, id int64) (e StaffEntry, err error) {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return e, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err := tx.StaffAccount(id)
		if err != nil {
			return err
		}
		m, err := s.member(tx, &a)
		if err != nil {
			return err
		}
		sessions, err := tx.SessionsOf(string(Administration), id)
		e = s.entry(tx, &a, m, sessions)
		return err
	})
	return e, err
}

func (s *Service) entry(tx *store.Tx, a *store.StaffAccount, m StaffMember, sessions []store.Session) StaffEntry {
	return StaffEntry{StaffMember: m, Disabled: a.Suspended, HasPassword: a.Password != "",
		Sessions: s.liveSessions(tx, sessions)}
}

// StaffEdit is what others may change of an administrator.
type StaffEdit struct {
	Name, OutgoingName, OutgoingMail string
	Phone, Function                  string
	ValidUntil                       admitto.Date // zero: no end
}

// EditStaff changes what an administrator is known by, and until when the account may sign in. The last active
// Superuser stays one.
func (s *Service) EditStaff(ctx context.Context, by usecase.Caller, id int64, in StaffEdit) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	var faults []admitto.Fault
	line := func(path admitto.Path, value string, least int) string {
		clean, err := text.Line(value, least, 100)
		if err != nil {
			faults = append(faults, admitto.Fault{Path: path, Text: message.From(err)})
		}
		return clean
	}
	in.Name = line("administrator.name", in.Name, 1)
	in.OutgoingName = line("outgoing.name", in.OutgoingName, 0)
	in.Phone, in.Function = line("administrator.phone", in.Phone, 0), line("administrator.function", in.Function, 0)
	if in.OutgoingMail != "" {
		clean, err := text.Email(in.OutgoingMail)
		if err != nil {
			faults = append(faults, admitto.Fault{Path: "outgoing.email", Text: message.From(err)})
		}
		in.OutgoingMail = clean
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		active, err := tx.LockSuperusers(s.core.Today(tx))
		if err != nil {
			return err
		}
		a, err := s.manageable(tx, by, id)
		if err != nil {
			return err
		}
		if !in.ValidUntil.IsZero() && in.ValidUntil.Before(s.core.Today(tx)) {
			if err := keepsOne(active, id); err != nil {
				return err
			}
		}
		was := a
		if _, err := text.Phone(was.Phone, 100)(in.Phone); err != nil {
			return admitto.Refuse(admitto.InvalidParameter, "administrator.phone", "", message.From(err))
		}
		if err := by.Checked(); err != nil {
			return err
		}
		a.Name, a.OutgoingName, a.OutgoingMail, a.Phone, a.Function =
			in.Name, in.OutgoingName, in.OutgoingMail, in.Phone, in.Function
		a.ValidUntil = in.ValidUntil
		if was.Name == a.Name && was.OutgoingName == a.OutgoingName && was.OutgoingMail == a.OutgoingMail &&
			was.Phone == a.Phone && was.Function == a.Function && was.ValidUntil == a.ValidUntil {
			return nil
		}
		tx.Record(by.Actor, about(admitto.StaffEdited, id))
		return tx.EditStaff(&a)
	})
}

// keepsOne refuses when a Superuser is the only active one.
func keepsOne(active []int64, id int64) error {
	if len(active) == 1 && active[0] == id {
		return admitto.Refuse(admitto.NotAllowedNow, "", "last-superuser", message.Of("last-superuser"))
	}
	return nil
}

// SetRoles gives an administrator roles in the place of the former ones: new ones only of which the caller has every
// permission. The last active Superuser stays one.
func (s *Service) SetRoles(ctx context.Context, by usecase.Caller, id int64, roles []int64) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	roles = uniqueRoles(roles)
	return s.core.Write(ctx, func(tx *store.Tx) error {
		active, err := tx.LockSuperusers(s.core.Today(tx))
		if err != nil {
			return err
		}
		a, err := s.manageable(tx, by, id)
		if err != nil {
			return err
		}
		had, err := tx.StaffRoles(id)
		if err != nil {
			return err
		}
		if !slices.Contains(roles, superuser) {
			if err := keepsOne(active, id); err != nil {
				return err
			}
		}
		var ids []int64
		for _, r := range had {
			ids = append(ids, r.ID)
		}
		if slices.Equal(ids, roles) {
			return nil
		}
		if err := s.grant(tx, by, roles, had); err != nil {
			return err
		}
		tx.Record(by.Actor, about(admitto.StaffRolesChanged, id))
		return tx.SetStaffRoles(a.ID, roles)
	})
}

// EndStaffSessions signs an administrator out everywhere.
func (s *Service) EndStaffSessions(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := s.manageable(tx, by, id); err != nil {
			return err
		}
		return tx.DeleteSessions(string(Administration), id, [32]byte{})
	})
}

// ResetSecondFactor takes the second factor of an administrator away who has lost it.
func (s *Service) ResetSecondFactor(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.manageable(tx, by, id)
		if err != nil || a.SecondFactor == nil {
			return err
		}
		return s.dropSecondFactor(tx, by.Actor, id)
	})
}

func (s *Service) dropSecondFactor(tx *store.Tx, by admitto.Actor, id int64) error {
	tx.Record(by, about(admitto.StaffSecondFactorChanged, id))
	return errors.Join(tx.SetSecondFactor(id, nil, 0), tx.SetRecoveryCodes(id, nil))
}

// HangsOn is what is an administrator's and is to be taken over by others.
type HangsOn struct {
	Keys       []admitto.Key
	Tableviews []admitto.Tableview
	Views      []store.KeptView // those of lists that everybody sees

	// Where the person is the officer, batches that are not done or are being undone, and sheets that wait
	// for the person's points.
	Applications, Batches, Scoresheets int64
}

// WhatHangsOn returns what is an administrator's.
func (s *Service) WhatHangsOn(ctx context.Context, by admitto.Caller, id int64) (h HangsOn, err error) {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return h, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if _, err := tx.StaffAccount(id); err != nil {
			return err
		}
		found, err := tx.HangsOnStaff(id)
		h = HangsOn(found)
		return err
	})
	return h, err
}

// TakeOver says who gets what was an administrator's; 0 leaves it where it is.
type TakeOver struct{ Keys, Tableviews, Views, Applications, Batches, Scoresheets int64 }

// TakenOverAtOnce is how many applications somebody can take over while an account is disabled.
const TakenOverAtOnce = 500

// heirs are the ones that a TakeOver names, with the field that names each and what they need to be of use: batches for
// those that are taken over.
func (t TakeOver) heirs(batches []admitto.Permission) []heir {
	return []heir{{"administrator.keys", t.Keys, nil},
		{"administrator.tableviews", t.Tableviews, []admitto.Permission{admitto.TableviewsUse}},
		{"administrator.views", t.Views, nil},
		{"administrator.applications", t.Applications, []admitto.Permission{admitto.ApplicationsView}},
		{"administrator.batches", t.Batches, batches},
		{"administrator.scoresheets", t.Scoresheets, []admitto.Permission{admitto.ApplicationsScore}}}
}

type heir struct {
	field admitto.Path
	id    int64
	needs []admitto.Permission
}

// checkHeir refuses who cannot take something over from an administrator.
func (s *Service) checkHeir(tx *store.Tx, h heir, from int64) error {
	if h.id == 0 {
		return nil
	}
	a, err := tx.StaffAccount(h.id)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && (h.id == from || s.barred(tx, &a) != "") {
		return admitto.Refuse(admitto.InvalidParameter, h.field, "", message.Of("no-such-heir"))
	}
	if err != nil || len(h.needs) == 0 {
		return err
	}
	m, err := s.member(tx, &a)
	lacks := func(p admitto.Permission) bool { return !m.Permissions.Has(p) }
	if err == nil && slices.ContainsFunc(h.needs, lacks) {
		err = admitto.Refuse(admitto.InvalidParameter, h.field, "", message.Of("heir-may-not", m.Name))
	}
	return err
}

// takeOver gives others what was an administrator's.
func takeOver(tx *store.Tx, by usecase.Caller, from int64, to TakeOver) error {
	if err := tx.TakeOver(from, to.Keys, to.Tableviews, to.Views); err != nil {
		return err
	}
	if to.Applications != 0 {
		list, err := tx.PassApplications(from, to.Applications, TakenOverAtOnce)
		if err != nil {
			return err
		}
		if len(list) > TakenOverAtOnce {
			return admitto.Refuse(admitto.InvalidParameter, "administrator.applications", "",
				message.Of("too-many-taken-over", TakenOverAtOnce))
		}
		for _, links := range list {
			tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicationOfficerSet,
				Bind: []string{strconv.FormatInt(to.Applications, 10)}, Links: links})
		}
	}
	if to.Scoresheets == 0 {
		return nil
	}
	sheets, err := tx.ReplaceScorer(from, to.Scoresheets)
	for _, id := range sheets {
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ScoresheetEdited, Bind: []string{strconv.FormatInt(id, 10)}})
	}
	return err
}

// passBatches gives somebody batches that are locked; 0 leaves them where they are.
func passBatches(tx *store.Tx, by usecase.Caller, batches []admitto.Batch, to int64) error {
	for i := range batches {
		if to == 0 {
			break
		}
		if err := tx.PassBatch(&batches[i], to); err != nil {
			return err
		}
		actor := by.Actor
		actor.Batch = batches[i].ID
		tx.Record(actor, admitto.Event{Pattern: admitto.BatchPassedEvent, Bind: []string{usecase.Number(batches[i].ID)}})
	}
	return nil
}

// DisableStaff keeps an administrator from signing in, ends the sessions, and gives others what was theirs. Keys go on
// working. The last active Superuser stays. Of somebody who is disabled already, others get what was left where it was.
func (s *Service) DisableStaff(ctx context.Context, by usecase.Caller, id int64, to TakeOver) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		batches, err := tx.LockOpenBatches(id)
		if err != nil {
			return err
		}
		active, err := tx.LockSuperusers(s.core.Today(tx))
		if err != nil {
			return err
		}
		a, err := s.manageable(tx, by, id)
		if err == nil && !a.Suspended {
			err = keepsOne(active, id)
		}
		if err != nil {
			return err
		}
		var needs []admitto.Permission
		for i := range batches {
			needs = append(needs, s.needs(&batches[i])...)
		}
		for _, h := range to.heirs(needs) {
			if err := s.checkHeir(tx, h, id); err != nil {
				return err
			}
		}
		if !a.Suspended {
			tx.Record(by.Actor, about(admitto.StaffDisabled, id))
			err = errors.Join(tx.SetStaffSuspended(id, true), tx.DeleteSessions(string(Administration), id, [32]byte{}),
				tx.EndAccountTokens(id, string(ForInvitation)), tx.EndAccountTokens(id, string(ForReset)),
				tx.EndAccountTokens(id, string(ForEmail)))
		}
		return errors.Join(err, passBatches(tx, by, batches, to.Batches), takeOver(tx, by, id, to))
	})
}

// EnableStaff lets an administrator sign in again.
func (s *Service) EnableStaff(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		a, err := s.manageable(tx, by, id)
		if err != nil || !a.Suspended {
			return err
		}
		tx.Record(by.Actor, about(admitto.StaffEnabled, id))
		return tx.SetStaffSuspended(id, false)
	})
}
