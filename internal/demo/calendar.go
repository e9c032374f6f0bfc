package demo

import (
	"fmt"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// term is an academic term with what the story needs to know of it.
type term struct {
	admitto.Term
	autumn, summer bool
}

// intake is an intake with the level of its courses.
type intake struct {
	admitto.Intake
	level level
	term  *term
}

// termTypeSummer is a term type of this institution.
const termTypeSummer = 101

func day(year int, month time.Month, day int) admitto.Date {
	return admitto.DateOf(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// startOf is the first time of a day; the data live in UTC.
func startOf(d admitto.Date) admitto.Time { return admitto.TimeOf(d.In(time.UTC)) }

// endOf is the first time of the day after.
func endOf(d admitto.Date) admitto.Time { return startOf(d) + admitto.Day }

// dayOf is the day of a time.
func dayOf(t admitto.Time) admitto.Date { return admitto.DateOf(t.Std()) }

// academicYears are those around the data.
func (s span) academicYears() (list []admitto.Year) {
	for y := s.year() - 1; y <= academicYear(s.ends)+3; y++ {
		list = append(list, admitto.Year{Year: int64(y), Name: fmt.Sprintf("%d/%02d", y, (y+1)%100),
			Start: day(y, time.September, 1)})
	}
	return list
}

// ahead is how long after the end of the data terms still begin: for the next two of each season one can apply sooner
// or later within the months after.
const ahead = 425 * admitto.Day

// planTerms returns the terms from the academic year in which the data begin.
func planTerms(over span) []*term {
	var list []*term
	add := func(year int, kind int64, name string, start, grace, finish admitto.Date) *term {
		t := &term{Term: admitto.Term{ID: int64(len(list) + 1), Year: int64(year), Type: kind, Name: name, Start: start,
			Grace: grace, Finish: finish}}
		sayTerm(&t.Term)
		if startOf(start) <= over.ends+ahead {
			list = append(list, t)
		}
		return t
	}
	for y := over.year(); startOf(day(y, time.September, 1)) <= over.ends+ahead; y++ {
		years := fmt.Sprintf("%d/%02d", y, (y+1)%100)
		add(y, 2, "Autumn semester "+years, day(y, time.September, 1), day(y, time.October, 31),
			day(y+1, time.January, 31)).autumn = true
		add(y, 3, "Spring semester "+years, day(y+1, time.February, 3), day(y+1, time.March, 31), day(y+1, time.June, 30))
		add(y, termTypeSummer, fmt.Sprintf("Summer school %d", y+1), day(y+1, time.July, 6), day(y+1, time.July, 31),
			day(y+1, time.August, 20)).summer = true
	}
	return list
}

// The policies of intakes (lifecycle.md 3.3), one a level.
var policies = [...]admitto.DeadlinePolicy{admitto.StrictSubmit, admitto.StrictCourse, admitto.StrictSubmitHard,
	admitto.Rolling, admitto.Flexible, admitto.StrictSubmit}

var levelNames = [...]string{"bachelor", "master", "medicine", "doctoral", "exchange", ""}

// earlier are the countries with long ways to a visa.
var earlier = []string{"IN", "NG", "PK", "BD", "IR", "GH"}

// planIntakes returns the intakes of the terms, by level.
func planIntakes(terms []*term) (list []intake) {
	for _, t := range terms {
		year := int(t.Start.Year)
		for l := range level(levels) {
			if t.summer != (l == summer) || l == medicine && !t.autumn {
				continue
			}
			in := intake{level: l, term: t, Intake: admitto.Intake{ID: int64(len(list) + 1), Policy: string(policies[l]),
				Term: t.Term}}
			season, open := "Spring", day(year-1, time.June, 1)
			world, eu, home, early := day(year-1, time.September, 30), day(year-1, time.November, 15), day(year-1, time.December,
				15), day(year-1, time.September, 10)
			if t.autumn {
				season, open = "Autumn", day(year-1, time.November, 15)
				world, eu, home, early = day(year, time.April, 15), day(year, time.June, 30), day(year, time.August, 10), day(year,
					time.March, 31)
			}
			in.Name = strings.TrimSuffix(fmt.Sprintf("%s %d, %s", season, year, levelNames[l]), ", ")
			in.Start = open
			entry := func(territory string, d admitto.Date, info string) {
				in.Deadlines = append(in.Deadlines, admitto.Deadline{Territory: territory, Day: d, Info: info})
			}
			switch l {
			case exchange: // of the partners only
				in.Deadlines = append(in.Deadlines, admitto.Deadline{Territory: "001",
					Info: "Exchange is open to students of our partners.", Barred: true})
				entry("EEA", eu, "Nomination by the home institution is needed.")
				entry("TR", eu, "")
				entry("JP", world, "")
			case summer:
				in.Name, in.Start = fmt.Sprintf("Summer %d", year), day(year-1, time.December, 1)
				entry("001", day(year, time.May, 31), "")
				entry("EU", day(year, time.June, 20), "")
			case doctoral:
				entry("001", admitto.Date{}, "Apply at any time.")
				in.Deadlines = append(in.Deadlines, admitto.Deadline{Territory: "VN",
					Info: "Apply through the programme of the ministry.", Barred: true})
			default:
				entry("001", world, "")
				entry("EU", eu, "Citizens of the European Union")
				entry("HU", home, "")
				for _, country := range earlier {
					entry(country, early, "Visa takes time in this country.")
				}
			}
			in.decide(l, t)
			sayIntake(&in.Intake)
			list = append(list, in)
		}
	}
	return list
}

// decide sets what follows the deadlines: early deadline, how offers are answered, arrival.
func (in *intake) decide(l level, t *term) {
	switch l {
	case bachelor, medicine:
		in.DecisionPolicy = "Required"
		in.DecisionDays = new(int64)
		if *in.DecisionDays = 21; l == medicine {
			*in.DecisionDays = 14
			in.DecisionDate = t.Start.AddDays(-60)
		}
		in.PreDeadline, in.PreInfo = in.Start.AddDays(75), "Applications until this day are answered first."
		in.PreMask = l == medicine
	case master:
		in.DecisionPolicy, in.DecisionDays = "Advisory", new(int64)
		*in.DecisionDays = 30
	default:
		in.DecisionPolicy = "None"
	}
	in.Arrival, in.Commence = t.Start.AddDays(-7), t.Start
}

// euCountries and eeaCountries are those of the seeded regions that applicants come from.
var (
	euCountries  = strings.Fields("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")
	eeaCountries = append(strings.Fields("IS LI NO"), euCountries...)
	regions      = []admitto.Region{{Code: "EU", Members: euCountries}, {Code: "EEA", Members: eeaCountries}}
)

// deadline finds the entry for a citizenship.
func (in *intake) deadline(citizenship string) admitto.Deadline {
	if d := in.EntryFor(citizenship, regions); d != nil {
		return *d
	}
	return admitto.Deadline{}
}

// closing is the last time at which a course can be added; 0 when the citizenship may not apply.
func (in *intake) closing(citizenship string) admitto.Time {
	d := in.active(citizenship)
	switch {
	case d.Barred:
		return 0
	case d.Until == 0 || d.Policy == admitto.Rolling:
		return startOf(in.term.Start) + 14*admitto.Day
	case d.Policy == admitto.Flexible:
		return d.Until + 21*admitto.Day
	}
	return d.Until
}

// active is the deadline for a citizenship.
func (in *intake) active(citizenship string) admitto.ActiveDeadline {
	return in.DeadlineFor(citizenship, regions, 0, time.UTC)
}
