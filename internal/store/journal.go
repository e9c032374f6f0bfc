package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// pendingEvent waits for the end of the transaction, when it gets its ID and hash.
type pendingEvent struct {
	actor  admitto.Actor
	event  admitto.Event
	logged admitto.Time // 0: now
	salt   []byte       // nil: random
}

// Record puts events in the journal, in this order, when the transaction commits. What an administrator does is
// linked with the administrator (lifecycle.md 10.2).
func (tx *Tx) Record(actor admitto.Actor, events ...admitto.Event) {
	for _, e := range events {
		if actor.Kind == admitto.ByAdministrator {
			e.Links.Administrator = actor.ID
		}
		tx.noteChange(actor, &e, 0)
		tx.events = append(tx.events, pendingEvent{actor: actor, event: e})
	}
}

// RecordAt is Record for invented data: the time is given, and the salt of details comes from it.
func (tx *Tx) RecordAt(at admitto.Time, actor admitto.Actor, events ...admitto.Event) {
	for _, e := range events {
		var salt []byte
		if len(e.Details) > 0 {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %v", at, e.Pattern, e.Links))
			salt = sum[:16]
		}
		tx.noteChange(actor, &e, at)
		tx.events = append(tx.events, pendingEvent{actor, e, at, salt})
	}
}

// head is the last record of the chain.
type head struct {
	id     int64
	logged admitto.Time
	hash   string
}

// LockOrder makes this transaction commit before every other that has not locked yet. It is what keeps the
// IDs of the journal without gaps; a transaction that locks early makes others wait longer.
func (tx *Tx) LockOrder() error {
	if tx.head != nil {
		return nil
	}
	var h head
	err := one(tx.query("SELECT id, logged, hash FROM journal_head WHERE one = 1"+tx.forUpdate(lockHead, 0)), h.scan)
	tx.head = &h
	return err
}

// JournalHead returns ID and hash of the last record.
func (tx *Tx) JournalHead() (id int64, hash string, err error) {
	var h head
	err = one(tx.query("SELECT id, logged, hash FROM journal_head WHERE one = 1"), h.scan)
	return h.id, h.hash, err
}

// JournalHash returns the hash of a record, GenesisHash for ID 0, "" when there is none.
func (tx *Tx) JournalHash(id int64) (hash string, err error) {
	if id == 0 {
		return admitto.GenesisHash, nil
	}
	err = each(tx.query("SELECT hash FROM journal WHERE id = $1", id), func(r *db.Rows) { hash = r.Text(0) })
	return hash, err
}

func (h *head) scan(r *db.Rows) { h.id, h.logged, h.hash = r.Int64(0), r.Time(1), r.Text(2) }

// writeEvents appends the pending events to the chain, whose head must be locked. Times never run backwards along the
// IDs, so that a range of times is a range of IDs.
func (tx *Tx) writeEvents() error {
	if len(tx.events) == 0 {
		return nil
	}
	h := *tx.head
	rows := make([][]any, len(tx.events))
	var details [][]any
	for i := range tx.events {
		p := &tx.events[i]
		if p.logged == 0 {
			p.logged = tx.Now()
		}
		h.logged = max(h.logged, p.logged)
		r := admitto.Record{ID: h.id + 1, Logged: h.logged, Event: p.event, Actor: p.actor, PrevHash: h.hash}
		if len(p.event.Details) > 0 {
			payload, err := json.Marshal(p.event.Details)
			if err != nil {
				return err
			}
			if p.salt == nil {
				p.salt = make([]byte, 16)
				rand.Read(p.salt)
			}
			r.DetailHash = detailHash(p.salt, payload)
			details = append(details, []any{r.ID, p.salt, string(payload)})
		}
		r.Hash = r.ComputeHash()
		rows[i] = recordArgs(&r)
		h.id, h.hash = r.ID, r.Hash
	}
	// Others wait for the head by now, so all goes in one round trip with the commit.
	if err := tx.queueAll(insertRecord, rows); err != nil {
		return err
	}
	if err := tx.queueAll("INSERT INTO journal_detail (journal_id, salt, payload) VALUES ($1, $2, $3)",
		details); err != nil {
		return err
	}
	tx.head, tx.events = &h, nil
	return tx.queue("UPDATE journal_head SET id = $1, logged = $2, hash = $3 WHERE one = 1", h.id, h.logged, h.hash)
}

