package store

import (
	"cmp"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

const batchRecordColumns = `place, record, applicant_id, state, version, was, becomes, recipient, subject, body, reasons`

func scanBatchRecord(r *db.Rows, b *admitto.BatchRecord) {
	b.Place, b.Record, b.Applicant = r.Int64(0), r.Int64(1), r.Int64(2)
	b.State, b.Version, b.Was, b.Becomes = admitto.BatchRecordState(r.Text(3)), r.Int64(4), r.Text(5), r.Text(6)
	b.Recipient, b.Subject, b.Body, b.Reasons = r.Text(7), r.Text(8), r.Text(9), message.Kept(r.Text(10))
}

// InsertBatchRecords adds lines to the list of a batch.
func (tx *Tx) InsertBatchRecords(batch int64, list []admitto.BatchRecord) error {
	rows := make([][]any, len(list))
	for i := range list {
		b := &list[i]
		rows[i] = []any{batch, b.Place, b.Record, columns.OrNull(b.Applicant), b.State, b.Version, b.Was, b.Becomes,
			b.Recipient, b.Subject, b.Body, message.Keep(b.Reasons)}
	}
	return tx.bulk("INSERT INTO batch_record (batch_id, "+batchRecordColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, rows)
}

// NextBatchRecord returns the first line of a batch in a state; found is false when there is none left.
func (tx *Tx) NextBatchRecord(batch int64, state admitto.BatchRecordState) (b admitto.BatchRecord, found bool,
	err error) {
	err = each(tx.query("SELECT "+batchRecordColumns+` FROM batch_record WHERE batch_id = $1 AND state = $2
		ORDER BY place LIMIT 1`, batch, state), func(r *db.Rows) {
		scanBatchRecord(r, &b)
		found = true
	})
	return b, found, err
}

// SetBatchRecord keeps what became of a line of a batch.
func (tx *Tx) SetBatchRecord(batch int64, b *admitto.BatchRecord) error {
	_, err := tx.exec("UPDATE batch_record SET state = $3, reasons = $4, becomes = $5 WHERE batch_id = $1 AND place = $2",
		batch, b.Place, b.State, message.Keep(b.Reasons), b.Becomes)
	return err
}

// BatchRecords returns lines of a batch behind a place, in their order, and whether more follow; of all states, or of
// one.
func (tx *Tx) BatchRecords(batch, after int64, state admitto.BatchRecordState,
	rows int) (list []admitto.BatchRecord, more bool, err error) {
	sql, args := "SELECT "+batchRecordColumns+" FROM batch_record WHERE batch_id = $1 AND place > $2", []any{batch, after}
	if state != "" {
		args = append(args, state)
		sql += " AND state = $3"
	}
	args = append(args, rows+1)
	more, err = upTo(tx.query(sql+fmt.Sprintf(" ORDER BY place LIMIT $%d", len(args)), args...), rows, scanBatchRecord,
		func(b *admitto.BatchRecord) error {
			list = append(list, *b)
			return nil
		})
	return list, more, err
}

// BatchRecord reads a line of a batch; not-found without it.
func (tx *Tx) BatchRecord(batch, place int64) (b admitto.BatchRecord, err error) {
	err = one(tx.query("SELECT "+batchRecordColumns+" FROM batch_record WHERE batch_id = $1 AND place = $2", batch, place),
		func(r *db.Rows) { scanBatchRecord(r, &b) })
	return b, err
}

// BatchReach counts the lines of a batch in some states, of all without any, and the applicants in them; of those with
// a recipient if mailed.
func (tx *Tx) BatchReach(batch int64, mailed bool, states ...admitto.BatchRecordState) (lines, applicants int64,
	err error) {
	sql, args := "SELECT count(*), count(DISTINCT applicant_id) FROM batch_record WHERE batch_id = $1", []any{batch}
	if mailed {
		sql += " AND recipient <> ''"
	}
	if len(states) > 0 {
		var of []string
		for _, state := range states {
			of = append(of, string(state))
		}
		sql, args = sql+" AND "+tx.dialect.in("state", 2), append(args, of)
	}
	err = one(tx.query(sql, args...), func(r *db.Rows) { lines, applicants = r.Int64(0), r.Int64(1) })
	return lines, applicants, err
}

// WhoStopped is who stopped a batch last, as its events say.
func (tx *Tx) WhoStopped(batch int64) (who admitto.Actor, err error) {
	const sql = "SELECT actor, actor_id FROM journal WHERE batch_id = $1 AND pattern = $2 ORDER BY id DESC LIMIT 1"
	err = each(tx.query(sql, batch, admitto.BatchStoppedEvent), func(r *db.Rows) {
		who.Kind, who.ID = admitto.ActorKind(r.Text(0)), r.Int64(1)
	})
	return who, err
}

// InBatch returns those of the applicants whom the list of a batch has already.
func (tx *Tx) InBatch(batch int64, applicants []int64) (map[int64]bool, error) {
	found := map[int64]bool{}
	err := each(tx.query("SELECT applicant_id FROM batch_record WHERE batch_id = $1 AND state = 'sealed' AND "+
		tx.dialect.in("applicant_id", 2), batch, applicants), func(r *db.Rows) { found[r.Int64(0)] = true })
	return found, err
}

// NamesOfApplicants returns the full names of applicants who are there.
func (tx *Tx) NamesOfApplicants(ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	err := each(tx.query("SELECT id, given, middle, family, legal FROM applicant WHERE visible AND "+
		tx.dialect.in("id", 1),
		ids), func(r *db.Rows) {
		name := admitto.Name{Given: r.Text(1), Middle: r.Text(2), Family: r.Text(3), Legal: r.Text(4)}
		names[r.Int64(0)] = cmp.Or(name.Full(), name.Legal)
	})
	return names, err
}

// BatchOfMatriculation returns the batch that gave an applicant the matriculation number, 0 for none: it was given, or
// taken away, by something else.
func (tx *Tx) BatchOfMatriculation(applicant int64) (batch int64, err error) {
	_, err = tx.EachRecord(admitto.JournalQuery{ApplicantIDs: []int64{applicant}, NewestFirst: true, Limit: 1,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicantMatriculationSet},
			{Pattern: admitto.ApplicantMatriculationGone}}},
		func(r *admitto.Record) error {
			batch = r.Actor.Batch
			return nil
		})
	return batch, err
}
