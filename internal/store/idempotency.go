package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// IdempotentCall identifies a call that carries an Idempotency-Key: key, method, path and the client's token.
type IdempotentCall struct {
	APIKey              int64
	Method, Path, Token string
}

// IdempotencyRecord is what is known about such a call. Status 0: it is in progress until LeaseUntil.
type IdempotencyRecord struct {
	BodyHash   []byte
	Lease      int64
	LeaseUntil admitto.Time
	Expires    admitto.Time
	Status     int
	Location   string
	Body       []byte
	HasBody    bool
}

const callCondition = " WHERE api_key_id = $1 AND method = $2 AND path = $3 AND token = $4"

// IdempotencyRecord reads what is kept for the call; found is false when nothing is.
func (tx *Tx) IdempotencyRecord(c IdempotentCall) (k IdempotencyRecord, found bool, err error) {
	err = each(tx.query("SELECT body_hash, lease, lease_until, expires, status, location, body FROM idempotency"+
		callCondition+
		tx.forUpdate(lockCall, 0), c.APIKey, c.Method, c.Path, c.Token), func(r *db.Rows) {
		k = IdempotencyRecord{BodyHash: r.Bytes(0), Lease: r.Int64(1), LeaseUntil: r.Time(2), Expires: r.Time(3),
			Status: int(r.Int64(4)), Location: r.Text(5), Body: r.Bytes(6), HasBody: !r.Null(6)}
		found = true
	})
	return k, found, err
}

// ClaimIdempotencyRecord marks the call as in progress under the lease and answers false when another marked it first.
func (tx *Tx) ClaimIdempotencyRecord(c IdempotentCall, bodyHash []byte, lease int64, leaseUntil,
	expires admitto.Time) (bool, error) {
	n, err := tx.exec(`INSERT INTO idempotency (api_key_id, method, path, token, body_hash, lease, lease_until, expires)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (api_key_id, method, path, token) DO NOTHING`,
		c.APIKey, c.Method, c.Path, c.Token, bodyHash, lease, leaseUntil, expires)
	return n > 0, err
}

// FinishIdempotencyRecord keeps the answer of the call, if it still holds the lease, which held says; until the
// transaction ends nobody can take it over. A nil body is filled in later.
func (tx *Tx) FinishIdempotencyRecord(c IdempotentCall, lease int64, status int, location string,
	body []byte) (held bool, err error) {
	var kept any
	if body != nil {
		kept = body
	}
	n, err := tx.exec("UPDATE idempotency SET status = $6, location = $7, body = $8"+callCondition+" AND lease = $5",
		c.APIKey, c.Method, c.Path, c.Token, lease, status, location, kept)
	return n > 0, err
}

// RenewIdempotencyRecord lets a call in progress hold its lease until the time given; held is false when it was taken
// over.
func (tx *Tx) RenewIdempotencyRecord(c IdempotentCall, lease int64, until admitto.Time) (held bool, err error) {
	n, err := tx.exec("UPDATE idempotency SET lease_until = $6"+callCondition+" AND lease = $5",
		c.APIKey, c.Method, c.Path, c.Token, lease, until)
	return n > 0, err
}

// DropIdempotencyRecord forgets the call; held is false when it holds the lease no longer or was answered, and then it
// stays.
func (tx *Tx) DropIdempotencyRecord(c IdempotentCall, lease int64) (held bool, err error) {
	n, err := tx.exec("DELETE FROM idempotency"+callCondition+" AND lease = $5 AND status IS NULL",
		c.APIKey, c.Method, c.Path, c.Token, lease)
	return n > 0, err
}

// ForgetIdempotencyRecord forgets the call, whatever its state.
func (tx *Tx) ForgetIdempotencyRecord(c IdempotentCall) error {
	_, err := tx.exec("DELETE FROM idempotency"+callCondition, c.APIKey, c.Method, c.Path, c.Token)
	return err
}

// ForgetIdempotencyRecordsAt forgets the calls whose path, or the place of what they made, has the part once it ends
// with a slash.
func (tx *Tx) ForgetIdempotencyRecordsAt(part string) error {
	_, err := tx.exec("DELETE FROM idempotency WHERE path || '/' LIKE $1 OR location || '/' LIKE $1", "%"+part+"%")
	return err
}

// FreeIdempotencyRecords forgets the calls that are in progress, whose process is gone.
func (tx *Tx) FreeIdempotencyRecords() error {
	_, err := tx.exec("DELETE FROM idempotency WHERE status IS NULL")
	return err
}

// TidyIdempotencyRecords forgets the calls whose time is over, at most 1000, and answers how many.
func (tx *Tx) TidyIdempotencyRecords() (int64, error) {
	return tx.exec(`DELETE FROM idempotency WHERE (api_key_id, method, path, token) IN
		(SELECT api_key_id, method, path, token FROM idempotency WHERE expires < $1 ORDER BY expires LIMIT 1000)`, tx.Now())
}
