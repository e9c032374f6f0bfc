package admitto

import "strconv"

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

// EntryFor returns what an intake says for a citizenship; false without an entry, which means no deadline
// (lifecycle.md 3.3).
func (i *Intake) EntryFor(citizenship string, regions []Region) (Deadline, bool) {
	territory := i.TerritoryOf(citizenship, regions)
	for _, d := range i.Deadlines {
		if d.Territory == territory {
			return d, true
		}
	}
	return Deadline{}, false
}

// Receipt is what an applicant is given for an attempt to submit (lifecycle.md 3.7). Text is what was signed with
// Ed25519; Signature is in base64.
type Receipt struct {
	Number, Application int64
	Made                Time
	Accepted            bool
	Text, Signature     string
}

// NumberText is the number of the receipt as mails tell it.
func (r *Receipt) NumberText() string { return strconv.FormatInt(r.Number, 10) }

// Whole is the receipt with its signature, as the applicant keeps it.
func (r *Receipt) Whole() string { return r.Text + "Signature Ed25519 " + r.Signature + "\n" }
