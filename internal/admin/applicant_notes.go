package admin

import (
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// applicantNotes is the tab with the notes of staff.
func (p *pages) applicantNotes(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	return p.showNotes(r, a, f)
}

// showNotes shows the notes: those that are pinned, the others by age with the newest first, and those taken off the
// card.
func (p *pages) showNotes(r *site.Request, a *accounts.ApplicantAccount, f *site.Form) error {
	list, err := p.Query.ApplicantNotes(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	show.SortNotes(list)
	var parts, shown, removed []ui.Component
	may := r.May("note-change")
	for i := range list {
		note := p.noteCard(r, a.ID, &list[i], may)
		if list[i].Removed != 0 {
			removed = append(removed, note)
		} else {
			shown = append(shown, note)
		}
	}
	if may {
		box := f.Box([]ui.Button{r.Save("action.note-add")}, f.Long("text", "note.text", 3, show.MostNote),
			f.Select("colour", "note.colour", show.NoteColours(r)...))
		box.Action = r.At("note-add", a.ID)
		parts = append(parts, box)
	}
	if len(shown) == 0 {
		parts = append(parts, ui.Empty{Icon: "message-square", Title: r.T("note.none"), Text: r.T("note.none_text")})
	}
	change := func(cards []ui.Component) {
		if may && len(cards) > 0 {
			cards = []ui.Component{ui.FormBox{Action: r.At("note-change", a.ID), Parts: cards}}
		}
		parts = append(parts, cards...)
	}
	change(shown)
	if len(removed) > 0 {
		parts = append(parts, ui.Heading{Title: r.T("note.removed"), Text: r.T("note.removed_text")})
		change(removed)
	}
	return p.applicantCard(r, a, "applicant-notes", parts...)
}

func (p *pages) noteCard(r *site.Request, applicant int64, n *admitto.Note, may bool) ui.Note {
	id := strconv.FormatInt(n.ID, 10)
	card := show.Note(r, n)
	if !may {
		return card
	}
	button := func(name, key, icon string) ui.Button {
		return ui.Button{Text: r.T(key), Icon: icon, Name: name, Value: id, Small: true, About: n.Text}
	}
	if n.Removed != 0 {
		card.Actions = []ui.Button{button("restore", "note.restore", "rotate-ccw")}
		return card
	}
	pin := button("pin", "note.pin", "pin")
	if n.Pinned {
		pin = button("unpin", "note.unpin", "pin")
	}
	card.Actions = []ui.Button{{Text: r.T("note.edit"), Icon: "pencil", Small: true, About: n.Text,
		Href: r.At("note-edit", applicant, n.ID)}, pin, button("remove", "note.remove", "trash-2")}
	return card
}

// noteAdd adds a note.
func (p *pages) noteAdd(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if note, colour := show.TypedNote(f); !f.Failed() {
			_, err = p.Admissions.AddNote(r.Context(), r.Caller(), usecase.NoteOn{Applicant: a.ID}, note, colour)
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("note.added"))
			return r.To("applicant-notes", a.ID)
		}
	}
	return p.showNotes(r, a, f)
}

// noteChange pins, takes off the card and puts back, by the button that was pressed.
func (p *pages) noteChange(r *site.Request, a *accounts.ApplicantAccount) error {
	if !r.Posted() {
		return r.To("applicant-notes", a.ID)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	ctx, by, on := r.Context(), r.Caller(), usecase.NoteOn{Applicant: a.ID}
	said := "note.changed"
	switch {
	case f.Has("pin"):
		err = p.Admissions.PinNote(ctx, by, on, f.Choice("pin"), true)
	case f.Has("unpin"):
		err = p.Admissions.PinNote(ctx, by, on, f.Choice("unpin"), false)
	case f.Has("remove"):
		said = "note.was_removed"
		err = p.Admissions.RemoveNote(ctx, by, on, f.Choice("remove"))
	case f.Has("restore"):
		said = "note.was_restored"
		err = p.Admissions.RestoreNote(ctx, by, on, f.Choice("restore"))
	}
	if admitto.KindOf(err) == admitto.NotFound { // somebody was quicker
		r.Notify(ui.Warn, r.T("note.gone"))
		return r.To("applicant-notes", a.ID)
	}
	if err != nil {
		return err
	}
	r.Notify(ui.OK, r.T(said))
	return r.To("applicant-notes", a.ID)
}

// noteEdit changes text and colour of a note.
func (p *pages) noteEdit(r *site.Request, a *accounts.ApplicantAccount) error {
	id, err := r.IDAt("note")
	if err != nil {
		return err
	}
	on := usecase.NoteOn{Applicant: a.ID}
	n, err := p.Query.Note(r.Context(), r.Reader(), on, id)
	if err != nil {
		return err
	}
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.NoteRow, ID: id})
	if err != nil {
		return err
	}
	stored := site.Values{"text": site.One(n.Text), "colour": site.One(string(n.Colour))}
	f, err := r.Form(stored, version)
	if err != nil {
		return err
	}
	if r.Posted() {
		if note, colour := show.TypedNote(f); !f.Failed() {
			err = p.Admissions.EditNote(r.Context(), r.Caller(), on, id, note, colour)
		}
		changed := site.Changed(err)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("note.changed"))
			return r.To("applicant-notes", a.ID)
		}
		if changed {
			f.Meanwhile(stored, version, r.T("applicant.somebody"), r.Clock(r.Now()), [2]string{"text", "note.text"},
				[2]string{"colour", "note.colour"})
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"),
		r.Cancel(r.At("applicant-notes", a.ID))},
		f.Long("text", "note.text", 5, show.MostNote), f.Select("colour", "note.colour", show.NoteColours(r)...))}}.Show(r)
}
