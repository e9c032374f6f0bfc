package automation

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// jobLease is how long a run of a job belongs to the instance that works on it, and jobRetry how long it waits after
// a failure. A run that outlives its lease may be done by two at once; the rules act once all the same.
const (
	jobLease = 15 * admitto.Minute
	jobRetry = 1 * admitto.Minute
)

// RunJob runs a job that all instances share, when it is due and nobody else has done it or works on it
// (lifecycle.md 11.2). due returns the last time, up to now, for which the job is to run: of several missed runs only
// that one is caught up. A job that has never run has missed nothing, so its first run is the next one. A run that
// somebody has asked for comes before that. ran is true when this call has done the work.
func (s *Service) RunJob(ctx context.Context, by admitto.Caller, name string, due func(now admitto.Time) admitto.Time,
	work func(ctx context.Context, due admitto.Time) error) (ran bool, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return ran, err
	}
	var at admitto.Time
	var open, asked bool
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if at, err = tx.JobAsked(name); err != nil {
			return err
		}
		if asked = at != 0; asked {
			if open, _, err = tx.JobRun(name, at); err != nil || open {
				return err
			}
		}
		at, asked = due(tx.Now()), false
		open, _, err = tx.JobRun(name, at)
		return err
	})
	if err != nil || !open {
		return false, err
	}
	var lease int64
	var begun admitto.Time
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		begun = tx.Now()
		_, first, err := tx.JobRun(name, at)
		if err != nil {
			return err
		}
		if lease, err = tx.ClaimJobRun(name, at, tx.Now()+jobLease); err != nil || !first || asked || lease == 0 {
			return err
		}
		claimed := lease
		lease = 0
		return tx.FinishJobRun(name, at, claimed)
	})
	if err != nil || lease == 0 {
		return false, err
	}
	failed := s.tryWork(ctx, at, work)
	lasting := context.WithoutCancel(ctx)
	return failed == nil, errors.Join(failed, s.core.Write(lasting, func(tx *store.Tx) error {
		took := tx.Now() - begun
		switch {
		case failed == nil:
			return errors.Join(tx.FinishJobRun(name, at, lease), tx.JobWent(name, begun, took))
		case ctx.Err() != nil:
			return tx.ReleaseJobRun(name, at, lease, tx.Now()) // stopping: another instance goes on at once
		}
		return errors.Join(tx.ReleaseJobRun(name, at, lease, tx.Now()+jobRetry),
			tx.JobFailed(name, begun, took, causeOf(failed)))
	}))
}

// mostCause is how many bytes of the reason for a failure are kept.
const mostCause = 500

// causeOf is why a job failed, in one line.
func causeOf(failed error) string {
	cause := strings.Join(strings.Fields(failed.Error()), " ")
	if len(cause) > mostCause {
		cause = strings.ToValidUTF8(cause[:mostCause], "") + " …"
	}
	return cause
}

// AskJob asks for a run of a job that all instances share, at once and whatever its time: the next instance that looks
// does it, within half a minute. While one that was asked for waits or runs, asking again changes nothing. The names
// are those of the jobs that there are.
func (s *Service) AskJob(ctx context.Context, by admitto.Caller, name string) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		asked, err := tx.JobAsked(name)
		if err != nil {
			return err
		}
		if asked != 0 {
			if waits, err := tx.JobOpen(name, asked); err != nil || waits {
				return err
			}
		}
		at := tx.Now()
		for { // a time at which it has run is taken
			free, err := tx.JobOpen(name, at)
			if err != nil {
				return err
			}
			if free {
				return tx.AskJob(name, at)
			}
			at++
		}
	})
}

// LastRun is the last run of a job that is finished.
type LastRun struct {
	At   admitto.Time // 0 for a job that has never run
	Done int          // on how many records its rule acted
	// Would is on how many records its rule would have acted; it was in the mode preview.
	Would int
}

// The names of the facts that say on how many records a rule acted in its last run, and would have acted, begin so.
const (
	factDone  = "rule_done_"
	factWould = "rule_would_"
)

// LastRuns returns the last runs of jobs by their names.
func (s *Service) LastRuns(ctx context.Context, by admitto.Caller, jobs ...string) (map[string]LastRun, error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (map[string]LastRun, error) {
		times, err := tx.LastRuns(jobs)
		runs := map[string]LastRun{}
		for _, job := range jobs {
			if err != nil || times[job] == 0 {
				continue
			}
			var done, would string
			if done, err = tx.InstanceFact(factDone + job); err == nil {
				would, err = tx.InstanceFact(factWould + job)
			}
			run := LastRun{At: times[job]}
			run.Done, _ = strconv.Atoi(done)
			run.Would, _ = strconv.Atoi(would)
			runs[job] = run
		}
		return runs, err
	})
}

// tryWork turns a panic into an error, so that the run is handed back.
func (s *Service) tryWork(ctx context.Context, at admitto.Time, work func(ctx context.Context,
	due admitto.Time) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return work(ctx, at)
}

