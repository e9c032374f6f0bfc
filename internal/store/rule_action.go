package store

import (
	"encoding/json"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// HasClaim reports whether a rule has claimed something of a record whose occurrence begins so.
func (tx *Tx) HasClaim(rule string, record int64, begins string) (bool, error) {
	n, err := tx.number("SELECT 1 FROM rule_action WHERE rule = $1 AND record = $2 AND substr(occurrence, 1, $4) = $3 LIMIT 1",
		rule, record, begins, len(begins))
	return n > 0, err
}

// ClaimRuleAction reports whether this is the first time that the rule acts on the record at the occurrence, and
// keeps that it did (lifecycle.md 11.2), with the version of the rule.
func (tx *Tx) ClaimRuleAction(rule string, record int64, occurrence string) (bool, error) {
	n, err := tx.exec(columns.RuleAction.Add(), columns.RuleAction.Values(nil, &admitto.RuleAction{Rule: rule,
		Record: record, Occurrence: occurrence, Done: tx.Now(), Version: tx.ruleVersion})...)
	tx.claimed = tx.claimed || n == 1
	return n == 1, err
}

// UnderRule begins what a version of a rule does in this transaction.
func (tx *Tx) UnderRule(version int64) { tx.ruleVersion = version }

// KeepRuleAction keeps that a rule acted on a record now, if it has claimed nothing itself.
func (tx *Tx) KeepRuleAction(rule string, record int64) error {
	if tx.claimed {
		return nil
	}
	_, err := tx.ClaimRuleAction(rule, record, strconv.FormatInt(int64(tx.Now()), 10))
	return err
}

// SettingVersion returns the version of a list of settings that counts, which is 1 and one more with every change that
// was saved, and when it was saved; 0 for the first. A list of none has one version.
func (tx *Tx) SettingVersion(names []string) (number int64, since admitto.Time, err error) {
	q := admitto.JournalQuery{NewestFirst: true, Limit: 1}
	for _, name := range names {
		q.Events = append(q.Events, admitto.EventFilter{Pattern: admitto.SettingChanged, Bind: []string{name}})
	}
	if len(names) == 0 {
		return 1, 0, nil
	}
	changes, err := tx.CountRecords(q)
	if err != nil {
		return 0, 0, err
	}
	_, err = tx.EachRecord(q, func(r *admitto.Record) error {
		since = r.Logged
		return nil
	})
	return 1 + changes, since, err
}

// Acted reports whether a rule has done anything in this transaction.
func (tx *Tx) Acted() bool { return tx.claimed || len(tx.events) > 0 }

// CountRuleActions counts at how many of the occurrences the rule has acted on the record.
func (tx *Tx) CountRuleActions(rule string, record int64, occurrences []string) (int64, error) {
	return tx.number("SELECT count(*) FROM rule_action WHERE rule = $1 AND record = $2 AND "+tx.dialect.in("occurrence",
		3), rule, record, occurrences)
}

// Candidate is a record that a rule may have to act on, and the application it belongs to.
type Candidate struct{ Record, Application int64 }

// candidates reads a page of two columns, record and application.
func (tx *Tx) candidates(sql string, args ...any) (list []Candidate, err error) {
	err = each(tx.query(sql, args...), func(r *db.Rows) { list = append(list, Candidate{r.Int64(0), r.Int64(1)}) })
	return list, err
}

// candidatesAtOnce is how many records are looked at between two transactions.
const candidatesAtOnce = 500

// candidatePage ends a query of candidates: only above the record $1, in its order.
func candidatePage(column string) string {
	return " AND " + column + " > $1 ORDER BY " + column + " LIMIT " + strconv.Itoa(candidatesAtOnce)
}

// notExpired is the condition that application a is not expired (lifecycle.md 3.1); $2 is today, $3 the time.
const notExpired = ` (coalesce(a.grace_override, 0) > $3 OR NOT EXISTS (SELECT 1 FROM academic_term x WHERE x.id = a.academic_term_id AND x.grace <> '' AND x.grace < $2))`

// DraftsUntouched returns applications in Draft whose content was saved last before the time.
func (tx *Tx) DraftsUntouched(after int64, before admitto.Time) ([]Candidate, error) {
	return tx.candidates("SELECT a.id, a.id FROM application a WHERE a.status = 'Draft' AND a.visible AND a.revised <= $2"+
		candidatePage("a.id"), after, before)
}

// Unsubmitted returns applications that have one of the statuses and are not silenced by staff.
func (tx *Tx) Unsubmitted(after int64, statuses []string) ([]Candidate, error) {
	return tx.candidates("SELECT a.id, a.id FROM application a WHERE "+tx.dialect.in("a.status",
		2)+" AND a.visible AND NOT a.silenced"+
		candidatePage("a.id"), after, statuses)
}

// JustExpired returns applications that are expired today, whatever their status, and of which the rule has not told
// yet.
func (tx *Tx) JustExpired(after int64, rule string, today admitto.Date) ([]Candidate, error) {
	return tx.candidates(`SELECT a.id, a.id FROM application a JOIN academic_term x ON x.id = a.academic_term_id
		WHERE a.visible AND x.grace <> '' AND x.grace < $2 AND (a.grace_override IS NULL OR a.grace_override <= $3)
		AND NOT EXISTS (SELECT 1 FROM rule_action r WHERE r.rule = $4 AND r.record = a.id
			AND r.occurrence = x.grace || '/' || CAST(coalesce(a.grace_override, 0) AS text))`+candidatePage("a.id"), after, today, tx.Now(), rule)
}

// ExpiryOf names the end of an application: its grace day and the override of it.
func (tx *Tx) ExpiryOf(application int64) (occurrence string, err error) {
	err = one(tx.query(`SELECT x.grace || '/' || CAST(coalesce(a.grace_override, 0) AS text) FROM application a
		JOIN academic_term x ON x.id = a.academic_term_id WHERE a.id = $1`, application), func(r *db.Rows) { occurrence = r.Text(0) })
	return occurrence, err
}

// Lapsing returns applications with automatic invoices that nobody has paid for and that have lost their reason:
// Withdrawn before the time undone, Closed, or expired today.
func (tx *Tx) Lapsing(after int64, undone admitto.Time, today admitto.Date) ([]Candidate, error) {
	return tx.candidates(`SELECT a.id, a.id FROM application a WHERE a.visible
		AND EXISTS (SELECT 1 FROM invoice i WHERE i.application_id = a.id AND i.automatic AND i.collected IS NULL AND i.lapsed IS NULL AND i.paid = 0)
		AND (a.status = 'Closed' OR (a.status = 'Withdrawn' AND a.withdrawn <= $4) OR NOT`+notExpired+")"+candidatePage("a.id"),
		after, today, tx.Now(), undone)
}

// Undecided returns offers that wait for an answer of the applicant with a reminder to come (lifecycle.md 4.4).
func (tx *Tx) Undecided(after int64) ([]Candidate, error) {
	return tx.candidates(`SELECT o.id, o.application_id FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id
		JOIN application a ON a.id = o.application_id
		WHERE a.visible AND NOT a.silenced AND a.status NOT IN ('Withdrawn', 'Closed') AND o.confirmed IS NOT NULL AND t.decide
		AND o.decision = 'None' AND o.decision_policy <> 'None'`+candidatePage("o.id"), after)
}

// Unanswered returns offers that nobody has answered by a Required deadline before the day, of applications that are
// open; without those that the rule has declined once for it, and those that wait in a batch of the rule.
func (tx *Tx) Unanswered(after int64, before, today admitto.Date) ([]Candidate, error) {
	return tx.candidates(`SELECT o.id, o.application_id FROM offer o JOIN offer_type t ON t.id = o.type_confirmed_id
		JOIN application a ON a.id = o.application_id
		WHERE a.visible AND a.status NOT IN ('Withdrawn', 'Closed') AND`+notExpired+`
		AND o.confirmed IS NOT NULL AND t.decide AND o.decision = 'None' AND o.decision_policy = 'Required'
		AND o.decision_deadline <> '' AND o.decision_deadline < $4
		AND NOT EXISTS (SELECT 1 FROM rule_action r WHERE r.rule = $5 AND r.record = o.id AND r.occurrence = o.decision_deadline)
		AND NOT EXISTS (SELECT 1 FROM batch_record r JOIN batch b ON b.id = r.batch_id WHERE r.applicant_id = o.applicant_id
			AND r.record = o.id AND r.state = 'sealed' AND b.action = $5 AND b.state NOT IN ('discarded', 'finished', 'undone'))`+
		candidatePage("o.id"), after, today, tx.Now(), before, admitto.AutoDecline)
}

// Silenced reports whether an application gets no reminders: staff said so, or a confirmed offer's type does.
func (tx *Tx) Silenced(application int64) (bool, error) {
	n, err := tx.number(`SELECT count(*) FROM application a WHERE a.id = $1 AND (a.silenced OR EXISTS (SELECT 1 FROM offer o
		JOIN offer_type t ON t.id = o.type_confirmed_id WHERE o.application_id = a.id AND o.confirmed IS NOT NULL AND t.silence))`, application)
	return n > 0, err
}

// DueForReminder returns open invoices with the deadline that ask for a reminder and got none; Application is 0 for
// one without.
func (tx *Tx) DueForReminder(after int64, deadline admitto.Date) ([]Candidate, error) {
	return tx.candidates(`SELECT i.id, coalesce(i.application_id, 0) FROM invoice i JOIN applicant p ON p.id = i.applicant_id
		WHERE i.deadline = $2 AND i.collected IS NULL AND i.lapsed IS NULL AND i.reminder AND i.reminded IS NULL AND p.visible`+
		candidatePage("i.id"), after, deadline)
}

// RemindInvoice locks an invoice, keeps that its payer was reminded now and reports whether the reminder is still due.
func (tx *Tx) RemindInvoice(id int64) (bool, error) {
	n, err := tx.exec(`UPDATE invoice SET reminded = $2, row_version = row_version + 1 WHERE id = $1 AND collected IS NULL AND lapsed IS NULL
		AND reminder AND reminded IS NULL`, id, tx.Now())
	return n == 1, err
}

// TaskReminder is how a task is to be reminded of: every Every days after Since, for at most Max days (0: as long as it
// is open).
type TaskReminder struct {
	Since      admitto.Time
	Every, Max int
}

// taskReminderFrom is where TasksToRemind and TaskReminderOf look.
const taskReminderFrom = ` FROM task k JOIN task_template_status s ON s.template_id = k.template_id AND s.name = k.status
	JOIN application a ON a.id = k.application_id WHERE s.remind_days > 0 AND k.resolved IS NULL AND k.trashed IS NULL AND NOT k.closed
	AND a.visible AND NOT a.silenced AND a.status NOT IN ('Withdrawn', 'Closed')`

// TasksToRemind returns open tasks whose status asks for reminders.
func (tx *Tx) TasksToRemind(after int64) ([]Candidate, error) {
	return tx.candidates("SELECT k.id, k.application_id"+taskReminderFrom+candidatePage("k.id"), after)
}

// TaskReminderOf reads how a task of a locked application is to be reminded of; found is false when it is not.
func (tx *Tx) TaskReminderOf(task int64) (r TaskReminder, found bool, err error) {
	err = each(tx.query("SELECT coalesce(k.committed, k.created), s.remind_days, s.remind_max_days"+taskReminderFrom+
		" AND k.id = $1", task),
		func(row *db.Rows) {
			r, found = TaskReminder{Since: row.Time(0), Every: int(row.Int64(1)), Max: int(row.Int64(2))}, true
		})
	return r, found, err
}

// RemindTask keeps that the applicant was reminded of a task now.
func (tx *Tx) RemindTask(id int64) error {
	_, err := tx.exec("UPDATE task SET reminded = $2, row_version = row_version + 1 WHERE id = $1", id, tx.Now())
	return err
}

// KeysEnding returns keys that have not been revoked and end by the time.
func (tx *Tx) KeysEnding(by admitto.Time) ([]admitto.Key, error) {
	keys, err := tx.Keys()
	var list []admitto.Key
	for _, k := range keys {
		if k.Revoked == 0 && k.Expires != 0 && k.Expires <= by {
			list = append(list, k)
		}
	}
	return list, err
}

// Superusers returns the active administrators who may everything: role 1 (lifecycle.md 12.1).
func (tx *Tx) Superusers() (list []admitto.Administrator, err error) {
	err = each(tx.query(`SELECT a.id, a.name, a.email FROM administrator a JOIN administrator_role r ON r.administrator_id = a.id
		WHERE r.role_id = 1 AND NOT a.suspended AND NOT a.removed ORDER BY a.id`), func(r *db.Rows) {
		list = append(list, admitto.Administrator{ID: r.Int64(0), Name: r.Text(1), Email: r.Text(2)})
	})
	return list, err
}

// LockKey reads a key and keeps it from being changed by others until the transaction ends; found is false without it.
func (tx *Tx) LockKey(id int64) (k admitto.Key, found bool, err error) {
	err = each(tx.query("SELECT "+keyColumns+" FROM api_key WHERE id = $1"+tx.forUpdate(lockKey, id), id),
		func(r *db.Rows) { k, found = scanKey(r), true })
	return k, found, err
}

// SetInactive makes an application Inactive.
func (tx *Tx) SetInactive(application int64) error {
	if err := tx.countStatus(application, admitto.Inactive); err != nil {
		return err
	}
	_, err := tx.exec("UPDATE application SET status = 'Inactive', row_version = row_version + 1 WHERE id = $1",
		application)
	return err
}

// InvoiceOwner returns the applicant of an invoice, 0 for none.
func (tx *Tx) InvoiceOwner(invoice int64) (int64, error) {
	return tx.number("SELECT coalesce(applicant_id, 0) FROM invoice WHERE id = $1", invoice)
}

// TaskText is what a mail says of a task.
type TaskText struct {
	Title, Instructions string
	Deadline            admitto.Date
	Versions            admitto.Versions // of title and instructions
}

// TaskText reads what a mail says of a task.
func (tx *Tx) TaskText(task int64) (t TaskText, err error) {
	err = one(tx.query("SELECT p.title, p.instructions, k.deadline, p.versions FROM task k JOIN task_template p ON p.id = k.template_id WHERE k.id = $1", task),
		func(r *db.Rows) {
			t = TaskText{r.Text(0), r.Text(1), r.Date(2), nil}
			if err := json.Unmarshal(r.Raw(3), &t.Versions); err != nil {
				r.Fail(err)
			}
		})
	return t, err
}
