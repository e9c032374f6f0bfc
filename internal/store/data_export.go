package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// DataExports returns at most n exports of the data about an applicant whose days are not over, the newest first.
func (tx *Tx) DataExports(applicant int64, n int) (list []admitto.DataExport, err error) {
	err = each(tx.query("SELECT "+columns.DataExport.Select("")+` FROM data_export WHERE applicant_id = $1 AND expires > $2
		ORDER BY id DESC LIMIT $3`, applicant, tx.Now(), n),
		func(r *db.Rows) {
			var e admitto.DataExport
			columns.DataExport.Scan(r, &e)
			list = append(list, e)
		})
	return list, err
}

// DataExport reads an export of the data about an applicant; not-found when there is none with this ID.
func (tx *Tx) DataExport(applicant, id int64) (e admitto.DataExport, err error) {
	err = one(tx.query("SELECT "+columns.DataExport.Select("")+" FROM data_export WHERE applicant_id = $1 AND id = $2",
		applicant, id), func(r *db.Rows) { columns.DataExport.Scan(r, &e) })
	return e, err
}

// AskDataExport asks for an export of the data about an applicant and returns its ID, or that of the one which waits or
// is being made already: asked is false then.
func (tx *Tx) AskDataExport(applicant, administrator int64, expires admitto.Time) (id int64, asked bool, err error) {
	id, err = tx.number("SELECT id FROM data_export WHERE applicant_id = $1 AND finished IS NULL", applicant)
	if err != nil || id != 0 {
		return id, false, err
	}
	id, err = tx.number(`INSERT INTO data_export (applicant_id, administrator_id, asked, expires) VALUES ($1, $2, $3, $4)
		RETURNING id`, applicant, administrator, tx.Now(), expires)
	return id, true, err
}

// ClaimDataExport takes the oldest export that waits until the time given, under a lease that has the next number;
// found is false when none waits.
func (tx *Tx) ClaimDataExport(until admitto.Time) (e admitto.DataExport, found bool, err error) {
	err = each(tx.query(`UPDATE data_export SET lease = lease + 1, lease_until = $1
		WHERE finished IS NULL AND lease_until <= $2
		AND id = (SELECT id FROM data_export WHERE finished IS NULL AND lease_until <= $2 ORDER BY lease_until, id LIMIT 1)
		RETURNING `+columns.DataExport.Select(""), until, tx.Now()), func(r *db.Rows) {
		columns.DataExport.Scan(r, &e)
		found = true
	})
	return e, found, err
}

// KeepDataExportLease keeps an export, or lets others have it, from the time given on; false when the lease was lost.
func (tx *Tx) KeepDataExportLease(e *admitto.DataExport, until admitto.Time) (bool, error) {
	n, err := tx.exec("UPDATE data_export SET lease_until = $3 WHERE id = $1 AND lease = $2 AND finished IS NULL", e.ID,
		e.Lease, until)
	return n > 0, err
}

// FinishDataExport notes the file that an export is, or, with one without a hash, that it could not be made; false when
// the lease was lost or the applicant is gone. A file takes the place of those before it.
func (tx *Tx) FinishDataExport(e *admitto.DataExport, f *admitto.File, expires admitto.Time) (bool, error) {
	n, err := tx.exec(`UPDATE data_export SET finished = $3, failed = $4, size = $5, hash = $6, expires = $7
		WHERE id = $1 AND lease = $2 AND finished IS NULL`, e.ID, e.Lease, tx.Now(), f.Hash == "", f.Size, f.Hash, expires)
	if err != nil || n == 0 || f.Hash == "" {
		return n > 0, err
	}
	return true, tx.dropDataExports("applicant_id = $1 AND id < $2", e.Applicant, e.ID)
}

// TidyDataExports removes exports whose days are over, at most 1000, and answers how many. Their bytes become loose.
func (tx *Tx) TidyDataExports() (n int64, err error) {
	if n, err = tx.number("SELECT count(*) FROM (SELECT 1 FROM data_export WHERE expires <= $1 LIMIT 1000) t",
		tx.Now()); err != nil || n == 0 {
		return n, err
	}
	return n, tx.dropDataExports("id IN (SELECT id FROM data_export WHERE expires <= $1 ORDER BY expires, id LIMIT 1000)",
		tx.Now())
}

// DropDataExport removes an export of an applicant who is gone.
func (tx *Tx) DropDataExport(id int64) error { return tx.dropDataExports("id = $1", id) }

// dropDataExports removes the exports of a condition; their bytes become loose.
func (tx *Tx) dropDataExports(condition string, args ...any) error {
	var hashes []string
	err := each(tx.query("DELETE FROM data_export WHERE "+condition+" RETURNING hash", args...),
		func(r *db.Rows) { hashes = append(hashes, r.Text(0)) })
	for _, hash := range hashes {
		if err == nil && hash != "" {
			err = tx.LoosenFile(hash)
		}
	}
	return err
}
