package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
)

// column is a column of a report that the reader may see: its title in the contract, and its place in the rows.
type column struct {
	title string
	at    int
}

// columns are those that the reader may see.
func (a *asking) columns() (list []column) {
	for i, title := range a.report.Columns(a.query.Compared != 0) {
		if a.report.May(a.r.Reader(), title) == nil {
			list = append(list, column{title, i})
		}
	}
	return list
}

// columnKey is the message with the title of a column.
func columnKey(title string) string {
	return "report_column." + strings.NewReplacer(" ", "_", "-", "").Replace(strings.ToLower(title))
}

// barOf is the column of each report that its bars show, and mainOf the one that names the rows.
var (
	barOf = map[string]string{"ReportStatus": "Applications", "ReportCourses": "Total", "ReportCitizenships": "Applicants",
		"ReportFunnel": "Count", "Registrations": "Total", "ReportOffers": "Total", "ReportInvoices": "Issued amount",
		"ReportTrackers": "Applicants", "ReportTrackersApplicantDetails": "Applications", "ReportTasks": "Tasks",
		"ReportDeadlines": "Applications", "ReportScores": "Scored"}
	mainOf = map[string]string{"ReportStatus": "Status", "ReportCourses": "Course", "ReportCitizenships": "Country",
		"ReportFunnel": "Stage", "Registrations": "Date", "ReportOffers": "Offer type", "ReportInvoices": "Month",
		"ReportTrackers": "Code", "ReportTrackersApplicantDetails": "Name", "ReportTasks": "Title",
		"ReportDeadlines": "Intake", "ReportScores": "Scoresheet"}
)

// bar is the place of the column that the bars show, -1 where the reader may not see it.
func (a *asking) bar() int {
	for _, c := range a.columns() {
		if c.title == barOf[a.report.Name] {
			return c.at
		}
	}
	return -1
}

// unit is what the bar of a row is measured in: amounts of different currencies do not compare.
func (a *asking) unit(values []any) (currency string) {
	if at := a.at("Currency"); at >= 0 {
		currency, _ = values[at].(string)
	}
	return currency
}

// amount is the number that a bar shows.
func amount(v any) int {
	switch v := v.(type) {
	case int64:
		return int(v)
	case admitto.Hundredths:
		return int(v)
	}
	return 0
}

