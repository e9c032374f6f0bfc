package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// exports is the table of the exports that applicants asked for themselves, or of those for staff. A release that knows
// only those for staff makes none of the others, in which less may be.
func exports(own bool) string {
	if own {
		return "own_data_export"
	}
	return "data_export"
}

// DataExports returns at most n exports of the data about an applicant whose days are not over, the newest first: those
// that the applicant asked for, or those for staff.
func (tx *Tx) DataExports(applicant int64, own bool, n int) (list []admitto.DataExport, err error) {
	err = each(tx.query("SELECT "+columns.DataExport.Select("")+" FROM "+exports(own)+`
		WHERE applicant_id = $1 AND expires > $2 ORDER BY id DESC LIMIT $3`, applicant, tx.Now(), n),
		func(r *db.Rows) {
			e := admitto.DataExport{Own: own}
			columns.DataExport.Scan(r, &e)
			list = append(list, e)
		})
	return list, err
}

// DataExport reads an export of the data about an applicant; not-found when there is none with this ID.
func (tx *Tx) DataExport(applicant int64, own bool, id int64) (e admitto.DataExport, err error) {
	e.Own = own
	err = one(tx.query("SELECT "+columns.DataExport.Select("")+" FROM "+exports(own)+
		" WHERE applicant_id = $1 AND id = $2", applicant, id), func(r *db.Rows) { columns.DataExport.Scan(r, &e) })
	return e, err
}

// AskDataExport asks for an export of the data about an applicant and returns its ID, or that of the one which waits or
// is being made already: asked is false then. The administrator 0 stands for the applicant.
func (tx *Tx) AskDataExport(applicant, administrator int64, expires admitto.Time) (id int64, asked bool, err error) {
	table := exports(administrator == 0)
	id, err = tx.number("SELECT id FROM "+table+" WHERE applicant_id = $1 AND finished IS NULL", applicant)
	if err != nil || id != 0 {
		return id, false, err
	}
	id, err = tx.number("INSERT INTO "+table+` (applicant_id, administrator_id, asked, expires) VALUES ($1, $2, $3, $4)
		RETURNING id`, applicant, administrator, tx.Now(), expires)
	return id, true, err
}

// ClaimDataExport takes the oldest export that waits until the time given, under a lease that has the next number;
// found is false when none waits. Those for staff come first.
func (tx *Tx) ClaimDataExport(until admitto.Time) (e admitto.DataExport, found bool, err error) {
	for _, own := range []bool{false, true} {
		err = each(tx.query("UPDATE "+exports(own)+` SET lease = lease + 1, lease_until = $1
			WHERE finished IS NULL AND lease_until <= $2
			AND id = (SELECT id FROM `+exports(own)+` WHERE finished IS NULL AND lease_until <= $2 ORDER BY lease_until, id LIMIT 1)
			RETURNING `+columns.DataExport.Select(""), until, tx.Now()), func(r *db.Rows) {
			columns.DataExport.Scan(r, &e)
			e.Own, found = own, true
		})
		if found || err != nil {
			return e, found, err
		}
	}
	return e, false, nil
}

// KeepDataExportLease keeps an export, or lets others have it, from the time given on; false when the lease was lost.
func (tx *Tx) KeepDataExportLease(e *admitto.DataExport, until admitto.Time) (bool, error) {
	n, err := tx.exec("UPDATE "+exports(e.Own)+" SET lease_until = $3 WHERE id = $1 AND lease = $2 AND finished IS NULL", e.ID,
		e.Lease, until)
	return n > 0, err
}

// FinishDataExport notes the file that an export is, or, with one without a hash, that it could not be made; false when
// the lease was lost or the applicant is gone. A file takes the place of those before it.
func (tx *Tx) FinishDataExport(e *admitto.DataExport, f *admitto.File, expires admitto.Time) (bool, error) {
	n, err := tx.exec("UPDATE "+exports(e.Own)+` SET finished = $3, failed = $4, size = $5, hash = $6, expires = $7
		WHERE id = $1 AND lease = $2 AND finished IS NULL`, e.ID, e.Lease, tx.Now(), f.Hash == "", f.Size, f.Hash, expires)
	if err != nil || n == 0 || f.Hash == "" {
		return n > 0, err
	}
	return true, tx.dropDataExports(e.Own, "applicant_id = $1 AND id < $2", e.Applicant, e.ID)
}

// TidyDataExports removes exports whose days are over, at most 1000 of each kind, and answers how many. Their bytes
// become loose.
func (tx *Tx) TidyDataExports() (all int64, err error) {
	for _, own := range []bool{false, true} {
		n, err := tx.number("SELECT count(*) FROM (SELECT 1 FROM "+exports(own)+" WHERE expires <= $1 LIMIT 1000) t",
			tx.Now())
		if err != nil {
			return all, err
		}
		if n == 0 {
			continue
		}
		if err := tx.dropDataExports(own, "id IN (SELECT id FROM "+exports(own)+
			" WHERE expires <= $1 ORDER BY expires, id LIMIT 1000)", tx.Now()); err != nil {
			return all, err
		}
		all += n
	}
	return all, nil
}

// DropDataExport removes an export of an applicant who is gone.
func (tx *Tx) DropDataExport(e *admitto.DataExport) error {
	return tx.dropDataExports(e.Own, "id = $1", e.ID)
}

// dropDataExports removes the exports of a condition; their bytes become loose.
func (tx *Tx) dropDataExports(own bool, condition string, args ...any) error {
	var hashes []string
	err := each(tx.query("DELETE FROM "+exports(own)+" WHERE "+condition+" RETURNING hash", args...),
		func(r *db.Rows) { hashes = append(hashes, r.Text(0)) })
	for _, hash := range hashes {
		if err == nil && hash != "" {
			err = tx.LoosenFile(hash)
		}
	}
	return err
}
