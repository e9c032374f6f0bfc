// Package records has the pages with which staff keep the records of a kind: the list, a new record, and the form of
// one. What the kinds differ in is their columns and fields; what is said of every form holds for all of them.
package records

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// Family describes the records of one kind.
type Family[T any] struct {
	Query  *query.Service
	List   string // names of the routes; the address of a record ends with its ID
	Parent string // above the list; "" for one of the navigation
	New    string // "" where none can be made
	One    string
	Files  bool // the forms have files
	Kind   admitto.RowKind
	Events []admitto.Pattern // that tell of its changes
	Texts  Texts

	ID    func(v *T) int64
	Name  func(v *T) string
	About func(v *T, of admitto.Links) bool // as in Form

	All     func(r *site.Request) ([]T, error)
	Columns func(r *site.Request, list []T) ([]Column[T], error) // of the rows of a page
	Above   func(r *site.Request) ([]ui.Component, error)        // of the list; nil for nothing
	Read    func(r *site.Request, id int64) (T, error)
	Blank   func(r *site.Request) (T, error) // a new one
	Fields  func(m Maker[T], v *T) ([]Field[T], error)
	Save    func(r *site.Request, v T) (id int64, err error)
	Below   func(r *site.Request, v *T) ([]ui.Component, error)  // of the form of a record; nil for nothing
	Buttons func(r *site.Request, v *T) []ui.Button              // next to the title of a record; nil for none
	Warn    func(r *site.Request, was, typed *T) (string, error) // as in Form; nil for nothing
	Actions func(r *site.Request) []ui.Button                    // of the list besides a new one; nil for none
	Preview func(r *site.Request, v *T) (*ui.Box, error)         // as in Form; nil for nothing
}

// Texts are the messages of a kind.
type Texts struct {
	Count           string // {{.Count}} records
	None, NoneText  string // an empty list
	Intro, NewIntro string // above the forms, "" for nothing
	Saved           string // with {{.Name}}
}

// Column is a column of the list.
type Column[T any] struct {
	Title string // message
	Place string // of ui.Column
	Num   bool
	Cell  func(v *T) ui.Cell
}

// Routes are the pages below an address.
func (f *Family[T]) Routes(path string, access site.Access) []site.Route {
	routes := []site.Route{
		{Name: f.List, Path: path, Access: access, Parent: f.Parent, Handle: f.Show},
		{Name: f.One, Path: path + "/{id}", Access: access, Form: true, Files: f.Files, Parent: f.List,
			Handle: f.edit},
	}
	if f.New != "" {
		routes = append(routes, site.Route{Name: f.New, Path: path + "/new", Access: access, Form: true, Files: f.Files,
			Parent: f.List, Handle: f.add})
	}
	if f.Preview != nil {
		routes = append(routes, site.Route{Name: f.One + "-preview", Path: path + "/{id}/preview", Access: access,
			Only: true, Again: true, Handle: f.live})
	}
	return routes
}

