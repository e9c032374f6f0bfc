// Package jobs runs the work that goes on next to requests: each job at its own rhythm, one run at a time,
// again after a failure. It may import admitto, store and admissions. What keeps several instances from doing
// a thing twice is in the work itself: rows and runs are taken under leases (lifecycle.md 11.2).
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/services"
)

// Job is one piece of work that is done now and then. Run must be safe to run again after it was cut off.
type Job struct {
	Name  string
	Every time.Duration
	Wake  <-chan struct{} // runs the job at once when it can be read from; may be nil
	Run   func(ctx context.Context) error
}

// lookEvery is how often an instance looks whether a shared job is due.
const lookEvery = 30 * time.Second

// reportEvery is how often an instance says how it is: twice within the minute in which a fault must show (screens.md
// A57).
const reportEvery = 25 * time.Second

// Times of day of jobs that no setting moves, in minutes after midnight.
const (
	expireAt = 15     // lifecycle.md 11.1
	verifyAt = 3 * 60 // after the erasing
	// The numbers of a day are taken in its last minutes.
	snapshotAt = 23*60 + 50
	declineAt  = 60
)

// Of lists the jobs of an instance (lifecycle.md 11.1): those that each instance does, and those that one
// instance does for all.
func Of(o *services.Services) []Job {
	list := []Job{
		{Name: "resume-welcomes", Every: 30 * time.Second, Run: func(ctx context.Context) error {
			_, err := o.Accounts.ResumeWelcomes(ctx, admitto.SystemCaller())
			return err
		}},
		{Name: "settle-requests", Every: 5 * time.Second, Wake: o.Accounts.RequestsWaiting(),
			Run: func(ctx context.Context) error {
				if _, err := o.Accounts.SettleRequests(ctx, admitto.SystemCaller()); err != nil {
					return err
				}
				return o.Privacy.EraseTakenBack(ctx, admitto.SystemCaller())
			}},
		{Name: "take-waiting", Every: 10 * time.Second, Run: func(ctx context.Context) error {
			return o.Maintenance.TakeWaiting(ctx, admitto.SystemCaller())
		}},
		{Name: "report", Every: reportEvery, Run: func(ctx context.Context) error {
			return o.Maintenance.Report(ctx, admitto.SystemCaller())
		}},
		{Name: "settings", Every: time.Second, Run: func(ctx context.Context) error {
			return o.Maintenance.RefreshSettings(ctx, admitto.SystemCaller())
		}},
		{Name: "index-applicants", Every: 2 * time.Second, Run: func(ctx context.Context) error {
			return o.Maintenance.IndexApplicants(ctx, admitto.SystemCaller())
		}},
		{Name: "check-journal", Every: 30 * time.Second, Wake: o.Maintenance.ChecksWaiting(),
			Run: func(ctx context.Context) error {
				return o.Maintenance.RunJournalCheck(ctx, admitto.SystemCaller())
			}},
		{Name: "export-data", Every: 30 * time.Second, Wake: o.Privacy.ExportsWaiting(),
			Run: func(ctx context.Context) error {
				return o.Privacy.MakeDataExports(ctx, admitto.SystemCaller())
			}},
		{Name: "calculate-scores", Every: time.Hour, Wake: o.Scoring.CriteriaWaiting(),
			Run: func(ctx context.Context) error {
				return o.Scoring.RecalculateWaiting(ctx, admitto.SystemCaller())
			}},
		{Name: "count-numbers", Every: time.Hour, Run: func(ctx context.Context) error {
			return o.Query.CountNumbers(ctx, admitto.SystemCaller())
		}},
		{Name: "batches", Every: 2 * time.Second, Wake: o.Batches.Waiting(), Run: func(ctx context.Context) error {
			return o.Batches.Run(ctx, admitto.SystemCaller())
		}},
		{Name: "import-leads", Every: 2 * time.Second, Wake: o.Leads.Waiting(), Run: func(ctx context.Context) error {
			return o.Leads.Run(ctx, admitto.SystemCaller())
		}},
		{Name: "save-key-use", Every: 5 * time.Second, Run: func(ctx context.Context) error {
			return o.Keys.SaveKeyUse(ctx, admitto.SystemCaller())
		}},
	}
	for range o.Core.Settings().Mail.Workers {
		list = append(list, Job{Name: "deliver", Every: 5 * time.Second, Wake: o.Notify.MailsWaiting(),
			Run: func(ctx context.Context) error {
				_, err := o.Notify.DeliverMails(ctx, admitto.SystemCaller())
				return err
			}})
	}
	for _, s := range shared(o) {
		list = append(list, Job{Name: s.name, Every: lookEvery, Run: func(ctx context.Context) error {
			_, err := o.Automation.RunJob(ctx, admitto.SystemCaller(), s.name, s.due, s.work)
			return err
		}})
	}
	return list
}

// sharedJob is work that one instance does for all when it is due.
type sharedJob struct {
	name string
	due  Schedule
	work func(ctx context.Context, due admitto.Time) error
}

