package reports_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site/sitetest"
)

var leading = regexp.MustCompile(`[0-9,]+`)

// table are the lines of a file.
func table(t *testing.T, p *sitetest.Page) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(p.Body, "\uFEFF"))).ReadAll()
	if err != nil || p.Status != 200 {
		t.Fatalf("%s: %d %v", p.Path, p.Status, err)
	}
	return rows
}

// filters are addresses that narrow a report as those of the list of applications do.
func filters(i *sitetest.Instance) []string {
	course := i.Number("SELECT course_id FROM application_course GROUP BY course_id ORDER BY count(*) DESC LIMIT 1")
	term := i.Number("SELECT academic_term_id FROM application GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
	country := strings.TrimSpace(i.Lines("SELECT citizenship FROM applicant WHERE citizenship <> '' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"))
	intake := i.Number("SELECT intake_id FROM application_course WHERE intake_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT 1")
	return []string{"term=all", fmt.Sprint("term=", term), fmt.Sprint("term=all&course=", course),
		fmt.Sprint("term=all&intake=", intake), fmt.Sprintf("term=%d&citizenship=%s", term, country)}
}

// TestNothingCounted says of a report whose rows are all zero that nothing matches, in place of an empty plot.
func TestNothingCounted(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for year, want := range map[string]bool{"1999": true, "2026": false} {
		page := v.Open("/admin/reports/Registrations?calendar=" + year)
		if got := strings.Contains(page.Text("main"), "No records match these filters."); got != want ||
			page.Find("main svg.plot, main .plot").Length() > 0 == want {
			t.Errorf("%s: %.600s", year, page.Text("main"))
		}
	}
}

// TestTotals follows each number that leads to a list, and finds as many there, with the filters of the report, too.
func TestTotals(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	country := strings.TrimSpace(i.Lines("SELECT citizenship FROM applicant WHERE citizenship <> '' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"))
	years := []string{"calendar=2025", "calendar=2026"}
	for name, want := range map[string]struct {
		queries []string
		least   int
	}{"ReportStatus": {filters(i), 10}, "ReportCourses": {filters(i), 10}, "ReportCitizenships": {filters(i), 10},
		"ReportTrackers": {filters(i), 10}, "ReportTasks": {filters(i)[:3], 10}, "ReportInvoices": {years, 2},
		"Registrations": {append(years, "calendar=2025&size=250&citizenship="+country), 10}} {
		of, err := report.ReportNamed(name)
		i.Must(err)
		followed, above := 0, 0
		for n, query := range want.queries {
			if strings.Contains(query, "citizenship") && !slices.Contains(of.Parameters, "citizenships") {
				continue
			}
			if strings.Contains(query, "course=") && !slices.Contains(of.Parameters, "courses") ||
				strings.Contains(query, "intake=") && !slices.Contains(of.Parameters, "intakes") {
				continue
			}
			links := v.Open("/admin/reports/" + name + "?" + query).Find(`td a[href*="?"]`)
			most := apptest.Size(3, 12)
			if n == 0 {
				most = apptest.Size(12, math.MaxInt)
			}
			for at, a := range links.EachIter() {
				if at >= most {
					break
				}
				list := v.Open(a.AttrOr("href", ""))
				said := strings.Replace(list.Text(".list header strong"), "One ", "1 ", 1)
				if got := leading.FindString(said); got != strings.TrimSpace(a.Text()) {
					t.Errorf("%s?%s says %s, %s has %s", name, query, a.Text(), list.Path, got)
				} else if got != "0" {
					above++
				}
				followed++
			}
		}
		if followed < want.least || above == 0 {
			t.Errorf("%s has only %d numbers that lead on, %d of them above 0", name, followed, above)
		}
	}
}

// TestNoList leads nowhere where the list would count something else: it lacks a filter of the report, which is said.
func TestNoList(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for _, query := range []string{"ReportStatus?term=all&year=2026", "ReportStatus?term=all&region=EU",
		"ReportTasks?term=all&institution=1", "ReportTasks?term=1&term=2", "ReportInvoices?calendar=2026&institution=1",
		"Registrations?calendar=2026&region=EU"} {
		page := v.Open("/admin/reports/" + query)
		if rows := page.Find(".tablewrap tbody tr").Length(); rows == 0 && !strings.Contains(query, "Tasks") {
			t.Errorf("%s has no rows: %d", query, page.Status)
		}
		if links := page.Find(`td a[href*="?"]`); links.Length() > 0 {
			t.Errorf("%s leads to %s", query, links.AttrOr("href", ""))
		}
		why := "since none has these filters"
		if strings.Contains(query, "term=2") {
			why = "since lists are of one term or of all"
		}
		if text := page.Text("main"); page.Find(".tablewrap tbody tr").Length() > 0 && !strings.Contains(text, why) {
			t.Errorf("%s does not say %q", query, why)
		}
	}
	for query, why := range map[string]string{
		"ReportFunnel?term=all":        "they count people",
		"ReportOffers?term=all":        "they count offers",
		"ReportScores?term=all":        "Each scoresheet leads",
		"ReportDeadlines?term=all":     "the deadline of a territory",
		"ReportStatus?term=1&term=2":   "of one term or of all",
		"ReportStatus?term=all":        "",
		"ReportInvoices?calendar=2026": "",
	} {
		text := v.Open("/admin/reports/" + query).Text("main")
		if strings.Contains(text, "lead to no list") != (why != "") || !strings.Contains(text, why) {
			t.Errorf("%s does not say %q", query, why)
		}
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ReportsView))
	page := few.Open("/admin/reports/Registrations?calendar=2026")
	if links := page.Find("td a"); links.Length() > 0 || !strings.Contains(page.Text("main"), "you may not open the one") {
		t.Errorf("a list is offered that may not be opened, or nobody is told: %s", links.AttrOr("href", ""))
	}
}