// queueAll is bulk without waiting for the answer.
func (tx *Tx) queueAll(sql string, rows [][]any) error {
	for _, row := range rows {
		if err := tx.queue(sql, row...); err != nil {
			return err
		}
	}
	return nil
}

// bulk runs one statement for each set of parameters.
func (tx *Tx) bulk(sql string, rows [][]any) error {
	switch len(rows) {
	case 0:
		return nil
	case 1:
		_, err := tx.exec(sql, rows[0]...)
		return err
	}
	return tx.sql.Bulk(sql, func(yield func([]any) bool) {
		for _, row := range rows {
			if !yield(row) {
				return
			}
		}
	})
}

const insertRecord = `INSERT INTO journal (id, logged, pattern, bind, actor, actor_id, request_id, administrator_id, applicant_id,
	application_id, course_id, institution_id, invoice_id, offer_id, document_id, flag_id, tracker_id, detail_hash, hash, batch_id,
	task_id, scoresheet_id, score_id, note_id, email_id)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)`

func recordArgs(r *admitto.Record) []any {
	var bind any
	if len(r.Bind) > 0 {
		text, _ := json.Marshal(r.Bind) // strings always marshal
		bind = string(text)
	}
	l := &r.Links
	return []any{r.ID, r.Logged, r.Pattern, bind, r.Actor.Kind, columns.OrNull(r.Actor.ID), r.Actor.RequestID,
		columns.OrNull(l.Administrator),
		columns.OrNull(l.Applicant), columns.OrNull(l.Application), columns.OrNull(l.Course), columns.OrNull(l.Institution),
		columns.OrNull(l.Invoice), columns.OrNull(l.Offer),
		columns.OrNull(l.Document), columns.OrNull(l.Flag), columns.OrNull(l.Tracker), r.DetailHash, r.Hash,
		columns.OrNull(r.Actor.Batch), columns.OrNull(l.Task), columns.OrNull(l.Scoresheet), columns.OrNull(l.Score),
		columns.OrNull(l.Note), columns.OrNull(l.Email)}
}

func detailHash(salt, payload []byte) string {
	sum := sha256.Sum256(append(append([]byte{}, salt...), payload...))
	return hex.EncodeToString(sum[:])
}

const recordColumns = `j.id, j.logged, j.pattern, j.bind, j.actor, j.actor_id, j.request_id, j.administrator_id, j.applicant_id,
	j.application_id, j.course_id, j.institution_id, j.invoice_id, j.offer_id, j.document_id, j.flag_id, j.tracker_id, j.detail_hash, j.hash, j.batch_id,
	j.task_id, j.scoresheet_id, j.score_id, j.note_id, j.email_id`

// recordColumnsHere are the columns in the schema that the database has: what an older release has backed up is
// verified before it is migrated.
func (tx *Tx) recordColumnsHere() (string, error) {
	here := recordColumns
	for _, m := range [][]string{{"0027_batches", "j.batch_id"}, {"0037_journal_links", "j.task_id", "j.scoresheet_id",
		"j.score_id", "j.note_id", "j.email_id"}} {
		done, err := tx.number("SELECT count(*) FROM migration WHERE name = $1", m[0])
		if err != nil {
			return "", err
		}
		for _, column := range m[1:] {
			if done == 0 {
				here = strings.Replace(here, column, "CAST(NULL AS bigint)", 1)
			}
		}
	}
	return here, nil
}

// recordWidth is how many columns these are.
const recordWidth = 25

func scanRecord(r *db.Rows, e *admitto.Record) {
	e.ID, e.Logged, e.Pattern = r.Int64(0), r.Time(1), admitto.Pattern(r.Text(2))
	e.Bind = nil
	if !r.Null(3) {
		// Written by recordArgs; should it ever not be a list, the record still shows its pattern.
		_ = json.Unmarshal(r.Raw(3), &e.Bind)
	}
	e.Actor = admitto.Actor{Kind: admitto.ActorKind(r.Text(4)), ID: r.Int64(5), RequestID: r.Text(6), Batch: r.Int64(19)}
	l := &e.Links
	l.Administrator, l.Applicant, l.Application, l.Course = r.Int64(7), r.Int64(8), r.Int64(9), r.Int64(10)
	l.Institution, l.Invoice, l.Offer, l.Document = r.Int64(11), r.Int64(12), r.Int64(13), r.Int64(14)
	l.Flag, l.Tracker = r.Int64(15), r.Int64(16)
	l.Task, l.Scoresheet, l.Score, l.Note, l.Email = r.Int64(20), r.Int64(21), r.Int64(22), r.Int64(23), r.Int64(24)
	e.DetailHash, e.Hash = r.Text(17), r.Text(18)
}

