package jobs

import (
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
)

// Schedule returns the last time, up to now, at which a job was due.
type Schedule func(now admitto.Time) admitto.Time

// Hourly is due at every full hour.
func Hourly() Schedule {
	return func(now admitto.Time) admitto.Time { return now - now%admitto.Hour }
}

// Daily is due every day at so many minutes after midnight in the time zone. Where the clocks skip that time, it is
// due when they have; where they show it twice, once.
func Daily(minutes int, zone *time.Location) Schedule {
	return func(now admitto.Time) admitto.Time {
		day := admitto.DateOf(now.Std().In(zone))
		for {
			due := admitto.TimeOf(time.Date(int(day.Year), time.Month(day.Month), int(day.Day), 0, minutes, 0, 0, zone))
			if due <= now {
				return due
			}
			day = day.AddDays(-1)
		}
	}
}

// Next returns when a job that one instance does for all is due next; 0 for a name that is none.
func Next(o *services.Services, name string, now admitto.Time) admitto.Time {
	for _, job := range shared(o) {
		if job.name == name {
			for at := now + admitto.Hour; ; at += admitto.Hour { // no job is due twice within an hour
				if due := job.due(at); due > now {
					return due
				}
			}
		}
	}
	return 0
}
