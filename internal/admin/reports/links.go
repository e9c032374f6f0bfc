package reports

import (
	"net/url"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// link is where a cell leads: the record that it names, or the list of what it counts; "" for nowhere.
func (a *asking) link(title string, values []any) string {
	id := func(name string) int64 { n, _ := values[a.at(name)].(int64); return n }
	text := func(name string) string { s, _ := values[a.at(name)].(string); return s }
	record := func(route string, id int64) string {
		if !a.r.May(route) || id == 0 {
			return ""
		}
		return a.r.At(route, id)
	}
	switch a.report.Name + " " + title {
	case "ReportStatus Applications":
		return a.applications("status", text("Status"))
	case "ReportCourses Total":
		return a.applications("course", number(id("Course ID")))
	case "ReportCourses Course":
		return record("course", id("Course ID"))
	case "ReportOffers Offer type":
		return record("offer-type", id("Offer type ID"))
	case "ReportTrackers Code":
		return record("tracker", id("Tracker ID"))
	case "ReportTrackersApplicantDetails Name":
		return record("applicant", id("Applicant ID"))
	case "ReportDeadlines Intake":
		return record("intake", id("Intake ID"))
	case "ReportScores Scoresheet":
		return record("scoresheet", id("Scoresheet ID"))
	case "ReportTasks Tasks":
		return a.tasks(text("Class"), text("Status"))
	case "ReportTasks Resolved":
		return a.tasks(text("Class"), text("Status"), "resolved", "yes")
	case "ReportInvoices Issued":
		return a.invoices("issued", text("Month"), text("Currency"))
	case "ReportInvoices Collected":
		return a.invoices("collected", text("Month"), text("Currency"))
	case "Registrations Total":
		day, _ := values[a.at("Date")].(admitto.Date)
		return a.registered(day, id("Total"))
	}
	if statuses := admitto.ApplicationStatuses(); a.report.Name == "ReportCourses" &&
		slices.Contains(statuses, admitto.ApplicationStatus(title)) && id(title) > 0 {
		return a.applications("course", number(id("Course ID")), "status", title)
	}
	if step, ok := steps[title]; ok {
		switch a.report.Name {
		case "ReportCitizenships":
			if text("Citizenship") != "" { // for those without the list has no filter
				return a.applications(append([]string{"citizenship", text("Citizenship")}, step...)...)
			}
		case "ReportTrackers":
			return a.applications(append([]string{"tracker", number(id("Tracker ID"))}, step...)...)
		}
	}
	return ""
}

// listOf are the lists that show what reports count. Those of the others would not have as many rows.
var listOf = map[string]string{"ReportStatus": "browse", "ReportCourses": "browse", "ReportCitizenships": "browse",
	"ReportTrackers": "browse", "ReportTasks": "tasks", "ReportInvoices": "invoices", "Registrations": "applicants"}

// filtersOf are the filters of reports that lists have under the same names.
var filtersOf = map[string][]string{"browse": {"institution", "course", "intake", "citizenship"}, "tasks": {"course"},
	"applicants": {"citizenship"}}

// whyNoList says why no number of the report leads to a list; "" where some can, or the rows lead to people.
func (a *asking) whyNoList() string {
	list, lists := listOf[a.report.Name]
	_, ok := a.addressed(filtersOf[list])
	switch key := "report_no_list." + a.report.Name; {
	case a.r.Has(key):
		return a.r.T(key)
	case !lists || ok && a.r.May(list):
		return ""
	case !a.r.May(list):
		return a.r.T("reports.list_closed")
	case len(a.query.Terms) > 1:
		return a.r.T("reports.list_terms")
	}
	return a.r.T("reports.list_filters")
}

// steps are the filters of the list of applications that count how far they have come, by the titles of columns.
var steps = map[string][]string{"Applications": nil, "Submitted": {"submitted", "yes"},
	"Submitted applications": {"submitted", "yes"}, "Offered": {"quota", "yes"},
	"Accepted": {"decision", string(admitto.DecisionFinal)}}

// addressed are the filters of the report that a list has under the same names, with the term, and others by names and
// values in turns; ok is false where the list does not have all of them.
func (a *asking) addressed(names []string, pairs ...string) (query url.Values, ok bool) {
	q := &a.query
	if len(q.Terms) > 1 || q.Years != nil || a.regions != nil {
		return nil, false
	}
	query = url.Values{}
	if a.has("term") {
		query.Set("term", allTerms)
	}
	if q.Terms != nil {
		query.Set("term", number(q.Terms[0]))
	}
	for _, name := range []string{"institution", "course", "intake", "citizenship"} {
		values := a.view.All(name)
		if len(values) > 0 && a.has(name) {
			if !slices.Contains(names, name) {
				return nil, false
			}
			query[name] = values
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		query[pairs[i]] = []string{pairs[i+1]}
	}
	return query, true
}

// of is the address of a list; "" for those who may not open it, and where it lacks a filter.
func (a *asking) of(list string, query url.Values, ok bool) string {
	if !ok || !a.r.May(list) {
		return ""
	}
	return a.r.At(list) + "?" + query.Encode()
}

// applications is the list of the applications that a number counts, by names and values in turns.
func (a *asking) applications(pairs ...string) string {
	query, ok := a.addressed(filtersOf["browse"], pairs...)
	return a.of("browse", query, ok)
}

// tasks is the list of the tasks of a class in a status.
func (a *asking) tasks(class, status string, pairs ...string) string {
	query, ok := a.addressed(filtersOf["tasks"], append(pairs, "task", number(a.classes[class]), "status", status)...)
	return a.of("tasks", query, ok && a.classes[class] != 0)
}

// invoices is the list of the invoices in a currency that were issued, or collected, in a month.
func (a *asking) invoices(what, month, currency string) string {
	first, err := admitto.ParseDate(month + "-01")
	query, ok := a.addressed(filtersOf["invoices"], "currency", currency, what+"_from", first.String(), what+"_to",
		first.AddMonths(1).AddDays(-1).String())
	return a.of("invoices", query, ok && err == nil)
}

// registered is the list of those whose account was made on a day.
func (a *asking) registered(day admitto.Date, n int64) string {
	query, ok := a.addressed(filtersOf["applicants"], "from", day.String(), "to", day.String())
	return a.of("applicants", query, ok && n > 0)
}
