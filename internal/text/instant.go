package text

import (
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// Instant reads an ISO 8601 datetime in the forms of conventions.md 4; without an offset it is meant in zone
// (which must not be nil), and a date alone is the beginning of that day there. An hour that the clocks of
// zone skip or repeat is read as time.Date reads it. Fractions are cut to microseconds.
//
// 1970-01-01T00:00:00Z comes back as 0, the value that means unset elsewhere: tell whether a time was
// given by the parameter, not by the result.
func Instant(s string, zone *time.Location) (admitto.Time, error) {
	w, err := parseWhen(s)
	if err != nil {
		return 0, err
	}
	return w.instant(s, zone)
}

// Boundary reads a value of type boundary (resources.md 0.3): up to 18 digits are an ID (0 is the
// beginning), anything else a time as Instant reads it. As an upper bound a date alone means the end of
// that day in zone. Times compare in whole seconds, so a lower bound comes back as the first and an upper
// bound as the last microsecond of the second it names; compare both inclusively.
func Boundary(s string, zone *time.Location, upper bool) (id int64, at admitto.Time, isID bool, err error) {
	s = strings.TrimSpace(s)
	if s != "" && strings.Trim(s, "0123456789") == "" {
		id, ok := digits(s)
		if !ok {
			return 0, 0, false, message.Of("id-too-long", Quote(s))
		}
		return id, 0, true, nil
	}
	w, err := parseWhen(s)
	if err != nil {
		return 0, 0, false, err
	}
	at, err = w.instant(s, zone)
	switch {
	case err != nil:
		return 0, 0, false, err
	case !upper:
		return 0, at.Floor(), false, nil
	case w.dayOnly:
		next := dayStart(w.year, w.month, w.day+1, zone)
		return 0, admitto.Time(next.UnixMicro()) - admitto.Microsecond, false, nil
	default:
		return 0, at.Floor() + admitto.Second - admitto.Microsecond, false, nil
	}
}

// when is a datetime as it was written.
type when struct {
	year, month, day, hour, min, sec, nano int
	dayOnly                                bool
	hasOffset                              bool
	offset                                 int // seconds east of UTC
}

// instant places w on the time line; s is the text to blame.
func (w when) instant(s string, zone *time.Location) (admitto.Time, error) {
	var t time.Time
	switch {
	case w.dayOnly:
		t = dayStart(w.year, w.month, w.day, zone)
	case w.hasOffset:
		t = time.Date(w.year, time.Month(w.month), w.day, w.hour, w.min, w.sec-w.offset, w.nano, time.UTC)
	default:
		t = time.Date(w.year, time.Month(w.month), w.day, w.hour, w.min, w.sec, w.nano, zone)
	}
	if y := t.UTC().Year(); y < 1 || y > 9999 {
		return 0, message.Of("time-outside-years", Quote(s))
	}
	return admitto.Time(t.UnixMicro()), nil
}

// dayStart returns the first time of a day in zone. time.Date alone is not enough: where the clocks change
// at midnight it may give the second of two midnights, or, when midnight is skipped, an hour of the day
// before, and records of that hour would fall out of every day's range.
func dayStart(year, month, day int, zone *time.Location) time.Time {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
	naive := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	start, end := t.ZoneBounds()
	if wall(t).Before(naive) {
		return end // midnight is skipped, the day begins when the clocks have changed
	}
	if start.IsZero() {
		return t
	}
	if wall(t).After(naive) {
		return start
	}
	_, before := start.Add(-time.Second).Zone()
	if first := naive.Add(-time.Duration(before) * time.Second); first.Before(start) {
		return first.In(zone) // midnight comes twice
	}
	return t
}

// wall returns what the clock shows at t as if it were UTC, so that it can be compared across offsets.
func wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// parseWhen reads the forms of conventions.md 4. It is written by hand because time.Parse would need some
// forty layouts and still take an hour of one digit and a comma in the fraction.
func parseWhen(s string) (when, error) {
	r := reader{rest: strings.TrimSpace(s)}
	w := r.when()
	if r.failed || r.rest != "" {
		return when{}, message.Of("no-time", Quote(s))
	}
	// The zeroth day of the next month is the last one of this month.
	if w.year < 1 || w.month < 1 || w.month > 12 || w.day < 1 ||
		w.day > time.Date(w.year, time.Month(w.month+1), 0, 0, 0, 0, 0, time.UTC).Day() {
		return when{}, message.Of("no-day-of-calendar", Quote(s))
	}
	if w.hour > 23 || w.min > 59 || w.sec > 59 {
		return when{}, message.Of("no-time-of-clock", Quote(s))
	}
	return w, nil
}

// reader takes a text apart from the left. Once something did not fit it stays failed.
type reader struct {
	rest   string
	failed bool
}

func (r *reader) when() (w when) {
	w.year = r.number(4)
	r.expect('-')
	w.month = r.number(2)
	r.expect('-')
	w.day = r.number(2)
	if r.rest == "" {
		w.dayOnly = true
		return w
	}
	if !r.accept('T') && !r.accept('t') {
		r.expect(' ')
	}
	w.hour = r.number(2)
	r.expect(':')
	w.min = r.number(2)
	if r.accept(':') {
		w.sec = r.number(2)
		if r.accept('.') {
			w.nano = r.fraction()
		}
	}
	w.offset, w.hasOffset = r.offset()
	return w
}

// offset reads what may follow a time: nothing, Z, or hours and minutes. A space stands for a plus that was
// not escaped in a query string.
func (r *reader) offset() (seconds int, given bool) {
	sign := 1
	switch {
	case r.rest == "":
		return 0, false
	case r.accept('Z') || r.accept('z'):
		return 0, true
	case r.accept('-'):
		sign = -1
	case !r.accept('+'):
		r.expect(' ')
	}
	hours := r.number(2)
	minutes := 0
	if r.accept(':') || r.rest != "" {
		minutes = r.number(2)
	}
	if hours > 23 || minutes > 59 {
		r.failed = true
	}
	return sign * (hours*3600 + minutes*60), true
}

// fraction reads 1 to 9 digits behind the point as nanoseconds.
func (r *reader) fraction() int {
	n := 0
	for n < len(r.rest) && n < 9 && r.rest[n] >= '0' && r.rest[n] <= '9' {
		n++
	}
	nano := r.number(n)
	for range 9 - n {
		nano *= 10
	}
	return nano
}

func (r *reader) number(width int) int {
	if len(r.rest) < width {
		r.failed = true
		return 0
	}
	n, ok := digits(r.rest[:width])
	if !ok {
		r.failed = true
		return 0
	}
	r.rest = r.rest[width:]
	return int(n)
}

func (r *reader) accept(c byte) bool {
	if r.rest == "" || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *reader) expect(c byte) {
	if !r.accept(c) {
		r.failed = true
	}
}
