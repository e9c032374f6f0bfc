package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// SentForm names a form that an account has sent: by the hash of its mark and of what was typed.
type SentForm struct {
	Area    string
	Account int64
	Mark    [32]byte
}

const sentFormCondition = " WHERE area = $1 AND account_id = $2 AND mark = $3"

// ClaimSentForm notes that a form is being saved; claimed is false when it was noted before.
func (tx *Tx) ClaimSentForm(f SentForm) (claimed bool, err error) {
	n, err := tx.exec(`INSERT INTO sent_form (area, account_id, mark, begun) VALUES ($1, $2, $3, $4)
		ON CONFLICT (area, account_id, mark) DO NOTHING`, f.Area, f.Account, f.Mark[:], tx.Now())
	return n > 0, err
}

// SentForm returns since when a form is being saved, and its sealed answer once it was; found is false when nothing is
// known of it.
func (tx *Tx) SentForm(f SentForm) (begun admitto.Time, answer []byte, found bool, err error) {
	err = each(tx.query("SELECT begun, answer FROM sent_form"+sentFormCondition, f.Area, f.Account, f.Mark[:]),
		func(r *db.Rows) { begun, answer, found = r.Time(0), r.Bytes(1), true })
	return begun, answer, found, err
}

// AnswerSentForm keeps the answer of a form that was saved.
func (tx *Tx) AnswerSentForm(f SentForm, answer []byte) error {
	_, err := tx.exec("UPDATE sent_form SET answer = $4"+sentFormCondition, f.Area, f.Account, f.Mark[:], answer)
	return err
}

// DropSentForm forgets a form that was not saved.
func (tx *Tx) DropSentForm(f SentForm) error {
	_, err := tx.exec("DELETE FROM sent_form"+sentFormCondition, f.Area, f.Account, f.Mark[:])
	return err
}

// TrimSentForms forgets the oldest forms of an account beyond so many.
func (tx *Tx) TrimSentForms(area string, account int64, most int) error {
	_, err := tx.exec(`DELETE FROM sent_form WHERE area = $1 AND account_id = $2 AND mark IN
		(SELECT mark FROM sent_form WHERE area = $1 AND account_id = $2 ORDER BY begun DESC, mark LIMIT 1000 OFFSET $3)`,
		area, account, most)
	return err
}

// TidySentForms forgets forms that were sent before the time, at most 1000, and answers how many.
func (tx *Tx) TidySentForms(before admitto.Time) (int64, error) {
	return tx.exec(`DELETE FROM sent_form WHERE (area, account_id, mark) IN
		(SELECT area, account_id, mark FROM sent_form WHERE begun < $1 ORDER BY begun LIMIT 1000)`, before)
}
