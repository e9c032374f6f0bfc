package store

import (
	"fmt"
	"slices"
)

// lock is what a SELECT … FOR UPDATE takes. The constants are the one order in which every transaction takes its locks:
// one that holds a lock takes none further up, and of one kind the lower ID first. Otherwise two transactions could
// wait for each other, which PostgreSQL ends after a second by failing one of them.
//
// Not in the order are locks that no statement waits for (SKIP LOCKED), and those of transactions that take one lock
// alone: migrations, quotas, files of forms and the hold of a backup.
type lock uint8

const (
	lockCall          lock = iota // the record of an idempotent call
	lockBatch                     // what is done with its records follows
	lockImport                    // of leads: what its rows change follows
	lockAddresses                 // of the members of staff: the row of the first role stands for them
	lockAdministrator             // a member of staff, with the roles
	lockKey                       // an API key
	lockFile                      // a file that nobody needs
	lockTracker                   // the next are edited rarely, and locked against use meanwhile
	lockFlag                      //
	lockCriteria                  // of a course
	lockTableviews                // whose columns follow the names of records
	lockReference                 // a record of the catalogue
	lockApplicant                 // what belongs to the applicant follows
	lockApplication               //
	lockOffer                     //
	lockInvoice                   //
	lockConsent                   // its text, while an applicant decides on it
	lockOutbox                    // a queued mail, by its lease
	lockSeries                    // the numbers of invoices
	lockHead                      // of the journal: the order of commits
)

var lockNames = [...]string{"idempotent call", "batch", "import of leads", "addresses of staff",
	"administrator", "key", "file", "tracker", "flag", "criteria", "tableviews", "record of the catalogue", "applicant",
	"application", "offer", "invoice", "consent", "mail", "series", "head of the journal"}

// heldLock is a lock on a row; ID 0 stands for several rows, which one statement locks in the order of their IDs, or
// for one that has no such ID.
type heldLock struct {
	lock lock
	id   int64
}

func (h heldLock) String() string { return fmt.Sprintf("%s %d", lockNames[h.lock], h.id) }

// forUpdate ends a SELECT that locks the row it finds. Under test, where the options say so, a lock out of order fails
// the transaction when it would commit. To lock again what is locked is harmless.
func (tx *Tx) forUpdate(l lock, id int64) string {
	if tx.checkLocks {
		tx.noteLock(heldLock{l, id})
	}
	return tx.dialect.forUpdate
}

func (tx *Tx) noteLock(h heldLock) {
	if slices.Contains(tx.locks, h) {
		return
	}
	for _, held := range tx.locks {
		if tx.disorder == nil && (h.lock < held.lock || h.lock == held.lock && h.id != 0 && h.id < held.id) {
			tx.disorder = fmt.Errorf("locks out of order: %v after %v", h, held)
		}
	}
	tx.locks = append(tx.locks, h)
}
