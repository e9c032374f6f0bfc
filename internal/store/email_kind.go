package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// EmailTexts reads the texts that staff keep of a kind of mail, by language, and whether it is silenced: one statement,
// since every mail asks.
func (tx *Tx) EmailTexts(code string) (texts map[string]admitto.MailText, silenced bool, err error) {
	texts = map[string]admitto.MailText{}
	err = each(tx.query(`SELECT language, subject, body FROM email_template WHERE code = $1
		UNION ALL SELECT '', '', '' FROM email_kind WHERE code = $1 AND silenced`, code), func(r *db.Rows) {
		t := admitto.MailText{Code: code, Language: r.Text(0), Subject: r.Text(1), Body: r.Text(2)}
		if t.Language == "" {
			silenced = true
			return
		}
		texts[t.Language] = t
	})
	return texts, silenced, err
}

// EmailTextLanguages are the languages in which staff keep a text of each kind of mail, by code and in their order.
func (tx *Tx) EmailTextLanguages() (map[string][]string, error) {
	languages := map[string][]string{}
	err := each(tx.query("SELECT code, language FROM email_template ORDER BY code, language"), func(r *db.Rows) {
		languages[r.Text(0)] = append(languages[r.Text(0)], r.Text(1))
	})
	return languages, err
}

// SetEmailTemplate stores the active text of a template.
func (tx *Tx) SetEmailTemplate(code, language, subject, body string) error {
	_, err := tx.exec(`INSERT INTO email_template (code, language, subject, body) VALUES ($1, $2, $3, $4)
		ON CONFLICT (code, language) DO UPDATE SET subject = excluded.subject, body = excluded.body`, code, language, subject, body)
	return err
}

// DeleteEmailTemplate removes the text that staff keep of a template in a language.
func (tx *Tx) DeleteEmailTemplate(code, language string) error {
	_, err := tx.exec("DELETE FROM email_template WHERE code = $1 AND language = $2", code, language)
	return err
}

// MailKinds reads what staff keep of kinds of mail, by code; those that nobody has changed are not among them.
func (tx *Tx) MailKinds() (map[string]admitto.MailKind, error) {
	kinds := map[string]admitto.MailKind{}
	err := each(tx.query("SELECT code, silenced, edited, edited_by, row_version FROM email_kind"), func(r *db.Rows) {
		kinds[r.Text(0)] = admitto.MailKind{Silenced: r.Bool(1), Edited: r.Time(2), EditedBy: r.Int64(3),
			Version: r.Int64(4)}
	})
	return kinds, err
}

// MailKind reads what staff keep of a kind of mail; one that nobody has changed has the version 1.
func (tx *Tx) MailKind(code string) (admitto.MailKind, error) {
	all, err := tx.MailKinds()
	k, kept := all[code]
	if !kept {
		k.Version = 1
	}
	return k, err
}

// SaveMailKind stores whether a kind of mail is silenced, and who changed it or its texts now.
func (tx *Tx) SaveMailKind(code string, silenced bool, by int64) error {
	_, err := tx.exec(`INSERT INTO email_kind (code, silenced, edited, edited_by, row_version) VALUES ($1, $2, $3, $4, 2)
		ON CONFLICT (code) DO UPDATE SET silenced = excluded.silenced, edited = excluded.edited,
		edited_by = excluded.edited_by, row_version = email_kind.row_version + 1`, code, silenced, tx.Now(),
		columns.OrNull(by))
	return err
}
