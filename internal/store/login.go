package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// Logins reads a page of the sign-ins, and how many match.
func (tx *Tx) Logins(q admitto.PageQuery) (list []admitto.Login, total int64, err error) {
	total, err = tx.page("login", "id, logged, ip, administrator_id, role_id, role, result", "logged", q,
		func(r *db.Rows) {
			list = append(list, admitto.Login{ID: r.Int64(0), Logged: r.Time(1), IP: r.Text(2), Administrator: r.Int64(3),
				Role:     r.Int64(4),
				RoleName: r.Text(5), Result: admitto.LoginResult(r.Text(6))})
		})
	return list, total, err
}

// InsertLogin keeps a sign-in and returns its ID.
func (tx *Tx) InsertLogin(l *admitto.Login) (int64, error) {
	return tx.insert("INSERT INTO login (logged, ip, administrator_id, role_id, role, result) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
		l.Logged, l.IP, columns.OrNull(l.Administrator), columns.OrNull(l.Role), l.RoleName, l.Result)
}

// TidyLogins forgets sign-ins from before the time, at most 1000, and answers how many.
func (tx *Tx) TidyLogins(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM login WHERE id IN (SELECT id FROM login WHERE logged < $1 ORDER BY logged, id LIMIT 1000)",
		before)
}
