package query

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// SelectApplications returns the IDs of so many applications of a query behind one, by ascending ID, and whether more
// follow: a batch is made of them.
func (s *Service) SelectApplications(tx *store.Tx, by admitto.Caller, q admitto.ApplicationQuery, after int64,
	rows int) (ids []int64, more bool, err error) {
	if err := mayFilter(by, &q); err != nil {
		return nil, false, err
	}
	if !s.prepare(tx, &q) {
		return nil, false, nil
	}
	found, err := tx.BrowseApplications(admitto.Browse{ApplicationQuery: q,
		Page: admitto.BrowsePage{Sort: admitto.ByID, Rows: rows, After: after}}, false)
	return found.IDs, found.More, err
}

// SelectApplicants is SelectApplications for applicants.
func (s *Service) SelectApplicants(tx *store.Tx, by admitto.Caller, q admitto.ApplicantQuery, after int64,
	rows int) (ids []int64, more bool, err error) {
	if err := mayFilterApplicants(by, &q); err != nil || !withTerms(&q) {
		return nil, false, err
	}
	found, err := tx.BrowseApplicants(admitto.BrowseApplicants{ApplicantQuery: q,
		Page: admitto.BrowsePage{Sort: admitto.ByID, Rows: rows, After: after}}, false)
	return found.IDs, found.More, err
}

// SelectTasks is SelectApplications for tasks.
func (s *Service) SelectTasks(tx *store.Tx, by admitto.Caller, q admitto.TaskQuery, after int64,
	rows int) (ids []int64, more bool,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, false, err
	}
	q.Today = s.core.Today(tx)
	return tx.SelectTasks(q, after, rows)
}
