package admin

import (
	"fmt"
	"io"
	"net/url"
	"slices"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/ui"
)

// tableviewRoutes are screens.md A47.
func (p *pages) tableviewRoutes() []site.Route {
	use := site.Needs(admitto.TableviewsUse)
	return []site.Route{
		{Name: "tableviews", Path: "/admin/tableviews", Access: use, Handle: p.tableviews},
		{Name: "tableview-new", Path: "/admin/tableviews/new", Access: use, Form: true, Parent: "tableviews",
			Handle: p.newTableview},
		{Name: "tableview-preview", Path: "/admin/tableviews/preview", Access: use, Only: true, Again: true,
			Handle: p.previewTableview},
		{Name: "tableview", Path: "/admin/tableviews/{id}", Access: use, Form: true, Parent: "tableviews",
			Handle: p.tableview},
		{Name: "tableview-csv", Path: "/admin/tableviews/{id}/csv", Access: use, Handle: p.tableviewCSV},
		{Name: "tableview-delete", Path: "/admin/tableviews/{id}/delete", Access: use, Form: true, Parent: "tableviews",
			Handle: p.deleteTableview},
	}
}

// tableviews lists the tableviews that the reader sees: shared ones, and their own.
func (p *pages) tableviews(r *site.Request) error {
	list, err := p.Reports.Tableviews(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	staff, err := p.Query.Administrators(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	names := map[int64]string{}
	for i := range staff {
		names[staff[i].ID] = staff[i].Name
	}
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("tableview.title"), Place: "main"},
		{Title: r.T("tableview.shared"), Place: "meta"}, {Title: r.T("tableview.rows"), Place: "label"},
		{Title: r.T("tableview.columns"), Place: "label", Num: true}, {Title: r.T("tableview.owner"), Place: "label"},
		{Title: r.T("tableview.modified"), Place: "label"}},
		Empty: ui.Empty{Icon: "table", Title: r.T("tableview.none"), Text: r.T("tableview.none_text"),
			Actions: r.Buttons(site.Primary("tableview-new"))}}
	for i := range list {
		v := &list[i]
		table.Rows = append(table.Rows, ui.Row{Label: v.Title, Cells: []ui.Cell{
			{Text: v.Title, Href: r.At("tableview", v.ID)}, {Text: sharedWord(r, v.Private)}, {Text: rowsWord(r, v.ByOffer)},
			{Text: r.Number(len(v.Columns))}, {Text: names[v.Owner]}, {Text: r.Day(v.Modified)}}})
	}
	page := site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("tableview.count", len(list))}, Table: table}
	if len(list) > 0 {
		page.Head.Actions = r.Buttons(site.Primary("tableview-new"))
	}
	return page.Show(r)
}

func sharedWord(r *site.Request, private bool) string {
	if private {
		return r.T("tableview.private_word")
	}
	return r.T("tableview.shared_word")
}

func rowsWord(r *site.Request, byOffer bool) string {
	if byOffer {
		return r.T("tableview.by_offer")
	}
	return r.T("tableview.by_application")
}

