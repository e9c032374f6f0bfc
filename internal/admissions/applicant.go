package admissions

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
)

// Applicants answers a list: count is called with the number of all matches, each for the matches themselves
// by ascending ID, at most q.Limit (nil: they are not read). more reports whether matches are left out. The
// codes of byTrackerCodes are resolved in the same snapshot; nil is no condition. with says what else is
// read for each page (nil: nothing).
func (o *Office) Applicants(ctx context.Context, by admitto.Caller, q admitto.ApplicantQuery, trackerCodes []string, with *ApplicantParts,
	count func(n, last int64), each func(*admitto.Applicant) error) (more bool, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return more, err
	}
	with.narrow(by)
	err = o.read(ctx, func(tx *store.Tx) error {
		if trackerCodes != nil {
			if q.TrackerCodeIDs, err = tx.TrackerIDsByCode(trackerCodes); err != nil {
				return err
			}
		}
		more, err = countedList(q.After, count, each, func() (int64, error) { return tx.CountApplicants(q) },
			func(n int64) (int64, error) {
				return endOf(n, q.Limit, func() (int64, error) { return tx.ApplicantsEnd(q) })
			},
			func(each func(*admitto.Applicant) error) (bool, error) { return applicants(tx, q, with, each) })
		return err
	})
	return more, err
}

