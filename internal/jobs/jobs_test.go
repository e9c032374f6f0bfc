package jobs_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
)

// A job that fails or panics runs again; all stop with the context.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	runs := make(chan int)
	n := 0
	job := jobs.Job{Name: "test", Every: time.Microsecond, Run: func(ctx context.Context) error {
		n++
		select {
		case runs <- n:
		case <-ctx.Done():
		}
		switch n {
		case 1:
			return errors.New("no luck")
		case 2:
			panic("broken")
		}
		return nil
	}}
	stopped := make(chan struct{})
	go func() {
		jobs.Run(ctx, slog.New(slog.NewTextHandler(io.Discard, nil)), []jobs.Job{job})
		close(stopped)
	}()
	for want := 1; want <= 4; want++ {
		if got := <-runs; got != want {
			t.Fatalf("run %d, want %d", got, want)
		}
	}
	cancel()
	<-stopped
}

// A job runs at the start already, however rare it is.
func TestRunsAtStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	job := jobs.Job{Name: "test", Every: time.Hour, Run: func(context.Context) error {
		runs++
		cancel()
		return nil
	}}
	jobs.Run(ctx, slog.New(slog.DiscardHandler), []jobs.Job{job})
	if runs != 1 {
		t.Errorf("%d runs", runs)
	}
}

// Start and Stop may be called twice; Stop waits for the job, and the jobs can be started again. A job that is woken
// does not wait for its time.
func TestRunner(t *testing.T) {
	wake, ran := make(chan struct{}), make(chan struct{})
	stopped := false
	job := jobs.Job{Name: "test", Every: time.Hour, Wake: wake, Run: func(ctx context.Context) error {
		select {
		case ran <- struct{}{}:
		case <-ctx.Done():
			stopped = true
		}
		return nil
	}}
	r := jobs.NewRunner(slog.New(slog.DiscardHandler), []jobs.Job{job})
	r.Stop()
	for range 2 {
		r.Start()
		r.Start()
		<-ran
		wake <- struct{}{}
		<-ran
		wake <- struct{}{}
		r.Stop()
		if !stopped {
			t.Error("Stop did not wait for the job")
		}
		stopped = false
		r.Stop()
	}
}

// What a job came to is kept: failures are counted until a run goes well, and their reason is one line.
func TestOutcomes(t *testing.T) {
	wake, fails := make(chan struct{}), []error{errors.New("no luck\nat all"), errors.New("again"), nil}
	went := make(chan []admitto.JobOutcome)
	var r *jobs.Runner
	n := 0
	job := jobs.Job{Name: "test", Every: time.Hour, Wake: wake, Run: func(ctx context.Context) error {
		select {
		case went <- r.Outcomes(): // of the runs before
		case <-ctx.Done():
		}
		n++
		return fails[min(n, len(fails))-1]
	}}
	r = jobs.NewRunner(slog.New(slog.DiscardHandler), []jobs.Job{job})
	r.Start()
	defer r.Stop()
	if got := <-went; len(got) != 0 {
		t.Error(got)
	}
	for _, want := range []struct {
		failures int
		cause    string
	}{{1, "no luck"}, {2, "again"}, {0, ""}} {
		wake <- struct{}{}
		got := <-went
		if len(got) != 1 || got[0].Failures != want.failures || got[0].Cause != want.cause ||
			(got[0].LastFinished != 0) != (want.failures == 0) || got[0].Begun == 0 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// There are as many workers that send mail as the setting says.
func TestMailWorkers(t *testing.T) {
	s, err := store.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "jobs.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, workers := range []int{1, 4} {
		set := config.Defaults()
		set.Mail.Workers = workers
		got := 0
		for _, j := range jobs.Of(services.New(services.Needs{Store: s, Live: config.NewLive(set),
			Log: slog.New(slog.DiscardHandler)})) {
			if j.Name == "deliver" {
				got++
			}
		}
		if got != workers {
			t.Errorf("%d workers with mail.workers = %d", got, workers)
		}
	}
}
