package admissions

import (
	"context"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Journal answers a list of records: count is called with the number of all matches, each for the matches in
// the order of the query, at most q.Limit (nil: they are not read). more reports whether matches are left out.
// With q.OfferTitles the titles are those of the same snapshot; a title that no type has matches nothing.
func (o *Office) Journal(ctx context.Context, by admitto.Caller, q admitto.JournalQuery, count func(n, last int64),
	each func(*admitto.Record) error) (more bool, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return more, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
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
		more, err = listOrEnd(n, q.Limit, count, each, func() (int64, error) { return tx.RecordsEnd(q) },
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

// VerifyJournal recomputes the chain of records from..to (0: the end). brokenID is the first record that does
// not fit, 0 when all do. progress is called now and then with the ID reached.
func (o *Office) VerifyJournal(ctx context.Context, by admitto.Caller, from, to int64, progress func(int64)) (brokenID int64, reason string, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return brokenID, reason, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		brokenID, reason, err = tx.VerifyJournal(from, to, progress)
		return err
	})
	return brokenID, reason, err
}

// JournalAnchor returns ID and hash of the last record, for safe keeping elsewhere.
func (o *Office) JournalAnchor(ctx context.Context, by admitto.Caller) (id int64, hash string, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return id, hash, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		id, hash, err = tx.JournalHead()
		return err
	})
	return id, hash, err
}

// JournalHash returns the hash of a record, "" when there is none; ID 0 stands before the first record.
func (o *Office) JournalHash(ctx context.Context, by admitto.Caller, id int64) (hash string, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return hash, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		hash, err = tx.JournalHash(id)
		return err
	})
	return hash, err
}
