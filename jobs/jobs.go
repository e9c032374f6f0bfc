// Package jobs runs the work that goes on beside requests: each job at its own rhythm, one run at a time,
// again after a failure. It may import admitto, store and admissions. What keeps several instances from doing
// a thing twice is in the work itself: rows are taken under leases (lifecycle.md 11.2).
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/admitto/admitto/admissions"
)

// Job is one piece of work that is done now and then. Run must be safe to run again after it was cut off.
type Job struct {
	Name  string
	Every time.Duration
	Run   func(ctx context.Context) error
}

// ForOffice lists the jobs of an office.
func ForOffice(o *admissions.Office) []Job {
	return []Job{
		{"resume-welcomes", 30 * time.Second, func(ctx context.Context) error {
			_, err := o.ResumeWelcomes(ctx)
			return err
		}},
		{"save-key-use", 5 * time.Second, o.SaveKeyUse},
		{"tidy-idempotency", time.Hour, o.TidyRepeats},
	}
}

// Run runs all jobs, at once and then at their rhythm, until ctx is done, and returns when the last one has
// stopped. A job that fails or panics is logged and runs again at its next time.
func Run(ctx context.Context, log *slog.Logger, list []Job) {
	var running sync.WaitGroup
	for _, job := range list {
		running.Go(func() {
			ticker := time.NewTicker(job.Every)
			defer ticker.Stop()
			for {
				if err := once(ctx, job); err != nil && ctx.Err() == nil {
					log.Error("a job failed", "job", job.Name, "cause", err)
				}
				select {
				case <-ctx.Done():
					return
				case <-ticker.C:
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
