package admitto

import "time"

// OfferedQuery selects from the courses that visitors find (screens.md P01). A nil list is no condition.
type OfferedQuery struct {
	Institutions                       []int64
	Types, Modes, Languages, Countries []string
	Intakes                            []int64 // only courses of one of these
}

// OfferedCourse is what the list of courses is searched and ordered by.
type OfferedCourse struct {
	ID, Institution int64
	Featured        bool
	Name, Code      string
	Names           Versions // of its name
}

// OfferedChoices are the values that visitors can filter courses by.
type OfferedChoices struct {
	Types, Modes, Languages, Countries []string
	Institutions                       []int64 // that offer a course
}

// IntakeState says whether a course can be added to an application in an intake.
type IntakeState string

// The states of an intake for a visitor.
const (
	IntakeOpen    IntakeState = "open"
	IntakeClosing IntakeState = "closing" // open, and its last day is near
	IntakeLate    IntakeState = "late"    // after the deadline, by a policy that allows it
	IntakeNotYet  IntakeState = "not_yet"
	IntakeBarred  IntakeState = "barred"
	IntakeClosed  IntakeState = "closed"
)

// closingDays are the days before a deadline in which an intake is about to close.
const closingDays = 14

// IsOpen reports whether one can apply.
func (s IntakeState) IsOpen() bool { return s == IntakeOpen || s == IntakeClosing || s == IntakeLate }

// Rank orders what one can apply for before what will open, and that before the rest.
func (s IntakeState) Rank() int {
	switch {
	case s.IsOpen():
		return 0
	case s == IntakeNotYet:
		return 1
	}
	return 2
}

// StateFor returns how an intake stands for a citizenship at a time ("" when it is unknown), with the deadline that
// holds; days end in the zone of the institution (lifecycle.md G2, G3, G12, 3.3).
func (i *Intake) StateFor(citizenship string, regions []Region, at Time, zone *time.Location) (IntakeState,
	ActiveDeadline) {
	d := i.DeadlineFor(citizenship, regions, 0, zone)
	today := DateOf(at.Std().In(zone))
	switch {
	case i.Term.Expired(at, 0, zone):
		return IntakeClosed, d
	case d.Barred:
		return IntakeBarred, d
	case !i.Start.IsZero() && today.Before(i.Start):
		return IntakeNotYet, d
	case d.Passed(at) && d.Policy.AllowsAdding():
		return IntakeLate, d
	case d.Passed(at):
		return IntakeClosed, d
	case !d.Day.IsZero() && d.Day.Before(today.AddDays(closingDays)):
		return IntakeClosing, d
	}
	return IntakeOpen, d
}

// LastDay is the last day on which anybody can apply by the deadlines, none where nobody ever can; ends is false where
// there is no such day: somebody has no deadline, or the policy takes what is late.
func (i *Intake) LastDay() (last Date, ends bool) {
	world := false
	for n := range i.Deadlines {
		d := &i.Deadlines[n]
		world = world || d.Territory == World
		switch {
		case d.Barred:
		case d.Day.IsZero() || DeadlinePolicy(i.Policy).AllowsAdding():
			return Date{}, false
		case last.Before(d.Day):
			last = d.Day
		}
	}
	if !world { // who is of no territory has no deadline
		return Date{}, false
	}
	return last, true
}

// Opens reports whether anybody can apply on a day or later.
func (i *Intake) Opens(from Date) bool {
	if from.Before(i.Start) {
		from = i.Start
	}
	last, ends := i.LastDay()
	return !(ends && last.Before(from)) && (i.Term.Grace.IsZero() || !i.Term.Grace.Before(from))
}
