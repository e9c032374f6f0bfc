package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// RowVersion reads the row version of what a caller may change afterwards; 0 when it is not there. It tells staff and
// keys that something was changed, and not what.
func (s *Service) RowVersion(ctx context.Context, by admitto.Caller, row admitto.Row) (version int64, err error) {
	if err := by.Staff(); err != nil {
		return 0, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (int64, error) { return tx.RowVersion(row) })
}

// recentEvents is how many events LastEdit looks at.
const recentEvents = 50

// LastEdit says who edited a record of the catalogue last, and when, from its events; nobody where that is long ago.
// It tells staff no more than the name.
func (s *Service) LastEdit(ctx context.Context, by admitto.Caller, events []admitto.EventFilter,
	of func(*admitto.Record) bool) (who string, at admitto.Time, err error) {
	if err := by.Staff(); err != nil {
		return "", 0, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		var found admitto.Record
		if _, err := tx.EachRecord(admitto.JournalQuery{Events: events, NewestFirst: true, Limit: recentEvents},
			func(r *admitto.Record) error {
				if found.ID == 0 && of(r) {
					found = *r
				}
				return nil
			}); err != nil {
			return err
		}
		at = found.Logged
		if found.Actor.Kind != admitto.ByAdministrator {
			return nil
		}
		staff, err := tx.Administrator(found.Actor.ID)
		if admitto.KindOf(err) == admitto.NotFound {
			return nil
		}
		who = staff.Name
		return err
	})
	return who, at, err
}
