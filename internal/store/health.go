package store

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// SaveReport keeps what an instance says of itself in the place of what it said before.
func (tx *Tx) SaveReport(id string, r *admitto.InstanceReport) error {
	_, err := tx.exec(`INSERT INTO instance_report (id, started, seen, report) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET seen = excluded.seen,
			report = excluded.report`, id, r.Started, tx.Now(), columns.JSON(r))
	return err
}

// Reports returns what all instances have said of themselves, the one that started first before the others.
func (tx *Tx) Reports() (list []admitto.InstanceReport, err error) {
	err = each(tx.query("SELECT started, seen, report FROM instance_report ORDER BY started, id"), func(r *db.Rows) {
		var report admitto.InstanceReport
		_ = json.Unmarshal(r.Raw(2), &report) // one that another release has written may say less
		report.Started, report.Seen = r.Time(0), r.Time(1)
		list = append(list, report)
	})
	return list, err
}

// DropReport forgets an instance.
func (tx *Tx) DropReport(id string) error {
	_, err := tx.exec("DELETE FROM instance_report WHERE id = $1", id)
	return err
}

// TidyReports forgets the instances that were last seen before a time.
func (tx *Tx) TidyReports(before admitto.Time) error {
	_, err := tx.exec("DELETE FROM instance_report WHERE seen < $1", before)
	return err
}

// JobOutcomes returns how the last runs went of the jobs that one instance does for all, by name.
func (tx *Tx) JobOutcomes() (map[string]admitto.JobOutcome, error) {
	all := map[string]admitto.JobOutcome{}
	err := each(tx.query("SELECT job, asked, begun, took, failures, failed, cause FROM job_outcome"), func(r *db.Rows) {
		o := admitto.JobOutcome{Job: r.Text(0), Asked: r.Time(1), Begun: r.Time(2), Took: r.Time(3),
			Failures: int(r.Int64(4)),
			Failed:   r.Time(5), Cause: r.Text(6)}
		all[o.Job] = o
	})
	return all, err
}

// JobAsked returns for when a run of a job was asked for last; 0 when nobody did.
func (tx *Tx) JobAsked(job string) (asked admitto.Time, err error) {
	err = each(tx.query("SELECT asked FROM job_outcome WHERE job = $1", job), func(r *db.Rows) { asked = r.Time(0) })
	return asked, err
}

// AskJob asks for a run of a job for a time, for which it has not run.
func (tx *Tx) AskJob(job string, at admitto.Time) error {
	_, err := tx.exec(`INSERT INTO job_outcome (job, asked) VALUES ($1, $2)
		ON CONFLICT (job) DO UPDATE SET asked = excluded.asked`, job, at)
	return err
}

// JobWent notes a run of a job that began at a time and took so long.
func (tx *Tx) JobWent(job string, begun, took admitto.Time) error {
	_, err := tx.exec(`INSERT INTO job_outcome (job, begun, took) VALUES ($1, $2, $3)
		ON CONFLICT (job) DO UPDATE SET begun = excluded.begun, took = excluded.took, failures = 0,
			cause = ''`, job, begun, int64(took))
	return err
}

// JobFailed notes that a run of a job has failed now, and why.
func (tx *Tx) JobFailed(job string, begun, took admitto.Time, cause string) error {
	_, err := tx.exec(`INSERT INTO job_outcome (job, begun, took, failures, failed, cause) VALUES ($1, $2, $3, 1, $4, $5)
		ON CONFLICT (job) DO UPDATE SET begun = excluded.begun, took = excluded.took,
			failures = job_outcome.failures + 1,
			failed = excluded.failed, cause = excluded.cause`, job, begun, int64(took), tx.Now(), cause)
	return err
}

// BackupSeen returns the last backup that was made of this database.
func (tx *Tx) BackupSeen() (b admitto.Backup, err error) {
	err = each(tx.query("SELECT made, bytes, last_record FROM backup_seen WHERE one = 1"), func(r *db.Rows) {
		b = admitto.Backup{Made: r.Time(0), Bytes: r.Int64(1), LastRecord: r.Int64(2)}
	})
	return b, err
}