// TestBarsOfCurrencies measures amounts by those of the same currency alone.
func TestBarsOfCurrencies(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	i.Put("UPDATE invoice SET currency = 'HUF', total = total * 400 WHERE id % 2 = 0")
	page := i.Staff(i.Superuser("Mara Lind")).Open("/admin/reports/ReportInvoices?calendar=2026")
	full := map[string]int{}
	for _, row := range page.Find(".tablewrap tbody tr").EachIter() {
		for _, cell := range row.Find("td").EachIter() {
			if currency := strings.TrimSpace(cell.Text()); len(currency) == 3 && currency == strings.ToUpper(currency) {
				full[currency] += row.Find(`svg.gauge rect[width="100"]`).Length()
			}
		}
	}
	for currency, n := range full {
		if n == 0 || len(full) < 2 {
			t.Errorf("%d bars of %s have the full width: %v", n, currency, full)
		}
	}
}

// TestEveryReport opens each report with its filters, finds all rows of the use case on its pages and in its file, and
// every title in words.
func TestEveryReport(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	i.Put("UPDATE applicant SET family = '=1+1' WHERE id = (SELECT min(applicant_id) FROM applicant_tracker)")
	list := v.Open("/admin/reports")
	for _, of := range report.Reports() {
		path := "/admin/reports/" + of.Name
		if list.Find(`td a[href="`+path+`"]`).Length() != 1 {
			t.Errorf("%s is not in the list", of.Name)
		}
		query := "?term=all&compared=2026"
		q := admitto.ReportQuery{Compared: 2026}
		if !slices.Contains(of.Parameters, "academicTerm") {
			query = "?calendar=2026"
			q = admitto.ReportQuery{CalendarYear: 2026}
		}
		var want [][]string
		i.Must(i.Services.Reports.Report(t.Context(), admitto.SystemCaller(), &of, q, nil, func(admitto.Time) {},
			func(row []any) error {
				var cells []string
				for _, cell := range row {
					text := report.CellText(cell)
					if strings.HasPrefix(text, "=") {
						text = "'" + text
					}
					cells = append(cells, text)
				}
				want = append(want, cells)
				return nil
			}))
		page := v.Open(path + query)
		said := strings.ReplaceAll(leading.FindString(page.Text(".list header strong")), ",", "")
		if rows := page.Find(".tablewrap tbody tr").Length(); rows != min(len(want), 50) || said != fmt.Sprint(len(want)) {
			t.Errorf("%s shows %d rows and says %s, want %d", page.Path, rows, said, len(want))
		}
		if bars := page.Find(".tablewrap svg.gauge rect").Length(); bars != min(len(want), 50) || bars == 0 {
			t.Errorf("%s has %d bars", page.Path, bars)
		}
		if text := page.Text("main"); strings.Contains(text, "report_") || strings.Contains(text, "reports.") ||
			!strings.Contains(text, " calculated ") {
			t.Errorf("%s: %.300s", page.Path, text)
		}
		file := table(t, v.Open(path+"/csv"+query))
		if got, want := fmt.Sprint(file[1:]), fmt.Sprint(want); got != want {
			t.Errorf("%s has\n%.300s, want\n%.300s", path, got, want)
		}
		if got, want := fmt.Sprint(file[0]), fmt.Sprint(of.Columns(q.Compared != 0)); got != want {
			t.Errorf("%s has the columns %s, want %s", path, got, want)
		}
	}
	if page := v.Open("/admin/reports/Registrations?calendar=2026"); page.Find("figure.plot polyline").Length() == 0 {
		t.Error("registrations have no lines")
	}
	page := v.Open("/admin/reports/ReportInvoices?calendar=2026")
	lines := page.Find("figure.plot polyline").Length()
	if drawn := page.Find("figure.plot svg[role=img]").Length(); drawn == 0 || lines != 2*drawn {
		t.Errorf("invoices have %d lines in %d drawings", lines, drawn)
	}
	number := func(text string) int {
		n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err != nil {
			t.Error(err)
		}
		return n
	}
	drawn, counted := 0, 0
	page.Find("figure.plot tbody tr").Each(func(_ int, row *goquery.Selection) {
		drawn += number(row.Find("td").First().Text())
	})
	for _, row := range table(t, v.Open("/admin/reports/ReportInvoices/csv?calendar=2026"))[1:] {
		counted += number(row[2])
	}
	if drawn != counted || drawn == 0 {
		t.Errorf("%d invoices are drawn of %d", drawn, counted)
	}
}

