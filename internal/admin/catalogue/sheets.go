package catalogue

import (
	"context"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// mostSheet is how many bytes a file that is imported has.
const mostSheet = 5 << 20

// mostCell is how many characters a cell has: as many as the longest text of a course.
const mostCell = 20_000

// mostShown is how many rows of a file a page shows.
const mostShown = 300

// sheetPages are the pages that import and export the records of a kind (screens.md A38, A40).
type sheetPages struct {
	kind  string // of the routes and messages: "course"
	list  string
	heads func(languages []string) []string
	cells func(r *site.Request, languages []string) ([][]string, error)
	plan  func(ctx context.Context, by admitto.Caller, heads []string, rows []catalog.SheetRow) (catalog.SheetPlan,
		error)
	store func(ctx context.Context, by usecase.Caller, heads []string, rows []catalog.SheetRow) (catalog.SheetPlan,
		error)
}

// routes are below the address of the list.
func (s *sheetPages) routes(path string, access site.Access) []site.Route {
	return []site.Route{
		{Name: s.kind + "-export", Path: path + "/export", Access: access, Handle: s.export},
		{Name: s.kind + "-import", Path: path + "/import", Access: access, Form: true, Files: true, Again: true,
			Handle: s.page},
	}
}

// buttons lead from the list to the files.
func (s *sheetPages) buttons(r *site.Request) []ui.Button {
	return r.Buttons(site.Do(s.kind+"-import"), site.Do(s.kind+"-export"))
}

func (p *pages) courseSheets() *sheetPages {
	return &sheetPages{kind: "course", list: "courses", heads: catalog.CourseHeads,
		cells: func(r *site.Request, languages []string) ([][]string, error) {
			list, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
			return catalog.CourseCells(languages, list), err
		}, plan: p.Catalogue.PlanCourses, store: p.Catalogue.ImportCourses}
}

func (p *pages) intakeSheets() *sheetPages {
	return &sheetPages{kind: "intake", list: "intakes", heads: catalog.IntakeHeads,
		cells: func(r *site.Request, languages []string) ([][]string, error) {
			list, err := p.Query.Intakes(r.Context(), r.Reader())
			return catalog.IntakeCells(languages, list), err
		}, plan: p.Catalogue.PlanIntakes, store: p.Catalogue.ImportIntakes}
}

// export answers with all records as a file, which the import takes as it is.
func (s *sheetPages) export(r *site.Request) error {
	rows, err := s.cells(r, r.Settings().FurtherLanguages())
	if err != nil {
		return err
	}
	return r.CSV(s.list, s.heads(r.Settings().FurtherLanguages()), func(row func(cells ...string) error) error {
		for _, cells := range rows {
			if err := row(cells...); err != nil {
				return err
			}
		}
		return nil
	})
}

// page takes a file, says what comes of each row, and stores it once that is asked for.
func (s *sheetPages) page(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if !r.Posted() {
		return s.ask(r, f)
	}
	heads, rows, err := s.read(r, f)
	if err != nil {
		return err
	}
	if f.Failed() {
		return s.ask(r, f)
	}
	if f.Has("write") {
		plan, err := s.store(r.Context(), r.Caller(), heads, rows)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused && !plan.IsWrong() {
			r.Notify(ui.OK, r.T("csv_file.done", "New", plan.Count(catalog.RowNew), "Changed",
				plan.Count(catalog.RowChanged),
				"Unchanged", plan.Count(catalog.RowUnchanged)))
			return r.Redirect(r.At(s.list))
		}
	}
	plan, err := s.plan(r.Context(), r.Reader(), heads, rows)
	if err != nil {
		return err
	}
	if len(plan.Heads) > 0 {
		for _, fault := range plan.Heads {
			f.FailText("file", fault)
		}
		return s.ask(r, f)
	}
	if err := f.KeepFiles(); err != nil {
		return err
	}
	return s.show(r, f, &plan)
}

// read takes the rows out of the file that was sent, or kept from the page before.
func (s *sheetPages) read(r *site.Request, f *site.Form) (heads []string, rows []catalog.SheetRow, err error) {
	file, err := f.File("file")
	if err != nil {
		return nil, nil, err
	}
	if file == nil {
		f.Fail("file", "csv_file.no_file")
		return nil, nil, nil
	}
	if file.Size > mostSheet {
		f.Fail("file", "csv_file.too_large", "Size", r.Size(mostSheet))
		return nil, nil, nil
	}
	content, err := file.Bytes(mostSheet)
	if err != nil {
		return nil, nil, err
	}
	table, ok, err := records.Table(r, f, "file", content,
		tabular.Bounds{Rows: catalog.MostSheetRows, Width: catalog.MostSheetColumns, Cell: mostCell})
	if err != nil || !ok {
		return nil, nil, err
	}
	for _, record := range table.Records[1:] {
		rows = append(rows, catalog.SheetRow{Line: record.Line, Cells: record.Cells})
	}
	for _, head := range table.Records[0].Cells {
		heads = append(heads, strings.ToLower(head))
	}
	if rows == nil {
		f.Fail("file", "csv_file.no_rows")
	}
	return heads, rows, nil
}

// ask is the choice of a file.
func (s *sheetPages) ask(r *site.Request, f *site.Form) error {
	field, err := f.Upload("file", "csv_file.file", ".csv,text/csv")
	if err != nil {
		return err
	}
	field.Hint = r.T("csv_file.file_hint", "Rows", r.Number(catalog.MostSheetRows))
	box := f.Box([]ui.Button{r.Save("csv_file.check"), r.Cancel(r.At(s.list))}, field)
	return site.Sheet{Intro: []string{r.T("csv_file.intro"), r.T("csv_text." + s.kind)}, Parts: []ui.Component{box,
		ui.Heading{Title: r.T("csv_file.columns"), Text: r.T("csv_file.columns_text")},
		ui.Words{Text: strings.Join(s.heads(r.Settings().FurtherLanguages()), ", ")},
		ui.Acts(r.Buttons(site.Do(s.kind + "-export")))}}.Show(r)
}

// show says what comes of each row: what is wrong first, then what is new or changes.
func (s *sheetPages) show(r *site.Request, f *site.Form, plan *catalog.SheetPlan) error {
	facts := ui.KeyValues{}
	states := []catalog.RowState{catalog.RowWrong, catalog.RowNew, catalog.RowChanged, catalog.RowUnchanged}
	for _, state := range states {
		facts.Facts = append(facts.Facts, ui.KeyValue{Key: r.T("csv_file." + string(state)),
			Value: r.Number(plan.Count(state))})
	}
	rows := slices.Clone(plan.Rows)
	slices.SortStableFunc(rows, func(a, b catalog.RowPlan) int {
		return slices.Index(states, a.State) - slices.Index(states, b.State)
	})
	table := ui.Table{Caption: r.T("csv_file.rows"), Cards: true, Columns: []ui.Column{
		{Title: r.T("csv_file.line"), Place: "label", Num: true}, {Title: r.T("csv_file.name"), Place: "main"},
		{Title: r.T("csv_file.state"), Place: "meta"}, {Title: r.T("csv_file.what"), Place: "label"}}}
	for i := range rows[:min(len(rows), mostShown)] {
		table.Rows = append(table.Rows, s.row(r, &rows[i]))
	}
	parts := []ui.Component{}
	due := plan.Count(catalog.RowNew) + plan.Count(catalog.RowChanged)
	again := ui.Button{Text: r.T("csv_file.another"), Plain: true, Href: r.At(s.kind + "-import")}
	switch {
	case plan.IsWrong():
		parts = append(parts, ui.Notice{Tone: ui.Bad, Text: r.Plural("csv_file.mend", plan.Count(catalog.RowWrong))},
			facts, ui.Acts{again})
	case due == 0:
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("csv_file.nothing")}, facts, ui.Acts{again})
	default:
		button := r.Save("csv_file.press")
		button.Text, button.Name, button.Value = r.Plural("csv_file.press", due), "write", "yes"
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("csv_file.dry")}, facts,
			f.Box([]ui.Button{button, again}))
	}
	parts = append(parts, ui.Heading{Title: r.T("csv_file.rows")}, table)
	if more := len(rows) - mostShown; more > 0 {
		parts = append(parts, ui.Words{Text: r.Plural("csv_file.more", more), Muted: true})
	}
	return site.Sheet{Parts: parts}.Show(r)
}

