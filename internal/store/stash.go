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

// KeepStashFile keeps a file of the form at a path, in the place of what was kept of the field before.
func (tx *Tx) KeepStashFile(area string, account int64, path, field string, size int, sealed []byte) error {
	_, err := tx.exec(`INSERT INTO stash_file (area, account_id, path, field, size, sealed, inserted)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (area, account_id, path, field)
		DO UPDATE SET size = excluded.size, sealed = excluded.sealed, inserted = excluded.inserted`,
		area, account, path, field, size, sealed, tx.Now())
	return err
}

// StashFiles reads the files that were kept of the form at a path since a time, by field.
func (tx *Tx) StashFiles(area string, account int64, path string, since admitto.Time) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := each(tx.query(`SELECT field, sealed FROM stash_file
		WHERE area = $1 AND account_id = $2 AND path = $3 AND inserted > $4`, area, account, path, since),
		func(r *db.Rows) { files[r.Text(0)] = r.Bytes(1) })
	return files, err
}

// DropStashFiles forgets the files that were kept of the form at a path.
func (tx *Tx) DropStashFiles(area string, account int64, path string) error {
	_, err := tx.exec("DELETE FROM stash_file WHERE area = $1 AND account_id = $2 AND path = $3", area, account, path)
	return err
}

// StashFile is what is known of a kept file without its content.
type StashFile struct {
	Path, Field string
	Size        int64
}

// StashFilesOf lists the files that are kept for an account, the last one first.
func (tx *Tx) StashFilesOf(area string, account int64) (list []StashFile, err error) {
	err = each(tx.query(`SELECT path, field, size FROM stash_file WHERE area = $1 AND account_id = $2
		ORDER BY inserted DESC, path, field`, area, account), func(r *db.Rows) {
		list = append(list, StashFile{Path: r.Text(0), Field: r.Text(1), Size: r.Int64(2)})
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