// NoteBackup notes that a backup was made now, of so many bytes, with the journal up to a record.
func (tx *Tx) NoteBackup(bytes, lastRecord int64) error {
	_, err := tx.exec(`INSERT INTO backup_seen (one, made, bytes, last_record) VALUES (1, $1, $2, $3)
		ON CONFLICT (one) DO UPDATE SET made = excluded.made, bytes = excluded.bytes,
			last_record = excluded.last_record`,
		tx.Now(), bytes, lastRecord)
	return err
}

// DatabaseSize returns how many bytes the database takes.
func (tx *Tx) DatabaseSize() (int64, error) { return tx.number(tx.dialect.size) }

// FilesKept counts the files that records refer to, and their bytes. What several refer to counts for each.
func (tx *Tx) FilesKept() (count, bytes int64, err error) {
	err = one(tx.query(`SELECT CAST(sum(n) AS bigint), CAST(sum(size) AS bigint) FROM (
		SELECT count(*) AS n, coalesce(sum(size), 0) AS size FROM document
		UNION ALL SELECT count(*), coalesce(sum(size), 0) FROM applicant_photo
		UNION ALL SELECT count(*), coalesce(sum(size), 0) FROM email_attachment
		UNION ALL SELECT count(*), coalesce(sum(size), 0) FROM offer_attachment
		UNION ALL SELECT count(*), coalesce(sum(size), 0) FROM export_blob) t`),
		func(r *db.Rows) { count, bytes = r.Int64(0), r.Int64(1) })
	return count, bytes, err
}

// MailsWaiting counts the mails of a kind that are on their way, and when the oldest of them was queued.
func (tx *Tx) MailsWaiting(kind string) (n int64, oldest admitto.Time, err error) {
	err = one(tx.query("SELECT count(*), min(created) FROM outbox WHERE kind = $1", kind),
		func(r *db.Rows) { n, oldest = r.Int64(0), r.Time(1) })
	return n, oldest, err
}

// failedSince is the condition that mail e to applicant p was given up since $1 and nobody has sent it again.
const failedSince = "e.failed >= $1 AND e.failed IS NOT NULL AND e.delivered IS NULL AND p.visible"

// FailedMails returns what was given up since a time, by template and by what the mail server said.
func (tx *Tx) FailedMails(since admitto.Time) (list []admitto.FailedMails, err error) {
	err = each(tx.query(`SELECT e.template, e.reply, count(*), max(e.failed) FROM email e JOIN applicant p ON p.id = e.applicant_id
		WHERE `+failedSince+" GROUP BY e.template, e.reply ORDER BY max(e.failed) DESC LIMIT 5000", since), func(r *db.Rows) {
		list = append(list, admitto.FailedMails{Template: r.Text(0), Reason: r.Text(1), Count: r.Int64(2),
			Last: r.Time(3)})
	})
	return list, err
}

// FailedSince returns mails that were given up since a time, the oldest first: at most n above an ID.
func (tx *Tx) FailedSince(since admitto.Time, after int64, n int) ([]int64, error) {
	return tx.ids("SELECT e.id FROM email e JOIN applicant p ON p.id = e.applicant_id WHERE "+failedSince+
		" AND e.id > $2 ORDER BY e.id LIMIT $3", since, after, n)
}

// EventsSince counts the records of a pattern since a time.
func (tx *Tx) EventsSince(pattern admitto.Pattern, since admitto.Time) (int64, error) {
	return tx.number("SELECT count(*) FROM journal WHERE pattern = $1 AND logged >= $2", pattern, since)
}

// DeprecatedUses returns what keys that still count have used since a day that will end, by key and version.
func (tx *Tx) DeprecatedUses(since admitto.Date) (list []admitto.KeyUseSum, keys []int64, err error) {
	err = each(tx.query(`SELECT u.api_key_id, u.version, u.what, max(u.day), CAST(sum(u.n) AS bigint), min(u.operation) FROM api_key_use u
		WHERE u.day >= $1 GROUP BY u.api_key_id, u.version, u.what ORDER BY u.version, u.api_key_id, u.what`, since),
		func(r *db.Rows) {
			keys = append(keys, r.Int64(0))
			list = append(list, admitto.KeyUseSum{Version: int(r.Int64(1)), What: r.Text(2), Last: r.Date(3),
				Count:     r.Int64(4),
				Operation: r.Text(5)})
		})
	return list, keys, err
}
