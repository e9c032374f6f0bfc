package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// LockFlag keeps a flag to this transaction, which is to delete it, until it ends, or answers NotFound.
func (tx *Tx) LockFlag(id int64) error {
	return one(tx.query("SELECT id FROM flag WHERE id = $1"+tx.forUpdate(lockFlag, id), id), func(*db.Rows) {})
}

// HoldFlag keeps a flag from being deleted by others until the transaction ends, or answers NotFound. Many may hold it.
func (tx *Tx) HoldFlag(id int64) error {
	return one(tx.query("SELECT id FROM flag WHERE id = $1"+tx.dialect.forShare, id), func(*db.Rows) {})
}

// InsertFlag stores a new flag and returns its ID; when the name exists, without letter case, it returns the ID of the
// flag that has it, and created is false.
func (tx *Tx) InsertFlag(f *admitto.Flag) (id int64, created bool, err error) {
	err = each(tx.query(columns.Flag.Insert()+" ON CONFLICT (name_key) DO NOTHING RETURNING id", columns.Flag.New(f)...),
		func(r *db.Rows) { id, created = r.Int64(0), true })
	if err != nil || created {
		return id, created, err
	}
	id, err = tx.number("SELECT id FROM flag WHERE name_key = $1", columns.CodeKey(f.Name))
	return id, false, err
}

// DeleteFlag removes the flag and takes it off all applications.
func (tx *Tx) DeleteFlag(id int64) error {
	_, err := tx.exec("DELETE FROM flag WHERE id = $1", id)
	return err
}

// SetFlag sets a flag on an application and answers whether it was not set before; the first time is kept.
func (tx *Tx) SetFlag(application, flag int64) (bool, error) {
	f := admitto.FlagAssociation{Application: application, Flag: flag, Assigned: tx.Now()}
	n, err := tx.exec(columns.ApplicationFlag.Add(), columns.ApplicationFlag.Values(nil, &f)...)
	return n > 0, err
}

// RemoveFlag takes a flag off an application and answers whether it was set.
func (tx *Tx) RemoveFlag(application, flag int64) (bool, error) {
	n, err := tx.exec("DELETE FROM application_flag WHERE flag_id = $1 AND application_id = $2", flag, application)
	return n > 0, err
}
