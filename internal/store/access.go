package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// InsertAccess keeps that staff opened something.
func (tx *Tx) InsertAccess(a *admitto.Access) error {
	_, err := tx.exec("INSERT INTO access (logged, administrator_id, application_id, what) VALUES ($1, $2, $3, $4)",
		tx.Now(), a.Administrator, a.Application, a.What)
	return err
}

// AccessesOf reads what staff opened of applications, oldest first.
func (tx *Tx) AccessesOf(applications []int64) (list []admitto.Access, err error) {
	condition, args := tx.among("application_id", applications)
	err = each(tx.query("SELECT id, logged, administrator_id, application_id, what FROM access WHERE "+condition+
		" ORDER BY id", args...), func(r *db.Rows) {
		list = append(list, admitto.Access{ID: r.Int64(0), Logged: r.Time(1), Administrator: r.Int64(2),
			Application: r.Int64(3), What: admitto.AccessKind(r.Text(4))})
	})
	return list, err
}

// TidyAccesses forgets what was opened before the time, at most 1000 of it, and answers how much.
func (tx *Tx) TidyAccesses(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM access WHERE id IN (SELECT id FROM access WHERE logged < $1 ORDER BY logged, id LIMIT 1000)",
		before)
}
