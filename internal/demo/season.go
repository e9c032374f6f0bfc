package demo

import (
	"math/bits"
	"sort"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// span is the two years that the data covers. They end shortly before the day on which the data are made, so that what
// an institution has under way on any day of the year is under way in them, and the terms that somebody can apply for
// are those that one can apply for then.
type span struct {
	begins admitto.Time
	// Registrations end a little before everything else, so that the mail to the last applicant is still in time.
	lastComing admitto.Time
	ends       admitto.Time
}

// spanBefore is the span of data that are made on the day. The three days between are for those who were deleted at the
// end and are erased since.
func spanBefore(made admitto.Date) span {
	last := startOf(made.AddDays(-3))
	return span{begins: admitto.TimeOf(last.Std().AddDate(-2, 0, 1)), lastComing: last + 17*admitto.Hour,
		ends: last + 18*admitto.Hour}
}

// erasing is when those are erased who were deleted right after the end.
func (s span) erasing() admitto.Time { return startOf(dayOf(s.ends)) + 2*admitto.Day + 2*admitto.Hour }

// year is the academic year in which the span begins; it begins with September.
func (s span) year() int { return academicYear(s.begins) }

func academicYear(at admitto.Time) int {
	if t := at.Std(); t.Month() < time.September {
		return t.Year() - 1
	}
	return at.Std().Year()
}

// How many people register in a month, on a weekday (Sunday first) and in an hour of UTC, relative to each
// other: two deadlines a year, fewer on weekends, most in the evening.
var (
	monthWeights = [...]uint64{20, 24, 21, 8, 7, 16, 21, 18, 5, 5, 6, 7}
	dayWeights   = [...]uint64{8, 11, 11, 11, 10, 9, 7}
	hourWeights  = [...]uint64{4, 3, 2, 2, 3, 4, 6, 9, 12, 14, 15, 15, 14, 15, 15, 14, 13, 13, 14, 15, 15, 12, 9, 6}
)

// season spreads registrations over the hours of the two years.
type season struct {
	span
	upTo []uint64 // sum of the weights up to and with each hour
}

func newSeason(over span) season {
	s := season{span: over}
	var sum uint64
	for at := s.begins; at < s.lastComing; at += admitto.Hour {
		t := at.Std()
		sum += monthWeights[t.Month()-1] * dayWeights[t.Weekday()] * hourWeights[t.Hour()]
		s.upTo = append(s.upTo, sum)
	}
	return s
}

// scale makes room for a position within the weight of one hour.
const scale = 1 << 20

// instant returns when applicant i of n registers. Each has an equal share of the total weight and a random
// place in it, so times ascend with i, without a sort.
func (s season) instant(c chance, i, n int) admitto.Time {
	total := s.upTo[len(s.upTo)-1] * scale
	high, low := bits.Mul64(uint64(i)<<32|uint64(c.Uint32()), total)
	position, _ := bits.Div64(high, low, uint64(n)<<32)
	hour := sort.Search(len(s.upTo), func(h int) bool { return s.upTo[h]*scale > position })
	var before uint64
	if hour > 0 {
		before = s.upTo[hour-1] * scale
	}
	weight := s.upTo[hour]*scale - before
	high, low = bits.Mul64(position-before, uint64(admitto.Hour))
	within, _ := bits.Div64(high, low, weight)
	return s.begins + admitto.Time(hour)*admitto.Hour + admitto.Time(within)
}

// inOffice returns a time in working hours, some days after t; a weekend becomes the Monday after it.
func (c chance) inOffice(t admitto.Time, days int) admitto.Time {
	day := t/admitto.Day + admitto.Time(max(days, 1))
	switch (day * admitto.Day).Std().Weekday() {
	case time.Saturday:
		day += 2
	case time.Sunday:
		day++
	}
	return day*admitto.Day + 7*admitto.Hour + admitto.Time(c.Int64N(int64(9*admitto.Hour)))
}

// seconds returns a time between low and high seconds after t.
func (c chance) seconds(t admitto.Time, low, high int) admitto.Time {
	return t + admitto.Time(low)*admitto.Second + admitto.Time(c.Int64N(int64(high-low)*int64(admitto.Second)))
}
