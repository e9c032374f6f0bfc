package admin

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// tableBuild is a tableview while it is put together.
type tableBuild struct {
	r        *site.Request
	view     admitto.Tableview
	filters  admitto.TableFilters // of view
	stored   admitto.TableFilters
	version  int64
	browsing *browsing // names of filters; nil where the reader may use none
	groups   []report.ColumnGroup
	search   string // narrows the columns that are offered
	moved    string // the button that was pressed, which keeps the focus
	dropped  int    // columns that the clone lacks, as the reader may not use them
	narrowed bool   // it lacks filters or rows of offers for the same reason
	hidden   bool   // the reader may see none of its rows, as firstRows has found
}

// building reads what the builder names things by.
func (p *pages) building(r *site.Request) (t *tableBuild, err error) {
	t = &tableBuild{r: r}
	if t.groups, err = p.Reports.TableColumns(r.Context(), r.Reader()); err != nil {
		return nil, err
	}
	if r.Reader().Has(admitto.ApplicationsView) {
		t.browsing = browsingOf(r, r.ViewAt(r.At("browse"), "", true))
		err = p.readNames(t.browsing)
	}
	return t, err
}

// headerName is the name of the field with the header of a column.
func headerName(source string) string {
	h := fnv.New64a()
	h.Write([]byte(source)) // it never fails
	return "header-" + strconv.FormatUint(h.Sum64(), 36)
}

// values are those of the form for what is stored.
func (t *tableBuild) values(query url.Values) site.Values {
	v := site.Values{"title": site.One(t.view.Title), "rows": site.One("application"), "shared": site.One("yes"),
		"term": site.One(allTerms)}
	if t.view.ByOffer {
		v["rows"] = site.One("offer")
	}
	if t.view.Private {
		v["shared"] = site.One("no")
	}
	for _, c := range t.view.Columns {
		v[columnName] = append(v[columnName], c.Source)
		v[headerName(c.Source)] = site.One(c.Title)
	}
	for _, f := range append(browseFilters(), filter{name: "term"}) {
		if list := query[f.name]; len(list) > 0 {
			v[f.name] = list
		}
	}
	return v
}

// take puts what was typed into the tableview.
func (t *tableBuild) take(f *site.Form) {
	t.view.Title = f.Get("title")
	t.view.ByOffer, t.view.Private = f.Get("rows") == "offer", f.Get("shared") != "yes"
	t.view.Columns = nil
	for _, source := range f.All(columnName) {
		t.addColumn(f, source)
	}
	query := url.Values{}
	for _, of := range append(browseFilters(), filter{name: "term"}) {
		query[of.name] = slices.DeleteFunc(slices.Clone(f.All(of.name)), func(v string) bool { return v == "" })
	}
	t.readFilters(query)
	t.search = f.Get("search")
	if text, err := json.Marshal(&t.filters); err == nil {
		t.view.Filters = string(text)
	}
}

// addColumn adds a column with the header that was typed for it, or its own title.
func (t *tableBuild) addColumn(f *site.Form, source string) {
	if t.has(source) || source == "" {
		return
	}
	title := source
	if name := headerName(source); len(f.All(name)) > 0 {
		title = f.Get(name)
	}
	t.view.Columns = append(t.view.Columns, admitto.TableColumn{Source: source, Title: title})
}

func (t *tableBuild) has(source string) bool {
	return slices.ContainsFunc(t.view.Columns, func(c admitto.TableColumn) bool { return c.Source == source })
}

// isThere reports whether the source of a column is still there.
func (t *tableBuild) isThere(source string) bool {
	return slices.ContainsFunc(t.groups, func(g report.ColumnGroup) bool { return slices.Contains(g.Columns, source) })
}

// pick adds the columns that are ticked, of those that the reader may choose.
func (t *tableBuild) pick(f *site.Form) {
	for _, source := range f.All("pick") {
		if t.isThere(source) && report.MayColumn(t.r.Reader(), source) == nil {
			t.addColumn(f, source)
		}
	}
}

