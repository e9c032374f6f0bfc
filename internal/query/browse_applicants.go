package query

import (
	"context"
	"iter"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
)

// ApplicantRow is an applicant in a list of staff.
type ApplicantRow struct {
	admitto.Applicant
	Trackers     []int64 // by ID
	Applications int64   // 0 without applications-view
}

// ApplicantPage is one page of a list of applicants.
type ApplicantPage struct {
	ListPage
	Rows []ApplicantRow
}

// mayFilterApplicants refuses filters whose answers show what the caller may not see.
func mayFilterApplicants(by admitto.Caller, q *admitto.ApplicantQuery) error {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return err
	}
	if q.InTerm != 0 {
		return by.Needs(admitto.ApplicationsView)
	}
	return nil
}

func withTerms(q *admitto.ApplicantQuery) (ok bool) {
	if q.Text == "" {
		return true
	}
	q.Terms = text.Terms(q.Text)
	return len(q.Terms) > 0
}

// BrowseApplicants returns a page of applicants as staff see them (screens.md A07). Text matches as in
// BrowseApplications.
func (s *Service) BrowseApplicants(ctx context.Context, by admitto.Caller,
	q admitto.BrowseApplicants) (page ApplicantPage, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return page, err
	}
	if err := mayFilterApplicants(by, &q.ApplicantQuery); err != nil || !withTerms(&q.ApplicantQuery) {
		return page, err
	}
	q.Page = pageOf(q.Page, admitto.ApplicantSorts())
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.BrowseApplicants(q, true)
		if err != nil {
			return err
		}
		page.ListPage = listPage(&found)
		page.Rows, err = applicantRows(tx, by, found.IDs)
		return err
	})
	return page, err
}

// CountBrowsedApplicants counts the applicants of a query: exactly, or with more that they are more.
func (s *Service) CountBrowsedApplicants(ctx context.Context, by admitto.Caller, q admitto.ApplicantQuery) (n int64,
	more bool, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return 0, false, err
	}
	if err := mayFilterApplicants(by, &q); err != nil || !withTerms(&q) {
		return 0, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		found, err := tx.CountBrowsedApplicants(q)
		n, more = found.N, found.More
		return err
	})
	return n, more, err
}

// ApplicantNeighbours returns the applicants before and after one in a list, 0 for none, whether the applicant is in
// the list or not.
func (s *Service) ApplicantNeighbours(ctx context.Context, by admitto.Caller, q admitto.BrowseApplicants,
	id int64) (previous, next int64, err error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return 0, 0, err
	}
	if err := mayFilterApplicants(by, &q.ApplicantQuery); err != nil || !withTerms(&q.ApplicantQuery) {
		return 0, 0, err
	}
	page := pageOf(admitto.BrowsePage{Sort: q.Page.Sort, Descending: q.Page.Descending}, admitto.ApplicantSorts())
	page.Rows = 1
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		q.Page = page
		q.Page.Before = id
		found, err := tx.BrowseApplicants(q, false)
		if err != nil {
			return err
		}
		previous = first(found.IDs)
		q.Page.Before, q.Page.After = 0, id
		found, err = tx.BrowseApplicants(q, false)
		next = first(found.IDs)
		return err
	})
	return previous, next, err
}

// EachBrowsedApplicant returns all rows of a list in its order, whatever its page. An error is the last that it yields.
func (s *Service) EachBrowsedApplicant(ctx context.Context, by admitto.Caller, q admitto.BrowseApplicants) (
	iter.Seq2[*ApplicantRow, error], error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return nil, err
	}
	if err := mayFilterApplicants(by, &q.ApplicantQuery); err != nil {
		return nil, err
	}
	matches := withTerms(&q.ApplicantQuery)
	q.Page = pageOf(admitto.BrowsePage{Sort: q.Page.Sort, Descending: q.Page.Descending}, admitto.ApplicantSorts())
	q.Page.Rows = exportedAtOnce
	return wholeList(ctx, s, func(tx *store.Tx, after int64) (rows []ApplicantRow, more bool, err error) {
		if !matches {
			return nil, false, nil
		}
		q := q
		q.Page.After = after
		found, err := tx.BrowseApplicants(q, false)
		if err == nil {
			rows, err = applicantRows(tx, by, found.IDs)
		}
		return rows, found.More, err
	}, func(r *ApplicantRow) int64 { return r.ID }), nil
}

// applicantRows reads what the rows show, one statement for each kind.
func applicantRows(tx *store.Tx, by admitto.Caller, ids []int64) ([]ApplicantRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	people, err := tx.VisibleApplicants(ids)
	if err != nil {
		return nil, err
	}
	trackers, err := tx.TrackersOf(ids)
	if err != nil {
		return nil, err
	}
	var counts map[int64]int64
	if by.Has(admitto.ApplicationsView) {
		if counts, err = tx.CountApplicationsOf(ids); err != nil {
			return nil, err
		}
	}
	rows := make([]ApplicantRow, 0, len(ids))
	for _, id := range ids {
		p := people[id]
		if p == nil {
			continue
		}
		row := ApplicantRow{Applicant: *p, Applications: counts[id]}
		for _, t := range trackers[id] {
			row.Trackers = append(row.Trackers, t.Tracker)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// PossibleDuplicates returns the applicants who may be the same person as one, by ID: those with the same name, without
// accents and in any order, and the same birth date, and those with the same telephone number.
func (s *Service) PossibleDuplicates(ctx context.Context, by admitto.Caller, applicant int64) ([]ApplicantRow, error) {
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return nil, err
	}
	var rows []ApplicantRow
	err := s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		ids, err := tx.Twins(applicant)
		if err == nil {
			rows, err = applicantRows(tx, by, ids)
		}
		return err
	})
	return rows, err
}
