package store

import (
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// SignInLink is a one-time link that was sent to an applicant. A link that a newer one replaced has expired.
type SignInLink struct {
	Applicant              int64
	Created, Used, Expires admitto.Time
}

// SignInLink finds the link with the hash, whether it works or not; Applicant is 0 when there is none.
func (tx *Tx) SignInLink(hash [32]byte) (l SignInLink, err error) {
	err = each(tx.query("SELECT applicant_id, created, used, expires FROM sign_in_token WHERE hash = $1", hash[:]),
		func(r *db.Rows) { l = SignInLink{r.Int64(0), r.Time(1), r.Time(2), r.Time(3)} })
	return l, err
}

// EndSignInLinks ends every link of an applicant that still works.
func (tx *Tx) EndSignInLinks(applicant int64) error {
	_, err := tx.exec("UPDATE sign_in_token SET expires = $2 WHERE applicant_id = $1 AND used IS NULL AND expires > $2",
		applicant, tx.Now())
	return err
}

// LastSignInLink returns when the newest link of an applicant that was not used was made, 0 without one.
func (tx *Tx) LastSignInLink(applicant int64) (at admitto.Time, err error) {
	n, err := tx.number("SELECT coalesce(max(created), 0) FROM sign_in_token WHERE applicant_id = $1 AND used IS NULL",
		applicant)
	return admitto.Time(n), err
}

// EmailChange is an address that an applicant is to have once a link sent there is used.
type EmailChange struct {
	Applicant      int64
	Email, Key     string
	Asked, Expires admitto.Time
}

// KeepEmailChange stores a change of address under the hash of its link, in the place of an earlier one.
func (tx *Tx) KeepEmailChange(c *EmailChange, hash [32]byte) error {
	_, err := tx.exec(`INSERT INTO email_change (applicant_id, hash, email, email_key, asked, expires) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (applicant_id) DO UPDATE SET hash = excluded.hash, email = excluded.email, email_key = excluded.email_key,
		asked = excluded.asked, expires = excluded.expires`, c.Applicant, hash[:], c.Email, c.Key, c.Asked, c.Expires)
	return err
}

const emailChangeColumns = "SELECT applicant_id, email, email_key, asked, expires FROM email_change WHERE "

func scanEmailChange(c *EmailChange) func(*db.Rows) {
	return func(r *db.Rows) { *c = EmailChange{r.Int64(0), r.Text(1), r.Text(2), r.Time(3), r.Time(4)} }
}

// EmailChangeByLink finds the change of address whose link has the hash; Applicant is 0 when there is none.
func (tx *Tx) EmailChangeByLink(hash [32]byte) (c EmailChange, err error) {
	err = each(tx.query(emailChangeColumns+"hash = $1", hash[:]), scanEmailChange(&c))
	return c, err
}

// EmailChangeOf finds the change of address that an applicant has asked for; Applicant is 0 when there is none.
func (tx *Tx) EmailChangeOf(applicant int64) (c EmailChange, err error) {
	err = each(tx.query(emailChangeColumns+"applicant_id = $1", applicant), scanEmailChange(&c))
	return c, err
}

// DropEmailChange forgets the change of address that an applicant has asked for.
func (tx *Tx) DropEmailChange(applicant int64) error {
	_, err := tx.exec("DELETE FROM email_change WHERE applicant_id = $1", applicant)
	return err
}

// TidyEmailChanges forgets changes of addresses that were not confirmed before the time, at most 1000, and answers how
// many.
func (tx *Tx) TidyEmailChanges(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM email_change WHERE applicant_id IN (SELECT applicant_id FROM email_change WHERE expires < $1 LIMIT 1000)",
		before)
}

// TakeHourly counts a use of what may be used so many times within an hour, unless it was used as often already: then
// until is when it may be used again. Two transactions about one subject wait for each other.
func (tx *Tx) TakeHourly(subject string, most int) (until admitto.Time, err error) {
	return tx.TakeWithin(subject, most, admitto.Hour)
}

// TakeWithin is TakeHourly for a span of at most an hour.
func (tx *Tx) TakeWithin(subject string, most int, span admitto.Time) (until admitto.Time, err error) {
	var stored string
	err = each(tx.query(`INSERT INTO hourly_use (subject, times, last) VALUES ($1, '[]', $2)
		ON CONFLICT (subject) DO UPDATE SET last = excluded.last RETURNING times`, subject, tx.Now()),
		func(r *db.Rows) { stored = r.Text(0) })
	if err != nil {
		return 0, err
	}
	var times []admitto.Time
	if err := json.Unmarshal([]byte(stored), &times); err != nil {
		return 0, err
	}
	times = slices.DeleteFunc(times, func(at admitto.Time) bool { return at <= tx.Now()-span })
	if len(times) >= most {
		return times[len(times)-most] + span, nil
	}
	plain, err := json.Marshal(append(times, tx.Now()))
	if err != nil {
		return 0, err
	}
	_, err = tx.exec("UPDATE hourly_use SET times = $2 WHERE subject = $1", subject, string(plain))
	return 0, err
}

// TidyHourly forgets what was used last before the time, at most 1000 rows, and answers how many.
func (tx *Tx) TidyHourly(before admitto.Time) (int64, error) {
	return tx.exec("DELETE FROM hourly_use WHERE subject IN (SELECT subject FROM hourly_use WHERE last < $1 LIMIT 1000)",
		before)
}