// concerned is the applicant of a record whose details are missing, if need be by another record of the same
// application.
const concerned = `CASE WHEN d.journal_id IS NULL AND j.detail_hash <> '' THEN coalesce(j.applicant_id, (SELECT k.applicant_id FROM journal k
	WHERE k.application_id = j.application_id AND k.applicant_id IS NOT NULL ORDER BY k.id LIMIT 1)) END`

// erasedSince returns the applicants who were erased from a record on, each with the last record that says so.
func (tx *Tx) erasedSince(from int64) (map[int64]int64, error) {
	erased := map[int64]int64{}
	err := each(tx.query("SELECT applicant_id, max(id) FROM journal WHERE pattern = $1 AND id >= $2 AND applicant_id IS NOT NULL GROUP BY applicant_id",
		admitto.ApplicantErased, from), func(r *db.Rows) { erased[r.Int64(0)] = r.Int64(1) })
	return erased, err
}

// VerifyJournal recomputes the chain from..to (to 0: the end) and calls broken for the first record that does not fit,
// with the reason; a record that had details must have them, unless its applicant was erased (lifecycle.md
// 10.1). Progress is called now and then with the ID reached.
func (tx *Tx) VerifyJournal(from, to int64, progress func(id int64)) (brokenID int64, reason string, err error) {
	last, headHash, err := tx.JournalHead()
	if err != nil {
		return 0, "", err
	}
	if to == 0 || to > last {
		to = last
	}
	from = max(from, 1)
	prev := admitto.GenesisHash
	if from > 1 {
		if prev, err = tx.JournalHash(from - 1); err != nil {
			return 0, "", err
		}
		if prev == "" {
			return from - 1, admitto.RecordMissing, nil
		}
	}
	erased, err := tx.erasedSince(from)
	if err != nil {
		return 0, "", err
	}
	expect := from
	columns, err := tx.recordColumnsHere()
	if err != nil {
		return 0, "", err
	}
	rows := tx.query(`SELECT `+columns+`, d.salt, d.payload, `+concerned+` FROM journal j LEFT JOIN journal_detail d ON d.journal_id = j.id
		WHERE j.id >= $1 AND j.id <= $2 ORDER BY j.id`, from, to)
	defer rows.Close()
	const own = recordWidth
	var r admitto.Record
	for rows.Next() {
		scanRecord(rows, &r)
		r.PrevHash = prev
		switch {
		case r.ID != expect:
			return expect, admitto.RecordMissing, nil
		case r.ComputeHash() != r.Hash:
			return r.ID, admitto.RecordChanged, nil
		case !rows.Null(own) && detailHash(rows.Bytes(own), []byte(rows.Text(own+1))) != r.DetailHash:
			return r.ID, admitto.DetailsChanged, nil
		case rows.Null(own) && r.DetailHash != "" && erased[rows.Int64(own+2)] <= r.ID:
			return r.ID, admitto.DetailsMissing, nil
		}
		prev = r.Hash
		if expect++; expect%10000 == 0 {
			progress(r.ID)
		}
	}
	if err := rows.Close(); err != nil {
		return 0, "", err
	}
	switch {
	case expect <= to:
		return expect, admitto.RecordMissing, nil
	case to == last && prev != headHash:
		return last, admitto.HeadNamesAnother, nil
	}
	extra, err := tx.number("SELECT id FROM journal WHERE id > $1 ORDER BY id LIMIT 1", last)
	if err != nil {
		return 0, "", err
	}
	if extra != 0 {
		return extra, fmt.Sprintf(admitto.HeadEndsBefore, last), nil
	}
	return 0, "", nil
}
