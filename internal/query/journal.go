package query

import (
	"context"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Journal lists records in the order of the query. With q.OfferTitles the titles are those of the same snapshot; a
// title that no type has matches nothing.
func (s *Service) Journal(ctx context.Context, by admitto.Caller,
	q admitto.JournalQuery) (*usecase.List[admitto.Record], error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return nil, err
	}
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (list usecase.Source[admitto.Record], err error) {
		q := q
		var titles map[int64]string
		if q.OfferTitles {
			if titles, err = tx.OfferTypeTitles(); err != nil {
				return list, err
			}
			q.Events = eventsByTitle(q.Events, titles)
		}
		return usecase.Source[admitto.Record]{After: q.After, Limit: int64(q.Limit),
			Each: func(each func(*admitto.Record) error) (bool, error) {
				return tx.EachRecord(q, func(r *admitto.Record) error {
					if titles != nil {
						showTitle(r, titles)
					}
					return each(r)
				})
			},
			Count: func() (int64, error) { return tx.CountRecords(q) },
			End:   func() (int64, error) { return tx.RecordsEnd(q) }}, nil
	}), nil
}

// eventsByTitle puts the IDs of offer types in the place of their titles, which are compared without letter
// case; nil stays no condition.
func eventsByTitle(events []admitto.EventFilter, titles map[int64]string) []admitto.EventFilter {
	if events == nil {
		return nil
	}
	resolved := []admitto.EventFilter{} // not nil: a filter that matches nothing is still a filter
	for _, e := range events {
		if !admitto.BindsOfferType(e.Pattern) || e.Bind == nil {
			resolved = append(resolved, e)
			continue
		}
		key := strings.ToLower(e.Bind[0])
		for id, title := range titles {
			if strings.ToLower(title) == key {
				resolved = append(resolved, admitto.EventFilter{Pattern: e.Pattern, Bind: []string{strconv.FormatInt(id, 10)}})
			}
		}
	}
	return resolved
}

// showTitle shows the title of an offer type in the place of its ID.
func showTitle(r *admitto.Record, titles map[int64]string) {
	if !admitto.BindsOfferType(r.Pattern) || len(r.Bind) == 0 {
		return
	}
	id, _ := strconv.ParseInt(r.Bind[0], 10, 64) // the journal holds IDs; anything else is shown as it is
	if title, known := titles[id]; known {
		r.Bind[0] = title
	}
}
