package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// RestingDraft is a draft that becomes Inactive.
type RestingDraft struct {
	Application, Applicant int64
	Name                   admitto.Name
	Revised                admitto.Time // when its content was saved last
}

// restingFrom selects the drafts that the rule would make Inactive: what DraftsUntouched returns, less those that have
// expired and those that it has dealt with since they were saved.
const restingFrom = ` FROM application a JOIN applicant p ON p.id = a.applicant_id
	WHERE a.status = 'Draft' AND a.visible AND a.revised <= $1 AND` + notExpired + `
	AND NOT EXISTS (SELECT 1 FROM rule_action r WHERE r.rule = $4 AND r.record = a.id AND r.occurrence = CAST(a.revised AS text))`

// RestingDrafts returns the first drafts, at most so many, that the rule would make Inactive today when those count
// that were saved before the time, and how many there are.
func (tx *Tx) RestingDrafts(rule string, before admitto.Time, today admitto.Date, most int) (list []RestingDraft,
	total int64, err error) {
	if total, err = tx.number("SELECT count(*)"+restingFrom, before, today, tx.Now(), rule); err != nil {
		return nil, 0, err
	}
	err = each(tx.query("SELECT a.id, p.id, p.given, p.middle, p.family, a.revised"+restingFrom+" ORDER BY a.id LIMIT $5",
		before, today, tx.Now(), rule, most), func(r *db.Rows) {
		list = append(list, RestingDraft{Application: r.Int64(0), Applicant: r.Int64(1),
			Name: admitto.Name{Given: r.Text(2), Middle: r.Text(3), Family: r.Text(4)}, Revised: r.Time(5)})
	})
	return list, total, err
}

// Concerned is whom a rule concerns.
type Concerned struct {
	Candidate
	Applicant int64
	Name      admitto.Name
}

// Concerned reads the applicants of candidates: themselves if people, else of their application, or of the invoice that
// has none.
func (tx *Tx) Concerned(candidates []Candidate, people bool) (list []Concerned, err error) {
	var applications, others []int64
	for _, c := range candidates {
		if list = append(list, Concerned{Candidate: c}); c.Application != 0 {
			applications = append(applications, c.Application)
		} else {
			others = append(others, c.Record)
		}
	}
	table := "invoice x JOIN applicant p ON p.id = x.applicant_id"
	if people {
		table = "applicant x JOIN applicant p ON p.id = x.id"
	}
	read := func(sql string, ids []int64, is func(c *Concerned, id int64) bool) error {
		return each(tx.query(sql+tx.dialect.in("x.id", 1), ids), func(r *db.Rows) {
			for i := range list {
				if c := &list[i]; is(c, r.Int64(0)) {
					c.Applicant, c.Name = r.Int64(1), admitto.Name{Given: r.Text(2), Middle: r.Text(3), Family: r.Text(4)}
				}
			}
		})
	}
	const columns = "SELECT x.id, p.id, p.given, p.middle, p.family FROM "
	if len(applications) > 0 {
		err = read(columns+"application x JOIN applicant p ON p.id = x.applicant_id WHERE ", applications,
			func(c *Concerned, id int64) bool { return c.Application == id })
	}
	if err == nil && len(others) > 0 {
		err = read(columns+table+" WHERE ", others,
			func(c *Concerned, id int64) bool { return c.Application == 0 && c.Record == id })
	}
	return list, err
}