// table is the rows of the page, with bars next to what names the rows, where they are seen however wide the rest is.
func (a *asking) table(s *sheet) ui.Table {
	r, shown, bar := a.r, a.columns(), a.bar()
	t := ui.Table{Caption: r.Title()}
	main := mainOf[a.report.Name]
	shown = slices.DeleteFunc(shown, func(c column) bool { return a.inMain(c.title) })
	for _, c := range shown {
		head := ui.Column{Title: r.T(columnKey(c.title)), Place: "label", Num: !a.isText(c.title)}
		if c.title == main {
			head.Place = "main"
		}
		t.Columns = append(t.Columns, head)
		if c.title == main && bar >= 0 {
			t.Columns = append(t.Columns, ui.Column{Title: r.T("reports.bar", "Column",
				r.T(columnKey(barOf[a.report.Name])))})
		}
	}
	for _, values := range s.rows {
		row := ui.Row{}
		for _, c := range shown {
			cell := a.cell(c, values)
			if c.title == main {
				row.Label = cell.Text
				cell.Below = a.below(values)
			}
			row.Cells = append(row.Cells, cell)
			if c.title == main && bar >= 0 {
				row.Cells = append(row.Cells, ui.Cell{Parts: []ui.Component{ui.Bar{Value: max(amount(values[bar]), 0),
					Whole: s.whole[a.unit(values)]}}})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// isText reports whether the cells of a column are words or days, which stand at the beginning.
func (a *asking) isText(title string) bool {
	switch title {
	case "Registered":
		return a.report.Name != "Registrations"
	case "Status", "Course", "Code", "Institution", "Citizenship", "Country", "Stage", "Date", "Offer type", "Ranking",
		"Month", "Currency", "Name", "E-mail", "Assigned", "Class", "Title", "Oldest unresolved", "Intake",
		"Territory", "Deadline", "Scoresheet":
		return true
	}
	return false
}

// inMain reports whether what a column has stands below what names the row, and so has no column of its own.
func (a *asking) inMain(title string) bool { return slices.Contains(belowOf(a.report.Name), title) }

// belowOf are the columns whose cells stand below what names the rows.
func belowOf(name string) []string {
	switch name {
	case "ReportCourses":
		return []string{"Code", "Course ID", "Institution"}
	case "ReportCitizenships":
		return []string{"Citizenship"}
	case "ReportOffers":
		return []string{"Offer type ID"}
	case "ReportTrackers":
		return []string{"Tracker ID"}
	case "ReportTrackersApplicantDetails":
		return []string{"Applicant ID", "E-mail", "Tracker ID"}
	case "ReportTasks":
		return []string{"Class"}
	case "ReportDeadlines":
		return []string{"Intake ID"}
	case "ReportScores":
		return []string{"Scoresheet ID"}
	}
	return nil
}

// below are the cells that stand below what names the row, IDs last; the ID of a tracker whose code is there says
// nothing more.
func (a *asking) below(values []any) string {
	var parts []string
	for _, c := range a.columns() {
		if !a.inMain(c.title) || a.report.Name == "ReportTrackersApplicantDetails" && c.title == "Tracker ID" {
			continue
		}
		if cell := a.cell(c, values); cell.Text != "" {
			parts = append(parts, cell.Text)
		}
	}
	return strings.Join(parts, " · ")
}

// cell shows a value.
func (a *asking) cell(c column, values []any) (cell ui.Cell) {
	r := a.r
	switch v := values[c.at].(type) {
	case nil:
		if c.title == "Name" {
			cell.Text = number(values[a.at("Applicant ID")].(int64))
		}
	case int64:
		if cell.Text = r.Number(int(v)); strings.HasSuffix(c.title, " ID") {
			cell.Text = number(v)
		}
	case admitto.Hundredths:
		cell.Text = a.decimal(c.title, v, values)
	case admitto.Date:
		cell.Text = strings.ReplaceAll(r.Date(v.In(time.UTC)), " ", "\u00a0") // on one line
	case admitto.Time:
		cell.Text = r.Day(v)
	case string:
		cell = a.words(c.title, v, values)
	}
	cell.Href = a.link(c.title, values)
	return cell
}

// decimal is an amount of money, a share, or an average.
func (a *asking) decimal(title string, v admitto.Hundredths, values []any) string {
	switch title {
	case "Share", "Of previous", "Of first":
		return strings.TrimSpace(a.r.Money(int64(v), "")) + " %"
	case "Average":
		return strings.TrimSpace(a.r.Money(int64(v), ""))
	}
	return a.r.Money(int64(v), values[a.at("Currency")].(string))
}

// words are a text of the contract in the language of the reader, where it is one of ours.
func (a *asking) words(title, v string, values []any) ui.Cell {
	r := a.r
	switch title {
	case "Status":
		if a.report.Name == "ReportStatus" {
			tag := show.Status(r, admitto.ApplicationStatus(v))
			return ui.Cell{Text: tag.Text, Tags: []ui.Tag{tag}}
		}
	case "Stage":
		return ui.Cell{Text: r.T("report_stage." + strings.ReplaceAll(strings.ToLower(v), " ", "_"))}
	case "Country":
		code, _ := values[a.at("Citizenship")].(string)
		if code == "" {
			return ui.Cell{Text: r.T("reports.unknown")}
		}
		return ui.Cell{Text: show.Country(r, code)}
	case "Ranking":
		if key := "report_ranking." + strings.ReplaceAll(strings.ToLower(v), " ", "_"); r.Has(key) {
			return ui.Cell{Text: r.T(key)}
		}
	case "Month":
		if month, err := time.Parse("2006-01", v); err == nil {
			return ui.Cell{Text: r.Month(month)}
		}
	case "Territory":
		return ui.Cell{Text: a.territory(v)}
	}
	return ui.Cell{Text: v}
}

// at is the place of a column in the rows, whether the reader may see it or not.
func (a *asking) at(title string) int { return slices.Index(a.report.Columns(true), title) }

// isPlotted reports whether the report has lines over time besides its table.
func (a *asking) isPlotted() bool {
	return a.report.Name == "Registrations" || a.report.Name == "ReportInvoices"
}

// plot are the lines of a report over days or months.
func (a *asking) plot(s *sheet) []ui.Component {
	if !a.isPlotted() || len(s.all) == 0 {
		return nil
	}
	if a.report.Name == "ReportInvoices" {
		return a.byMonth(s.all)
	}
	first, ok := s.all[0][a.at("Date")].(admitto.Date)
	if !ok {
		return nil
	}
	lines := ui.NewLines(a.r.Locale, first.In(time.UTC), len(s.all))
	lines.ID, lines.Title, lines.Description = "registrations", a.r.Title(), a.r.T("reports.plot")
	for _, title := range []string{"Registered", "Collected"} {
		series := ui.LineSeries{Name: a.r.T(columnKey(title))}
		for _, row := range s.all {
			series.Values = append(series.Values, amount(row[a.at(title)]))
		}
		lines.Series = append(lines.Series, series)
	}
	return []ui.Component{lines}
}

// byMonth are the invoices issued and collected in each month from the first to the last one with any, whatever the
// currency: amounts of several have no common line.
func (a *asking) byMonth(rows [][]any) []ui.Component {
	month := func(row []any) time.Time {
		at, _ := time.Parse("2006-01", fmt.Sprint(row[a.at("Month")]))
		return at
	}
	first, last := month(rows[0]), month(rows[len(rows)-1])
	months := 12*(last.Year()-first.Year()) + int(last.Month()-first.Month()) + 1
	if first.IsZero() || last.IsZero() || months < 2 {
		return nil
	}
	lines := ui.NewMonths(a.r.Locale, first, months)
	lines.ID, lines.Title, lines.Description = "invoices", a.r.Title(), a.r.T("reports.plot_invoices")
	lines.Unit = a.r.T(columnKey("Month"))
	for _, title := range []string{"Issued", "Collected"} {
		series := ui.LineSeries{Name: a.r.T(columnKey(title)), Values: make([]int, months)}
		for _, row := range rows {
			at := month(row)
			series.Values[12*(at.Year()-first.Year())+int(at.Month()-first.Month())] += amount(row[a.at(title)])
		}
		lines.Series = append(lines.Series, series)
	}
	return []ui.Component{lines}
}
