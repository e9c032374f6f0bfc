package admitto

import (
	"cmp"
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/message"
)

// Time is a point in time in UTC, counted in microseconds since 1970-01-01. Zero means unset and is stored as
// NULL. It is the only time type of the product (lifecycle.md R4).
type Time int64

// Duration units of Time.
const (
	Microsecond Time = 1
	Second           = 1_000_000 * Microsecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
	Day              = 24 * Hour
)

// Clock tells the current time. A nil Clock means the clock of the database (lifecycle.md R3); tests
// put in one that they move by hand.
type Clock func() Time

// TimeOf converts from the standard library; the zero time.Time becomes unset.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return 0
	}
	return Time(t.UnixMicro())
}

// Std converts to the standard library, in UTC.
func (t Time) Std() time.Time { return time.UnixMicro(int64(t)).UTC() }

// Unix returns whole seconds since 1970-01-01, rounded down.
func (t Time) Unix() int64 {
	s := int64(t / Second)
	if t%Second < 0 {
		s--
	}
	return s
}

// Floor cuts the fraction of the second off: times are shown and compared in whole seconds.
func (t Time) Floor() Time { return Time(t.Unix()) * Second }

// String returns the form of the API, 2026-03-01T09:00:00+00:00.
func (t Time) String() string { return string(t.Append(nil)) }

// Append appends the form of the API, 2026-03-01T09:00:00+00:00, to dst (conventions.md 5).
func (t Time) Append(dst []byte) []byte {
	secs := t.Unix()
	days := secs / 86400
	rest := secs % 86400
	if rest < 0 {
		rest += 86400
		days--
	}
	dst = DateOfDays(days).Append(dst)
	h, m, s := rest/3600, rest/60%60, rest%60
	return append(dst, 'T',
		byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10), ':', byte('0'+s/10), byte('0'+s%10),
		'+', '0', '0', ':', '0', '0')
}

// Date is a calendar day. The zero Date means unset and is stored as NULL.
type Date struct {
	Year       int16
	Month, Day uint8
}

// ParseDate reads YYYY-MM-DD and refuses days that are not on the calendar.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, message.Of("no-date", strconv.Quote(s))
	}
	return DateOf(t), nil
}

// DateOf returns the calendar day of t in the location that t carries.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{int16(y), uint8(m), uint8(d)}
}

// DateOfDays returns the day that lies days after 1970-01-01.
func DateOfDays(days int64) Date {
	// Days to civil date by eras of 400 years, each beginning on 1 March.
	z := days + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day := doy - (153*mp+2)/5 + 1
	month := mp + 3
	if month > 12 {
		month -= 12
	}
	year := yoe + era*400
	if month <= 2 {
		year++
	}
	return Date{int16(year), uint8(month), uint8(day)}
}

// IsZero reports whether the date is unset.
func (d Date) IsZero() bool { return d == Date{} }

// In returns midnight at the beginning of the day in the location.
func (d Date) In(loc *time.Location) time.Time {
	return time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, loc)
}

// Compare returns -1, 0 or 1 as the day comes before the other one, is the same, or comes after it.
func (d Date) Compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// Before reports whether the day comes before the other one.
func (d Date) Before(other Date) bool { return d.Compare(other) < 0 }

// End returns the time at which a day is over in a time zone; 0 for no day.
func (d Date) End(zone *time.Location) Time {
	if d.IsZero() {
		return 0
	}
	return TimeOf(d.AddDays(1).In(zone))
}

// LongDay is how mails and papers write a day, for time.Time.Format.
const LongDay = "2 January 2006"

// Long returns the day as mails and papers write it.
func (d Date) Long() string { return d.In(time.UTC).Format(LongDay) }

// AddYears returns the same day so many years later, the first of March for what is no day then; no day stays none.
func (d Date) AddYears(n int) Date {
	if d.IsZero() {
		return d
	}
	return DateOf(d.In(time.UTC).AddDate(n, 0, 0))
}

// AddMonths returns the same day so many months later, the last day of a month that is too short; no day stays none.
func (d Date) AddMonths(n int) Date {
	if d.IsZero() {
		return d
	}
	first := Date{Year: d.Year, Month: d.Month, Day: 1}.In(time.UTC)
	last := DateOf(first.AddDate(0, n+1, -1))
	last.Day = min(last.Day, d.Day)
	return last
}

// AddDays returns the day n days later.
func (d Date) AddDays(n int) Date { return DateOf(d.In(time.UTC).AddDate(0, 0, n)) }

// String returns YYYY-MM-DD, or "" when unset.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return string(d.Append(nil))
}

// Append appends YYYY-MM-DD to dst.
func (d Date) Append(dst []byte) []byte {
	y := int(d.Year)
	return append(dst,
		byte('0'+y/1000%10), byte('0'+y/100%10), byte('0'+y/10%10), byte('0'+y%10),
		'-', '0'+d.Month/10, '0'+d.Month%10, '-', '0'+d.Day/10, '0'+d.Day%10)
}
