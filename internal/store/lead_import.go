package store

import (
	"encoding/json"
	"fmt"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

const leadImportColumns = `id, state, why, uploaded, uploaded_by, name, encoding, separator, heads, row_count, options, counts, line,
	work_begun, work_from, started, started_by, ended, undone, undone_by, row_version`

func scanLeadImport(r *db.Rows, i *admitto.LeadImport) {
	*i = admitto.LeadImport{ID: r.Int64(0), State: admitto.LeadImportState(r.Text(1)), Why: message.Kept(r.Text(2)),
		Uploaded: r.Time(3), UploadedBy: r.Int64(4), Name: r.Text(5), Encoding: r.Text(6), Separator: r.Text(7),
		Rows: r.Int64(9), Line: r.Int64(12), WorkBegun: r.Time(13), WorkFrom: r.Int64(14), Started: r.Time(15),
		StartedBy: r.Int64(16), Ended: r.Time(17), Undone: r.Time(18), UndoneBy: r.Int64(19), RowVersion: r.Int64(20)}
	for column, into := range map[int]any{8: &i.Heads, 10: &i.Options, 11: &i.Counts} {
		if err := json.Unmarshal(r.Raw(column), into); err != nil {
			r.Fail(fmt.Errorf("import %d of leads: %w", i.ID, err))
		}
	}
}

// asJSON is a value as a text; none of those that are stored so can fail.
func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// InsertLeadImport stores an import and returns its ID.
func (tx *Tx) InsertLeadImport(i *admitto.LeadImport) (int64, error) {
	return tx.insert(`INSERT INTO lead_import (state, uploaded, uploaded_by, name, encoding, separator, heads, row_count, options, counts)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`, i.State, tx.Now(), i.UploadedBy, i.Name, i.Encoding,
		i.Separator, asJSON(i.Heads), i.Rows, asJSON(i.Options), asJSON(i.Counts))
}

// LeadImport reads an import; not-found without it.
func (tx *Tx) LeadImport(id int64) (i admitto.LeadImport, err error) {
	err = one(tx.query("SELECT "+leadImportColumns+" FROM lead_import WHERE id = $1", id),
		func(r *db.Rows) { scanLeadImport(r, &i) })
	return i, err
}

// LockLeadImport is LeadImport, and keeps others from changing it; lease is the number of the last one that was taken.
func (tx *Tx) LockLeadImport(id int64) (i admitto.LeadImport, lease int64, err error) {
	err = one(tx.query("SELECT "+leadImportColumns+" FROM lead_import WHERE id = $1"+tx.forUpdate(lockImport, id), id),
		func(r *db.Rows) { scanLeadImport(r, &i) })
	if err == nil {
		lease, err = tx.number("SELECT lease FROM lead_import WHERE id = $1", id)
	}
	return i, lease, err
}

// SaveLeadImport stores everything of a locked import that changes in its life.
func (tx *Tx) SaveLeadImport(i *admitto.LeadImport) error {
	_, err := tx.exec(`UPDATE lead_import SET state = $2, why = $3, options = $4, counts = $5, line = $6, work_begun = $7,
		work_from = $8, started = $9, started_by = $10, ended = $11, undone = $12, undone_by = $13, row_version = $14
		WHERE id = $1`, i.ID, i.State, message.Keep(i.Why), asJSON(i.Options), asJSON(i.Counts), i.Line,
		int64(i.WorkBegun), i.WorkFrom, int64(i.Started), i.StartedBy, int64(i.Ended), int64(i.Undone), i.UndoneBy,
		i.RowVersion)
	return err
}

// DeleteLeadImport removes an import with its rows.
func (tx *Tx) DeleteLeadImport(id int64) error {
	_, err := tx.exec("DELETE FROM lead_import WHERE id = $1", id)
	return err
}

// LeadImports returns a page of imports, newest first, from the ID on if that is not 0, and whether more follow.
func (tx *Tx) LeadImports(before int64, rows int) (list []admitto.LeadImport, more bool, err error) {
	more, err = upTo(tx.query("SELECT "+leadImportColumns+` FROM lead_import
		WHERE id < $1 OR CAST($1 AS bigint) = 0 ORDER BY id DESC LIMIT $2`, before, rows+1), rows, scanLeadImport,
		func(i *admitto.LeadImport) error {
			list = append(list, *i)
			return nil
		})
	return list, more, err
}

// LeadImportsAtWork returns the imports that the service may work on now, the oldest first.
func (tx *Tx) LeadImportsAtWork() (ids []int64, err error) {
	return tx.ids(`SELECT id FROM lead_import WHERE state IN ('checking', 'running', 'undoing') AND lease_until <= $1
		ORDER BY id LIMIT 100`, tx.Now())
}

// ClaimLeadImport takes an import that is to be worked on until the time given, and returns the number of the lease; 0
// when somebody else works on it, or nobody may.
func (tx *Tx) ClaimLeadImport(id int64, until admitto.Time) (lease int64, err error) {
	return tx.number(`UPDATE lead_import SET lease = lease + 1, lease_until = $2 WHERE id = $1
		AND state IN ('checking', 'running', 'undoing') AND lease_until <= $3 RETURNING lease`, id, until, tx.Now())
}

// KeepLeadLease moves the end of a lease that is held.
func (tx *Tx) KeepLeadLease(id int64, until admitto.Time) error {
	_, err := tx.exec("UPDATE lead_import SET lease_until = $2 WHERE id = $1", id, until)
	return err
}

// ReleaseLeadLease hands an import back, if it is still under the lease.
func (tx *Tx) ReleaseLeadLease(id, lease int64) error {
	_, err := tx.exec("UPDATE lead_import SET lease_until = 0 WHERE id = $1 AND lease = $2", id, lease)
	return err
}

// InsertLeadRows adds rows to an import.
func (tx *Tx) InsertLeadRows(id int64, list []admitto.LeadRow) error {
	rows := make([][]any, len(list))
	for i := range list {
		rows[i] = []any{id, list[i].Line, asJSON(list[i].Cells), list[i].State}
	}
	return tx.bulk("INSERT INTO lead_row (import_id, line, cells, state) VALUES ($1, $2, $3, $4)", rows)
}

func scanLeadRow(r *db.Rows, row *admitto.LeadRow) {
	*row = admitto.LeadRow{Line: r.Int64(0), State: admitto.LeadRowState(r.Text(2)), EmailKey: r.Text(3),
		Applicant: r.Int64(4)}
	if err := json.Unmarshal(r.Raw(1), &row.Cells); err != nil {
		r.Fail(fmt.Errorf("line %d of an import of leads: %w", row.Line, err))
	}
}

// LeadRows returns rows of an import behind a line, in their order, and whether more follow; of all states, or of one.
func (tx *Tx) LeadRows(id, after int64, state admitto.LeadRowState, rows int) (list []admitto.LeadRow, more bool,
	err error) {
	sql, args := "SELECT line, cells, state, email_key, applicant_id FROM lead_row WHERE import_id = $1 AND line > $2",
		[]any{id, after}
	if state != "" {
		args = append(args, state)
		sql += " AND state = $3"
	}
	args = append(args, rows+1)
	more, err = upTo(tx.query(sql+fmt.Sprintf(" ORDER BY line LIMIT $%d", len(args)), args...), rows, scanLeadRow,
		func(row *admitto.LeadRow) error {
			list = append(list, *row)
			return nil
		})
	return list, more, err
}

// SetLeadRows keeps what comes of rows of an import, or what became of them.
func (tx *Tx) SetLeadRows(id int64, list []admitto.LeadRow) error {
	rows := make([][]any, len(list))
	for i := range list {
		row := &list[i]
		rows[i] = []any{id, row.Line, row.State, row.EmailKey, columns.OrNull(row.Applicant)}
	}
	return tx.bulk(`UPDATE lead_row SET state = $3, email_key = $4, applicant_id = $5 WHERE import_id = $1 AND line = $2`,
		rows)
}

// UncheckLeadRows forgets what comes of the rows of an import.
func (tx *Tx) UncheckLeadRows(id int64) error {
	_, err := tx.exec(`UPDATE lead_row SET state = $2, email_key = '', applicant_id = NULL WHERE import_id = $1
		AND state <> $2`, id, admitto.LeadUnchecked)
	return err
}

// LeadLines returns the first line before the one given in which each of the addresses stands, by their normal forms.
func (tx *Tx) LeadLines(id, before int64, keys []string) (map[string]int64, error) {
	lines := map[string]int64{}
	err := each(tx.query("SELECT email_key, min(line) FROM lead_row WHERE import_id = $1 AND line < $2 AND "+
		tx.dialect.in("email_key", 3)+" GROUP BY email_key", id, before, keys),
		func(r *db.Rows) { lines[r.Text(0)] = r.Int64(1) })
	return lines, err
}

// ApplicantsByEmail finds who holds each of the addresses, the ones being created included, by their normal forms.
func (tx *Tx) ApplicantsByEmail(keys []string) (map[string]int64, error) {
	holders := map[string]int64{}
	err := each(tx.query("SELECT email_key, id FROM applicant WHERE "+tx.dialect.in("email_key", 1)+
		" AND state <> 'recovery'", keys), func(r *db.Rows) { holders[r.Text(0)] = r.Int64(1) })
	return holders, err
}

// HasBusiness reports whether an applicant has an application or an invoice.
func (tx *Tx) HasBusiness(applicant int64) (bool, error) {
	n, err := tx.number(`SELECT 1 WHERE EXISTS (SELECT 1 FROM application WHERE applicant_id = $1)
		OR EXISTS (SELECT 1 FROM invoice WHERE applicant_id = $1)`, applicant)
	return n != 0, err
}

// LeadRowsOf returns the rows of imports that an applicant was in, with the imports, the newest first.
func (tx *Tx) LeadRowsOf(applicant int64) (imports []admitto.LeadImport, rows []admitto.LeadRow, err error) {
	var ids []int64
	err = each(tx.query(`SELECT line, cells, state, email_key, applicant_id, import_id FROM lead_row WHERE applicant_id = $1
		ORDER BY import_id DESC, line`, applicant), func(r *db.Rows) {
		var row admitto.LeadRow
		scanLeadRow(r, &row)
		rows, ids = append(rows, row), append(ids, r.Int64(leadRowWidth))
	})
	for _, id := range ids {
		if err != nil {
			break
		}
		var i admitto.LeadImport
		i, err = tx.LeadImport(id)
		imports = append(imports, i)
	}
	return imports, rows, err
}

// leadRowWidth is how many columns scanLeadRow reads.
const leadRowWidth = 5

// TidyLeadImports removes imports that nobody has started since they were uploaded before a time, and rows of those
// that ended before another, at most 1000 of each, and answers how many.
func (tx *Tx) TidyLeadImports(uploaded, ended admitto.Time) (int64, error) {
	imports, err := tx.exec(`DELETE FROM lead_import WHERE id IN (SELECT id FROM lead_import WHERE uploaded < $1
		AND state IN ('uploaded', 'checking', 'ready') LIMIT 1000)`, uploaded)
	if err != nil {
		return 0, err
	}
	rows, err := tx.exec(`DELETE FROM lead_row WHERE (import_id, line) IN (SELECT r.import_id, r.line FROM lead_row r
		JOIN lead_import i ON i.id = r.import_id WHERE i.ended <> 0 AND i.ended < $1
		AND i.state IN ('stopped', 'finished', 'undone') LIMIT 1000)`, ended)
	return imports + rows, err
}
