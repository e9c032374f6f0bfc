package admitto

// ReportQuery holds the parameters of a report (resources.md 19.2). A nil list is no condition, an empty one
// matches nothing. Those from Terms to Institutions select applications; the conditions on courses must be met
// by one course. Citizenships selects applicants.
type ReportQuery struct {
	Terms, Years                   []int64
	Intakes, Courses, Institutions []int64
	Citizenships                   []string // alpha-2
	Compared                       int64    // academic year, 0: none
	CalendarYear                   int64    // 0: the current one
}

// ByApplications reports whether the query has a condition on applications.
func (q *ReportQuery) ByApplications() bool {
	return q.Terms != nil || q.Years != nil || q.Intakes != nil || q.Courses != nil || q.Institutions != nil
}

// InYear is the same query for another academic year.
func (q ReportQuery) InYear(year int64) ReportQuery {
	q.Terms, q.Years, q.Compared = nil, []int64{year}, 0
	return q
}

// Percent is the share of part in whole with two decimals, rounded half up; 0.00 when there is no whole.
func Percent(part, whole int64) Hundredths {
	if whole == 0 {
		return 0
	}
	return Hundredths((part*100_00*2 + whole) / (2 * whole))
}

// StatusCount says how many applications, of how many applicants, have a status.
type StatusCount struct {
	Status                   ApplicationStatus
	Applications, Applicants int64
}

// CourseCount says how many applications have a course, by their status.
type CourseCount struct {
	Course                  int64
	Name, Code, Institution string
	ByStatus                map[ApplicationStatus]int64
	Total, FirstChoice      int64
}

// Progress says how far applicants and their applications have come (the terms of resources.md 19.2).
type Progress struct {
	Applicants, Applications, Submitted, Offered, Accepted int64
}

// TrackerProgress is the progress of those who carry a tracker.
type TrackerProgress struct {
	Tracker int64
	Code    string
	Progress
}

// Funnel counts persons by how far they have come.
type Funnel struct {
	Everybody, Applicants, WithApplication, Submitted, Offered, Accepted int64
}

// QuarterCount says how many accounts were made in a quarter of an hour.
type QuarterCount struct {
	Quarter               int64 // quarters of an hour since 1970
	Registered, Collected int64
}

// Quarter is the unit in which times are counted: every time zone begins its days at one.
const Quarter = 15 * Minute

// OfferCount says how many offers have a type, by decision.
type OfferCount struct {
	Type                                    int64
	Title                                   string
	Ranking                                 Ranked
	None, Final, Declined, Total, Confirmed int64
}

// InvoiceCount sums invoices of a currency that were issued, or collected, in a quarter of an hour.
type InvoiceCount struct {
	Quarter                    int64
	Currency                   string
	Issued, Collected, Overdue int64
	Amount, Outstanding        Hundredths
}

// PaymentCount sums the payments of a currency and a month, such as 2026-02.
type PaymentCount struct {
	Month, Currency string
	Amount          Hundredths
}

// TrackerDetail is an association of a tracker and an applicant.
type TrackerDetail struct {
	Tracker                 int64
	Code                    string
	Applicant               Applicant
	Assigned                Time
	Applications, Submitted int64
}

// TaskCount says how many tasks of a class have a status.
type TaskCount struct {
	Class, Title, Status string
	Tasks, Resolved      int64
	OldestUnresolved     Time // of creation
}

// IntakeEnds are the quarters of an hour in which the deadlines of an intake end, one at least and the first one first.
type IntakeEnds struct {
	Intake int64
	Ends   []int64
}

// IntakeCount says how many applications for an intake, of applicants of a citizenship, were submitted first in
// a quarter of an hour; Quarter 0 is not at all.
type IntakeCount struct {
	Intake      int64
	Citizenship string
	Quarter     int64
	N           int64
}

// ScoreCount sums the scores of a sheet; Lowest and Highest mean nothing without Scored.
type ScoreCount struct {
	Scoresheet           int64
	Name                 string
	Scale                int
	Entries, Scored      int64
	Lowest, Sum, Highest Points
}

// Average is the mean of the points, rounded half up to two decimals. There must be scored ones.
func (c *ScoreCount) Average() Hundredths {
	unit := 100 * c.Scored // ten-thousandths of all scores in a hundredth
	twice := 2*int64(c.Sum) + unit
	average := twice / (2 * unit)
	if twice%(2*unit) < 0 {
		average--
	}
	return Hundredths(average)
}
