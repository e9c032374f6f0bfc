package courses

import (
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mostNote bounds the note of a wish, in characters (lifecycle.md 2.4).
const mostNote = 500

// wishes is screens.md P22.
func (p *pages) wishes(r *site.Request) error {
	list, err := p.Query.Wishes(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	page := site.Sheet{}
	if len(list) == 0 {
		page.Parts = []ui.Component{ui.Empty{Icon: "heart", Title: r.T("wishes.none"), Text: r.T("wishes.none_text"),
			Actions: r.Buttons(site.Primary("courses"))}}
		return page.Show(r)
	}
	own, err := p.appliedFor(r)
	if err != nil {
		return err
	}
	for i := range list {
		box, err := p.wish(r, &list[i], own)
		if err != nil {
			return err
		}
		page.Parts = append(page.Parts, box)
	}
	return page.Show(r)
}

// wish is one of them: what it is, until when one can apply, and what one can do. A course that is gone stays.
func (p *pages) wish(r *site.Request, w *admitto.Wish, own applied) (ui.Component, error) {
	box := ui.Box{}
	var facts []ui.KeyValue
	s := shown{}
	var err error
	s.OfferedCourse, _, err = p.Query.OfferedCourse(r.Context(), w.Course, p.country(r))
	there := err == nil && s.Status != "Closed"
	switch {
	case err == nil:
	case admitto.KindOf(err) != admitto.NotFound:
		return nil, err
	default:
		course, err := p.Query.Course(r.Context(), r.Reader(), w.Course)
		if err != nil {
			return nil, err
		}
		s.Course = course
	}
	box.Title, box.Lang = r.Said(s.NameIn(r.Lang))
	var in *query.OfferedIntake
	for i := range s.Starts {
		if w.Intake == s.Starts[i].ID || w.Intake == 0 && in == nil {
			in = &s.Starts[i]
		}
	}
	open := there && in != nil && in.State.IsOpen()
	switch {
	case !there || in == nil:
		facts = append(facts, ui.KeyValue{Key: r.T("catalogue.state"), Tags: []ui.Tag{{Text: r.T("intake_state.closed"),
			Icon: ui.Info.Icon(), Tone: ui.Info}}})
	default:
		fact := ui.KeyValue{Key: r.T("apply_for.intake")}
		fact.Value, fact.Lang = r.Said(in.NameIn(r.Lang))
		facts = append(facts, fact, ui.KeyValue{Key: r.T("catalogue.state"), Tags: []ui.Tag{stateTag(r, in)}})
		if day := deadlineText(r, in, p.country(r)); day != "" {
			facts = append(facts, ui.KeyValue{Key: r.T("catalogue.deadline"), Value: day})
		}
	}
	facts = append(facts, ui.KeyValue{Key: r.T("wishes.wished"), Value: r.Day(w.Wished)})
	if w.Notes != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("wishes.note"), Parts: []ui.Component{ui.Prose{Text: w.Notes}}})
	}
	box.Parts = []ui.Component{ui.KeyValues{Facts: facts}}
	acts := ui.Acts{}
	if open && own.with[courseOfTerm{w.Course, in.Term.ID}] == 0 {
		acts = append(acts, ui.Button{Text: r.T("wishes.apply"), Href: r.At("apply", w.Course, in.ID), About: box.Title})
	}
	if there {
		acts = append(acts, ui.Button{Text: r.T("wishes.look"), Href: r.At("course", w.Course), About: box.Title})
	}
	acts = append(acts, ui.Button{Text: r.T("action.wish-note"), Href: r.At("wish-note", w.ID), About: box.Title})
	box.Parts = append(box.Parts, acts, ui.FormBox{Action: r.At("wish-remove", w.ID),
		Buttons: []ui.Button{{Text: r.T("action.wish-remove"), About: box.Title}}})
	return box, nil
}

// country is the citizenship of the account, "" while it is not known.
func (p *pages) country(r *site.Request) string {
	account, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return ""
	}
	return account.Citizenship
}

// addWish puts a course on the list, with an intake or without, and a note.
func (p *pages) addWish(r *site.Request) error {
	course, err := r.IDAt("course")
	if err != nil {
		return err
	}
	s, err := p.read(r, course)
	if err != nil {
		return err
	}
	if s.Status == "Closed" {
		return r.To("course", course)
	}
	about := ui.KeyValue{Key: r.T("apply_for.course")}
	about.Value, about.Lang = r.Said(s.NameIn(r.Lang))
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		intake := max(f.Choice("intake"), 0)
		_, there, err := p.Admissions.AddWishNote(r.Context(), r.Caller(), course, intake, f.Get("notes"))
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			said := "wishes.added"
			if there {
				said = "wishes.there"
			}
			r.Notify(ui.OK, r.T(said, "Course", about.Value))
			return r.To("wishes")
		}
	}
	options := []ui.Option{{Text: r.T("wishes.any")}}
	for i := range s.Starts {
		name, _ := s.Starts[i].NameIn(r.Lang)
		options = append(options, ui.Option{Value: strconv.FormatInt(s.Starts[i].ID, 10), Text: name + " · " +
			r.Date(s.Starts[i].Begins().In(time.UTC))})
	}
	parts := []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{about}},
		f.Select("intake", "wishes.intake", options...), noteField(f)}
	buttons := []ui.Button{r.Save("action.wish-save"), r.Cancel(r.At("course", course))}
	return site.Sheet{Parts: []ui.Component{f.Box(buttons, parts...)}}.Show(r)
}

func noteField(f *site.Form) ui.LongText {
	note := f.Long("notes", "wishes.note", 3, mostNote)
	note.Optional = true
	return note
}

// own reads one of the wishes of the reader.
func (p *pages) own(r *site.Request) (admitto.Wish, error) {
	id, err := r.ID()
	if err != nil {
		return admitto.Wish{}, err
	}
	return p.Query.Wish(r.Context(), r.Reader(), r.Person.Account, id)
}

// wishNote changes the note of a wish.
func (p *pages) wishNote(r *site.Request) error {
	w, err := p.own(r)
	if err != nil {
		return err
	}
	f, err := r.Form(site.Values{"notes": site.One(w.Notes)}, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		_, err := p.Admissions.AddWish(r.Context(), r.Caller(), w.Course, w.Intake, f.Get("notes"))
		refused, err := f.Refused(err, map[admitto.Path]string{"wish.course": "notes"})
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("wishes.saved"))
			return r.To("wishes")
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.wish-save"), r.Cancel(r.At("wishes"))},
		noteField(f))}}.Show(r)
}

// keptNote is what the session keeps of a wish that was removed, so that it can be put back whole.
const keptNote = "wish-note"

// removeWish takes a wish off the list, and offers to put it back.
func (p *pages) removeWish(r *site.Request) error {
	w, err := p.own(r)
	if err != nil {
		return err
	}
	if err := p.Admissions.RemoveWish(r.Context(), r.Caller(), w.ID); err != nil {
		return err
	}
	r.Keep(keptNote, w.Notes)
	r.NotifyUndo(r.T("wishes.removed"), r.T("wishes.undo"), r.At("wish-back", w.Course, w.Intake))
	return r.To("wishes")
}

// wishBack puts it back.
func (p *pages) wishBack(r *site.Request) error {
	course, err := r.IDAt("course")
	if err != nil {
		return err
	}
	intake, err := strconv.ParseInt(r.Part("intake"), 10, 64)
	if err != nil || intake < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if _, err := p.Admissions.AddWish(r.Context(), r.Caller(), course, intake, r.Take(keptNote)); err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("wishes.restored"))
	return r.To("wishes")
}
