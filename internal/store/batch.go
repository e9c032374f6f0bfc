package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// InsertBatch stores a batch whose list is still to be sealed, and returns its ID.
func (tx *Tx) InsertBatch(b *admitto.Batch, s *admitto.BatchSelection) (int64, error) {
	selection, err := json.Marshal(s)
	if err != nil {
		return 0, err
	}
	fresh := admitto.Batch{Action: b.Action, Source: b.Source, State: admitto.BatchPreparing, Params: b.Params,
		RuleVersion: b.RuleVersion, Prepared: tx.Now(), PreparedBy: b.PreparedBy}
	return tx.insert(columns.Batch.Insert()+" RETURNING id", columns.Batch.New(&fresh, string(selection))...)
}

// Batch reads a batch; not-found without it.
func (tx *Tx) Batch(id int64) (b admitto.Batch, err error) {
	err = one(tx.query("SELECT "+columns.Batch.Select("")+" FROM batch WHERE id = $1", id),
		func(r *db.Rows) { columns.Batch.Scan(r, &b) })
	return b, err
}

// LockBatch is Batch, and keeps others from changing it; lease is the number of the last one that was taken.
func (tx *Tx) LockBatch(id int64) (b admitto.Batch, lease int64, err error) {
	err = one(tx.query("SELECT "+columns.Batch.Select("")+" FROM batch WHERE id = $1"+tx.forUpdate(lockBatch, id), id),
		func(r *db.Rows) { columns.Batch.Scan(r, &b) })
	if err == nil {
		lease, err = tx.number("SELECT lease FROM batch WHERE id = $1", id)
	}
	return b, lease, err
}

// SaveBatch stores everything of a locked batch that changes in its life, with how many records its wave has.
func (tx *Tx) SaveBatch(b *admitto.Batch) error {
	_, err := tx.exec(`UPDATE batch SET state = $2, counted = $3, released = $4, released_by = $5, alone = $6, ended = $7,
		undone = $8, undone_by = $9, why = $10, size = $11, excluded = $12, done = $13, skipped = $14, failed = $15,
		put_back = $16, left_as_is = $17, not_before = $18 WHERE id = $1`,
		b.ID, b.State, b.Counted, b.Released, columns.OrNull(b.ReleasedBy),
		b.Alone, b.Ended, b.Undone, columns.OrNull(b.UndoneBy),
		message.Keep(b.Why), b.Size, b.Excluded, b.Done, b.Skipped, b.Failed, b.PutBack, b.LeftAsIs, int64(b.NotBefore))
	return err
}

// DeleteBatch removes a batch with its records.
func (tx *Tx) DeleteBatch(id int64) error {
	_, err := tx.exec("DELETE FROM batch WHERE id = $1", id)
	return err
}

// BatchSelection reads what a batch is made of, and behind which ID the sealing goes on; empty once it is sealed.
func (tx *Tx) BatchSelection(id int64) (s admitto.BatchSelection, sealedTo int64, err error) {
	var text []byte
	err = one(tx.query("SELECT selection, sealed_to FROM batch WHERE id = $1", id), func(r *db.Rows) {
		text, sealedTo = append([]byte{}, r.Raw(0)...), r.Int64(1)
	})
	if err != nil || len(text) == 0 {
		return s, sealedTo, err
	}
	return s, sealedTo, json.Unmarshal(text, &s)
}

// SetSealedTo keeps how far the sealing of a batch is; at its end what was selected is forgotten.
func (tx *Tx) SetSealedTo(id, sealedTo int64, whole bool) error {
	forget := ""
	if whole {
		forget = ", selection = ''"
	}
	_, err := tx.exec("UPDATE batch SET sealed_to = $2"+forget+" WHERE id = $1", id, sealedTo)
	return err
}

// BatchesAtWork returns the batches that the service may work on now, the oldest first.
func (tx *Tx) BatchesAtWork() (ids []int64, err error) {
	err = each(tx.query(`SELECT id FROM batch WHERE state IN ('preparing', 'running', 'undoing') AND lease_until <= $1
		AND not_before <= $1 ORDER BY id LIMIT 100`, tx.Now()), func(r *db.Rows) { ids = append(ids, r.Int64(0)) })
	return ids, err
}

// ClaimBatch takes a batch that is to be worked on until the time given, and returns the number of the lease; 0 when
// somebody else works on it, or nobody may.
func (tx *Tx) ClaimBatch(id int64, until admitto.Time) (lease int64, err error) {
	return tx.number(`UPDATE batch SET lease = lease + 1, lease_until = $2 WHERE id = $1
		AND state IN ('preparing', 'running', 'undoing') AND lease_until <= $3 AND not_before <= $3 RETURNING lease`,
		id, until, tx.Now())
}

// KeepBatchLease moves the end of a lease that is held, and counts the records of the wave; 0 begins the next one.
func (tx *Tx) KeepBatchLease(id int64, until admitto.Time, inWave int64) error {
	_, err := tx.exec("UPDATE batch SET lease_until = $2, in_wave = $3 WHERE id = $1", id, until, inWave)
	return err
}