// press carries out a button of the columns; done is false for one that saves.
func (t *tableBuild) press(f *site.Form) (done bool) {
	what, at, _ := strings.Cut(f.Get("do"), "-")
	n, err := strconv.Atoi(at)
	inside := err == nil && n >= 0 && n < len(t.view.Columns)
	columns := t.view.Columns
	switch {
	case what == "add":
		t.pick(f)
	case what == "preview" || what == "search":
		t.pick(f)
	case what == "remove" && inside:
		t.view.Columns = slices.Delete(slices.Clone(columns), n, n+1)
		t.moved = fmt.Sprint("remove-", min(n, len(t.view.Columns)-1))
	case what == "up" && inside && n > 0:
		columns[n], columns[n-1] = columns[n-1], columns[n]
		t.moved = fmt.Sprint("up-", n-1)
		if n == 1 {
			t.moved = "down-0"
		}
	case what == "down" && inside && n < len(columns)-1:
		columns[n], columns[n+1] = columns[n+1], columns[n]
		t.moved = fmt.Sprint("down-", n+1)
		if n+1 == len(columns)-1 {
			t.moved = fmt.Sprint("up-", n+1)
		}
	default:
		return false
	}
	return true
}

// build answers with the builder, or takes it.
func (p *pages) build(r *site.Request, t *tableBuild, query url.Values) error {
	t.stored = t.filters
	stored := t.values(query)
	f, err := r.Form(stored, t.version)
	if err != nil {
		return err
	}
	t.take(f)
	if r.Posted() {
		if done := t.press(f); !done {
			t.pick(f)
			taken, err := p.saveTableview(r, f, t, stored)
			if err != nil || taken {
				return err
			}
		}
	}
	return p.showBuilder(r, f, t)
}

// saveTableview stores what was put together; taken is false where something is wrong with it.
func (p *pages) saveTableview(r *site.Request, f *site.Form, t *tableBuild, stored site.Values) (taken bool,
	err error) {
	t.checkFilters(f)
	fields := map[admitto.Path]string{"page.table.pick": "search"}
	for _, c := range t.view.Columns {
		fields[report.HeaderPath(c.Source)] = headerName(c.Source)
	}
	var id int64
	err = f.Store(func() (err error) {
		id, err = p.Reports.SaveTableview(r.Context(), r.Caller(), t.view)
		return err
	})
	changed := site.Changed(err)
	refused, err := f.Refused(err, fields)
	switch {
	case err != nil:
		return false, err
	case !refused:
		r.Notify(ui.OK, r.T("tableview.saved", "Title", t.view.Title))
		return true, r.Redirect(r.At("tableview", id))
	case changed:
		return false, p.tableviewMeanwhile(r, f, t, stored)
	}
	return false, nil
}

// tableviewMeanwhile lets the reader choose between what was typed and what somebody else has saved (screens.md U10).
func (p *pages) tableviewMeanwhile(r *site.Request, f *site.Form, t *tableBuild, stored site.Values) error {
	who, at, err := p.Query.LastEdit(r.Context(), r.Reader(), []admitto.EventFilter{{Pattern: admitto.TableviewEdited,
		Bind: []string{number(t.view.ID)}}}, func(*admitto.Record) bool { return true })
	if err != nil {
		return err
	}
	if who == "" {
		who = r.T("record.somebody")
	}
	if at == 0 {
		at = r.Now()
	}
	inputs := [][2]string{{"title", "tableview.title"}, {"rows", "tableview.rows"}, {"shared", "tableview.shared"},
		{columnName, "tableview.columns"}}
	for _, source := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(f.All(columnName)),
		stored[columnName]...)))) {
		f.SetLabel(headerName(source), r.T("tableview.header", "Column", source))
		inputs = append(inputs, [2]string{headerName(source), "tableview.columns"})
	}
	inputs = append(inputs, [2]string{"term", "browse.term"})
	for _, of := range browseFilters() {
		inputs = append(inputs, [2]string{of.name, "browse." + of.name})
	}
	f.Meanwhile(stored, t.version, who, r.Clock(at), inputs...)
	return nil
}

