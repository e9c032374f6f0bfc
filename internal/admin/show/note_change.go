package show

import (
	"strconv"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// Notes is what staff do with notes, on the card of an applicant as on that of an application (screens.md A08, A22).
type Notes struct {
	Query      *query.Service
	Admissions *admissions.Service
	Back       string // the address of the page with the notes
}

// NoteButtons are what can be done with a note, each button with a value that names it, and the page on which its text
// is changed. Only notes that fold can be collapsed.
func NoteButtons(r *site.Request, n *admitto.Note, value, edit string, folds bool) []ui.Button {
	button := func(name, key, icon string) ui.Button {
		return ui.Button{Text: r.T(key), Icon: icon, Name: name, Value: value, Small: true, About: n.Text}
	}
	if n.Removed != 0 {
		return []ui.Button{button("restore", "note.restore", "rotate-ccw")}
	}
	buttons := []ui.Button{{Text: r.T("note.edit"), Icon: "pencil", Small: true, About: n.Text, Href: edit}}
	if n.Pinned {
		buttons = append(buttons, button("unpin", "note.unpin", "pin"))
	} else {
		buttons = append(buttons, button("pin", "note.pin", "pin"))
	}
	if folds && n.Collapsed {
		buttons = append(buttons, button("expand", "note.expand", "chevron-down"))
	} else if folds {
		buttons = append(buttons, button("collapse", "note.collapse", "chevron-down"))
	}
	return append(buttons, button("remove", "note.remove", "trash-2"))
}

// Change does with a note what the button that was pressed says, and leads back. The function of returns what the note
// named by a button is on, and its ID.
func (n Notes) Change(r *site.Request, of func(value string) (usecase.NoteOn, int64, error)) error {
	if !r.Posted() {
		return r.Redirect(n.Back)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	a, ctx, by := n.Admissions, r.Context(), r.Caller()
	said := "note.changed"
	for name, change := range map[string]func(usecase.NoteOn, int64) error{
		"pin":      func(on usecase.NoteOn, id int64) error { return a.PinNote(ctx, by, on, id, true) },
		"unpin":    func(on usecase.NoteOn, id int64) error { return a.PinNote(ctx, by, on, id, false) },
		"collapse": func(on usecase.NoteOn, id int64) error { return a.CollapseNote(ctx, by, on, id, true) },
		"expand":   func(on usecase.NoteOn, id int64) error { return a.CollapseNote(ctx, by, on, id, false) },
		"remove":   func(on usecase.NoteOn, id int64) error { return a.RemoveNote(ctx, by, on, id) },
		"restore":  func(on usecase.NoteOn, id int64) error { return a.RestoreNote(ctx, by, on, id) },
	} {
		if !f.Has(name) {
			continue
		}
		switch name {
		case "remove":
			said = "note.was_removed"
		case "restore":
			said = "note.was_restored"
		}
		on, id, err := of(f.Get(name))
		if err != nil {
			return err
		}
		err = change(on, id)
		if admitto.KindOf(err) == admitto.NotFound { // somebody was quicker
			r.Notify(ui.Warn, r.T("note.gone"))
			return r.Redirect(n.Back)
		}
		if err != nil {
			return err
		}
		break
	}
	r.Notify(ui.OK, r.T(said))
	return r.Redirect(n.Back)
}

// Edit is the page on which text and colour of a note are changed.
func (n Notes) Edit(r *site.Request, on usecase.NoteOn, id int64) error {
	note, err := n.Query.Note(r.Context(), r.Reader(), on, id)
	if err != nil {
		return err
	}
	if note.Removed != 0 && !r.Posted() { // it is put back first
		return r.Redirect(n.Back)
	}
	version, err := n.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.NoteRow, ID: id})
	if err != nil {
		return err
	}
	stored := site.Values{"text": site.One(note.Text), "colour": site.One(string(note.Colour))}
	f, err := r.Form(stored, version)
	if err != nil {
		return err
	}
	ours := func(of *admitto.Record) bool { return of.Links.Note == id }
	if err := SinceEdit(r, n.Query, f, "Notes", ours); err != nil {
		return err
	}
	if r.Posted() {
		if text, colour := TypedNote(f); !f.Failed() {
			err = n.Admissions.EditNote(r.Context(), r.Caller(), on, id, text, colour)
		}
		if admitto.KindOf(err) == admitto.NotFound {
			return n.takenAway(r, f, ours)
		}
		changed := site.Changed(err)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("note.changed"))
			return r.Redirect(n.Back)
		}
		if changed {
			who, when, err := LastEdit(r, n.Query, "Notes", ours)
			if err != nil {
				return err
			}
			f.Meanwhile(stored, version, who, when, [2]string{"text", "note.text"}, [2]string{"colour", "note.colour"})
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"), r.Cancel(n.Back)},
		f.Long("text", "note.text", 5, MostNote), f.Select("colour", "note.colour", NoteColours(r)...))}}.Show(r)
}

// takenAway says who has removed the note that somebody changes, and keeps what was typed to be copied.
func (n Notes) takenAway(r *site.Request, f *site.Form, ours func(*admitto.Record) bool) error {
	who, when, err := LastEdit(r, n.Query, "Notes", ours)
	if err != nil {
		return err
	}
	f.FailWords("", r.T("note.taken_away", "Who", who, "When", when))
	typed := f.Long("text", "note.text", 5, 0)
	typed.ReadOnly = true
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{{Text: r.T("note.removed"), Href: n.Back}}, typed)}}.Show(r)
}

// NoteID is the ID that a text is, -1 for none.
func NoteID(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return id
}