// Show answers with the list of the records, those whose names have the words that are looked for.
func (f *Family[T]) Show(r *site.Request) error {
	all, err := f.All(r)
	if err != nil {
		return err
	}
	view := r.View(false)
	words := view.Get("q")
	terms := text.Terms(words)
	found := all
	if len(terms) > 0 {
		found = nil
		for i := range all {
			if text.Begins(f.Name(&all[i]), terms) {
				found = append(found, all[i])
			}
		}
	}
	total := len(found)
	if last, beyond := view.Beyond(max(total-view.Offset(), 0), total); beyond {
		return r.Redirect(last)
	}
	found = found[min(view.Offset(), total):min(view.Offset()+view.Size, total)]
	columns, err := f.Columns(r, found)
	if err != nil {
		return err
	}
	table := ui.Table{Caption: r.Title()}
	for _, c := range columns {
		table.Columns = append(table.Columns, ui.Column{Title: r.T(c.Title), Place: c.Place, Num: c.Num})
	}
	for i := range found {
		row := ui.Row{Label: f.Name(&found[i])}
		for n, c := range columns {
			cell := c.Cell(&found[i])
			if n == 0 && cell.Href == "" {
				cell.Href = r.At(f.One, f.ID(&found[i]))
			}
			row.Cells = append(row.Cells, cell)
		}
		table.Rows = append(table.Rows, row)
	}
	var actions []ui.Button
	if f.New != "" {
		actions = r.Buttons(site.Primary(f.New))
	}
	if f.Actions != nil {
		actions = append(actions, f.Actions(r)...)
	}
	page := site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural(f.Texts.Count, total), Actions: actions},
		Pager: view.Pager(total)}
	if f.Above != nil {
		if page.Above, err = f.Above(r); err != nil {
			return err
		}
	}
	table.Empty = ui.Empty{Icon: "list", Title: r.T(f.Texts.None), Text: r.T(f.Texts.NoneText), Actions: actions}
	if words != "" {
		table.Empty = ui.Empty{Icon: "search", Title: r.T("record.no_match"), Text: r.T("record.no_match_text"),
			Actions: []ui.Button{{Text: r.T("record.all"), Href: view.With("q", "")}}}
	}
	if len(all) > manyRecords || words != "" {
		field := ui.TextField{Field: ui.Field{ID: "q", Name: "q", Label: r.T("record.search"), Value: words},
			Type: "search"}
		page.Above = append(page.Above, ui.FormBox{Get: true, Action: r.URL.Path,
			Head: ui.FormHead{Hidden: view.HiddenBut("q")}, Parts: []ui.Component{field},
			Buttons: []ui.Button{{Text: r.T("record.find")}}})
	}
	page.Table = table
	return page.Show(r)
}

// manyRecords is from how many records on a list can be searched.
const manyRecords = 10

// add makes a record.
func (f *Family[T]) add(r *site.Request) error {
	form := f.form(r, 0)
	form.Read = func() (T, error) { return f.Blank(r) }
	return form.Show(r)
}

// edit is the form of a record.
func (f *Family[T]) edit(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	form := f.form(r, id)
	form.Read = func() (T, error) { return f.Read(r, id) }
	return form.Show(r)
}

// live answers with the preview of what is being typed.
func (f *Family[T]) live(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	v, err := f.Read(r, id)
	if err != nil {
		return err
	}
	fields, err := f.Fields(Maker[T]{r}, &v)
	if err != nil {
		return err
	}
	typed, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	for _, field := range fields {
		field.Take(typed, &v)
	}
	box, err := f.Preview(r, &v)
	if err != nil {
		return err
	}
	return r.Fragment(*box)
}

func (f *Family[T]) form(r *site.Request, id int64) *Form[T] {
	form := &Form[T]{Query: f.Query, Kind: f.Kind, ID: id, Events: f.Events, About: f.About, Back: r.At(f.List),
		Intro: f.Texts.Intro, Saved: f.Texts.Saved, Press: "action." + f.New, Name: f.Name, Fields: f.Fields,
		Save: func(v T) (string, error) {
			id, err := f.Save(r, v)
			return r.At(f.One, id), err
		}}
	if f.Below != nil {
		form.Below = func(v *T) ([]ui.Component, error) { return f.Below(r, v) }
	}
	if f.Buttons != nil {
		form.Buttons = func(v *T) []ui.Button { return f.Buttons(r, v) }
	}
	if f.Preview != nil {
		form.Preview = func(v *T) (*ui.Box, error) { return f.Preview(r, v) }
	}
	if f.Preview != nil && id != 0 {
		form.Live = r.At(f.One+"-preview", id)
	}
	if id == 0 {
		form.Intro = f.Texts.NewIntro
	} else if f.Warn != nil {
		form.Warn = func(was, typed *T) (string, error) { return f.Warn(r, was, typed) }
	}
	return form
}
