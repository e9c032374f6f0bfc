package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// CardCounts are how many of each kind hang on an application, for the tabs of its card. GeneralEmails, those about no
// application, and some of the notes are those of its applicant.
type CardCounts struct {
	Courses, Tasks, OpenTasks, Documents, Unread, Scores, Invoices, Emails, GeneralEmails, ApplicantNotes, OfferNotes,
	Events int64
}

// CardCounts counts what hangs on an application, of mails those that somebody may read.
func (tx *Tx) CardCounts(application, applicant int64, seen admitto.MailsSeen) (c CardCounts, err error) {
	err = one(tx.query(`SELECT (SELECT count(*) FROM application_course x WHERE x.application_id = $1),
		(SELECT count(*) FROM task x WHERE x.application_id = $1 AND x.trashed IS NULL),
		(SELECT count(*) FROM task x WHERE x.application_id = $1 AND x.trashed IS NULL AND x.resolved IS NULL),
		(SELECT count(*) FROM document x WHERE x.application_id = $1 AND x.trashed IS NULL),
		(SELECT count(*) FROM document x WHERE x.application_id = $1 AND x.trashed IS NULL AND x.unread),
		(SELECT count(*) FROM score x WHERE x.application_id = $1),
		(SELECT count(*) FROM invoice x WHERE x.application_id = $1),
		(SELECT count(*) FROM email e WHERE e.applicant_id = $2 AND e.application_id = $1`+mailsSeen(seen)+`),
		(SELECT count(*) FROM email e WHERE e.applicant_id = $2 AND e.application_id IS NULL`+mailsSeen(seen)+`),
		(SELECT count(*) FROM note x WHERE x.applicant_id = $2 AND x.removed IS NULL),
		(SELECT count(*) FROM offer x JOIN note n ON n.offer_id = x.id WHERE x.application_id = $1 AND n.removed IS NULL),
		(SELECT count(*) FROM journal x WHERE x.application_id = $1)`, application, applicant), func(r *db.Rows) {
		c = CardCounts{r.Int64(0), r.Int64(1), r.Int64(2), r.Int64(3), r.Int64(4), r.Int64(5), r.Int64(6), r.Int64(7),
			r.Int64(8), r.Int64(9), r.Int64(10), r.Int64(11)}
	})
	return c, err
}
