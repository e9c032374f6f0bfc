package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// ErrEnough is what a reader of rows answers who needs no more of them.
var ErrEnough = errors.New("no more rows are needed")

// guard says what an administrator needs to see a report, or a column or parameter of it: what shows the same data
// elsewhere (screens.md A48). Keys have scopes in place of that.
type guard struct {
	report, part string // part is the title of a column or the name of a parameter, "" for the whole report
	needs        admitto.Permission
}

// guards are those besides what every caller needs.
func guards() []guard {
	const details = "ReportTrackersApplicantDetails"
	return []guard{
		{"ReportOffers", "", admitto.OffersView},
		{"ReportTasks", "", admitto.ApplicationsView},
		{"ReportScores", "", admitto.ApplicationsView},
		{"ReportTrackers", "", admitto.ApplicantsView},
		{"ReportCitizenships", "Offered", admitto.OffersView},
		{"ReportCitizenships", "Accepted", admitto.OffersView},
		{"ReportTrackers", "Offered", admitto.OffersView},
		{"ReportTrackers", "Accepted", admitto.OffersView},
		{details, "Submitted applications", admitto.ApplicationsView},
		{details, "academicTerm", admitto.ApplicationsView},
		{details, "commenceYear", admitto.ApplicationsView},
	}
}

// May refuses callers who may not see a part of the report: a column by its title, a parameter by its name, or ""
// for the whole.
func (r *Report) May(by admitto.Caller, part string) error {
	if by.Actor.Kind != admitto.ByAdministrator {
		return nil
	}
	for _, g := range guards() {
		if g.report == r.Name && g.part == part {
			if err := by.Needs(g.needs); err != nil {
				return err
			}
		}
	}
	return nil
}

// permitted refuses readers who may not see the same data elsewhere: names need applicants-view, money accounting-view.
func (r *Report) permitted(by admitto.Caller) error {
	if err := by.Needs(admitto.ReportsView); err != nil {
		return err
	}
	if r.shows != 0 {
		if err := by.Needs(r.shows); err != nil {
			return err
		}
	}
	return r.May(by, "")
}

// Offered are the reports that the caller may see, in their order.
func Offered(by admitto.Caller) []Report {
	return slices.DeleteFunc(Reports(), func(r Report) bool { return r.permitted(by) != nil })
}

// hidden are the places of the columns that the caller may not see.
func (r *Report) hidden(by admitto.Caller, compared bool) (places []int) {
	for i, title := range r.Columns(compared) {
		if r.May(by, title) != nil {
			places = append(places, i)
		}
	}
	return places
}

// answers refuses parameters whose answers show what the caller may not see, and names those that are missing.
func (r *Report) answers(by admitto.Caller, q *admitto.ReportQuery, regions []string) error {
	var faults []admitto.Fault
	for _, p := range []struct {
		name  string
		path  admitto.Path
		given bool
	}{
		{"academicTerm", "report.academicTerm", q.Terms != nil},
		{"commenceYear", "report.commenceYear", q.Years != nil},
		{"comparedYear", "report.comparedYear", q.Compared != 0},
		{"calendarYear", "report.calendarYear", q.CalendarYear != 0},
		{"intakes", "report.intakes", q.Intakes != nil},
		{"courses", "report.courses", q.Courses != nil},
		{"institutions", "report.institutions", q.Institutions != nil},
		{"regions", "report.regions", regions != nil},
		{"citizenships", "report.citizenships", q.Citizenships != nil},
	} {
		switch {
		case p.given:
			if err := r.May(by, p.name); err != nil {
				return err
			}
		case r.Requires(p.name):
			faults = append(faults, admitto.Fault{Path: p.path, Text: message.Of("parameter-required")})
		}
	}
	if len(faults) > 0 {
		return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return nil
}

// Requires reports whether the report cannot do without a parameter.
func (r *Report) Requires(parameter string) bool { return slices.Contains(r.Required, parameter) }

// MayRead refuses callers who may not see the report.
func (*Service) MayRead(by admitto.Caller, r *Report) error {
	if err := by.Needs(admitto.ReportsView); err != nil {
		return err
	}
	return r.permitted(by)
}

// CellText is the text of a cell in a file: the value as the contract writes it, and nothing for null.
func CellText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}