// BatchWave is how many records the wave of a batch has had.
func (tx *Tx) BatchWave(id int64) (int64, error) {
	return tx.number("SELECT in_wave FROM batch WHERE id = $1", id)
}

// ReleaseBatchLease hands a batch back, if it is still under the lease.
func (tx *Tx) ReleaseBatchLease(id, lease int64) error {
	_, err := tx.exec("UPDATE batch SET lease_until = 0 WHERE id = $1 AND lease = $2", id, lease)
	return err
}

// Batches returns a page of batches, newest first, and whether more follow.
func (tx *Tx) Batches(q admitto.BatchQuery) (list []admitto.Batch, more bool, err error) {
	where, args := tx.batchesIn(q)
	if q.Before != 0 {
		args = append(args, q.Before)
		where += fmt.Sprintf(" AND id < $%d", len(args))
	}
	args = append(args, q.Rows+1)
	sql := fmt.Sprintf("SELECT %s FROM batch WHERE %s ORDER BY id DESC LIMIT $%d", columns.Batch.Select(""), where,
		len(args))
	more, err = upTo(tx.query(sql, args...), q.Rows, columns.Batch.Scan, func(b *admitto.Batch) error {
		list = append(list, *b)
		return nil
	})
	return list, more, err
}

// CountBatches counts what Batches returns on all pages.
func (tx *Tx) CountBatches(q admitto.BatchQuery) (int64, error) {
	where, args := tx.batchesIn(q)
	return tx.number("SELECT count(*) FROM batch WHERE "+where, args...)
}

// batchesIn is the condition that a batch is among those asked for, on whatever page.
func (tx *Tx) batchesIn(q admitto.BatchQuery) (where string, args []any) {
	where = "TRUE"
	if q.PreparedBy != 0 {
		args = append(args, q.PreparedBy)
		where += fmt.Sprintf(" AND prepared_by = $%d", len(args))
	}
	if len(q.States) > 0 {
		var states []string
		for _, s := range q.States {
			states = append(states, string(s))
		}
		args = append(args, states)
		where += " AND " + tx.dialect.in("state", len(args))
	}
	return where, args
}

// BatchesAmong returns those of the batches that are there and that an administrator prepared (0: anybody).
func (tx *Tx) BatchesAmong(ids []int64, preparedBy int64) (map[int64]bool, error) {
	found := map[int64]bool{}
	err := each(tx.query("SELECT id FROM batch WHERE "+tx.dialect.in("id", 1)+
		" AND (prepared_by = $2 OR CAST($2 AS bigint) = 0)", ids, preparedBy),
		func(r *db.Rows) { found[r.Int64(0)] = true })
	return found, err
}

// BatchSizes returns the sizes of the last batches of an action that were released, but for one.
func (tx *Tx) BatchSizes(action string, but int64) (sizes []int64, err error) {
	err = each(tx.query(`SELECT size FROM batch WHERE action = $1 AND id <> $2 AND released IS NOT NULL
		ORDER BY id DESC LIMIT 101`, action, but), func(r *db.Rows) { sizes = append(sizes, r.Int64(0)) })
	return sizes, err
}

// WaitingBatches counts the batches that wait for a second person other than the administrator, up to a bound.
func (tx *Tx) WaitingBatches(administrator int64) (int64, error) {
	return tx.number(`SELECT count(*) FROM (SELECT 1 FROM batch WHERE state = 'waiting' AND prepared_by <> $1
		AND (sealed_by IS NULL OR sealed_by <> $1) LIMIT 1000) w`,
		administrator)
}

// openBatch is the condition that a batch is administrator $1's and is not done, or is being undone in that name.
const openBatch = `(prepared_by = $1 AND state IN ('preparing', 'prepared', 'waiting', 'running', 'stopped')
	OR undone_by = $1 AND state = 'undoing')`

// LockOpenBatches returns the batches of an administrator that are not done, by ID, and keeps others from changing
// them.
func (tx *Tx) LockOpenBatches(administrator int64) (list []admitto.Batch, err error) {
	err = each(tx.query("SELECT "+columns.Batch.Select("")+" FROM batch WHERE "+openBatch+" ORDER BY id"+
		tx.forUpdate(lockBatch, 0),
		administrator), func(r *db.Rows) {
		var b admitto.Batch
		columns.Batch.Scan(r, &b)
		list = append(list, b)
	})
	return list, err
}

// PassBatch makes a locked batch somebody else's: its undoing, where it is being undone. What was counted to release it
// alone no longer counts.
func (tx *Tx) PassBatch(b *admitto.Batch, to int64) error {
	set := "prepared_by = $2, sealed_by = COALESCE(sealed_by, prepared_by), counted = 0"
	if b.State == admitto.BatchUndoing {
		set = "undone_by = $2"
	}
	_, err := tx.exec("UPDATE batch SET "+set+" WHERE id = $1", b.ID, to)
	return err
}