// mayAny reports whether the reader may choose any column.
func (t *tableBuild) mayAny() bool {
	return slices.ContainsFunc(t.groups, func(g report.ColumnGroup) bool {
		return slices.ContainsFunc(g.Columns, func(source string) bool {
			return report.MayColumn(t.r.Reader(), source) == nil
		})
	})
}

// showBuilder is the page of the builder.
func (p *pages) showBuilder(r *site.Request, f *site.Form, t *tableBuild) error {
	if t.view.ID == 0 && !t.mayAny() {
		return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("tableview.no_rights")}}}.Show(r)
	}
	sheet := site.Sheet{Intro: []string{r.T("tableview.intro")}}
	if t.view.ID != 0 {
		name := t.view.Title
		r.SetTitle(name)
		sheet.Title, sheet.Intro = name, nil
	}
	rows := f.Choices("rows", "tableview.rows", false, ui.Option{Value: "application", Text: rowsWord(r, false)},
		ui.Option{Value: "offer", Text: rowsWord(r, true), Disabled: !r.Reader().Has(admitto.OffersView) &&
			!t.view.ByOffer})
	shared := f.Choices("shared", "tableview.shared", false, ui.Option{Value: "no", Text: r.T("tableview.private_word"),
		Hint: r.T("tableview.private_note")}, ui.Option{Value: "yes", Text: r.T("tableview.shared_word"),
		Hint: r.T("tableview.shared_note")})
	title := f.Text("title", "tableview.title")
	title.Autocomplete = "off"
	save := []ui.Button{r.Save("action.save"), {Text: r.T("tableview.preview"), Name: "do", Value: "preview"}}
	parts := []ui.Component{title, ui.Acts(save), ui.Columns{Parts: []ui.Component{rows, shared}},
		ui.Heading{Title: r.T("tableview.columns"), Text: r.T("tableview.columns_text")}, t.drawColumns(f),
		t.drawOffered(f), t.drawFilters(f)}
	box := f.Box([]ui.Button{{Text: r.T("action.save"), Busy: r.T("form.saving")}, r.Cancel(r.At("tableviews"))},
		parts...)
	box.Live = r.At("tableview-preview")
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "id", Value: number(t.view.ID)})
	first, err := p.firstRows(r, t)
	if err != nil {
		return err
	}
	if t.view.ID != 0 {
		sheet.Buttons = t.buttons()
	}
	if t.dropped > 0 {
		sheet.Parts = append(sheet.Parts, ui.Notice{Tone: ui.Warn, Text: r.Plural("tableview.dropped", t.dropped)})
	}
	if t.narrowed {
		sheet.Parts = append(sheet.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("tableview.narrowed")})
	}
	sheet.Parts = append(sheet.Parts, box, first, t.forPrograms())
	return sheet.Show(r)
}

// buttons are what can be done with a tableview that is stored.
func (t *tableBuild) buttons() (buttons []ui.Button) {
	r := t.r
	if !t.hidden {
		buttons = append(buttons, ui.Button{Text: "CSV", Icon: "download", Href: r.At("tableview-csv", t.view.ID)})
	}
	buttons = append(buttons, ui.Button{Text: r.T("tableview.clone"), Icon: "copy",
		Href: r.At("tableview-new") + "?from=" + number(t.view.ID)})
	if list := t.listAddress(); list != "" {
		buttons = append(buttons, ui.Button{Text: r.T("tableview.as_list"), Icon: "files", Href: list})
	}
	if report.ChangeableTableview(r.Reader(), &t.view) {
		buttons = append(buttons, r.Buttons(site.Danger("tableview-delete", t.view.ID))...)
	}
	return buttons
}

