package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// SignInFailures counts the failures since a time, of one account, and when the last one was.
func (tx *Tx) SignInFailures(area string, account [32]byte, since admitto.Time) (n int64, last admitto.Time,
	err error) {
	return tx.failures("account", area, account, since)
}

// NetworkFailures counts the failures since a time, from one network address, and when the last one was.
func (tx *Tx) NetworkFailures(area string, network [32]byte, since admitto.Time) (n int64, last admitto.Time,
	err error) {
	return tx.failures("network", area, network, since)
}

func (tx *Tx) failures(column, area string, hash [32]byte, since admitto.Time) (n int64, last admitto.Time, err error) {
	err = one(tx.query("SELECT count(*), max(at) FROM sign_in_failure WHERE area = $1 AND "+column+" = $2 AND at > $3",
		area, hash[:], since), func(r *db.Rows) { n, last = r.Int64(0), r.Time(1) })
	return n, last, err
}

// InsertSignInFailure notes a failure and returns its ID.
func (tx *Tx) InsertSignInFailure(area string, account, network [32]byte) (int64, error) {
	return tx.insert("INSERT INTO sign_in_failure (area, account, network, at) VALUES ($1, $2, $3, $4) RETURNING id",
		area, account[:], network[:], tx.Now())
}

// DeleteSignInFailure takes back what was noted: the sign-in was none.
func (tx *Tx) DeleteSignInFailure(id int64) error {
	_, err := tx.exec("DELETE FROM sign_in_failure WHERE id = $1", id)
	return err
}

// TidySignInFailures forgets failures from before the time, at most 1000, and answers how many.
func (tx *Tx) TidySignInFailures(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM sign_in_failure WHERE id IN (SELECT id FROM sign_in_failure WHERE at < $1 ORDER BY at LIMIT 1000)", before)
}
