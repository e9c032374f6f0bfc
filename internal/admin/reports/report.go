package reports

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// sheet is what a page shows of a report: the rows of the page, and what is said of all.
type sheet struct {
	at    admitto.Time
	rows  [][]any
	total int
	more  bool           // there are more than total
	whole map[string]int // what the full width of a bar stands for, by its unit
	all   [][]any
}

// nothing reports whether there are rows, and all of them have zero, as those of a year without data.
func (s *sheet) nothing() bool {
	for _, most := range s.whole {
		if most > 0 {
			return false
		}
	}
	return len(s.whole) > 0
}

// mostRows is how many rows of a report are read that a page does not show: one with a row a person has any number.
const mostRows = 5000

// named finds a report.
var named = report.ReportNamed

// report is one report: its filters, and the rows that they leave.
func (p *pages) report(r *site.Request) error {
	of, err := named(r.Part("name"))
	if err != nil {
		return err
	}
	return p.show(r, of)
}

// show is the page of a report.
func (p *pages) show(r *site.Request, of *report.Report) error {
	a := p.ask(r, of)
	if err := p.Reports.MayRead(r.Reader(), of); err != nil {
		return err
	}
	if whole, ok := p.whole(a); !ok {
		return r.Redirect(whole)
	}
	if err := p.readNames(a); err != nil {
		return err
	}
	r.SetTitle(r.T("report_title." + of.Name))
	page := site.ListPage{Filters: a.pane(), Chips: ui.Chips{Chips: a.chips(), Clear: a.cleared()}}
	page.Head = ui.ListHead{Title: r.Title(), FilterDrawer: "filters"}
	if !a.ready() {
		page.Above = []ui.Component{a.faults()}
		page.Table.Empty = ui.Empty{Icon: "chart-column", Title: r.T("reports.not_yet"), Text: r.T("reports.not_yet_text")}
		return page.Show(r)
	}
	s, err := p.read(a)
	if err != nil {
		return err
	}
	if last, beyond := a.view.Beyond(len(s.rows), s.total); beyond {
		return r.Redirect(last)
	}
	page.Head.Strong = r.Plural("reports.rows", s.total)
	if s.more {
		page.Head.Strong = r.Plural("reports.rows_more", s.total)
	}
	page.Head.Count = r.T("reports.at", "Time", r.Clock(s.at))
	csv := r.At("report-csv", of.Name)
	if r.URL.RawQuery != "" {
		csv += "?" + r.URL.RawQuery
	}
	page.Head.Actions = []ui.Button{{Text: "CSV", Icon: "download", Href: csv, Small: true}}
	page.Above = a.plot(s)
	if s.nothing() {
		page.Above = []ui.Component{ui.Notice{Tone: ui.Info, Text: a.whyNothing()}}
	}
	if why := a.whyNoList(); why != "" && len(s.rows) > 0 {
		page.Above = append(page.Above, ui.Words{Text: why, Muted: true})
	}
	page.Table = a.table(s)
	page.Pager = a.view.PagerOver(s.total, s.more)
	if len(s.rows) == 0 {
		page.Table.Empty = ui.Empty{Icon: "chart-column", Title: r.T("reports.none"), Text: a.whyNothing()}
	}
	return page.Show(r)
}

// whyNothing says why there is nothing to count: a filter is taken out only where there is one.
func (a *asking) whyNothing() string {
	if term := a.view.Get("term"); len(a.chips()) == 0 && term == allTerms {
		return a.r.T("reports.nothing_yet")
	}
	return a.r.T("reports.none_text")
}

// read calculates the report and keeps the rows of the page; a plot needs all of them.
func (p *pages) read(a *asking) (s *sheet, err error) {
	s = &sheet{whole: map[string]int{}}
	first := a.view.Offset()
	bar := a.bar()
	err = p.Reports.Report(a.r.Context(), a.r.Reader(), a.report, a.query, a.regions,
		func(at admitto.Time) { s.at = at }, func(row []any) error {
			if s.total == first+a.view.Size+mostRows {
				s.more = true
				return report.ErrEnough
			}
			if bar >= 0 {
				unit := a.unit(row)
				s.whole[unit] = max(s.whole[unit], amount(row[bar]))
			}
			if s.total >= first && s.total < first+a.view.Size {
				s.rows = append(s.rows, row)
			}
			if a.isPlotted() {
				s.all = append(s.all, row)
			}
			s.total++
			return nil
		})
	return s, err
}

// csv is the report as a file, all its rows.
func (p *pages) csv(r *site.Request) error {
	of, err := named(r.Part("name"))
	if err != nil {
		return err
	}
	a := p.ask(r, of)
	if err := p.Reports.MayRead(r.Reader(), of); err != nil {
		return err
	}
	if !a.ready() {
		return r.Redirect(strings.Replace(a.view.With(), r.URL.Path, r.At("report", of.Name), 1)) // which says so
	}
	var at admitto.Time
	err = p.Reports.Report(r.Context(), r.Reader(), of, a.query, a.regions,
		func(began admitto.Time) { at = began }, nil)
	if err != nil {
		return err
	}
	shown := a.columns()
	var heads []string
	for _, c := range shown {
		heads = append(heads, r.T(columnKey(c.title)))
	}
	name := of.Name + "-" + at.Std().UTC().Format("20060102T150405Z")
	return r.CSV(name, heads, func(line func(cells ...string) error) error {
		cells := make([]string, len(shown))
		return p.Reports.Report(r.Context(), r.Reader(), of, a.query, a.regions, func(admitto.Time) {},
			func(row []any) error {
				for i, c := range shown {
					cells[i] = report.CellText(row[c.at])
				}
				return line(cells...)
			})
	})
}
