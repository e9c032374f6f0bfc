package report

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Report is one report: what it is called, what it takes and answers (resources.md 19.3).
type Report struct {
	Name, Title string
	Parameters  []string // names of ReportParameters
	Required    []string // those of them that it cannot do without
	columns     []string
	compared    string // the column that comparedYear adds; "" when it has none
	rows        func(*reporting) error
	shows       admitto.Permission // that the report needs besides reports; 0: none
}

// Columns returns the titles of the columns; compared adds that of the compared year.
func (r *Report) Columns(compared bool) []string {
	if compared && r.compared != "" {
		return append(slices.Clip(r.columns), r.compared)
	}
	return r.columns
}

// ReportParameter is what reports can take (resources.md 19.2).
type ReportParameter struct{ Name, Type, Title string }

// ReportParameters lists every parameter, in the order of the contract.
func ReportParameters() []ReportParameter {
	return []ReportParameter{
		{"academicTerm", "ids", "Academic terms"},
		{"commenceYear", "years", "Academic years"},
		{"comparedYear", "year", "Compared academic year"},
		{"calendarYear", "year", "Calendar year"},
		{"intakes", "ids", "Intakes"},
		{"courses", "ids", "Courses"},
		{"institutions", "ids", "Institutions"},
		{"regions", "territories", "Regions"},
		{"citizenships", "countries", "Citizenships"},
	}
}

// Reports is the table of the reports, in their order.
func Reports() []Report {
	terms := []string{"academicTerm", "commenceYear"}
	compared := append(slices.Clip(terms), "comparedYear")
	courses := []string{"intakes", "courses", "institutions"}
	persons := []string{"regions", "citizenships"}
	return []Report{
		{"ReportStatus", "Applications by status", slices.Concat(compared, courses, persons), nil,
			[]string{"Status", "Applications", "Applicants", "Share"}, "Compared applications", reportStatus, 0},
		{"ReportCourses", "Applications by course and status", slices.Concat(terms, courses, persons), nil,
			[]string{"Course ID", "Course", "Code", "Institution", "Blank", "Draft", "Inactive", "Reopened", "Submitted",
				"Withdrawn", "Closed",
				"Total", "First choice"}, "", reportCourses, 0},
		{"ReportCitizenships", "Applicants by citizenship", slices.Concat(compared, courses, []string{"regions"}), nil,
			[]string{"Citizenship", "Country", "Applicants", "Applications", "Submitted", "Offered",
				"Accepted"}, "Compared applications", reportCitizenships, 0},
		{"ReportFunnel", "From lead to acceptance", slices.Concat(compared, courses, persons), nil,
			[]string{"Stage", "Count", "Of previous", "Of first"}, "Compared count", reportFunnel, 0},
		{"Registrations", "Registrations per day", slices.Concat([]string{"calendarYear"}, persons), nil,
			[]string{"Date", "Registered", "Collected", "Total"}, "", reportRegistrations, 0},
		{"ReportOffers", "Offers by type and decision", slices.Concat(terms, courses, persons), nil,
			[]string{"Offer type ID", "Offer type", "Ranking", "None", "Final", "Declined", "Total",
				"Confirmed"}, "", reportOffers, 0},
		{"ReportInvoices", "Invoices issued and collected per month", []string{"calendarYear", "institutions"}, nil,
			[]string{"Month", "Currency", "Issued", "Issued amount", "Collected", "Collected amount", "Outstanding amount",
				"Overdue"}, "", reportInvoices, admitto.AccountingView},
		{"ReportTrackers", "Trackers", slices.Concat(terms, persons), nil,
			[]string{"Tracker ID", "Code", "Applicants", "Applications", "Submitted applications", "Offered",
				"Accepted"}, "", reportTrackers, 0},
		{"ReportTrackersApplicantDetails", "Trackers with applicants", slices.Concat(terms, persons), nil,
			[]string{"Tracker ID", "Code", "Applicant ID", "Name", "E-mail", "Citizenship", "Registered", "Assigned",
				"Applications",
				"Submitted applications"}, "", reportTrackerDetails, admitto.ApplicantsView},
		{"ReportTasks", "Tasks by class and status", slices.Concat(terms, courses), nil,
			[]string{"Class", "Title", "Status", "Tasks", "Resolved", "Oldest unresolved"}, "", reportTasks, 0},
		{"ReportDeadlines", "Deadlines and lateness", slices.Concat(terms, courses), nil,
			[]string{"Intake ID", "Intake", "Territory", "Deadline", "Applications", "Submitted in time", "Submitted late",
				"Not submitted"}, "", reportDeadlines, 0},
		{"ReportScores", "Scores per scoresheet", slices.Concat(terms, []string{"courses", "institutions"}), nil,
			[]string{"Scoresheet ID", "Scoresheet", "Entries", "Scored", "Lowest", "Average", "Highest"}, "", reportScores, 0},
	}
}