// shared is the table of the time rules.
func shared(o *services.Services) []sharedJob {
	always := func(work func(context.Context, admitto.Caller) error) func(context.Context, admitto.Time) error {
		return func(ctx context.Context, _ admitto.Time) error { return work(ctx, admitto.SystemCaller()) }
	}
	daily := func(work func(context.Context, admitto.Caller, admitto.Date) error) func(context.Context,
		admitto.Time) error {
		return func(ctx context.Context, due admitto.Time) error {
			return work(ctx, admitto.SystemCaller(), admitto.DateOf(due.Std().In(o.Core.Settings().Instance.Timezone)))
		}
	}
	at := func(minutes func(*config.Settings) config.ClockTime) Schedule {
		return func(now admitto.Time) admitto.Time {
			s := o.Core.Settings()
			return Daily(int(minutes(s)), s.Instance.Timezone)(now)
		}
	}
	fixed := func(minutes config.ClockTime) Schedule {
		return at(func(*config.Settings) config.ClockTime { return minutes })
	}
	reminders := at(func(s *config.Settings) config.ClockTime { return s.Rules.ReminderHour })
	erasing := at(func(s *config.Settings) config.ClockTime { return s.Deletion.RunAt })
	return []sharedJob{
		{"inactive", Hourly(), always(o.Automation.MarkInactive)},
		{"lapse", Hourly(), always(o.Automation.LapseInvoices)},
		{"remind-task", Hourly(), always(o.Automation.RemindTasks)},
		{"recalculate", Hourly(), always(func(ctx context.Context,
			by admitto.Caller) error { // what a crash left of changed criteria
			_, err := o.Scoring.RecalculateStale(ctx, by)
			return err
		})},
		{"keys", Hourly(), always(o.Keys.WatchKeys)},
		{"tidy", Hourly(), always(func(ctx context.Context, by admitto.Caller) error {
			return errors.Join(o.Maintenance.Tidy(ctx, by), o.Leads.Tidy(ctx, by))
		})},
		{"expire", fixed(expireAt), always(o.Automation.TellExpired)},
		{"snapshot", fixed(snapshotAt), daily(o.Query.SaveSnapshots)},
		{"remind-draft", reminders, daily(o.Automation.RemindDrafts)},
		{"remind-reopened", reminders, daily(o.Automation.RemindReopened)},
		{"remind-decision", reminders, daily(o.Automation.RemindDecisions)},
		{admitto.AutoDecline, fixed(declineAt), always(func(ctx context.Context, by admitto.Caller) error {
			if err := o.Automation.CountUnanswered(ctx, by); err != nil {
				return err
			}
			return o.Batches.PrepareUnanswered(ctx, by)
		})},
		{"remind-invoice", reminders, daily(o.Automation.RemindInvoices)},
		{"erase", erasing, always(o.Privacy.EraseDeleted)},
		{"erase-unused", erasing, always(o.Privacy.EraseUnused)},
		{"verify", fixed(verifyAt), always(o.Maintenance.CheckJournal)},
	}
}

// SharedNames lists the jobs that one instance does for all, as the table job_run names them.
func SharedNames() (names []string) {
	for _, s := range shared(&services.Services{}) { // nothing of it is called
		names = append(names, s.name)
	}
	return names
}

// Runner runs jobs between Start and Stop.
type Runner struct {
	log  *slog.Logger
	list []Job
	went outcomes

	mu   sync.Mutex
	stop context.CancelFunc // nil while nothing runs
	done chan struct{}
}

// NewRunner makes a Runner of the jobs; nothing runs before Start.
func NewRunner(log *slog.Logger, list []Job) *Runner { return &Runner{log: log, list: list} }

// Start begins to run the jobs. While they run it does nothing.
func (r *Runner) Start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	r.stop, r.done = stop, done
	go func() {
		defer close(done)
		run(ctx, r.log, r.list, &r.went)
	}()
}

// Stop ends the jobs and returns when the last one has handed back what it was at. While nothing runs it does
// nothing; the jobs can be started again.
func (r *Runner) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stop == nil {
		return
	}
	r.stop()
	<-r.done
	r.stop, r.done = nil, nil
}

// run runs all jobs, at once and then at their rhythm, until ctx is done, and returns when the last one has stopped. A
// job that fails or panics is logged and runs again at its next time.
func run(ctx context.Context, log *slog.Logger, list []Job, went *outcomes) {
	var running sync.WaitGroup
	for _, job := range list {
		running.Go(func() {
			ticker := time.NewTicker(job.Every)
			defer ticker.Stop()
			for {
				begun := time.Now()
				err := once(ctx, job)
				if ctx.Err() == nil {
					went.note(job.Name, begun, time.Since(begun), err)
				}
				if err != nil && ctx.Err() == nil {
					log.Error("a job failed", "job", job.Name, "cause", err)
				}
				select {
				case <-ctx.Done():
					return
				case <-ticker.C:
				case <-job.Wake:
				}
			}
		})
	}
	running.Wait()
}

// once runs a job and turns a panic into an error, so that one broken job does not end the service.
func once(ctx context.Context, job Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return job.Run(ctx)
}
