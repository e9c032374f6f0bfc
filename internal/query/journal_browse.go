package query

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
)

// lookedThrough is how many records are looked through for one page where no index leads to those that match.
const lookedThrough = 100_000

// BrowseJournal is which page of the journal is shown, the newest records first: those before a record, those after
// one, or the newest of all.
type BrowseJournal struct {
	admitto.JournalQuery
	Before, After int64
	Rows          int
}

// JournalPage is a page of the journal. Older and Newer are what its neighbours are before and after; 0: there is none.
type JournalPage struct {
	Records      []admitto.Record
	Older, Newer int64
	From, To     int64          // the range that was looked through; 0 where an index led to the records
	Last         int64          // record of the journal
	Matches      int64          // how many match, where that is known without counting; -1: it is not
	Present      map[int64]bool // applicants of the records who are neither deleted nor erased
}

// BrowseJournal reads a page of the journal (screens.md A49). Where no index leads to what matches, so many records are
// looked through that the page is soon there; its neighbours go on from there.
func (s *Service) BrowseJournal(ctx context.Context, by admitto.Caller, q BrowseJournal) (page JournalPage, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return page, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if page, err = browseJournal(tx, q); err != nil {
			return err
		}
		var ids []int64
		for i := range page.Records {
			if id := page.Records[i].Links.Applicant; id != 0 {
				ids = append(ids, id)
			}
		}
		page.Present, err = tx.PresentApplicants(ids)
		return err
	})
	return page, err
}

func browseJournal(tx *store.Tx, q BrowseJournal) (page JournalPage, err error) {
	page.Matches = -1
	if page.Last, _, err = tx.JournalHead(); err != nil {
		return page, err
	}
	from, to, err := tx.JournalBounds(q.JournalQuery)
	if err != nil || from > to {
		page.Matches = 0
		return page, err
	}
	find := q.JournalQuery
	if find.Events == nil && find.ApplicantIDs == nil && find.ApplicationIDs == nil && find.ActorKind == "" &&
		!find.LooksThrough() {
		page.Matches = to - from + 1 // IDs have no gaps
	}
	low, high, back := from, to, q.After == 0
	if q.Before != 0 {
		high = min(high, q.Before-1)
	}
	if !back {
		low = max(low, q.After+1)
	}
	if low <= high && find.LooksThrough() {
		if back {
			low = max(low, high-lookedThrough+1)
		} else {
			high = min(high, low+lookedThrough-1)
		}
		page.From, page.To = low, high
	}
	find.FromID, find.ToID, find.FromTime, find.ToTime = low, high, 0, 0
	find.NewestFirst, find.After, find.Limit = back, 0, q.Rows
	more := false
	if low <= high {
		if more, err = tx.EachRecord(find, func(r *admitto.Record) error {
			page.Records = append(page.Records, *r)
			return nil
		}); err != nil {
			return page, err
		}
	}
	if !back {
		slices.Reverse(page.Records)
	}
	// Records above and below the page: those that were read, or else what was looked through.
	top, bottom := high, low
	if more && back {
		bottom = page.Records[len(page.Records)-1].ID
	}
	if more && !back {
		top = page.Records[0].ID
	}
	if bottom > from && (more && back || page.From != 0 || !back) {
		page.Older = bottom
	}
	if top < to {
		page.Newer = top
	}
	return page, nil
}

// JournalRecords reads all records of a query, the newest first, in portions, so that no transaction lasts. Records
// that are written meanwhile are not among them.
func (s *Service) JournalRecords(ctx context.Context, by admitto.Caller,
	q admitto.JournalQuery) (iter.Seq2[*admitto.Record, error], error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return nil, err
	}
	const portion = 1000
	return func(yield func(*admitto.Record, error) bool) {
		next := BrowseJournal{JournalQuery: q, Rows: portion}
		for {
			page, err := s.BrowseJournal(ctx, by, next)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Records {
				if !yield(&page.Records[i], nil) {
					return
				}
			}
			if page.Older == 0 {
				return
			}
			next.Before = page.Older
		}
	}, nil
}

// JournalEntry is a record with what is known about it.
type JournalEntry struct {
	admitto.Record
	Gone   bool  // its applicant was deleted or erased
	Last   int64 // record of the journal
	Hidden bool  // it has details that the caller may not see
	Erased bool  // it had details, which went with the applicant
}

// JournalRecord reads one record of the journal with the values that changed, as far as the caller may see them;
// not-found without it.
func (s *Service) JournalRecord(ctx context.Context, by admitto.Caller, id int64) (e JournalEntry, err error) {
	if err := by.Needs(admitto.JournalView); err != nil {
		return e, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if e.Record, err = tx.RecordByID(id); err != nil {
			return err
		}
		if e.Last, _, err = tx.JournalHead(); err != nil {
			return err
		}
		if applicant := e.Links.Applicant; applicant != 0 {
			present, err := tx.PresentApplicants([]int64{applicant})
			if err != nil {
				return err
			}
			e.Gone = !present[applicant]
		}
		if e.DetailHash == "" {
			return nil
		}
		details, err := tx.DetailsOf([]int64{id})
		if err != nil {
			return err
		}
		list, kept := details[id]
		e.Erased = !kept
		for _, d := range list {
			if maySeeDetail(by, &e.Record, d.Path) {
				e.Details = append(e.Details, d)
			} else {
				e.Hidden = true
			}
		}
		return nil
	})
	return e, err
}

// maySeeDetail reports whether the caller may see a value that changed with a record: what shows the value itself asks
// for the same permissions.
func maySeeDetail(by admitto.Caller, r *admitto.Record, path string) bool {
	l := &r.Links
	switch {
	case l.Applicant == 0 && l.Application == 0:
		return true
	case l.Invoice != 0 && !by.Has(admitto.AccountingView):
		return false
	case l.Offer != 0 && !by.Has(admitto.OffersView):
		return false
	case l.Application == 0:
		return by.Has(admitto.ApplicantsView)
	case !maySeeField(by, path):
		return false
	}
	return by.Has(admitto.ApplicationsView)
}

// maySeeField reports whether the caller may see what is at a pointer into the content of an application: fields about
// health and background have a permission of their own.
func maySeeField(by admitto.Caller, pointer string) bool {
	path := strings.TrimPrefix(pointer, "/")
	if raw, ok := strings.CutPrefix(path, "attention/"); ok { // what was typed is seen by those who see the value
		path = strings.NewReplacer("~1", "/", "~0", "~").Replace(raw)
	}
	for path != "" {
		if field := form.FieldAt(path); field != nil {
			return field.Needs == 0 || by.Has(field.Needs)
		}
		if section := form.SectionOf(path); section != nil {
			return section.Data != form.Sensitive || by.Has(admitto.ApplicationsSensitive)
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return true
}