// applicants hands over the applicants of a query with what is wanted next to them.
func applicants(tx *store.Tx, q admitto.ApplicantQuery, with *ApplicantParts, each func(*admitto.Applicant) error) (more bool, err error) {
	if !with.Any() {
		return tx.EachApplicant(q, each)
	}
	return tx.ApplicantPages(q, func(page []admitto.Applicant) error {
		if err := with.load(tx, page); err != nil {
			return err
		}
		for i := range page {
			if err := each(&page[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// countedList answers a list with the number of all its matches. A list from its beginning that leaves nothing out has
// counted its matches itself; only otherwise they are counted by a statement. each is nil when they are only counted, and then
// end finds where the page ends.
func countedList[T any](after int64, count func(n, last int64), each func(*T) error, matches func() (int64, error),
	end func(n int64) (int64, error), list func(each func(*T) error) (more bool, err error)) (more bool, err error) {
	var listed int64
	if each != nil {
		more, err = list(func(v *T) error {
			listed++
			return each(v)
		})
		if err != nil {
			return false, err
		}
	}
	if each == nil || more || after != 0 {
		if listed, err = matches(); err != nil {
			return false, err
		}
	}
	var last int64
	if each == nil {
		if last, err = end(listed); err != nil {
			return false, err
		}
		more = last != 0
	}
	count(listed, last)
	return more, nil
}

// listOrEnd answers a list of n matches: it lists them or, when each is nil, finds where the page ends.
func listOrEnd[T any](n int64, limit int, count func(n, last int64), each func(*T) error, end func() (int64, error),
	list func() (more bool, err error)) (more bool, err error) {
	var last int64
	switch {
	case each == nil:
		last, err = endOf(n, limit, end)
		more = last != 0
	case n > 0:
		more, err = list()
	}
	if err == nil {
		count(n, last)
	}
	return more, err
}

// endOf finds the last ID of a page of at most limit out of n matches, by a statement that reads no records; 0 when no match
// is left out behind it.
func endOf(n int64, limit int, statement func() (int64, error)) (int64, error) {
	if limit < 1 || n <= int64(limit) {
		return 0, nil
	}
	return statement()
}

// ApplicantParts is what hangs on applicants and is read for a page of them at once. The caller says what it
// wants; what was read is for the applicants of the current page, by applicant.
type ApplicantParts struct {
	WantNotes, WantTrackers, WantDocuments bool
	WantInvoices                           bool
	WantConsents, WantWishes               bool
	Notes                                  map[int64][]string // texts active, by age
	Trackers                               map[int64][]admitto.TrackerAssociation
	Documents                              map[int64][]admitto.File // their owners are the applications
	Consents                               map[int64][]admitto.ConsentDecision
	Invoices                               map[int64][]admitto.Invoice
	Wishes                                 map[int64][]admitto.Wish
}

// narrow drops what the caller may not see (lifecycle.md 12.1, 12.3).
func (p *ApplicantParts) narrow(by admitto.Caller) {
	if p == nil {
		return
	}
	own, staff := by.Actor.Kind == admitto.ByApplicant, by.Has(admitto.ApplicantsView)
	p.WantNotes, p.WantTrackers = p.WantNotes && staff, p.WantTrackers && staff
	p.WantConsents, p.WantWishes = p.WantConsents && (own || staff), p.WantWishes && (own || staff)
	p.WantDocuments = p.WantDocuments && by.Has(admitto.ApplicationsView)
	p.WantInvoices = p.WantInvoices && (own || by.Has(admitto.AccountingView))
}

// Any reports whether anything is read next to the records themselves.
func (p *ApplicantParts) Any() bool {
	return p != nil && (p.WantNotes || p.WantTrackers || p.WantDocuments || p.WantConsents ||
		p.WantWishes || p.WantInvoices)
}

// load reads everything wanted for a page, one statement for each kind.
func (p *ApplicantParts) load(tx *store.Tx, page []admitto.Applicant) (err error) {
	ids := make([]int64, len(page))
	for i := range page {
		ids[i] = page[i].ID
	}
	for _, part := range []struct {
		wanted bool
		read   func() error
	}{
		{p.WantNotes, func() error { p.Notes, err = tx.VisibleNotes(ids); return err }},
		{p.WantTrackers, func() error { p.Trackers, err = tx.TrackersOf(ids); return err }},
		{p.WantDocuments, func() error { p.Documents, err = tx.DocumentsOfApplicants(ids); return err }},
		{p.WantConsents, func() error { p.Consents, err = tx.ConsentsOf(ids); return err }},
		{p.WantInvoices, func() error { p.Invoices, err = tx.InvoicesOf(ids); return err }},
		{p.WantWishes, func() error { p.Wishes, err = tx.WishesOf(ids); return err }},
	} {
		if part.wanted {
			if err := part.read(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Applicant reads one applicant and the wanted parts (nil: none), or answers NotFound.
func (o *Office) Applicant(ctx context.Context, by admitto.Caller, id int64, with *ApplicantParts) (a admitto.Applicant, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, id); err != nil {
		return a, err
	}
	with.narrow(by)
	err = o.read(ctx, func(tx *store.Tx) error {
		if a, err = tx.Applicant(id); err != nil || !with.Any() {
			return err
		}
		return with.load(tx, []admitto.Applicant{a})
	})
	return a, err
}

// SetReference stores an applicant's reference code, "" clears it. The value has the form of the setting.
// Errors: not-found; reference-in-use by another applicant. Writing what is there already changes nothing.
func (o *Office) SetReference(ctx context.Context, by Caller, id int64, value string) error {
	if err := by.Needs(admitto.ApplicantsEdit); err != nil {
		return err
	}
	return o.setCode(ctx, by, id, value, codeField{"reference", (*store.Tx).SetReference,
		func(a *admitto.Applicant) string { return a.Reference }, admitto.ApplicantReferenceSet, admitto.ApplicantReferenceCleared})
}

// SetMatriculation stores an applicant's matriculation number, "" clears it. Errors: not-found.
func (o *Office) SetMatriculation(ctx context.Context, by Caller, id int64, value string) error {
	if err := by.Needs(admitto.MatriculationEdit); err != nil {
		return err
	}
	return o.setCode(ctx, by, id, value, codeField{"matriculation", (*store.Tx).SetMatriculation,
		func(a *admitto.Applicant) string { return a.Matriculation }, admitto.ApplicantMatriculationSet, admitto.ApplicantMatriculationGone})
}

// codeField is a code on an applicant that can be set and cleared.
type codeField struct {
	path         string
	set          func(*store.Tx, int64, string) error
	get          func(*admitto.Applicant) string
	wasSet, gone admitto.Pattern
}

func (o *Office) setCode(ctx context.Context, by Caller, id int64, value string, field codeField) error {
	inUse := &admitto.Error{Kind: admitto.InvalidBody, Faults: []admitto.Fault{referenceInUse("")}}
	inUse.Faults[0].HasPointer = true
	err := o.write(ctx, func(tx *store.Tx) error {
		a, err := tx.LockApplicant(id)
		if err != nil {
			return err
		}
		if err := by.SeesRow(tx, admitto.Row{Kind: admitto.ApplicantRow, ID: id}); err != nil {
			return err
		}
		old := field.get(&a)
		if old == value {
			return nil
		}
		if field.wasSet == admitto.ApplicantReferenceSet {
			holder, err := tx.ApplicantByReference(value)
			if err != nil {
				return err
			}
			if holder != 0 {
				return inUse
			}
		}
		if err := field.set(tx, id, value); err != nil {
			return err
		}
		pattern := field.wasSet
		if value == "" {
			pattern = field.gone
		}
		tx.Record(by.Actor, admitto.Event{Pattern: pattern, Links: admitto.Links{Applicant: id},
			Details: []admitto.Detail{{Path: field.path, Old: old, New: value}}})
		return nil
	})
	if errors.Is(err, db.ErrUnique) {
		return inUse // taken in the same time
	}
	return err
}
