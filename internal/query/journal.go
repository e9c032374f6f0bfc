package query

import (
	"context"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Journal answers a list of records: count is called with the number of all matches, each for the matches in
// the order of the query, at most q.Limit (nil: they are not read). more reports whether matches are left out.
// With q.OfferTitles the titles are those of the same snapshot; a title that no type has matches nothing.
func (s *Service) Journal(ctx context.Context, by admitto.Caller, q admitto.JournalQuery, count func(n, last int64),
	each func(*admitto.Record) error) (more bool, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return more, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		q, each := q, each
		if q.OfferTitles {
			titles, err := tx.OfferTypeTitles()
			if err != nil {
				return err
			}
			q.Events = eventsByTitle(q.Events, titles)
			each = titled(each, titles)
		}
		n, err := tx.CountRecords(q)
		if err != nil {
			return err
		}
		more, err = usecase.ListOrEnd(n, q.Limit, count, each, func() (int64, error) { return tx.RecordsEnd(q) },
			func() (bool, error) { return tx.EachRecord(q, each) })
		return err
	})
	return more, err
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

// titled shows the titles of offer types in place of their IDs in the records that each is given; nil stays nil.
func titled(each func(*admitto.Record) error, titles map[int64]string) func(*admitto.Record) error {
	if each == nil {
		return nil
	}
	return func(r *admitto.Record) error {
		if admitto.BindsOfferType(r.Pattern) && len(r.Bind) > 0 {
			id, _ := strconv.ParseInt(r.Bind[0], 10, 64) // the journal holds IDs; anything else is shown as it is
			if title, known := titles[id]; known {
				r.Bind[0] = title
			}
		}
		return each(r)
	}
}
