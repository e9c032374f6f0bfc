package store

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// SaveContent stores what the applicant filled in, in place of what was there.
func (tx *Tx) SaveContent(application int64, content []byte) error {
	c := columns.Content{Application: application, JSON: string(content)}
	_, err := tx.exec(columns.ApplicationContent.Replace(), columns.ApplicationContent.Values(nil, &c)...)
	return err
}

// ContentRevised stores the status of an application whose content has changed now.
func (tx *Tx) ContentRevised(application int64, status admitto.ApplicationStatus) error {
	if err := tx.countStatus(application, status); err != nil {
		return err
	}
	_, err := tx.exec("UPDATE application SET status = $2, revised = $3, row_version = row_version + 1 WHERE id = $1",
		application, string(status), tx.Now())
	return err
}

// ActiveCodes returns the codes of each stored class that new data may have.
func (tx *Tx) ActiveCodes() (map[string]map[string]bool, error) {
	byClass := map[string]map[string]bool{}
	err := each(tx.query("SELECT class, code FROM classificator WHERE active"), func(r *db.Rows) {
		class := r.Text(0)
		if byClass[class] == nil {
			byClass[class] = map[string]bool{}
		}
		byClass[class][r.Text(1)] = true
	})
	return byClass, err
}

// Questions returns the questions whose answers are extras, by ID.
func (tx *Tx) Questions() (list []admitto.Question, err error) {
	err = each(tx.query("SELECT "+columns.Question.Select("")+" FROM question ORDER BY id"),
		func(r *db.Rows) { list = append(list, scanned(columns.Question, r)) })
	return list, err
}

// FrozenEntries returns what of an application the applicant may not change (lifecycle.md 3.6): never contact data.
func (tx *Tx) FrozenEntries(application int64) (list []string, err error) {
	var text string
	err = each(tx.query("SELECT entries FROM application_frozen WHERE application_id = $1", application),
		func(r *db.Rows) { text = r.Text(0) })
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), &list)
	}
	return slices.DeleteFunc(list, func(entry string) bool { return strings.HasPrefix(entry, "/contact/") }), err
}
