package store

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// JobRun tells how it stands with a run of a job: known is false when nobody has begun it, and open tells that it
// may be begun or taken over now. first is true when the job has never run for any time.
func (tx *Tx) JobRun(job string, due admitto.Time) (open, first bool, err error) {
	open = true
	err = each(tx.query("SELECT lease_until, finished FROM job_run WHERE job = $1 AND due = $2", job, due),
		func(r *db.Rows) {
			open = r.Null(1) && r.Time(0) <= tx.Now()
		})
	if err != nil || !open {
		return open, false, err
	}
	n, err := tx.number("SELECT count(*) FROM (SELECT 1 FROM job_run WHERE job = $1 LIMIT 1) j", job)
	return open, n == 0, err
}

// JobOpen reports whether a run of a job has not ended: it waits, or somebody is at it.
func (tx *Tx) JobOpen(job string, due admitto.Time) (bool, error) {
	n, err := tx.number("SELECT count(*) FROM job_run WHERE job = $1 AND due = $2 AND finished IS NOT NULL", job, due)
	return n == 0, err
}

// ClaimJobRun takes a run of a job until the time given, and returns the number of the lease; 0 when it is finished
// or somebody else works on it.
func (tx *Tx) ClaimJobRun(job string, due, until admitto.Time) (lease int64, err error) {
	return tx.number(`INSERT INTO job_run (job, due, lease, lease_until) VALUES ($1, $2, 1, $3)
		ON CONFLICT (job, due) DO UPDATE SET lease = job_run.lease + 1, lease_until = excluded.lease_until
		WHERE job_run.finished IS NULL AND job_run.lease_until <= $4 RETURNING lease`, job, due, until, tx.Now())
}

// LastRuns returns when each of the jobs last finished a run; those that never did are left out.
func (tx *Tx) LastRuns(jobs []string) (map[string]admitto.Time, error) {
	last := map[string]admitto.Time{}
	for _, job := range jobs {
		err := each(tx.query(`SELECT finished FROM job_run WHERE job = $1 AND finished IS NOT NULL ORDER BY due DESC LIMIT 1`,
			job), func(r *db.Rows) { last[job] = r.Time(0) })
		if err != nil {
			return nil, err
		}
	}
	return last, nil
}

// FinishJobRun notes that a run is done, if it is still under the lease.
func (tx *Tx) FinishJobRun(job string, due admitto.Time, lease int64) error {
	_, err := tx.exec("UPDATE job_run SET finished = $4 WHERE job = $1 AND due = $2 AND lease = $3 AND finished IS NULL",
		job, due, lease, tx.Now())
	return err
}

// ReleaseJobRun hands a run back that is not done: it may be taken from the time given.
func (tx *Tx) ReleaseJobRun(job string, due admitto.Time, lease int64, from admitto.Time) error {
	_, err := tx.exec("UPDATE job_run SET lease_until = $4 WHERE job = $1 AND due = $2 AND lease = $3 AND finished IS NULL", job, due, lease, from)
	return err
}

// TidyJobRuns forgets runs that were due before the time, but the last one of each job.
func (tx *Tx) TidyJobRuns(before admitto.Time) error {
	_, err := tx.exec("DELETE FROM job_run WHERE due < $1 AND due < (SELECT max(j.due) FROM job_run j WHERE j.job = job_run.job)", before)
	return err
}