// ReportNamed returns the report of the name, or answers NotFound.
func ReportNamed(name string) (*Report, error) {
	for _, r := range Reports() {
		if r.Name == name {
			return &r, nil
		}
	}
	return nil, &admitto.Error{Kind: admitto.NotFound}
}

// reporting is a report that is being calculated.
type reporting struct {
	tx   *store.Tx
	q    *admitto.ReportQuery
	zone *time.Location
	row  func([]any) error
}

// today is the current day of the instance.
func (r *reporting) today() admitto.Date { return admitto.DateOf(r.tx.Now().Std().In(r.zone)) }

// day is the day of the instance in which a quarter of an hour lies.
func (r *reporting) day(quarter int64) admitto.Date {
	return admitto.DateOf((admitto.Time(quarter) * admitto.Quarter).Std().In(r.zone))
}

// year returns the calendar year of the query, and the times from and before which it is.
func (r *reporting) year() (year int, from, before admitto.Time) {
	year = int(r.q.CalendarYear)
	if year == 0 {
		year = int(r.today().Year)
	}
	start := func(year int) admitto.Time {
		return admitto.TimeOf(admitto.Date{Year: int16(year), Month: 1, Day: 1}.In(r.zone))
	}
	return year, start(year), start(year + 1)
}

// compare runs count again for the compared year of the query; not when there is none.
func (r *reporting) compare(count func(*admitto.ReportQuery) error) error {
	if r.q.Compared == 0 {
		return nil
	}
	q := r.q.InYear(r.q.Compared)
	return count(&q)
}

// withCompared appends the cell of the compared year, if there is one.
func (r *reporting) withCompared(n int64, cells ...any) []any {
	if r.q.Compared == 0 {
		return cells
	}
	return append(cells, n)
}

// Report calculates a report in one snapshot, which may be that of a replica (cli.md: database.replica) but has what
// the reader has changed. begin is told the time of it once, before row is called with each row; with nil row the rows
// are not calculated. The cells are int64, string, admitto.Hundredths, admitto.Date, admitto.Time, or nil when unset,
// and in columns that the caller may not see. regions are territories; they select applicants by citizenship, as
// q.Citizenships does. Once row has answered ErrEnough, no more rows come.
func (s *Service) Report(ctx context.Context, by admitto.Caller, report *Report, q admitto.ReportQuery,
	regions []string,
	begin func(at admitto.Time), row func([]any) error) error {
	if err := report.permitted(by); err != nil {
		return err
	}
	if err := report.answers(by, &q, regions); err != nil {
		return err
	}
	hidden := report.hidden(by, q.Compared != 0)
	begun := false
	var failed error
	return s.core.Reader(by.Actor).Read(ctx, func(tx *store.Tx) error {
		if begun {
			return failed // rows of the replica have left already, so the database cannot stand in
		}
		at := tx.Now() // before any rows are open
		start := func() {
			if !begun {
				begun = true
				begin(at)
			}
		}
		if row == nil {
			start()
			return nil
		}
		q := q // each run narrows its own
		if regions != nil {
			if err := addRegions(tx, &q, regions); err != nil {
				return err
			}
		}
		emit := func(cells []any) error {
			start()
			for _, i := range hidden {
				cells[i] = nil
			}
			return row(cells)
		}
		if failed = report.rows(&reporting{tx: tx, q: &q, zone: s.core.Settings().Instance.Timezone,
			row: emit}); errors.Is(failed, ErrEnough) {
			failed = nil
		}
		if failed == nil {
			start() // without rows
		}
		return failed
	})
}

// world is the territory that everybody belongs to.
const world = admitto.World

// addRegions narrows the citizenships of a query to the territories: countries, regions or the world, which is
// no condition. One that is unknown has no members.
func addRegions(tx *store.Tx, q *admitto.ReportQuery, territories []string) error {
	if slices.Contains(territories, world) {
		return nil
	}
	regions, err := tx.Regions()
	if err != nil {
		return err
	}
	members := []string{} // not nil: territories without members match nobody
	for _, territory := range territories {
		i := slices.IndexFunc(regions, func(r admitto.Region) bool { return r.Code == territory })
		if i < 0 {
			members = append(members, territory) // a country, or nothing
			continue
		}
		members = append(members, regions[i].Members...)
	}
	if q.Citizenships != nil {
		given := q.Citizenships
		members = slices.DeleteFunc(members, func(code string) bool { return !slices.Contains(given, code) })
	}
	slices.Sort(members)
	q.Citizenships = slices.Compact(members)
	return nil
}

// orNil is a text that is null when empty.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}
