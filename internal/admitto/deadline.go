package admitto

import (
	"time"
)

// Deadline holds for a territory: a country, a region or the world (001).
type Deadline struct {
	Territory string
	Day       Date
	Info      string
	Barred    bool
}

// DeadlinePolicy says what the deadline of an intake stops (lifecycle.md 3.3).
type DeadlinePolicy string

// The policies of intakes.
const (
	StrictCourse     DeadlinePolicy = "Strict (course)"
	StrictSubmit     DeadlinePolicy = "Strict (submit)"
	StrictSubmitHard DeadlinePolicy = "Strict (submit, hard)"
	Flexible         DeadlinePolicy = "Flexible"
	Rolling          DeadlinePolicy = "Rolling"
)

// DeadlinePolicies lists the policies in the order of lifecycle.md 3.3.
func DeadlinePolicies() []DeadlinePolicy {
	return []DeadlinePolicy{StrictCourse, StrictSubmit, StrictSubmitHard, Flexible, Rolling}
}

// lateness is what a policy allows after the deadline.
type lateness struct {
	add         bool // a course may be added
	first       bool // a course may be submitted for the first time
	firstIfThen bool // the same, but only one that was added in time
	again       bool // a course that was submitted before may be submitted again
	marks       bool // what comes late is marked so
}

func (p DeadlinePolicy) late() lateness {
	switch p {
	case StrictCourse:
		return lateness{firstIfThen: true, again: true}
	case StrictSubmit:
		return lateness{again: true}
	case Flexible:
		return lateness{add: true, first: true, again: true, marks: true}
	case Rolling:
		return lateness{add: true, first: true, again: true}
	}
	return lateness{} // hard, and whatever is unknown
}

// AllowsAdding reports whether a course may be added after the deadline.
func (p DeadlinePolicy) AllowsAdding() bool { return p.late().add }

// AllowsSubmitting reports whether a course may be submitted after the deadline that was added in time or not, and
// submitted before or not.
func (p DeadlinePolicy) AllowsSubmitting(addedInTime, submittedBefore bool) bool {
	l := p.late()
	return submittedBefore && l.again || !submittedBefore && (l.first || addedInTime && l.firstIfThen)
}

// MarksLate reports whether what is added or submitted after the deadline is marked late.
func (p DeadlinePolicy) MarksLate() bool { return p.late().marks }

// ActiveDeadline is until when, and whether at all, an applicant may apply in an intake (lifecycle.md 3.3).
type ActiveDeadline struct {
	Policy   DeadlinePolicy
	Day      Date // the last day; unset without an end
	Until    Time // 0: no end
	Extended bool // it is the application's own
	Barred   bool
}

// DeadlineFor returns the deadline of an intake for a citizenship; an extension, unless it is 0, stands in the place of
// what the intake says. Days end where the institution is (lifecycle.md R4).
func (i *Intake) DeadlineFor(citizenship string, regions []Region, extension Time, zone *time.Location) ActiveDeadline {
	active := ActiveDeadline{Policy: DeadlinePolicy(i.Policy)}
	if entry := i.EntryFor(citizenship, regions); entry != nil {
		active.Barred, active.Day, active.Until = entry.Barred, entry.Day, entry.Day.End(zone)
	}
	if extension != 0 {
		active.Day, active.Until, active.Extended = DateOf(extension.Std().In(zone)), extension, true
	}
	return active
}

// Passed reports whether the deadline was over at a time.
func (d *ActiveDeadline) Passed(at Time) bool { return d.Until != 0 && at >= d.Until }

// IsLate reports whether what happens at the time is marked late.
func (d *ActiveDeadline) IsLate(at Time) bool { return d.Passed(at) && d.Policy.MarksLate() }

// Stops reports whether something ends with the deadline, so that it is worth a reminder.
func (d *ActiveDeadline) Stops() bool {
	return d.Until != 0 && (d.Extended || d.Policy != Rolling && !d.Barred)
}

// Ends returns when the grace day of the term is over and nothing lifts that any longer (lifecycle.md 3.1), 0 for a
// term without one; lifted is 0 where nothing does.
func (t *Term) Ends(lifted Time, zone *time.Location) Time {
	if t.Grace.IsZero() {
		return 0
	}
	return max(t.Grace.End(zone), lifted)
}

// Expired reports whether that is so at a time.
func (t *Term) Expired(at, lifted Time, zone *time.Location) bool {
	ends := t.Ends(lifted, zone)
	return ends != 0 && at >= ends
}

// IsEarly reports whether the earlier deadline, which stops nothing, is ahead at a time (lifecycle.md 3.3).
func (i *Intake) IsEarly(at Time, zone *time.Location) bool {
	return !i.PreDeadline.IsZero() && at < i.PreDeadline.End(zone)
}
