package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseExpiry reads the DURATION of `keys create --expires` and returns the time at which the key ends:
// `30d` and `12h` count from now, a date such as 2027-01-31 ends with that day in the zone (lifecycle.md
// R4), `never` is the zero time. Nothing means one year.
func parseExpiry(s string, now time.Time, zone *time.Location) (time.Time, error) {
	switch s {
	case "":
		return now.AddDate(1, 0, 0), nil
	case "never":
		return time.Time{}, nil
	}
	if t, ok := parseSpan(s, now); ok {
		return t, nil
	}
	day, err := time.Parse(time.DateOnly, s)
	if err != nil || day.Year() < 1 {
		return time.Time{}, fmt.Errorf("--expires: %q is no duration; it must be days such as 30d (at most 36500d), hours such as 12h, a date such as 2027-01-31, or never", s)
	}
	end := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone)
	for end.Day() == day.Day() {
		// Where clocks are set forward at midnight, that midnight does not exist and the standard library
		// gives an hour too early.
		end = end.Add(30 * time.Minute)
	}
	if !end.After(now) {
		return time.Time{}, fmt.Errorf("--expires: %s is over already in %s; the key would never work", s, zone)
	}
	return end, nil
}

// parseSpan reads a number of days or hours, up to a hundred years.
func parseSpan(s string, now time.Time) (time.Time, bool) {
	unit, most := 24*time.Hour, 36500
	digits, ok := strings.CutSuffix(s, "d")
	if !ok {
		unit, most = time.Hour, 36500*24
		if digits, ok = strings.CutSuffix(s, "h"); !ok {
			return time.Time{}, false
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > most || digits[0] == '+' {
		return time.Time{}, false
	}
	return now.Add(time.Duration(n) * unit), true
}
