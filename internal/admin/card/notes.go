package card

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// noteRoutes are the notes on the applicant and on the offers (screens.md A22), and what is done with them.
func (p *pages) noteRoutes() []site.Route {
	edit := site.Needs(admitto.ApplicantsEdit, admitto.OffersEdit).And(admitto.ApplicationsView)
	const path = "/admin/applications/{id}/notes"
	below := func(name, end string, handle func(*site.Request, *query.ApplicationHead) error) site.Route {
		return site.Route{Name: name, Path: path + end, Access: edit, Form: true, Parent: "application-notes",
			Handle: p.ofApplication(handle)}
	}
	return []site.Route{
		p.tab("application-notes", "/notes", site.Needs(admitto.ApplicationsView), p.notes),
		below("application-note-add", "/add", p.noteAdd), below("application-note-change", "/change", p.noteChange),
		below("application-note-edit", "/{offer}/{note}", p.noteEdit)}
}

// notes are the notes on the applicant, and below them those on each offer.
func (p *pages) notes(r *site.Request, h *query.ApplicationHead) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	return p.showNotes(r, h, f)
}

func (p *pages) showNotes(r *site.Request, h *query.ApplicationHead, f *site.Form) error {
	all, err := p.Query.ApplicationNotes(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	var parts, cards, removed []ui.Component
	var about []ui.Option
	var flat []admitto.Note
	of := map[int64]*query.CardNotes{} // by the ID of the note
	for i := range all {
		list := &all[i]
		if r.Reader().Has(list.On.Editing()) {
			about = append(about, ui.Option{Value: strconv.FormatInt(list.On.Offer, 10), Text: noteAbout(r, list)})
		}
		for _, n := range list.Notes {
			flat, of[n.ID] = append(flat, n), list
		}
	}
	slices.SortFunc(flat, func(a, b admitto.Note) int { return cmp.Compare(a.ID, b.ID) })
	show.SortNotes(flat)
	authors, err := p.Query.NoteAuthors(r.Context(), r.Reader(), h.Person.ID)
	if err != nil {
		return err
	}
	for i := range flat {
		n := &flat[i]
		card := noteCard(r, h, of[n.ID], n, authors[n.ID])
		if n.Removed != 0 {
			removed = append(removed, card)
		} else {
			cards = append(cards, card)
		}
	}
	if len(about) > 0 {
		fields := []ui.Component{f.Long("text", "note.text", 3, show.MostNote),
			f.Select("colour", "note.colour", show.NoteColours(r)...)}
		if len(about) > 1 {
			fields = append(fields, f.Select("about", "card.note_about", about...))
		}
		box := f.Box([]ui.Button{r.Save("action.note-add")}, fields...)
		box.Action = r.Within("application-note-add", h.ID)
		parts = append(parts, box)
	}
	if len(flat) == 0 {
		parts = append(parts, ui.Empty{Icon: "message-square", Title: r.T("note.none"), Text: r.T("note.none_text")})
	}
	if len(cards) > 0 {
		parts = append(parts, ui.FormBox{Action: r.Within("application-note-change", h.ID), Parts: cards})
	}
	if len(removed) > 0 {
		parts = append(parts, ui.Heading{Title: r.T("note.removed"), Text: r.T("note.removed_text")},
			ui.FormBox{Action: r.Within("application-note-change", h.ID), Parts: removed})
	}
	return p.show(r, h, "application-notes", parts...)
}

// noteAbout says what notes are on.
func noteAbout(r *site.Request, list *query.CardNotes) string {
	if list.On.Offer == 0 {
		return r.T("card.note_on_applicant")
	}
	return r.T("card.note_on_offer", "Course", list.Course.Name)
}

// firstWords are how many characters of a collapsed note are shown.
const firstWords = 60

// noteCard is a note with who wrote it, where that is known, and what can be done with it; one that is collapsed is
// opened by its first words.
func noteCard(r *site.Request, h *query.ApplicationHead, of *query.CardNotes, n *admitto.Note,
	author string) ui.Component {
	card, on := show.Note(r, n), of.On
	card.Author = joined(" · ", noteAbout(r, of), author)
	if r.Reader().Has(on.Editing()) {
		card.Actions = show.NoteButtons(r, n, strconv.FormatInt(on.Offer, 10)+"-"+strconv.FormatInt(n.ID, 10),
			r.Within("application-note-edit", h.ID, on.Offer, n.ID), true)
	}
	if !n.Collapsed || n.Removed != 0 {
		return card
	}
	words := []rune(strings.Join(strings.Fields(n.Text), " "))
	if len(words) > firstWords {
		words = append(words[:firstWords], '…')
	}
	return ui.Fold{Title: string(words), Parts: []ui.Component{card}}
}

// noteOn is what the notes with the ID of an offer are on, 0 for the applicant; nil for an offer of another
// application.
func noteOn(all []query.CardNotes, offer int64) *usecase.NoteOn {
	at := slices.IndexFunc(all, func(c query.CardNotes) bool { return c.On.Offer == offer })
	if at < 0 {
		return nil
	}
	return &all[at].On
}

// noteAdd adds a note.
func (p *pages) noteAdd(r *site.Request, h *query.ApplicationHead) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if !r.Posted() {
		return p.showNotes(r, h, f)
	}
	all, err := p.Query.ApplicationNotes(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	offer := f.Choice("about")
	if !f.Has("about") && len(all) > 0 { // there is one thing only that the reader may write about
		for _, list := range slices.Backward(all) {
			if r.Reader().Has(list.On.Editing()) {
				offer = list.On.Offer
			}
		}
	}
	on := noteOn(all, offer)
	if on == nil {
		f.FailText("about", message.Of("choose-one"))
	}
	if note, colour := show.TypedNote(f); !f.Failed() {
		_, err = p.Admissions.AddNote(r.Context(), r.Caller(), *on, note, colour)
	}
	refused, err := f.Refused(err, nil)
	if err != nil {
		return err
	}
	if refused {
		return p.showNotes(r, h, f)
	}
	r.Notify(ui.OK, r.T("note.added"))
	return r.To("application-notes", h.ID)
}

// noteChange does with a note what the button that was pressed says.
func (p *pages) noteChange(r *site.Request, h *query.ApplicationHead) error {
	return p.notesOf(r, h).Change(r, func(value string) (usecase.NoteOn, int64, error) {
		offer, note, _ := strings.Cut(value, "-")
		on, err := p.noteOf(r, h, offer)
		return on, show.NoteID(note), err
	})
}

// noteEdit changes text and colour of a note.
func (p *pages) noteEdit(r *site.Request, h *query.ApplicationHead) error {
	id, err := r.IDAt("note")
	if err != nil {
		return err
	}
	on, err := p.noteOf(r, h, r.Part("offer"))
	if err != nil {
		return err
	}
	if !r.Reader().Has(on.Editing()) {
		return r.Reader().Needs(on.Editing())
	}
	return p.notesOf(r, h).Edit(r, on, id)
}

func (p *pages) notesOf(r *site.Request, h *query.ApplicationHead) show.Notes {
	return show.Notes{Query: p.Query, Admissions: p.Admissions, Back: r.Within("application-notes", h.ID)}
}

// noteOf is what notes are on by the ID of an offer, 0 for the applicant. Errors: not-found for an offer of another
// application.
func (p *pages) noteOf(r *site.Request, h *query.ApplicationHead, offer string) (on usecase.NoteOn, err error) {
	all, err := p.Query.ApplicationNotes(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return on, err
	}
	found := noteOn(all, show.NoteID(offer))
	if found == nil {
		return on, &admitto.Error{Kind: admitto.NotFound}
	}
	return *found, nil
}
