package records

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/ui"
)

// mostFile is how many bytes a file that is imported has.
const mostFile = 5 << 20

// mostCell is how many characters a cell has: as many as the longest text of a course.
const mostCell = 20_000

// mostShown is how many rows of a file a page shows.
const mostShown = 300

// Files are the pages that import and export the records of a kind (screens.md A26, A38, A40).
type Files struct {
	Import, Export string // the names of the routes
	Of             []any  // of their addresses
	Back           string // where one came from
	Name           string // of the file that is exported
	Text, Columns  string // messages about the rows and the columns
	Subject        string // the message that names what a row is about
	Rows, Width    int    // of a file at most
	Heads          []string
	Cells          func(r *site.Request) (Cells, error) // of the file that is exported
	Plan, Store    func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error)
	Link           func(r *site.Request, p *admitto.RowPlan) string // to what a row is about
}

// Cells give the rows of a file, one after the other, until row fails.
type Cells func(row func(cells ...string) error) error

// CellsOf are the cells of rows that were read already.
func CellsOf(rows [][]string) Cells {
	return func(row func(cells ...string) error) error {
		for _, cells := range rows {
			if err := row(cells...); err != nil {
				return err
			}
		}
		return nil
	}
}

// Download answers with all records as a file, which the import takes as it is.
func (s *Files) Download(r *site.Request) error {
	cells, err := s.Cells(r)
	if err != nil {
		return err
	}
	return r.CSV(s.Name, s.Heads, cells)
}

// Page takes a file, says what comes of each row, and stores it once that is asked for.
func (s *Files) Page(r *site.Request) error {
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
	plan, err := s.Plan(r, heads, rows)
	if err != nil {
		return err
	}
	if len(plan.Heads) > 0 {
		for _, fault := range plan.Heads {
			f.FailText("file", fault)
		}
		return s.ask(r, f)
	}
	pressed, seen := f.Get("write"), seenOf(&plan)
	if pressed == seen {
		stored, err := s.Store(r, heads, rows)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused && !stored.IsWrong() {
			r.Notify(ui.OK, r.T("csv_file.done", "New", stored.Count(admitto.RowNew), "Changed",
				stored.Count(admitto.RowChanged), "Unchanged", stored.Count(admitto.RowUnchanged)))
			return r.Redirect(s.Back)
		}
		if plan, err = s.Plan(r, heads, rows); err != nil {
			return err
		}
	}
	if err := f.KeepFiles(); err != nil {
		return err
	}
	return s.show(r, f, &plan, pressed != "")
}

// seenOf is a mark of what comes of a file: what somebody presses Import for is what they have seen.
func seenOf(plan *admitto.FilePlan) string {
	h := sha256.New()
	for i := range plan.Rows {
		p := &plan.Rows[i]
		fmt.Fprintf(h, "%d %d %s %q\n", p.Line, p.ID, p.State, p.Changes)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// read takes the rows out of the file that was sent, or kept from the page before.
func (s *Files) read(r *site.Request, f *site.Form) (heads []string, rows []admitto.FileRow, err error) {
	file, err := f.File("file")
	if err != nil {
		return nil, nil, err
	}
	if file == nil {
		f.Fail("file", "csv_file.no_file")
		return nil, nil, nil
	}
	if file.Size > mostFile {
		f.Fail("file", "csv_file.too_large", "Size", r.Size(mostFile))
		return nil, nil, nil
	}
	content, err := file.Bytes(mostFile)
	if err != nil {
		return nil, nil, err
	}
	table, ok, err := Table(r, f, "file", content,
		tabular.Bounds{Rows: s.Rows, Width: s.Width, Cell: mostCell})
	if err != nil || !ok {
		return nil, nil, err
	}
	for _, record := range table.Records[1:] {
		rows = append(rows, admitto.FileRow{Line: record.Line, Cells: record.Cells})
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
func (s *Files) ask(r *site.Request, f *site.Form) error {
	field, err := f.Upload("file", "csv_file.file", ".csv,text/csv")
	if err != nil {
		return err
	}
	field.Hint = r.T("csv_file.file_hint", "Rows", r.Number(s.Rows))
	box := f.Box([]ui.Button{r.Save("csv_file.check"), r.Cancel(s.Back)}, field)
	return site.Sheet{Intro: []string{r.T("csv_file.intro"), r.T(s.Text)}, Parts: []ui.Component{box,
		ui.Heading{Title: r.T("csv_file.columns"), Text: r.T(s.Columns)},
		ui.Words{Text: strings.Join(s.Heads, ", ")},
		ui.Acts(r.Buttons(site.Do(s.Export, s.Of...)))}}.Show(r)
}

// show says what comes of each row: what is wrong first, then what is new or changes.
func (s *Files) show(r *site.Request, f *site.Form, plan *admitto.FilePlan, changed bool) error {
	facts := ui.KeyValues{}
	states := []admitto.RowState{admitto.RowWrong, admitto.RowNew, admitto.RowChanged, admitto.RowUnchanged}
	for _, state := range states {
		facts.Facts = append(facts.Facts, ui.KeyValue{Key: r.T("csv_file." + string(state)),
			Value: r.Number(plan.Count(state))})
	}
	rows := slices.Clone(plan.Rows)
	slices.SortStableFunc(rows, func(a, b admitto.RowPlan) int {
		return slices.Index(states, a.State) - slices.Index(states, b.State)
	})
	table := ui.Table{Caption: r.T("csv_file.rows"), Cards: true, Columns: []ui.Column{
		{Title: r.T("csv_file.line"), Place: "label", Num: true}, {Title: r.T(s.Subject), Place: "main"},
		{Title: r.T("csv_file.state"), Place: "meta"}, {Title: r.T("csv_file.what"), Place: "label"}}}
	for i := range rows[:min(len(rows), mostShown)] {
		table.Rows = append(table.Rows, s.row(r, &rows[i]))
	}
	parts := []ui.Component{}
	if changed && !f.Failed() {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("csv_file.meanwhile")})
	}
	due := plan.Count(admitto.RowNew) + plan.Count(admitto.RowChanged)
	again := ui.Button{Text: r.T("csv_file.another"), Plain: true, Href: r.At(s.Import, s.Of...)}
	switch {
	case plan.IsWrong():
		parts = append(parts, ui.Notice{Tone: ui.Bad, Text: r.Plural("csv_file.mend", plan.Count(admitto.RowWrong))},
			facts, ui.Acts{again})
	case due == 0:
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("csv_file.nothing")}, facts, ui.Acts{again})
	default:
		button := r.Save("csv_file.press")
		button.Text, button.Name, button.Value = r.Plural("csv_file.press", due), "write", seenOf(plan)
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
func (s *Files) row(r *site.Request, p *admitto.RowPlan) ui.Row {
	tags := map[admitto.RowState]ui.Tag{admitto.RowWrong: {Icon: "circle-alert", Tone: ui.Bad},
		admitto.RowNew: {Icon: "plus", Tone: ui.OK}, admitto.RowChanged: {Icon: "pencil", Tone: ui.Info},
		admitto.RowUnchanged: {Icon: "check"}}
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
		cell.Href = s.Link(r, p)
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