// TestAddress gives an address without a term the reader's, and without a calendar year the current one; it leads back
// from behind the last page.
func TestAddress(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	year := i.Clock.Now().Std().Year()
	for address, want := range map[string]string{
		"ReportStatus":                     fmt.Sprint("ReportStatus?term=", term(i, v)),
		"ReportStatus?year=2026&course=":   "ReportStatus?term=all&year=2026",
		"ReportStatus?term=all&page=9":     "ReportStatus?term=all",
		"Registrations?calendar=2026":      "Registrations?calendar=2026",
		"Registrations?calendar=":          fmt.Sprint("Registrations?calendar=", year),
		"ReportInvoices?size=25&page=9999": fmt.Sprintf("ReportInvoices?calendar=%d&size=25", year),
	} {
		if page := v.Open("/admin/reports/" + address); page.Path != "/admin/reports/"+want || page.Status != 200 {
			t.Errorf("%s leads to %s (%d), want %s", address, page.Path, page.Status, want)
		}
	}
	if page := v.Open("/admin/reports/reportstatus"); page.Status != 404 {
		t.Error(page.Status)
	}
	page := v.Open("/admin/reports/ReportStatus?term=all").Submit("Apply filters", "compared", "2026", "citizenship", "PT")
	at, err := url.Parse(page.Path)
	i.Must(err)
	if got := at.Query().Encode(); got != "citizenship=PT&compared=2026&term=all" ||
		!strings.Contains(page.Text("table"), "Compared applications") || !strings.Contains(page.Text(".chips"), "Portugal") {
		t.Errorf("the form leads to %s: %s", got, page.Text("table"))
	}
}

// term is the one that the reader's lists begin with.
func term(i *sitetest.Instance, v *sitetest.Visitor) string {
	at, err := url.Parse(v.Open("/admin/applications").Path)
	i.Must(err)
	return at.Query().Get("term")
}