// newTableview begins with the filters of its address, which may be those of the applications browser, or with what
// another tableview has.
func (p *pages) newTableview(r *site.Request) error {
	t, err := p.building(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	if from := r.View(false).ID("from"); from != 0 {
		if t.view, err = p.Reports.Tableview(r.Context(), r.Reader(), from); err != nil {
			return err
		}
		if t.filters, err = admitto.ReadTableFilters(t.view.Filters); err != nil {
			return err
		}
		t.view.ID, t.view.Owner, t.view.Private = 0, r.Reader().Actor.ID, true
		t.view.Title = ui.Unmarked(r.T("tableview.copy", "Title", t.view.Title))
		query = t.queryOf(&t.filters)
		t.dropForeign()
	} else {
		t.view = admitto.Tableview{Owner: r.Reader().Actor.ID, Private: true}
		if id := p.termOf(r); id != 0 && query.Get("term") == "" { // of the term selector (screens.md U15)
			query.Set("term", number(id))
		}
		for _, source := range usualColumns(query[columnName]) {
			if report.MayColumn(r.Reader(), source) == nil {
				t.view.Columns = append(t.view.Columns, admitto.TableColumn{Source: source, Title: source})
			}
		}
	}
	return p.build(r, t, query)
}

// dropForeign takes out of a clone what the reader may not put into a tableview: columns, filters, and rows of offers.
func (t *tableBuild) dropForeign() {
	by := t.r.Reader()
	columns := len(t.view.Columns)
	t.view.Columns = slices.DeleteFunc(slices.Clone(t.view.Columns), func(c admitto.TableColumn) bool {
		return report.MayColumn(by, c.Source) != nil
	})
	t.dropped = columns - len(t.view.Columns)
	if report.MayRows(by, &t.view) == nil {
		return
	}
	t.narrowed = true
	t.view.ByOffer = t.view.ByOffer && by.Has(admitto.OffersView)
	if t.filters = furtherOf(&t.filters); t.browsing == nil {
		t.filters = admitto.TableFilters{}
	}
	q := t.filters.Query() // those that have no field
	if slices.ContainsFunc(q.Shows(), func(p admitto.Permission) bool { return !by.Has(p) }) {
		t.filters = admitto.TableFilters{}
	}
}

// usualColumns are those that a new tableview begins with: of the list that it is made from, or a few.
func usualColumns(list []string) (sources []string) {
	sources = []string{"Application", "Name"}
	if len(list) == 0 {
		return append(sources, "Citizenship", "Status", "Course 1", "Submitted date")
	}
	of := map[string]string{"applicant_id": "Applicant", "citizenship": "Citizenship", "status": "Status",
		"courses": "Course", "created": "Created date", "revised": "Revised date", "submitted": "Submitted date",
		"flags": "Flags", "term": "Academic term"}
	for _, name := range list {
		if of[name] != "" {
			sources = append(sources, of[name])
		}
	}
	return sources
}

// tableview is a tableview that there is: the form of it for those who may change it, otherwise what it has.
func (p *pages) tableview(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.building(r)
	if err != nil {
		return err
	}
	if t.version, err = p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.TableviewRow,
		ID: id}); err != nil {
		return err
	}
	if t.view, err = p.Reports.Tableview(r.Context(), r.Reader(), id); err != nil {
		return err
	}
	if t.filters, err = admitto.ReadTableFilters(t.view.Filters); err != nil {
		return err
	}
	if !report.ChangeableTableview(r.Reader(), &t.view) {
		return p.showTableview(r, t)
	}
	return p.build(r, t, t.queryOf(&t.filters))
}

// tableviewCSV is the tableview as a file, page by page as it is read. It has what the API answers with, but for cells
// that a spreadsheet would take for formulas.
func (p *pages) tableviewCSV(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	table, err := p.Reports.OpenTable(r.Context(), r.Reader(), id, tableForm())
	if err != nil {
		return err
	}
	rows, err := table.Next(r.Context())
	if err != nil {
		return err
	}
	return r.Download(fmt.Sprintf("tableview-%d.csv", id), "text/csv; charset=utf-8", func(w io.Writer) error {
		out := tabular.NewWriter(w)
		err := out.Row(site.SafeCells(table.Titles()))
		for err == nil && len(rows) > 0 {
			for i := 0; err == nil && i < len(rows); i++ {
				err = out.Row(site.SafeCells(rows[i]))
			}
			if err == nil {
				rows, err = table.Next(r.Context())
			}
		}
		if err != nil {
			return err
		}
		return out.Flush()
	})
}

// tableForm is how the current version of the API writes cells.
func tableForm() report.TableForm {
	return report.TableForm{Document: func(application, document int64) string {
		return fmt.Sprintf("%s/applications/%d/documents/%d", tablesAt, application, document)
	}}
}

// tablesAt is where the API has tables.
const tablesAt = "/api/v10"

// deleteTableview asks, and deletes.
func (p *pages) deleteTableview(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	v, err := p.Reports.Tableview(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return records.Removal{Query: p.Query, Name: v.Title, Row: admitto.Row{Kind: admitto.TableviewRow, ID: id},
		List: r.At("tableviews"), One: r.At("tableview", id), Effect: r.T("tableview.delete_effect"),
		Press: "action.tableview-delete", Act: func() error {
			return p.Reports.DeleteTableview(r.Context(), r.Caller(), id)
		}}.Show(r)
}

// previewTableview answers with the first rows of what is typed, while it is typed.
func (p *pages) previewTableview(r *site.Request) error {
	t, err := p.building(r)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if id := f.Choice("id"); id > 0 {
		if t.view, err = p.Reports.Tableview(r.Context(), r.Reader(), id); err != nil {
			return err
		}
		if t.filters, err = admitto.ReadTableFilters(t.view.Filters); err != nil {
			return err
		}
	}
	t.take(f)
	t.pick(f)
	box, err := p.firstRows(r, t)
	if err != nil {
		return err
	}
	return r.Fragment(box)
}

// listAddress is the list of the applications of a tableview; "" where the list cannot show it.
func (t *tableBuild) listAddress() string {
	terms := t.filters.Terms
	if !t.r.May("browse") || len(terms) > 1 || t.further() != "" || report.MayRows(t.r.Reader(), &t.view) != nil {
		return ""
	}
	query := t.queryOf(&t.filters)
	if len(terms) == 0 {
		query.Set("term", allTerms)
	}
	return t.r.At("browse") + "?" + url.Values(query).Encode()
}
