package admin

import (
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
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
	authors, err := p.Query.NoteAuthors(r.Context(), r.Reader(), a.ID)
	if err != nil {
		return err
	}
	for i := range list {
		note, id := show.Note(r, &list[i]), list[i].ID
		note.Author = authors[id]
		if may {
			note.Actions = show.NoteButtons(r, &list[i], strconv.FormatInt(id, 10), r.At("note-edit", a.ID, id), false)
		}
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
	return p.notesOf(r, a).Change(r, func(value string) (usecase.NoteOn, int64, error) {
		return usecase.NoteOn{Applicant: a.ID}, show.NoteID(value), nil
	})
}

// noteEdit changes text and colour of a note.
func (p *pages) noteEdit(r *site.Request, a *accounts.ApplicantAccount) error {
	id, err := r.IDAt("note")
	if err != nil {
		return err
	}
	return p.notesOf(r, a).Edit(r, usecase.NoteOn{Applicant: a.ID}, id)
}

func (p *pages) notesOf(r *site.Request, a *accounts.ApplicantAccount) show.Notes {
	return show.Notes{Query: p.Query, Admissions: p.Admissions, Back: r.Within("applicant-notes", a.ID)}
}
