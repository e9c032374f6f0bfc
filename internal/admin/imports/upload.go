package imports

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/ui"
)

// upload takes a file, or pasted rows.
func (p *pages) upload(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		file, ok, err := p.read(r, f)
		if err != nil {
			return err
		}
		if ok {
			id, err := p.Leads.Upload(r.Context(), r.Reader(), file)
			if refused, err := f.Refused(err, nil); err != nil {
				return err
			} else if !refused {
				return r.To("import-options", id)
			}
		}
	}
	field, err := f.Upload("file", "imports.file", ".csv,.txt,text/csv,text/plain")
	if err != nil {
		return err
	}
	field.Hint = r.T("imports.file_hint", "Rows", r.Number(leads.MostRows))
	field.Optional = true
	pasted := f.Long("rows", "imports.paste", 8, 0)
	pasted.Hint, pasted.Optional = r.T("imports.paste_hint"), true
	box := f.Box([]ui.Button{r.Save("action.import-upload"), r.Cancel(r.At("imports"))}, field, pasted)
	return site.Sheet{Intro: []string{r.T("imports.intro"), r.T("imports.known_text")},
		Parts: []ui.Component{box}}.Show(r)
}

// read takes the rows out of the file that was sent, or kept from the page before, or out of what was pasted.
func (p *pages) read(r *site.Request, f *site.Form) (file leads.File, ok bool, err error) {
	sent, pasted := f.SentFile("file"), f.Get("rows") != ""
	if sent == nil && !pasted {
		if sent, err = f.File("file"); err != nil {
			return file, false, err
		}
	}
	field, content := "rows", []byte(f.Typed("rows"))
	switch {
	case sent != nil && pasted:
		f.Fail("rows", "imports.both")
		return file, false, nil
	case sent != nil && sent.Size > leads.MostBytes:
		f.Fail("file", "csv_file.too_large", "Size", r.Size(leads.MostBytes))
		return file, false, nil
	case sent != nil:
		field, file.Name = "file", sent.Name
		if content, err = sent.Bytes(leads.MostBytes); err != nil {
			return file, false, err
		}
	case !pasted:
		f.Fail("file", "imports.neither")
		return file, false, nil
	}
	table, ok, err := records.Table(r, f, field, content, tabular.Bounds{Rows: leads.MostRows, Width: leads.MostColumns,
		Cell: leads.MostCell})
	if err != nil || !ok {
		return file, false, err
	}
	file.Encoding, file.Separator = string(table.Encoding), string(table.Separator)
	for _, record := range table.Records {
		file.Rows = append(file.Rows, leads.FileRow{Line: record.Line, Cells: record.Cells})
	}
	return file, true, nil
}

// fieldOf names the choice of what a column is.
func fieldOf(column int) string { return "column-" + strconv.Itoa(column+1) }

