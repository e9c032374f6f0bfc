package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Applicants lists applicants by ascending ID. The codes of byTrackerCodes are resolved in the same snapshot; nil is no
// condition. with says what else is read for each page (nil: nothing).
func (s *Service) Applicants(ctx context.Context, by admitto.Caller, q admitto.ApplicantQuery, trackerCodes []string,
	with *ApplicantParts) (*usecase.List[admitto.Applicant], error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return nil, err
	}
	with.narrow(by)
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (list usecase.Source[admitto.Applicant], err error) {
		q := q
		if trackerCodes != nil {
			if q.TrackerCodeIDs, err = tx.TrackerIDsByCode(trackerCodes); err != nil {
				return list, err
			}
		}
		return usecase.Source[admitto.Applicant]{After: q.After, Limit: int64(q.Limit),
			Each:  func(each func(*admitto.Applicant) error) (bool, error) { return ReadApplicants(tx, q, with, each) },
			Count: func() (int64, error) { return tx.CountApplicants(q) },
			End:   func() (int64, error) { return tx.ApplicantsEnd(q) }}, nil
	}), nil
}

// ReadApplicants hands over the applicants of a query with what is wanted next to them.
func ReadApplicants(tx *store.Tx, q admitto.ApplicantQuery, with *ApplicantParts,
	each func(*admitto.Applicant) error) (more bool, err error) {
	if !with.Any() {
		return tx.EachApplicant(q, each)
	}
	return tx.ApplicantPages(q, func(page []admitto.Applicant) error {
		if err := with.load(tx, page); err != nil {
			return err
		}
		return eachOf(page, each)
	})
}

// ApplicantParts is what hangs on applicants and is read for a page of them at once. The caller says what it
// wants; what was read is for the applicants of the current page, by applicant.
type ApplicantParts struct {
	WantNotes, WantTrackers, WantDocuments bool
	WantInvoices                           bool
	WantConsents, WantWishes               bool
	Notes                                  map[int64][]string // texts of active ones, by age
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
func (s *Service) Applicant(ctx context.Context, by admitto.Caller, id int64,
	with *ApplicantParts) (a admitto.Applicant, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, id); err != nil {
		return a, err
	}
	with.narrow(by)
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if a, err = tx.Applicant(id); err != nil || !with.Any() {
			return err
		}
		return with.load(tx, []admitto.Applicant{a})
	})
	return a, err
}
