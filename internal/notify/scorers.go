package notify

import (
	"context"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Scorers are the administrators who are asked for the points of a scoresheet and can sign in: those that it names,
// else all who may score. Errors: not-found.
func (s *Service) Scorers(ctx context.Context, by admitto.Caller, sheet int64) (list []admitto.Administrator,
	err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, err := tx.Scoresheet(sheet)
		if err == nil {
			list, err = s.scorersOf(tx, &t)
		}
		return err
	})
	return list, err
}

// TellScorers writes to the scorers of a sheet that applications wait for their points, and returns how many mails
// were queued (lifecycle.md 8.3). Errors: not-found; not-allowed-now where nothing waits, and on a confirmed sheet.
func (s *Service) TellScorers(ctx context.Context, by usecase.Caller, sheet int64) (told int, err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return 0, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		told = 0
		t, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		use, err := tx.SheetUses(sheet)
		if err != nil {
			return err
		}
		switch left := use[sheet].Left; {
		case t.Confirmed != 0:
			return admitto.Refused(admitto.NotAllowedNow, message.Of("sheet-confirmed"))
		case left == 0:
			return admitto.Refused(admitto.NotAllowedNow, message.Of("sheet-all-scored"))
		}
		list, err := s.scorersOf(tx, &t)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return admitto.Refused(admitto.NotAllowedNow, message.Of("sheet-no-scorers"))
		}
		for _, a := range list {
			if err := s.tellScorer(tx, &t, use[sheet].Left, &a); err != nil {
				return err
			}
			told++
		}
		return nil
	})
	return told, err
}

func (s *Service) tellScorer(tx *store.Tx, t *admitto.Scoresheet, left int64, a *admitto.Administrator) error {
	due := any(t.Due)
	if t.Due.IsZero() {
		due = message.Of("no-day-set")
	}
	_, err := s.Queue(tx, OutgoingMail{Template: mail.KindAdminScoringWaiting,
		To: &mail.Address{Name: a.Name, Email: a.Email}, Values: mail.Values{mail.SheetName: t.Name,
			mail.SheetLeft: strconv.FormatInt(left, 10), mail.SheetDue: due,
			mail.SheetLink: s.core.Links().Scoring(t.ID)}})
	return err
}

// scorersOf are those of the administrators who can sign in and may give points on a sheet, or were named for it.
func (s *Service) scorersOf(tx *store.Tx, t *admitto.Scoresheet) (list []admitto.Administrator, err error) {
	all, err := tx.StaffAccounts()
	if err != nil {
		return nil, err
	}
	var ids []int64
	for i := range all {
		if all[i].Suspended || !all[i].ValidUntil.IsZero() && all[i].ValidUntil.Before(s.core.Today(tx)) {
			continue
		}
		if len(t.Scorers) == 0 || slices.Contains(t.Scorers, all[i].ID) {
			list, ids = append(list, all[i].Administrator), append(ids, all[i].ID)
		}
	}
	roles, err := tx.AllStaffRoles(ids)
	for i := range list {
		list[i].Roles = roles[list[i].ID]
	}
	return slices.DeleteFunc(list, func(a admitto.Administrator) bool {
		return !slices.ContainsFunc(a.Roles,
			func(r admitto.Role) bool { return r.Permissions.Has(admitto.ApplicationsScore) })
	}), err
}