// TestBadInput asks for what is missing and says what is wrong by the name of the filter; nothing is counted, no file
// is made, and what was typed stays.
func TestBadInput(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	v := i.Staff(i.Superuser("Mara Lind"))
	for query, want := range map[string][]string{
		"ReportStatus?term=soon":                      {"Choose one of the list"},
		"ReportStatus?term=-1":                        {"Choose one of the list"},
		"ReportStatus?term=all&course=x":              {"Choose one of the list"},
		"ReportStatus?term=all&citizenship=Portugal":  {"Choose one of the list"},
		"ReportStatus?term=all&region=%3Cscript%3E":   {"Choose one of the list"},
		"ReportStatus?term=all&compared=99":           {"Choose one of the list"},
		"Registrations?calendar=MMXXVI":               {"Write the year with four digits, such as 2027"},
		"Registrations?calendar=20260":                {"Write the year with four digits, such as 2027"},
		"Strict?term=all":                             {"Choose or write: Academic year", "Choose or write: Intake"},
		"Strict?term=all&year=2026&compared=whenever": {"Choose one of the list", "Choose or write: Intake"},
	} {
		page := v.Open("/admin/reports/" + query)
		if clear := page.Find(".chips a").Last().AttrOr("href", ""); strings.HasPrefix(query, "ReportStatus") &&
			len(v.Open(clear).Errors()) > 0 {
			t.Errorf("%s: the way out leads to %s, where something is wrong, too", query, clear)
		}
		if got := page.Errors(); fmt.Sprint(got) != fmt.Sprint(want) || page.Find(".tablewrap").Length() != 0 ||
			!strings.Contains(page.Text(".empty"), "Not calculated yet") {
			t.Errorf("%s says %q, want %q", query, got, want)
		}
		for _, a := range page.Find(".errors a, .error-summary a").EachIter() {
			if id := a.AttrOr("href", ""); page.Find(id).Length() != 1 {
				t.Errorf("%s: there is no field %s", query, id)
			}
		}
		path, values, _ := strings.Cut(query, "?")
		if file := v.Open("/admin/reports/" + path + "/csv?" + values); !strings.HasPrefix(file.Path,
			"/admin/reports/"+path+"?") {
			t.Errorf("%s makes the file %s", query, file.Path)
		}
	}
	if page := v.Open("/admin/reports/Registrations?calendar=MMXXVI"); page.Find("#filter-calendar").AttrOr("value",
		"") != "MMXXVI" {
		t.Error("what was typed is gone")
	}
}

// TestPermissions offers each report, column and filter to those only who see the same data elsewhere.
func TestPermissions(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	all := admitto.AllPermissions()
	needs := map[string]admitto.Permission{"ReportOffers": admitto.OffersView, "ReportTasks": admitto.ApplicationsView,
		"ReportScores": admitto.ApplicationsView, "ReportTrackers": admitto.ApplicantsView,
		"ReportTrackersApplicantDetails": admitto.ApplicantsView, "ReportInvoices": admitto.AccountingView}
	for _, without := range []admitto.Permission{0, admitto.OffersView, admitto.ApplicationsView, admitto.ApplicantsView,
		admitto.AccountingView, admitto.ReportsView} {
		v := i.Staff(i.Administrator("Without "+without.String(), all.Without(without).List()...))
		list := v.Open("/admin/reports")
		for _, of := range report.Reports() {
			may := without != admitto.ReportsView && (needs[of.Name] == 0 || needs[of.Name] != without)
			path := "/admin/reports/" + of.Name
			if offered := list.Find(`td a[href="`+path+`"]`).Length() == 1; offered != may {
				t.Errorf("without %s: %s is offered: %v", without, of.Name, offered)
			}
			for _, address := range []string{path, path + "/csv"} {
				if page := v.Open(address); page.Status == 200 != may || !may && page.Status != 403 {
					t.Errorf("without %s: %s answers %d", without, address, page.Status)
				}
			}
		}
	}
	v := i.Staff(i.Administrator("Kofi Haugen", admitto.ReportsView, admitto.ApplicantsView))
	for name, hidden := range map[string]string{"ReportCitizenships": "Offered Accepted",
		"ReportTrackers": "Offered Accepted", "ReportTrackersApplicantDetails": "Submitted applications"} {
		page := v.Open("/admin/reports/" + name)
		heads := fmt.Sprint(table(t, v.Open("/admin/reports/"+name+"/csv"))[0])
		for _, title := range strings.SplitAfter(hidden, " ") {
			if strings.Contains(page.Text("thead"), title) || strings.Contains(heads, title) {
				t.Errorf("%s shows %s", name, title)
			}
		}
	}
	const details = "/admin/reports/ReportTrackersApplicantDetails"
	if page := v.Open(details); page.Find("[name=term]").Length() != 0 {
		t.Error("the term is offered to those who may not see applications")
	}
	for _, address := range []string{details + "?term=1", details + "/csv?year=2026"} {
		if page := v.Open(address); page.Status != 403 {
			t.Errorf("%s answers %d", address, page.Status)
		}
	}
}
