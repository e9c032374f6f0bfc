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
	for i := range flat {
		n := &flat[i]
		card := noteCard(r, h, of[n.ID], n)
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

// noteCard is a note with what can be done with it; one that is collapsed is opened by its first words.
func noteCard(r *site.Request, h *query.ApplicationHead, of *query.CardNotes, n *admitto.Note) ui.Component {
	card, on := show.Note(r, n), of.On
	card.Author = noteAbout(r, of)
	if r.Reader().Has(on.Editing()) {
		value := strconv.FormatInt(on.Offer, 10) + "-" + strconv.FormatInt(n.ID, 10)
		button := func(name, key, icon string) ui.Button {
			return ui.Button{Text: r.T(key), Icon: icon, Name: name, Value: value, Small: true, About: n.Text}
		}
		toggle := func(is bool, does, undoes, icon string) ui.Button {
			if is {
				return button(undoes, "note."+undoes, icon)
			}
			return button(does, "note."+does, icon)
		}
		card.Actions = []ui.Button{{Text: r.T("note.edit"), Icon: "pencil", Small: true, About: n.Text,
			Href: r.Within("application-note-edit", h.ID, on.Offer, n.ID)}, toggle(n.Pinned, "pin", "unpin", "pin"),
			toggle(n.Collapsed, "collapse", "expand", "chevron-down"), button("remove", "note.remove", "trash-2")}
		if n.Removed != 0 {
			card.Actions = []ui.Button{button("restore", "note.restore", "rotate-ccw")}
		}
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
	if !r.Posted() {
		return r.To("application-notes", h.ID)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	all, err := p.Query.ApplicationNotes(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	a, ctx, by := p.Admissions, r.Context(), r.Caller()
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
		offer, note, _ := strings.Cut(f.Get(name), "-")
		on := noteOn(all, idOf(offer))
		if on == nil {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		switch name {
		case "remove":
			said = "note.was_removed"
		case "restore":
			said = "note.was_restored"
		}
		err = change(*on, idOf(note))
		break
	}
	if admitto.KindOf(err) == admitto.NotFound { // somebody was quicker
		r.Notify(ui.Warn, r.T("note.gone"))
		return r.To("application-notes", h.ID)
	}
	if err != nil {
		return err
	}
	r.Notify(ui.OK, r.T(said))
	return r.To("application-notes", h.ID)
}

// idOf is the ID that a text is, -1 for none.
func idOf(text string) int64 {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return -1
	}
	return id
}

// noteEdit changes text and colour of a note.
func (p *pages) noteEdit(r *site.Request, h *query.ApplicationHead) error {
	id, err := r.IDAt("note")
	if err != nil {
		return err
	}
	all, err := p.Query.ApplicationNotes(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	on := noteOn(all, idOf(r.Part("offer")))
	if on == nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if !r.Reader().Has(on.Editing()) {
		return r.Reader().Needs(on.Editing())
	}
	n, err := p.Query.Note(r.Context(), r.Reader(), *on, id)
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
	back := r.Within("application-notes", h.ID)
	if r.Posted() {
		if note, colour := show.TypedNote(f); !f.Failed() {
			err = p.Admissions.EditNote(r.Context(), r.Caller(), *on, id, note, colour)
		}
		changed := site.Changed(err)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("note.changed"))
			return r.Redirect(back)
		}
		if changed {
			f.Meanwhile(stored, version, r.T("applicant.somebody"), r.Clock(r.Now()), [2]string{"text", "note.text"},
				[2]string{"colour", "note.colour"})
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"), r.Cancel(back)},
		f.Long("text", "note.text", 5, show.MostNote), f.Select("colour", "note.colour", show.NoteColours(r)...))}}.Show(r)
}
