package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// AddDataRequest keeps a request and returns its ID.
func (tx *Tx) AddDataRequest(q *admitto.DataRequest) (int64, error) {
	fresh := *q
	fresh.Recorded = tx.Now()
	id, err := tx.insert(columns.DataRequest.Insert()+" RETURNING id", columns.DataRequest.New(&fresh)...)
	if err != nil || q.Kind != admitto.RequestErase {
		return id, err
	}
	return id, tx.noteForgetRequest(q.Applicant, tx.Now())
}

// noteForgetRequest keeps with the applicant when the request came that the purge list will name; 0 for none.
func (tx *Tx) noteForgetRequest(applicant int64, at admitto.Time) error {
	_, err := tx.exec("UPDATE applicant SET forget_requested = $2, row_version = row_version + 1 WHERE id = $1",
		applicant, at)
	return err
}

// AnswerDataRequest ends an open request. One to be forgotten that is not granted is no reason for an erasure any more.
func (tx *Tx) AnswerDataRequest(q *admitto.DataRequest) error {
	_, err := tx.exec(`UPDATE data_request SET answered = $2, answered_by = $3, outcome = $4, answer = $5
		WHERE id = $1 AND answered IS NULL`, q.ID, tx.Now(), columns.OrNull(q.AnsweredBy), string(q.Outcome), q.Answer)
	if err != nil || q.Kind != admitto.RequestErase || q.Outcome == admitto.RequestGranted {
		return err
	}
	return tx.noteForgetRequest(q.Applicant, 0)
}

// DataRequestByID reads a request; NotFound when there is none.
func (tx *Tx) DataRequestByID(id int64) (q admitto.DataRequest, err error) {
	err = one(tx.query("SELECT "+columns.DataRequest.Select("q")+" FROM data_request q WHERE q.id = $1", id),
		func(r *db.Rows) { columns.DataRequest.Scan(r, &q) })
	return q, err
}

// DataRequestsOf returns the newest requests of an applicant, at most n.
func (tx *Tx) DataRequestsOf(applicant int64, n int) (list []admitto.DataRequest, err error) {
	err = each(tx.query("SELECT "+columns.DataRequest.Select("q")+" FROM data_request q WHERE q.applicant_id = $1 ORDER BY q.id DESC LIMIT $2",
		applicant, n), func(r *db.Rows) { list = append(list, scanned(columns.DataRequest, r)) })
	return list, err
}

// RequestCase is a request with whose it is, and with what speaks against an erasure.
type RequestCase struct {
	admitto.DataRequest
	Of             admitto.Applicant
	Deleted        bool  // the applicant is in the recovery list
	Open, Accepted int64 // applications that are not closed, and offers that were accepted
	Invoices       int64 // that stay without the applicant
}

// requestCase selects requests with their applicants. What speaks against is asked of open ones only.
const requestCase = `, a.state = 'recovery',
	CASE WHEN q.answered IS NULL THEN (SELECT count(*) FROM application p WHERE p.applicant_id = a.id AND p.visible
		AND p.status NOT IN ('Closed', 'Withdrawn')) ELSE 0 END,
	CASE WHEN q.answered IS NULL THEN (SELECT count(*) FROM offer o JOIN application p ON p.id = o.application_id
		WHERE p.applicant_id = a.id AND o.decision = 'Final') ELSE 0 END,
	CASE WHEN q.answered IS NULL THEN (SELECT count(*) FROM invoice i JOIN invoice_series s ON s.id = i.series_id
		WHERE i.applicant_id = a.id AND (s.permanent OR EXISTS (SELECT 1 FROM invoice_transaction t WHERE t.invoice_id = i.id))) ELSE 0 END
	FROM data_request q JOIN applicant a ON a.id = q.applicant_id`

// DataRequests returns the open requests about applicants who are there, those whose answer is due first before the
// others, and then those that were answered since a time, the newest first; at most n of each.
func (tx *Tx) DataRequests(since admitto.Time, n int) (open, answered []RequestCase, err error) {
	for _, part := range []struct {
		to    *[]RequestCase
		where string
		args  []any
	}{{&open, " WHERE q.answered IS NULL AND a.state <> 'recovery' ORDER BY q.received, q.id LIMIT $1", []any{n}},
		{&answered, " WHERE q.answered >= $2 ORDER BY q.answered DESC, q.id DESC LIMIT $1", []any{n, since}}} {
		sql := "SELECT " + applicantColumns + ", " + columns.DataRequest.Select("q") + requestCase + part.where
		err = each(tx.query(sql, part.args...), func(r *db.Rows) {
			var c RequestCase
			of := columns.Applicant.Width()
			own := of + columns.DataRequest.Width()
			scanApplicant(r, &c.Of)
			columns.DataRequest.ScanFrom(r, of, &c.DataRequest)
			c.Deleted, c.Open, c.Accepted, c.Invoices = r.Bool(own), r.Int64(own+1), r.Int64(own+2), r.Int64(own+3)
			*part.to = append(*part.to, c)
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return open, answered, nil
}

// Recoverable returns the applicants in the recovery list, those that are erased first before the others; at most n.
// Registrations that were taken back are not among them: nobody waits for them.
func (tx *Tx) Recoverable(n int) (list []Deleted, err error) {
	own := columns.Applicant.Width()
	err = each(tx.query("SELECT "+applicantColumns+`, a.state_before, a.deleted, a.deleted_by, a.forget_requested FROM applicant a
		WHERE a.state = 'recovery' AND a.deleted IS NOT NULL AND (a.registration_proof IS NULL OR a.deleted_by IS NOT NULL)
		ORDER BY a.deleted, a.id LIMIT $1`, n), func(r *db.Rows) {
		var d Deleted
		scanApplicant(r, &d.Applicant)
		d.StateBefore, d.Deleted, d.DeletedBy, d.ForgetRequested = admitto.ApplicantState(r.Text(own)), r.Time(own+1),
			r.Int64(own+2), r.Time(own+3)
		list = append(list, d)
	})
	return list, err
}

// AllDataExports returns the exports about visible applicants whose days are not over, of both kinds, the newest first;
// at most n of each.
func (tx *Tx) AllDataExports(n int) (list []admitto.DataExport, err error) {
	for _, own := range []bool{false, true} {
		err = each(tx.query("SELECT "+columns.DataExport.Select("e")+" FROM "+exports(own)+` e
			JOIN applicant a ON a.id = e.applicant_id WHERE e.expires > $1 AND a.visible ORDER BY e.id DESC LIMIT $2`, tx.Now(), n), func(r *db.Rows) {
			e := admitto.DataExport{Own: own}
			columns.DataExport.Scan(r, &e)
			list = append(list, e)
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