// Rule is a time rule that acts on records (lifecycle.md 11.1). Find returns candidates above a record, in their order;
// Act looks at one of them in a transaction of its own, locks it, asks again whether the rule applies, and claims the
// action before it does anything. In a preview Due is asked instead; where there is none, Act is tried and taken back.
type Rule struct {
	Name string // of its job
	Mode string // config.RuleOff, config.RulePreview or config.RuleAutomatic
	Find func(tx *store.Tx, after int64) ([]store.Candidate, error)
	Act  func(tx *store.Tx, c store.Candidate) error
	Due  func(tx *store.Tx, c store.Candidate) (bool, error)
	// People says that its records are applicants.
	People bool
	// Mail is what a reminder sends. While staff have silenced that, nobody is reminded.
	Mail mail.Kind

	version int64 // of its settings, kept with what it does
}

// RunRule applies a rule to all its candidates. A record that fails does not keep the others from their turn; the
// errors of all are returned at the end, so that the run is tried again. It keeps on how many records the rule acted,
// and in a preview on how many it would have acted.
func (s *Service) RunRule(ctx context.Context, r Rule) error {
	if r.Mode == config.RuleOff {
		return s.noteRun(ctx, r, 0)
	}
	var silenced bool
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if silenced, err = s.notify.Silenced(tx, r.Mail); err != nil {
			return err
		}
		r.version, _, err = tx.SettingVersion(config.RuleOfJob(r.Name).Settings())
		return err
	})
	if err != nil {
		return err
	}
	if silenced {
		return s.noteRun(ctx, r, 0)
	}
	var failures []error
	done := 0
	for after := int64(0); ; {
		var page []store.Candidate
		err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
			page, err = r.Find(tx, after)
			return err
		})
		if err != nil || len(page) == 0 {
			if err == nil {
				err = s.noteRun(ctx, r, done)
			}
			return errors.Join(append(failures, err)...)
		}
		for _, c := range page {
			after = c.Record
			acted, err := s.actOn(ctx, r, c)
			if ctx.Err() != nil {
				return errors.Join(append(failures, ctx.Err())...)
			}
			if err != nil {
				failures = append(failures, fmt.Errorf("%s of %d: %w", r.Name, c.Record, err))
			}
			if acted {
				done++
			}
		}
	}
}

// Found is the Due of rules that find nothing but what they act on.
func Found(*store.Tx, store.Candidate) (bool, error) { return true, nil }

// errOnlyTried takes back what a preview did in a transaction.
var errOnlyTried = errors.New("only tried")

// actOn applies a rule to one candidate and reports whether it acted. In a preview that is taken back at once.
func (s *Service) actOn(ctx context.Context, r Rule, c store.Candidate) (acted bool, err error) {
	if r.Mode == config.RulePreview && r.Due != nil {
		err = s.core.Read(ctx, func(tx *store.Tx) error {
			acted, err = r.Due(tx, c)
			return err
		})
		return acted, ifThere(err)
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		tx.UnderRule(r.version)
		err := r.Act(tx, c)
		acted = err == nil && tx.Acted()
		switch {
		case err != nil:
			return err
		case r.Mode == config.RulePreview:
			return errOnlyTried
		case acted:
			return tx.KeepRuleAction(r.Name, c.Record)
		}
		return nil
	})
	if errors.Is(err, errOnlyTried) {
		err = nil
	}
	err = ifThere(err)
	return acted && err == nil, err
}

// ifThere is the error of what was done with a record, unless it is gone meanwhile.
func ifThere(err error) error {
	if admitto.KindOf(err) == admitto.NotFound {
		return nil
	}
	return err
}

// noteRun keeps on how many records a rule acted, or would have acted.
func (s *Service) noteRun(ctx context.Context, r Rule, records int) error {
	done, would := records, 0
	if r.Mode == config.RulePreview {
		done, would = 0, records
	}
	return errors.Join(s.note(ctx, factDone+r.Name, done), s.note(ctx, factWould+r.Name, would))
}

// note keeps a number that is another one than last time; without a fact it is 0.
func (s *Service) note(ctx context.Context, fact string, number int) error {
	var before string
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		before, err = tx.InstanceFact(fact)
		return err
	})
	if n, _ := strconv.Atoi(before); err != nil || n == number {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.SetInstanceFact(fact, strconv.Itoa(number)) })
}

// bySystem is the caller of rules.
func bySystem() usecase.Caller { return usecase.Caller{Caller: admitto.SystemCaller()} }

// openForReminder locks an application for a reminder; wanted is false when reminders of it have stopped: it is
// Withdrawn, Closed, expired or silenced.
func (s *Service) openForReminder(tx *store.Tx, application int64) (d *usecase.LockedApplication, wanted bool,
	err error) {
	if d, err = usecase.LockApplication(tx, bySystem(), application); err != nil {
		return nil, false, err
	}
	faults, err := s.admissions.ClosedFaults(tx, d)
	if err != nil || len(faults) > 0 {
		return d, false, err
	}
	silenced, err := tx.Silenced(application)
	return d, !silenced, err
}