// forPrograms says that programs read the tableview, a private one too, and where the API has it.
func (t *tableBuild) forPrograms() ui.Component {
	path, lang := t.r.T("tableview.path_later"), ""
	if t.view.ID != 0 {
		lang = "en" // from left to right in every language
		path = fmt.Sprintf("%s/tableviews/%d/tabledata", tablesAt, t.view.ID)
	}
	return ui.Box{Title: t.r.T("tableview.api"), Parts: []ui.Component{
		ui.Notice{Tone: ui.Info, Text: t.r.T("tableview.api_text")},
		ui.KeyValues{Facts: []ui.KeyValue{{Key: t.r.T("tableview.path"), Value: path, Lang: lang}}}}}
}

// drawColumns are the chosen columns with their headers and the buttons of their order.
func (t *tableBuild) drawColumns(f *site.Form) ui.Component {
	r := t.r
	if len(t.view.Columns) == 0 {
		return ui.Words{Text: r.T("tableview.no_columns"), Muted: true}
	}
	list := ui.Ordered{Name: columnName, Label: r.T("tableview.columns")}
	for i, c := range t.view.Columns {
		name, words := headerName(c.Source), columnWords(r, c.Source)
		f.SetLabel(name, r.T("tableview.header", "Column", words))
		field := f.Text(name, "tableview.columns").Field
		field.Hint = ""
		if field.Value = c.Title; len(f.All(name)) > 0 {
			field.Value = f.Get(name)
		}
		item := ui.OrderedItem{Value: c.Source, Text: words, Field: field, Note: t.whyEmpty(c.Source)}
		for _, b := range []struct {
			do   string
			last bool
		}{{"up", i == 0}, {"down", i == len(t.view.Columns)-1}, {"remove", false}} {
			value := fmt.Sprint(b.do, "-", i)
			item.Buttons = append(item.Buttons, ui.Button{Text: r.T("tableview." + b.do), About: words, Name: "do",
				Value: value, Small: true, Disabled: b.last, Focus: t.moved == value})
		}
		list.Items = append(list.Items, item)
	}
	return list
}

// whyEmpty says why a column is empty for the reader; "" for one that is not.
func (t *tableBuild) whyEmpty(source string) string {
	if !t.isThere(source) {
		return t.r.T("tableview.gone")
	}
	if p, lacking := admitto.Lacking(report.MayColumn(t.r.Reader(), source)); lacking {
		return t.r.T("tableview.hidden", "Permission", permissionName(t.r, p))
	}
	return ""
}

// drawOffered are the columns that can be added, in groups.
func (t *tableBuild) drawOffered(f *site.Form) ui.Component {
	r := t.r
	search := f.Text("search", "tableview.search")
	search.Type, search.Autocomplete, search.Optional = "search", "off", true
	parts := []ui.Component{search, ui.Acts{{Text: r.T("tableview.find"), Name: "do", Value: "search"},
		{Text: r.T("tableview.add"), Name: "do", Value: "add"}}}
	found := 0
	for _, g := range t.groups {
		choices := ui.Choices{Field: ui.Field{ID: "pick-" + g.Key, Name: "pick", Label: t.groupName(g.Key)}, Multiple: true}
		for _, source := range g.Columns {
			words := columnWords(r, source)
			if !t.has(source) && report.MayColumn(r.Reader(), source) == nil &&
				strings.Contains(strings.ToLower(source+"\n"+words), strings.ToLower(t.search)) {
				choices.Options = append(choices.Options, ui.Option{Value: source, Text: words})
			}
		}
		if n := len(choices.Options); n > 0 {
			found += n
			parts = append(parts, ui.Fold{Title: choices.Label + " (" + r.Number(n) + ")", Open: t.search != "",
				Parts: []ui.Component{choices}})
		}
	}
	if found == 0 {
		parts = append(parts, ui.Words{Text: r.T("tableview.nothing_found"), Muted: true})
	}
	return ui.Fold{Title: r.T("tableview.more"), Open: len(t.view.Columns) == 0 || f.Get("do") == "add" ||
		f.Get("do") == "search", Parts: parts}
}

