package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/internal/permit"
)

// SQL is a transaction as the packages below store see it: statements, and the counts that must be kept with the rows.
type SQL struct {
	*db.Tx
	tx *Tx
}

// SQL returns the layer below. Use cases have no permit, so they cannot get there.
func (tx *Tx) SQL(permit.SQL) SQL { return SQL{tx.sql, tx} }

// RaiseSequence makes the next ID of the table one above id, unless it is above already.
func (s SQL) RaiseSequence(table string, id int64) error {
	if s.Engine() == db.SQLite {
		return nil // AUTOINCREMENT notes the highest ID that was ever inserted by itself
	}
	// SkipIDs would also move the sequence back, to IDs that deleted rows have had.
	next, err := s.tx.nextID(table)
	if err != nil {
		return err
	}
	return s.tx.SkipIDs(table, max(next, id))
}

// CountApplicant counts a new applicant, who may be invisible.
func (s SQL) CountApplicant(a *admitto.Applicant) {
	if visible(a.State) {
		s.tx.countApplicant(a.ID, a.Citizenship, a.Registered, 1)
	}
}

// CountTracker counts a tracker that was set on a visible applicant.
func (s SQL) CountTracker(tracker, applicant int64) {
	s.tx.count(familyApplicant, facetTracker(tracker), applicant/blockSize, applicant, 1)
}

// CountApplication counts a new application of a visible applicant.
func (s SQL) CountApplication(a *admitto.Application) {
	s.tx.countApplication(a.ID, a.Term, a.Status, 1)
	if a.Frozen != 0 {
		s.tx.countFrozen(a.ID, a.Term, 1)
	}
}

// OffersChange notes that offers of the applications are about to change, which are counted at the end.
func (s SQL) OffersChange(applications []int64) error { return s.tx.offersChange(applications...) }

// CountTask counts a new task at the end of the transaction.
func (s SQL) CountTask(id int64) { s.tx.newTask(id) }

// CountScore counts a new score of a visible application.
func (s SQL) CountScore(id, sheet int64) { s.tx.countScore(id, sheet, 1) }

// CountInvoice counts a new invoice.
func (s SQL) CountInvoice(id int64) { s.tx.countInvoice(id, 1) }
