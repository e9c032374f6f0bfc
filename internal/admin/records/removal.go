package records

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Removal is the page that asks before a record is deleted.
type Removal struct {
	Query  *query.Service
	Name   string
	Row    admitto.Row
	List   string // addresses of the list and of the record
	One    string
	Effect string // what follows, in words
	Press  string // message of the button
	Act    func() error
}

// Show asks, and deletes.
func (d Removal) Show(r *site.Request) error {
	version, err := d.Query.RowVersion(r.Context(), r.Reader(), d.Row)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, version)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(d.Act(), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("record.deleted", "Name", d.Name))
			return r.Redirect(d.List)
		}
		f.Version = version
	}
	return r.Ask(ui.Confirmation{Title: r.T("record.delete_title", "Name", d.Name), Fields: []ui.Component{f.Head()},
		Effects: []ui.Effect{{Icon: "info", Text: d.Effect}}, Undo: r.T("record.delete_undo"),
		Confirm: ui.Button{Text: r.T(d.Press), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: d.One}})
}
