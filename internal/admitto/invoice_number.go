package admitto

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"
)

// NumberFormat is the format of the numbers of an invoice series, checked (resources.md 13.5, lifecycle.md 6.2).
type NumberFormat struct {
	parts   []numberPart
	restart restart
	pattern *regexp.Regexp // of a whole number, with one group for each marker
}

// numberPart is literal text, or a marker with the width of a counter.
type numberPart struct {
	literal, marker string
	width           int
}

// restart says how much of a date names the period in which a counter counts: nothing, year, month or day. Its
// value is the length of the period's name.
type restart int

const (
	neverRestarts  restart = 0
	yearlyRestart  restart = 4  // 2026
	monthlyRestart restart = 7  // 2026-11
	dailyRestart   restart = 10 // 2026-11-20
)

// numberMarker finds the markers of a format; what looks otherwise is literal text.
var numberMarker = regexp.MustCompile(`%(inc|incYearly|incMonthly|incDaily)(?::([1-9]|1[0-8])%|%)|%(yearLong|yearShort|month|day)%`)

// ParseNumberFormat reads a format. It must have exactly one counter, and with a counter that restarts the date
// markers that keep its numbers apart; the error says what is wrong, in a sentence for the one who typed it.
func ParseNumberFormat(text string) (f NumberFormat, err error) {
	counters, dates := 0, map[string]bool{}
	var pattern strings.Builder
	pattern.WriteString("^")
	literal := func(s string) {
		if s != "" {
			f.parts = append(f.parts, numberPart{literal: s})
			pattern.WriteString(regexp.QuoteMeta(s))
		}
	}
	from := 0
	for _, m := range numberMarker.FindAllStringSubmatchIndex(text, -1) {
		literal(text[from:m[0]])
		from = m[1]
		if m[6] >= 0 { // a date marker
			name := text[m[6]:m[7]]
			dates[name] = true
			f.parts = append(f.parts, numberPart{marker: name})
			pattern.WriteString(map[bool]string{true: "([0-9]{4})", false: "([0-9]{2})"}[name == "yearLong"])
			continue
		}
		part := numberPart{marker: "inc", width: 1}
		if m[4] >= 0 {
			part.width, _ = strconv.Atoi(text[m[4]:m[5]])
		}
		f.parts, counters = append(f.parts, part), counters+1
		f.restart = map[string]restart{"inc": neverRestarts, "incYearly": yearlyRestart, "incMonthly": monthlyRestart,
			"incDaily": dailyRestart}[text[m[2]:m[3]]]
		fmt.Fprintf(&pattern, "([0-9]{%d,18})", part.width)
	}
	literal(text[from:])
	if counters != 1 {
		return f, message.Of("format-counters", counters, "%inc%, %incYearly%, %incMonthly%, %incDaily%")
	}
	var missing []string
	first := Date{Year: 2026, Month: 11, Day: 20}
	again := first // the counter has restarted, and the number is the same
	if f.restart >= dailyRestart && !dates["day"] {
		missing, again = append(missing, "%day%"), Date{Year: 2026, Month: 11, Day: 21}
	}
	if f.restart >= monthlyRestart && !dates["month"] {
		missing, again = append(missing, "%month%"), Date{Year: 2026, Month: 12, Day: 20}
	}
	if f.restart >= yearlyRestart && !dates["yearLong"] && !dates["yearShort"] {
		missing, again = append(missing, "%yearLong%"), Date{Year: 2027, Month: 11, Day: 20}
	}
	if missing != nil {
		slices.Reverse(missing)
		return f, message.Of("format-repeats", f.Number(first, 1), first, again, strings.Join(missing, ", "))
	}
	f.pattern, err = regexp.Compile(pattern.String() + "$")
	return f, err
}

// nearlyMarker finds what was meant as a marker.
var nearlyMarker = regexp.MustCompile(`%[A-Za-z]+(:[A-Za-z0-9]*)?%`)

// NoMarker says of the first part of a format that looks like a marker and is none what would be one, in a sentence for
// the one who typed it.
func NoMarker(format string) error {
	part := nearlyMarker.FindString(numberMarker.ReplaceAllString(format, " "))
	if part == "" {
		return nil
	}
	name, width, _ := strings.Cut(strings.Trim(part, "%"), ":")
	for _, marker := range formatMarkers() {
		switch {
		case !strings.EqualFold(strings.Trim(marker, "%"), name):
		case !strings.HasPrefix(marker, "%inc"): // a date, which has no width
			return message.Of("format-marker-meant", part, marker)
		case width == "":
			return message.Of("format-marker-meant", part, marker)
		default:
			return message.Of("format-width", part, strings.TrimSuffix(marker, "%")+":4%", mostWidth)
		}
	}
	return message.Of("format-marker", part, strings.Join(formatMarkers(), ", "))
}

// mostWidth is how many digits a counter is padded to at most.
const mostWidth = 18

// formatMarkers are the markers that a format may have.
func formatMarkers() []string {
	return []string{"%inc%", "%incYearly%", "%incMonthly%", "%incDaily%", "%yearLong%", "%yearShort%", "%month%", "%day%"}
}

// Period names the period in which a number of that day is counted: "", "2026", "2026-11" or "2026-11-20".
func (f *NumberFormat) Period(day Date) string { return day.String()[:f.restart] }

// NumberPeriods names all periods that a day lies in, from all of time to the day itself. The highest number given
// in each is kept, so that a series whose format comes to restart more or less often goes on counting.
func NumberPeriods(day Date) []string {
	text := day.String()
	return []string{"", text[:yearlyRestart], text[:monthlyRestart], text[:dailyRestart]}
}

// Number fills in the format for the n-th number of the period that the day lies in.
func (f *NumberFormat) Number(day Date, n int64) string {
	var b strings.Builder
	for _, p := range f.parts {
		switch p.marker {
		case "":
			b.WriteString(p.literal)
		case "inc":
			fmt.Fprintf(&b, "%0*d", p.width, n)
		case "yearLong":
			fmt.Fprintf(&b, "%04d", day.Year)
		case "yearShort":
			fmt.Fprintf(&b, "%02d", day.Year%100)
		case "month":
			fmt.Fprintf(&b, "%02d", day.Month)
		case "day":
			fmt.Fprintf(&b, "%02d", day.Day)
		}
	}
	return b.String()
}

// Read takes a number apart that was given on a day: the period it was counted in and its place there. ok is false
// for numbers of another format, which this one never gives again.
func (f *NumberFormat) Read(nr string, issued Date) (period string, n int64, ok bool) {
	groups := f.pattern.FindStringSubmatch(nr)
	if groups == nil {
		return "", 0, false
	}
	day, at := issued, 1
	for _, p := range f.parts {
		if p.marker == "" {
			continue
		}
		value, err := strconv.ParseInt(groups[at], 10, 64)
		if at++; err != nil {
			return "", 0, false
		}
		switch p.marker {
		case "inc":
			n = value
		case "yearLong":
			day.Year = int16(value)
		case "yearShort":
			day.Year = issued.Year/100*100 + int16(value)
		case "month":
			day.Month = uint8(value)
		case "day":
			day.Day = uint8(value)
		}
	}
	if n < 1 || f.Number(day, n) != nr { // such as 007 where 7 would have been written
		return "", 0, false
	}
	return f.Period(day), n, true
}
