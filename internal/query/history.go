package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// HistoryQuery is which records of one applicant, or of one application, are read: the newest first, those before one
// (0: from the newest on).
type HistoryQuery struct {
	Applicant, Application int64
	Events                 []admitto.EventFilter // nil: all
	Before                 int64
	Limit                  int
}

// History reads what happened to an applicant or an application, and whether more happened before. Values that changed
// are with records about the applicant alone, and in the history of an application with all that the caller may see.
// Not-found without the applicant or the application.
func (s *Service) History(ctx context.Context, by admitto.Caller, q HistoryQuery) (list []admitto.Record, more bool,
	err error) {
	if err := by.NeedsAny(admitto.ApplicationsView, admitto.JournalView); err != nil {
		return nil, false, err
	}
	find := admitto.JournalQuery{Events: q.Events, NewestFirst: true, After: q.Before, Limit: q.Limit}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if q.Application != 0 {
			find.ApplicationIDs, err = []int64{q.Application}, tx.HasApplication(q.Application)
		} else {
			find.ApplicantIDs, err = []int64{q.Applicant}, tx.HasApplicant(q.Applicant)
		}
		if err != nil {
			return err
		}
		var ids []int64
		more, err = tx.EachRecord(find, func(r *admitto.Record) error {
			list = append(list, *r)
			if r.DetailHash != "" && (q.Application != 0 || r.Links.Application == 0) {
				ids = append(ids, r.ID)
			}
			return nil
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		details, err := tx.DetailsOf(ids)
		for i := range list {
			for _, d := range details[list[i].ID] {
				if maySeeDetail(by, &list[i], d.Path) {
					list[i].Details = append(list[i].Details, d)
				}
			}
		}
		return err
	})
	return list, more, err
}

// OpenBatches returns those of the batches that records were made in which the caller may open: their own, or all with
// release.
func (s *Service) OpenBatches(ctx context.Context, by admitto.Caller,
	records []admitto.Record) (open map[int64]bool, err error) {
	if err := by.AdministratorOnly(); err != nil {
		return nil, err
	}
	var ids []int64
	for i := range records {
		if id := records[i].Actor.Batch; id != 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	own := by.Actor.ID
	if by.Has(admitto.BatchesRelease) {
		own = 0
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		open, err = tx.BatchesAmong(ids, own)
		return err
	})
	return open, err
}

// ErasedApplicant is when an applicant was erased, 0 for one who was not.
func (s *Service) ErasedApplicant(ctx context.Context, by admitto.Caller, id int64) (erased admitto.Time, err error) {
	if err := by.Needs(admitto.DataProtection); err != nil {
		return 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		erased, err = tx.ErasedApplicant(id)
		return err
	})
	return erased, err
}

// ReferenceHolder is the applicant who has a reference code, 0 for nobody.
func (s *Service) ReferenceHolder(ctx context.Context, by admitto.Caller, reference string) (id int64, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		id, err = tx.ApplicantByReference(reference)
		return err
	})
	return id, err
}
