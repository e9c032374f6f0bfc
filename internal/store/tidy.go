package store

import "github.com/admitto/admitto/internal/admitto"

// TidyTokens forgets sign-in links that ended before the time, at most 1000, and answers how many.
func (tx *Tx) TidyTokens(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM sign_in_token WHERE hash IN (SELECT hash FROM sign_in_token WHERE expires < $1 LIMIT 1000)", before)
}

// TidyMailKeys forgets the keys of mails that were queued before the time, at most 1000, and answers how many.
func (tx *Tx) TidyMailKeys(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM mail_key WHERE key IN (SELECT key FROM mail_key WHERE queued < $1 ORDER BY queued LIMIT 1000)", before)
}

// TidyExportBlobs removes files of exports whose time is over, at most 1000, and answers how many. Their bytes become
// loose; others may still refer to them.
func (tx *Tx) TidyExportBlobs() (int64, error) {
	const over = "(SELECT export_id, n FROM export_blob WHERE expires < $1 ORDER BY export_id, n LIMIT 1000)"
	if _, err := tx.exec(`INSERT INTO loose_file (hash, since) SELECT DISTINCT hash, CAST($1 AS bigint) FROM export_blob WHERE (export_id, n) IN `+over+
		" ON CONFLICT (hash) DO NOTHING", tx.Now()); err != nil {
		return 0, err
	}
	return tx.exec("DELETE FROM export_blob WHERE (export_id, n) IN "+over, tx.Now())
}

// FirstRecordSince returns the ID of the first journal record from the time on, 0 when there is none.
func (tx *Tx) FirstRecordSince(at admitto.Time) (int64, error) {
	return tx.number("SELECT id FROM journal WHERE logged >= $1 ORDER BY logged, id LIMIT 1", at)
}
