package catalogue

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
)

// yearsInName are the years in a name: 2026, and the 27 of 2026/27.
var yearsInName = regexp.MustCompile(`\b(20[0-9]{2})(/|-|–)?([0-9]{2})?\b`)

// LaterName is a name with its years raised by one: "Autumn 2026/27" becomes "Autumn 2027/28".
func LaterName(name string) string {
	return yearsInName.ReplaceAllStringFunc(name, func(found string) string {
		parts := yearsInName.FindStringSubmatch(found)
		year, err := strconv.Atoi(parts[1])
		if err != nil {
			return found
		}
		later := strconv.Itoa(year+1) + parts[2]
		if next, err := strconv.Atoi(parts[3]); err == nil {
			short := (next + 1) % 100
			later += strconv.Itoa(short/10) + strconv.Itoa(short%10)
		}
		return later
	})
}

// LaterTerm is a new term a year after another one.
func LaterTerm(t admitto.Term) admitto.Term {
	t.ID, t.Year, t.Name, t.Versions = 0, t.Year+1, LaterName(t.Name), later(t.Versions)
	t.Start, t.Grace, t.Finish = t.Start.AddYears(1), t.Grace.AddYears(1), t.Finish.AddYears(1)
	return t
}

// LaterIntake is a new intake with all days a year after those of another one; the term stays.
func LaterIntake(i admitto.Intake) admitto.Intake {
	i.ID, i.Name, i.Versions = 0, LaterName(i.Name), later(i.Versions)
	for _, day := range []*admitto.Date{&i.Start, &i.PreDeadline, &i.DecisionDate, &i.Arrival, &i.Commence} {
		*day = day.AddYears(1)
	}
	i.Deadlines = slices.Clone(i.Deadlines)
	for n := range i.Deadlines {
		i.Deadlines[n].Day = i.Deadlines[n].Day.AddYears(1)
	}
	return i
}
