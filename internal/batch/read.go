package batch

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// unusual is how many times the median of former batches of an action a size is larger than usual.
const unusual = 10

// View is a batch as its page shows it.
type View struct {
	admitto.Batch
	Median  int64 // of the sizes of former batches of the action, 0 for none
	Unusual bool
	Reached int64 // people whom it reaches, while it is not released
	Mails   bool  // mails go with it, or went

	// While it is not released, and while it is stopped:
	NeedsSecond bool
	NobodyElse  bool     // but the reader may release it
	Releasers   []string // who else may, where a second person is needed

	StoppedBy     int64 // while it is stopped; 0: it stopped by itself
	ReachesByMail bool  // only those to whom a mail goes
	MayUndo       bool
	UndoUntil     admitto.Time
}

// WaitsForOther reports whether the batch runs, or goes on, only by somebody else than an administrator.
func (v *View) WaitsForOther(administrator int64) bool {
	asked := v.State == admitto.BatchWaiting || v.State == admitto.BatchStopped
	return asked && v.NeedsSecond && v.IsOf(administrator) && !v.NobodyElse
}

// Show reads a batch. Errors: not-found, not-permitted for a batch of another administrator without release.
func (s *Service) Show(ctx context.Context, by admitto.Caller, id int64) (v View, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return v, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if v.Batch, err = tx.Batch(id); err != nil {
			return err
		}
		if err = mayManage(by, &v.Batch); err != nil {
			return err
		}
		a, _ := actionOf(v.Action)
		v.ReachesByMail = a.byMail
		v.UndoUntil = v.Ended + admitto.Time(s.core.Settings().Batch.UndoDays)*admitto.Day
		_, refused := refusal(s.mayUndo(tx, by, &v.Batch))
		v.MayUndo = !refused
		mailed, _, err := tx.BatchReach(id, true)
		if err != nil {
			return err
		}
		v.Mails = mailed > 0
		if v.State == admitto.BatchStopped {
			who, err := tx.WhoStopped(id)
			if err != nil {
				return err
			}
			if who.Kind == admitto.ByAdministrator {
				v.StoppedBy = who.ID
			}
			if _, err := s.lookForSecond(tx, by, &a, &v); err != nil {
				return err
			}
		}
		if v.State == admitto.BatchPrepared || v.State == admitto.BatchWaiting {
			people, err := s.lookForSecond(tx, by, &a, &v)
			if err != nil {
				return err
			}
			if !a.unnoticed {
				v.Reached = people
			}
			sizes, err := tx.BatchSizes(v.Action, id)
			if err != nil {
				return err
			}
			v.Median = median(sizes)
			v.Unusual = v.Median > 0 && v.Size > unusual*v.Median
		}
		return nil
	})
	return v, err
}

// lookForSecond finds whether the batch needs a second person, and who may be that one.
func (s *Service) lookForSecond(tx *store.Tx, by admitto.Caller, a *action, v *View) (people int64, err error) {
	if v.NeedsSecond, people, err = s.needsSecond(tx, a, &v.Batch); err != nil || !v.NeedsSecond {
		return people, err
	}
	others, err := s.otherReleasers(tx, &v.Batch)
	for i := range others {
		v.Releasers = append(v.Releasers, others[i].Name)
	}
	v.NobodyElse = len(others) == 0 && v.IsOf(by.Actor.ID) && by.Has(admitto.BatchesRelease)
	return people, err
}

func median(sizes []int64) int64 {
	if len(sizes) == 0 {
		return 0
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// Line is a line of a batch with the name of its applicant, "" for callers who may not see applicants.
type Line struct {
	admitto.BatchRecord
	Name string
}

// named adds the names of applicants to lines.
func named(tx *store.Tx, by admitto.Caller, lines []admitto.BatchRecord) (list []Line, err error) {
	names := map[int64]string{}
	if by.Has(admitto.ApplicantsView) {
		var ids []int64
		for i := range lines {
			ids = append(ids, lines[i].Applicant)
		}
		if names, err = tx.NamesOfApplicants(ids); err != nil {
			return nil, err
		}
	}
	for i := range lines {
		list = append(list, Line{lines[i], names[lines[i].Applicant]})
	}
	return list, nil
}

// Lines reads so many lines of a batch behind a place, of all states or of one, and whether more follow.
func (s *Service) Lines(ctx context.Context, by admitto.Caller, id, after int64, state admitto.BatchRecordState,
	rows int) (list []Line, more bool, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return nil, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		b, err := tx.Batch(id)
		if err == nil {
			err = mayManage(by, &b)
		}
		if err != nil {
			return err
		}
		found, further, err := tx.BatchRecords(id, after, state, rows)
		if err == nil {
			more = further
			list, err = named(tx, by, found)
		}
		return err
	})
	return list, more, err
}

// Line reads one line of a batch. Errors: not-permitted, also for who may not see the records that it is made of.
func (s *Service) Line(ctx context.Context, by admitto.Caller, id, place int64) (c Line, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return c, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		b, err := tx.Batch(id)
		if err == nil {
			err = mayManage(by, &b)
		}
		if err == nil {
			err = by.Needs(viewOf(b.Source)) // the text of a mail may have anything of them in it
		}
		if err != nil {
			return err
		}
		one, err := tx.BatchRecord(id, place)
		if err != nil {
			return err
		}
		list, err := named(tx, by, []admitto.BatchRecord{one})
		if err == nil {
			c = list[0]
		}
		return err
	})
	return c, err
}

// List reads batches, newest first, how many there are on all pages, and whether more follow: the caller's own, or all
// with release.
func (s *Service) List(ctx context.Context, by admitto.Caller, q admitto.BatchQuery) (list []admitto.Batch, count int64,
	more bool, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return nil, 0, false, err
	}
	if !by.Has(admitto.BatchesRelease) {
		q.PreparedBy = by.Actor.ID
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if list, more, err = tx.Batches(q); err != nil {
			return err
		}
		count, err = tx.CountBatches(q)
		return err
	})
	return list, count, more, err
}

// WaitingFor counts the batches that wait for the caller to release them.
func (s *Service) WaitingFor(ctx context.Context, by admitto.Caller) (int64, error) {
	if err := by.Needs(admitto.BatchesRelease); err != nil {
		return 0, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (int64, error) { return tx.WaitingBatches(by.Actor.ID) })
}