// options asks what the columns are, and what is done with the people besides; after that it is known what comes of
// each row.
func (p *pages) options(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	v, err := p.Leads.Show(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	if v.State != admitto.ImportUploaded && v.State != admitto.ImportChecking && v.State != admitto.ImportReady {
		return r.To("import", id)
	}
	stored := storedOptions(&v)
	f, err := r.Form(stored, v.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		o := p.typed(r, f, &v)
		err := p.Leads.SetOptions(r.Context(), r.Caller(), id, o)
		if site.Changed(err) {
			f.Meanwhile(stored, v.RowVersion, r.T("staff.somebody"), r.Clock(r.Now()), labels(r, f, &v)...)
		} else if refused, err := f.Refused(err, nil); err != nil {
			return err
		} else if !refused {
			return r.To("import", id)
		}
	}
	return p.showOptions(r, f, &v)
}

// labels are the fields of the form with their messages.
func labels(r *site.Request, f *site.Form, v *leads.View) (list [][2]string) {
	for column := range v.Heads {
		f.SetLabel(fieldOf(column), head(r, &v.LeadImport, column))
		list = append(list, [2]string{fieldOf(column), ""})
	}
	return append(list, [2]string{"tracker", "imports.trackers"}, [2]string{"basis", "imports.basis"},
		[2]string{"consent", "imports.consents"}, [2]string{"welcome", "imports.welcome"})
}

func storedOptions(v *leads.View) site.Values {
	stored := site.Values{"basis": site.One(v.Options.Basis)}
	for column := range v.Heads {
		field := ""
		if column < len(v.Options.Columns) {
			field = string(v.Options.Columns[column])
		}
		stored[fieldOf(column)] = site.One(field)
	}
	for _, id := range v.Options.Trackers {
		stored["tracker"] = append(stored["tracker"], number(id))
	}
	for _, c := range v.Options.Consents {
		stored["consent"] = append(stored["consent"], number(c.Consent))
	}
	if v.Options.Welcome {
		stored["welcome"] = site.One("yes")
	}
	return stored
}

// typed are the options that the form says. Trackers are those of who may assign them.
func (p *pages) typed(r *site.Request, f *site.Form, v *leads.View) (o admitto.LeadOptions) {
	for column := range v.Heads {
		o.Columns = append(o.Columns, admitto.LeadField(f.Get(fieldOf(column))))
	}
	o.Basis, o.Welcome, o.Trackers = f.Get("basis"), f.Has("welcome"), v.Options.Trackers
	if r.May("trackers") {
		o.Trackers = ids(f.All("tracker"))
	}
	for _, id := range ids(f.All("consent")) {
		o.Consents = append(o.Consents, admitto.LeadConsent{Consent: id})
	}
	return o
}

// ids are the IDs that were ticked; -1, which nothing has, stands for what is none.
func ids(ticked []string) (list []int64) {
	for _, text := range ticked {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id < 1 {
			id = -1
		}
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}

func (p *pages) showOptions(r *site.Request, f *site.Form, v *leads.View) error {
	sample, err := p.Leads.Sample(r.Context(), r.Reader(), v.ID, 3)
	if err != nil {
		return err
	}
	r.NameCrumb("import", r.T("imports.page_title", "ID", v.ID))
	parts := []ui.Component{ui.Heading{Title: r.T("imports.columns"), Text: r.T("imports.columns_text")}}
	choices := []ui.Option{{Text: r.T("imports.left_out")}}
	for _, field := range admitto.LeadFields() {
		choices = append(choices, ui.Option{Value: string(field), Text: r.T("lead_field." + string(field))})
	}
	var columns []ui.Component
	for column := range v.Heads {
		f.SetLabel(fieldOf(column), head(r, &v.LeadImport, column))
		choice := f.Select(fieldOf(column), "", choices...)
		choice.Hint = hint(r, sample, column)
		columns = append(columns, choice)
	}
	for pair := range slices.Chunk(columns, 2) {
		parts = append(parts, ui.Columns{Parts: pair})
	}
	parts = append(parts, ui.Heading{Title: r.T("imports.options"), Text: r.T("imports.options_text")})
	basis := f.Long("basis", "imports.basis", 3, 1000)
	basis.Hint = r.T("imports.basis_hint")
	parts = append(parts, basis)
	asked, err := p.Accounts.ConsentsAsked(r.Context())
	if err != nil {
		return err
	}
	var consents []ui.Option
	for n := range asked {
		if !asked[n].IsMandatory() {
			consents = append(consents, ui.Option{Value: number(asked[n].ID), Text: short(asked[n].Text, 160)})
		}
	}
	if consents != nil {
		box := f.Choices("consent", "imports.consents", true, consents...)
		box.Hint, box.Optional = r.T("imports.consents_hint"), true
		parts = append(parts, box)
	}
	if r.May("trackers") {
		list, err := p.Query.Trackers(r.Context(), r.Reader())
		if err != nil {
			return err
		}
		var trackers []ui.Option
		for n := range list {
			trackers = append(trackers, ui.Option{Value: number(list[n].ID), Text: list[n].Code})
		}
		if trackers != nil {
			box := f.Choices("tracker", "imports.trackers", true, r.ByText(trackers)...)
			box.Optional = true
			parts = append(parts, ui.Fold{Title: r.T("imports.assign"), Parts: []ui.Component{box},
				Open: f.Wrong("tracker") || len(f.All("tracker")) > 0})
		}
	}
	parts = append(parts, f.Tick("welcome", "imports.welcome", "imports.welcome_words"))
	box := f.Box([]ui.Button{r.Save("action.import-check"), r.Cancel(r.At("imports"))}, parts...)
	return site.Sheet{Intro: []string{r.T("imports.found", "File", fileName(r, &v.LeadImport), "Rows",
		r.Plural("imports.rows_of", int(v.Rows)), "Encoding", v.Encoding, "Separator", separator(r, v.Separator))},
		Buttons: r.Buttons(site.Danger("import-discard", v.ID)), Parts: []ui.Component{box}}.Show(r)
}

// separator says what stands between the cells.
func separator(r *site.Request, s string) string {
	switch s {
	case ";":
		return r.T("imports.semicolon")
	case "\t":
		return r.T("imports.tab")
	}
	return r.T("imports.comma")
}

// hint shows what stands in a column.
func hint(r *site.Request, sample [][]string, column int) string {
	var cells []string
	for _, row := range sample {
		if column < len(row) && row[column] != "" {
			cells = append(cells, apart(short(row[column], 26)))
		}
	}
	if cells == nil {
		return r.T("imports.no_sample")
	}
	return strings.Join(cells, " · ")
}

// apart keeps the direction of a cell from that of the words around it.
func apart(cell string) string { return "\u2068" + cell + "\u2069" }

// short is the beginning of a text on one line.
func short(text string, most int) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most-1]) + "…"
}
