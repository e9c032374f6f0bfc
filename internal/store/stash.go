package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// KeepStash keeps what was typed into the form at a path, in the place of what was kept before.
func (tx *Tx) KeepStash(area string, account int64, path string, sealed []byte) error {
	_, err := tx.exec(`INSERT INTO stash (area, account_id, path, sealed, inserted) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (area, account_id, path) DO UPDATE SET sealed = excluded.sealed, inserted = excluded.inserted`,
		area, account, path, sealed, tx.Now())
	return err
}

// Stash reads what was kept of the form at a path since a time; nil when there is nothing.
func (tx *Tx) Stash(area string, account int64, path string, since admitto.Time) (sealed []byte, err error) {
	err = each(tx.query("SELECT sealed FROM stash WHERE area = $1 AND account_id = $2 AND path = $3 AND inserted > $4",
		area, account, path, since), func(r *db.Rows) { sealed = r.Bytes(0) })
	return sealed, err
}

// StashPaths lists the paths of the forms of which an account has something kept since a time: text, or files.
func (tx *Tx) StashPaths(area string, account int64, since admitto.Time) (paths []string, err error) {
	err = each(tx.query(`SELECT path FROM stash WHERE area = $1 AND account_id = $2 AND inserted > $3
		UNION SELECT path FROM stash_file WHERE area = $1 AND account_id = $2 AND inserted > $3 ORDER BY path`, area,
		account, since), func(r *db.Rows) { paths = append(paths, r.Text(0)) })
	return paths, err
}

// DropStash forgets what was kept of the form at a path.
func (tx *Tx) DropStash(area string, account int64, path string) error {
	_, err := tx.exec("DELETE FROM stash WHERE area = $1 AND account_id = $2 AND path = $3", area, account, path)
	return err
}

// TrimStash forgets the oldest forms of an account beyond so many.
func (tx *Tx) TrimStash(area string, account int64, most int) error {
	_, err := tx.exec(`DELETE FROM stash WHERE area = $1 AND account_id = $2 AND path IN
		(SELECT path FROM stash WHERE area = $1 AND account_id = $2 ORDER BY inserted DESC, path LIMIT 1000 OFFSET $3)`,
		area, account, most)
	return err
}

// TidyStash forgets forms from before the time, at most 1000, and answers how many.
func (tx *Tx) TidyStash(before admitto.Time) (int64, error) {
	return tx.exec(`DELETE FROM stash WHERE (area, account_id, path) IN
		(SELECT area, account_id, path FROM stash WHERE inserted < $1 ORDER BY inserted LIMIT 1000)`, before)
}

// StashFile is what is known of a file of a form without its bytes.
type StashFile struct {
	Path, Field   string // Field names one file, among those of the form
	Size, Lacking int64  // bytes; Lacking are not there yet
	Sealed        []byte // what its sender says of it
}

// stashLock is the first half of the advisory locks of files of forms; the second is made of the account.
const stashLock = 720394721

// LockStashFiles keeps the files of an account from being begun by others until the transaction ends, which locks
// nothing else.
func (tx *Tx) LockStashFiles(account int64) error {
	if tx.dialect.engine == db.SQLite {
		return nil // one writer
	}
	// Accounts that share the number of a lock only wait for each other.
	return tx.queue("SELECT pg_advisory_xact_lock($1, $2)", stashLock, account%(1<<31))
}

// BeginStashFile makes room for a file of which nothing is there yet.
func (tx *Tx) BeginStashFile(area string, account int64, f *StashFile) error {
	_, err := tx.exec(`INSERT INTO stash_file (area, account_id, path, field, size, lacking, sealed, inserted)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, area, account, f.Path, f.Field, f.Size, f.Size, f.Sealed, tx.Now())
	return err
}

// AddStashPart keeps the next n bytes of a file, of which so many were lacking: its part from start on becomes what is
// sealed. False when other bytes came first, or the file is gone.
func (tx *Tx) AddStashPart(area string, account int64, f *StashFile, n, start int64, sealed []byte) (bool, error) {
	changed, err := tx.exec(`UPDATE stash_file SET lacking = lacking - $1
		WHERE area = $2 AND account_id = $3 AND path = $4 AND field = $5 AND lacking = $6`, n, area, account, f.Path,
		f.Field, f.Lacking)
	if err != nil || changed == 0 {
		return false, err
	}
	_, err = tx.exec(`INSERT INTO stash_part (area, account_id, path, field, start, sealed)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (area, account_id, path, field, start)
		DO UPDATE SET sealed = excluded.sealed`, area, account, f.Path, f.Field, start, sealed)
	return err == nil, err
}

// StashPart reads the part of a file from start on; nil when there is none.
func (tx *Tx) StashPart(area string, account int64, f *StashFile, start int64) (sealed []byte, err error) {
	err = each(tx.query(`SELECT sealed FROM stash_part
		WHERE area = $1 AND account_id = $2 AND path = $3 AND field = $4 AND start = $5`, area, account, f.Path, f.Field,
		start), func(r *db.Rows) { sealed = r.Bytes(0) })
	return sealed, err
}

// StashFiles reads the files that were kept of the form at a path since a time, the first one first.
func (tx *Tx) StashFiles(area string, account int64, path string, since admitto.Time) (list []StashFile, err error) {
	err = each(tx.query(`SELECT field, size, lacking, sealed FROM stash_file
		WHERE area = $1 AND account_id = $2 AND path = $3 AND inserted > $4 ORDER BY inserted, field`, area, account, path,
		since), func(r *db.Rows) {
		list = append(list, StashFile{Path: path, Field: r.Text(0), Size: r.Int64(1), Lacking: r.Int64(2),
			Sealed: r.Bytes(3)})
	})
	return list, err
}

// DropStashFiles forgets the files that were kept of the form at a path, but those that are still arriving.
func (tx *Tx) DropStashFiles(area string, account int64, path string) error {
	_, err := tx.exec(`DELETE FROM stash_file
		WHERE area = $1 AND account_id = $2 AND path = $3 AND lacking = 0`, area, account, path)
	return err
}

// StashFilesOf lists the files that are kept for an account since a time, the last one first, without what is sealed.
func (tx *Tx) StashFilesOf(area string, account int64, since admitto.Time) (list []StashFile, err error) {
	err = each(tx.query(`SELECT path, field, size, lacking FROM stash_file
		WHERE area = $1 AND account_id = $2 AND inserted > $3 ORDER BY inserted DESC, path, field`, area, account, since),
		func(r *db.Rows) {
			list = append(list, StashFile{Path: r.Text(0), Field: r.Text(1), Size: r.Int64(2), Lacking: r.Int64(3)})
		})
	return list, err
}

// DropStashFile forgets one kept file.
func (tx *Tx) DropStashFile(area string, account int64, path, field string) error {
	_, err := tx.exec("DELETE FROM stash_file WHERE area = $1 AND account_id = $2 AND path = $3 AND field = $4",
		area, account, path, field)
	return err
}

// TidyStashFiles forgets files from before the time, at most 100, and answers how many.
func (tx *Tx) TidyStashFiles(before admitto.Time) (int64, error) {
	return tx.exec(`DELETE FROM stash_file WHERE (area, account_id, path, field) IN
		(SELECT area, account_id, path, field FROM stash_file WHERE inserted < $1 ORDER BY inserted LIMIT 100)`, before)
}
