package jobs_test

import (
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
)

func TestSchedules(t *testing.T) {
	tallinn, err := time.LoadLocation("Europe/Tallinn")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		schedule  jobs.Schedule
		now, want string
	}{
		{"hourly", jobs.Hourly(), "2026-03-09T09:59:59Z", "2026-03-09T09:00:00Z"},
		{"hourly, sharp", jobs.Hourly(), "2026-03-09T09:00:00Z", "2026-03-09T09:00:00Z"},
		{"daily, before", jobs.Daily(9*60, time.UTC), "2026-03-09T08:59:59Z", "2026-03-08T09:00:00Z"},
		{"daily, sharp", jobs.Daily(9*60, time.UTC), "2026-03-09T09:00:00Z", "2026-03-09T09:00:00Z"},
		{"in winter", jobs.Daily(15, tallinn), "2026-01-09T22:20:00Z", "2026-01-09T22:15:00Z"},
		{"in summer", jobs.Daily(15, tallinn), "2026-07-09T22:20:00Z", "2026-07-09T21:15:00Z"},
		{"the skipped hour", jobs.Daily(3*60+30, tallinn), "2026-03-29T01:31:00Z", "2026-03-29T01:30:00Z"},
		{"the hour shown twice", jobs.Daily(3*60+30, tallinn), "2026-10-25T02:00:00Z", "2026-10-25T01:30:00Z"},
	} {
		now, _ := time.Parse(time.RFC3339, c.now)
		if got := c.schedule(admitto.TimeOf(now)).Std().Format(time.RFC3339); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// Whatever the time, the last time is neither in the future nor more than 25 hours ago, and stays until the next.
	daily := jobs.Daily(3*60+30, tallinn)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	last := admitto.Time(0)
	for minute := 0; minute < 366*24*60; minute += 7 {
		now := admitto.TimeOf(begin.Add(time.Duration(minute) * time.Minute))
		due := daily(now)
		if due > now || now-due > 25*admitto.Hour || due < last {
			t.Fatalf("at %s it was due %s, before that %s", now, due, last)
		}
		last = due
	}
}