// groupName names a group of columns; those of the form are called as its sections.
func (t *tableBuild) groupName(key string) string {
	if name := "tableview_group." + key; t.r.Has(name) {
		return t.r.T(name)
	}
	return key
}

// previewRows is how many rows are shown of what is put together.
const previewRows = 20

// shortCell is how long a time is.
const shortCell = len("2006-01-02T15:04:05+00:00")

// firstRows are the first rows of what is put together, as the reader sees them.
func (p *pages) firstRows(r *site.Request, t *tableBuild) (ui.Box, error) {
	box := ui.Box{ID: "preview", Title: r.T("tableview.first")}
	table, err := p.Reports.TryTable(r.Context(), r.Reader(), t.view, tableForm())
	if lacking, ok := admitto.Lacking(err); ok {
		t.hidden = true
		box.Parts = []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T("tableview.rows_hidden", "Permission",
			permissionName(r, lacking))}}
		return box, nil
	}
	if err != nil {
		return box, err
	}
	table.Only(previewRows)
	rows, err := table.Next(r.Context())
	if err != nil {
		return box, err
	}
	box.Parts = []ui.Component{ui.Words{Text: r.Plural("tableview.rows_count", int(table.Rows)), Muted: true}}
	if why := t.emptyColumns(); why != nil {
		box.Parts = append(box.Parts, why)
	}
	shown := ui.Table{Caption: box.Title, Empty: ui.Empty{Icon: "table", Title: r.T("tableview.no_rows"),
		Text: r.T("tableview.no_rows_text")}}
	for i, c := range t.view.Columns {
		column := ui.Column{Title: c.Title, Place: "main"} // words have room
		if !slices.ContainsFunc(rows, func(cells []string) bool { return len(cells[i]) > shortCell }) {
			column.Place = "label" // a number, a time, or a code stays in one line
		}
		shown.Columns = append(shown.Columns, column)
	}
	for _, cells := range rows {
		row := ui.Row{}
		for _, text := range cells {
			row.Cells = append(row.Cells, ui.Cell{Text: text})
		}
		shown.Rows = append(shown.Rows, row)
	}
	if len(t.view.Columns) > 0 {
		box.Parts = append(box.Parts, shown)
	}
	return box, nil
}

// emptyColumns says of the columns that are empty for the reader why they are; nil for none.
func (t *tableBuild) emptyColumns() ui.Component {
	var facts []ui.KeyValue
	for _, c := range t.view.Columns {
		if why := t.whyEmpty(c.Source); why != "" {
			facts = append(facts, ui.KeyValue{Key: c.Title, Value: why})
		}
	}
	if facts == nil {
		return nil
	}
	return ui.KeyValues{Facts: facts}
}

// showTableview is a tableview for those who may not change it.
func (p *pages) showTableview(r *site.Request, t *tableBuild) error {
	if r.Posted() {
		_, err := p.Reports.SaveTableview(r.Context(), r.Caller(), t.view)
		return err // which refuses
	}
	r.SetTitle(t.view.Title)
	first, err := p.firstRows(r, t)
	if err != nil {
		return err
	}
	facts := []ui.KeyValue{{Key: r.T("tableview.rows"), Value: rowsWord(r, t.view.ByOffer)},
		{Key: r.T("tableview.shared"), Value: sharedWord(r, t.view.Private)}}
	if filters := t.filterWords(); filters != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("filters.title"), Value: filters})
	}
	sheet := site.Sheet{Title: t.view.Title, Intro: []string{r.T("tableview.of_other")}, Buttons: t.buttons()}
	sheet.Parts = []ui.Component{ui.KeyValues{Facts: facts}, first, t.forPrograms()}
	return sheet.Show(r)
}