// row is what comes of a row: its faults, or what changes.
func (s *sheetPages) row(r *site.Request, p *catalog.RowPlan) ui.Row {
	tags := map[catalog.RowState]ui.Tag{catalog.RowWrong: {Icon: "circle-alert", Tone: ui.Bad},
		catalog.RowNew: {Icon: "plus", Tone: ui.OK}, catalog.RowChanged: {Icon: "pencil", Tone: ui.Info},
		catalog.RowUnchanged: {Icon: "check"}}
	tag := tags[p.State]
	tag.Text = r.T("csv_file." + string(p.State))
	var lines []ui.Component
	for _, fault := range p.Faults {
		words := r.Say(fault.Text)
		if fault.Column != "" {
			words = fault.Column + ": " + words
		}
		lines = append(lines, ui.Words{Text: words})
	}
	for _, change := range p.Changes {
		name := strings.TrimPrefix(change.Path, "/")
		lines = append(lines, ui.Words{Text: r.T("csv_file.change", "Column", name, "Old", short60(change.Old), "New",
			short60(change.New))})
	}
	name := p.Name
	if name == "" {
		name = r.T("csv_file.no_name")
	}
	cell := ui.Cell{Text: name}
	if p.ID != 0 {
		cell.Href = r.At(s.kind, p.ID)
	}
	return ui.Row{Label: r.T("csv_file.line") + " " + r.Number(p.Line), Cells: []ui.Cell{{Text: r.Number(p.Line)}, cell,
		{Tags: []ui.Tag{tag}}, {Parts: lines}}}
}

// short60 is the beginning of a value.
func short60(value string) string {
	if runes := []rune(value); len(runes) > 60 {
		return string(runes[:60]) + " …"
	}
	return value
}
