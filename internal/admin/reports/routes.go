// Package reports has the pages of the reports (screens.md A48): the list of them, and one with its filters.
package reports

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// TermOf is the term that the reader's lists begin with, 0 without any.
type TermOf func(r *site.Request) int64

type pages struct {
	*services.Services
	termOf TermOf
}

// Routes are the pages of the reports with who may open them.
func Routes(s *services.Services, termOf TermOf) []site.Route {
	p := &pages{s, termOf}
	view := site.Needs(admitto.ReportsView)
	return []site.Route{
		{Name: "reports", Path: "/admin/reports", Access: view, Handle: p.list},
		{Name: "report", Path: "/admin/reports/{name}", Access: view, Parent: "reports", Handle: p.report},
		{Name: "report-csv", Path: "/admin/reports/{name}/csv", Access: view, Handle: p.csv},
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// list names the reports that the reader may see.
func (p *pages) list(r *site.Request) error {
	offered := report.Offered(r.Reader())
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("reports.report"), Place: "main"},
		{Title: r.T("reports.about")}}}
	for i := range offered {
		name := offered[i].Name
		table.Rows = append(table.Rows, ui.Row{Label: r.T("report_title." + name), Cells: []ui.Cell{
			{Text: r.T("report_title." + name), Href: r.At("report", name)}, {Text: r.T("report_about." + name)}}})
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("reports.count", len(offered))},
		Table: table}.Show(r)
}
