package card

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// wholeForm is what its tab opens: all sections on one page.
const wholeForm = "all"

// formTab shows a section of the form as it was filled in (screens.md A13).
func (p *pages) formTab(r *site.Request, h *query.ApplicationHead) error {
	section := form.SectionOf(r.Part("section"))
	if section == nil && r.Part("section") != wholeForm {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	read, err := p.Query.ApplicationForm(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	words, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return err
	}
	moving, err := r.Form(nil, read.RowVersion)
	if err != nil {
		return err
	}
	f := &formReading{r: r, h: h, form: &read, words: words, head: moving.Head(), at: r.Part("section")}
	if f.opened = r.URL.Query().Get(sensitiveName) == "yes" && r.Reader().Has(admitto.ApplicationsSensitive); f.opened {
		if err := p.noteSensitive(r, h); err != nil {
			return err
		}
	}
	parts := append([]ui.Component{f.sections(section)}, fixed(r, h, "card.fixed_form", "application-form-edit")...)
	if h.Frozen != 0 {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("card.form_frozen")})
	}
	if section == nil {
		f.brief = true
		return p.showWith(r, h, "application-form", show.Small(f.changes()), append(parts, f.whole()...)...)
	}
	return p.showWith(r, h, "application-form", f.buttons(section), append(parts, f.section(section)...)...)
}

// buttons are what can be done with a section as a whole.
func (f *formReading) buttons(s *form.Section) []ui.Button {
	return show.Small(append(f.edit(s), f.changes()...))
}

// edit leads to the fields of a section, or to those of a new row of it.
func (f *formReading) edit(s *form.Section) (buttons []ui.Button) {
	r := f.r
	if f.mayEdit() && s.Rows && len(f.form.Content.Rows(s.Key)) < admitto.MaxContentEntries {
		buttons = append(buttons, ui.Button{Text: r.T("action.application-form-row"), Icon: "plus",
			Href: r.Within("application-form-row", f.h.ID, s.Key, "new")})
	} else if f.mayEdit() && !s.Rows && (s.Key != form.Questions || len(f.form.Questions) > 0) {
		buttons = append(buttons, ui.Button{Text: r.T("action.application-form-edit"), Icon: "pencil",
			Href: r.Within("application-form-edit", f.h.ID, s.Key)})
	}
	return buttons
}

// changes lead to what changed since the submission.
func (f *formReading) changes() []ui.Button {
	if lastSubmitted(f.h) == 0 {
		return nil
	}
	return []ui.Button{{Text: f.r.T("title.application-form-changes"), Icon: "history",
		Href: f.r.Within("application-form-changes", f.h.ID)}}
}

// mayEdit reports whether the reader may change the form in this status.
func (f *formReading) mayEdit() bool {
	_, err := admitto.ApplicationStep(admitto.ContentSaved, f.h.Status, admitto.ByAdministrator)
	return err == nil && f.r.May("application-form-edit")
}

// rowButtons are what can be done with a row.
func (f *formReading) rowButtons(s *form.Section, row int, title string) (buttons []ui.Button, up []ui.Component) {
	r := f.r
	if !f.mayEdit() {
		return nil, nil
	}
	if f.brief { // the other ones are where the section is alone
		buttons = r.Buttons(site.Do("application-form-row", f.h.ID, s.Key, row+1))
		buttons[0].Text = r.T("action.application-form-edit-row")
		return show.Small(aboutEach(title, buttons)), nil
	}
	buttons = r.Buttons(site.Do("application-form-row", f.h.ID, s.Key, row+1),
		site.Danger("application-form-row-remove", f.h.ID, s.Key, row+1))
	if buttons[0].Text = r.T("action.application-form-edit-row"); row > 0 {
		up = []ui.Component{ui.FormBox{Action: r.At("application-form-up", f.h.ID, s.Key, row+1),
			Head:    f.head,
			Buttons: show.Small(aboutEach(title, []ui.Button{{Text: r.T("card.move_up"), Icon: "arrow-up"}}))}}
	}
	return show.Small(aboutEach(title, buttons)), up
}

// formReading is the form of an application as a page shows it.
type formReading struct {
	r      *site.Request
	h      *query.ApplicationHead
	form   *query.ApplicationForm
	words  []admitto.Classificator
	head   ui.FormHead // of the forms that move rows
	at     string      // the part that the page is about
	opened bool        // sensitive fields are shown
	brief  bool        // fields with nothing in them are left out, unless they are missing
}

// isShown reports whether a section is among those that can be opened: what is hidden and empty is not.
func (f *formReading) isShown(s *form.Section) bool {
	return f.form.Asked.Shows(s.Key) || f.form.Content.Sections[s.Key] != nil || s.Key == form.Questions &&
		len(f.form.Content.Extras) > 0
}

// missingIn is how much a section lacks.
func (f *formReading) missingIn(s *form.Section) (n int) {
	for _, path := range f.form.Missing {
		if strings.HasPrefix(path, s.Key+"/") {
			n++
		}
	}
	return n
}

// whole is all sections that are shown, each with the way to it.
func (f *formReading) whole() (parts []ui.Component) {
	for _, s := range form.Sections() {
		if !f.isShown(s) {
			continue
		}
		name := formpage.SectionName(f.r, s)
		list := f.section(s)
		if _, empty := list[0].(ui.Empty); empty {
			list = []ui.Component{ui.Box{Title: name, Parts: []ui.Component{
				ui.Words{Text: f.r.T("card.no_entries"), Muted: true}}}}
		} else if s.Rows {
			parts = append(parts, ui.Heading{Title: name})
		}
		edit := show.Small(aboutEach(name, f.edit(s)))
		if box, ok := list[0].(ui.Box); ok && (!s.Rows || box.Title == name) {
			box.Actions, edit = edit, nil
			list[0] = box
		}
		parts = append(parts, list...)
		for _, add := range edit {
			parts = append(parts, add)
		}
	}
	return parts
}

// sections lead to all of them and to each; one that lacks something says how much.
func (f *formReading) sections(open *form.Section) ui.Links {
	list := ui.Links{Walk: f.r.T("card.sections"), Links: []ui.Link{{Text: f.r.T("card.whole_form"), Current: open == nil,
		Href: f.r.Within("application-form", f.h.ID, wholeForm)}}}
	for _, s := range form.Sections() {
		if !f.isShown(s) && s != open {
			continue
		}
		link := ui.Link{Text: formpage.SectionName(f.r, s), Current: s == open,
			Href: f.r.Within("application-form", f.h.ID, s.Key)}
		if n := f.missingIn(s); n > 0 {
			link.Text = f.r.T("card.section_lacks", "Section", link.Text, "Count", f.r.Number(n))
		}
		list.Links = append(list.Links, link)
	}
	return list
}

// section shows the fields of a section, and of each row of it.
func (f *formReading) section(s *form.Section) (parts []ui.Component) {
	r, c := f.r, &f.form.Content
	if s.Key == form.Questions {
		return []ui.Component{f.questions(s)}
	}
	if !s.Rows {
		open, folded := f.facts(s, s.Key, c.Section(s.Key))
		box := ui.Box{Title: formpage.SectionName(r, s), Parts: []ui.Component{ui.KeyValues{Facts: open}}}
		if len(open) == 0 {
			box.Parts = []ui.Component{ui.Words{Text: r.T("card.no_entries"), Muted: true}}
		}
		parts = append(parts, box)
		return append(parts, f.sensitive(folded)...)
	}
	for i, row := range c.Rows(s.Key) {
		title := formpage.RowName(r, s, row, i, f.words)
		open, folded := f.facts(s, fmt.Sprintf("%s/%d", s.Key, i), row)
		box := ui.Box{Title: title}
		var up []ui.Component
		box.Actions, up = f.rowButtons(s, i, title)
		box.Parts = append([]ui.Component{ui.KeyValues{Facts: open}}, up...)
		parts = append(append(parts, box), f.sensitive(folded)...)
	}
	if len(parts) > 0 {
		return parts
	}
	empty := ui.Empty{Icon: "list", Title: r.T("card.no_entries"), Text: r.T("card.no_entries_text")}
	if slices.Contains(f.form.Missing, s.Key+"/*") {
		empty.Text = r.T("card.row_required")
	}
	return []ui.Component{empty}
}

// sensitive folds what is seldom needed: it is on the page only where it was opened, which is written to the access
// log, by a reader with the permission.
func (f *formReading) sensitive(facts []ui.KeyValue) []ui.Component {
	if len(facts) == 0 {
		return nil
	}
	if !f.r.Reader().Has(admitto.ApplicationsSensitive) {
		return []ui.Component{ui.Words{Text: f.r.T("card.sensitive_hidden"), Muted: true}}
	}
	box := ui.Box{Title: f.r.T("card.sensitive"), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
	if !f.opened {
		box.Parts = []ui.Component{ui.Words{Text: f.r.T("card.sensitive_logged"), Muted: true}}
		box.Actions = []ui.Button{{Text: f.r.T("card.sensitive_open"), Icon: "eye", Small: true,
			Href: site.Add(f.r.Within("application-form", f.h.ID, f.at), sensitiveName, "yes")}}
	}
	return []ui.Component{box}
}

// sensitiveName is in the address of a page that shows sensitive fields.
const sensitiveName = "sensitive"

// noteSensitive writes to the access log that the reader opens sensitive fields.
func (p *pages) noteSensitive(r *site.Request, h *query.ApplicationHead) error {
	if r.Method != http.MethodGet {
		return nil
	}
	return p.Admissions.NoteSensitive(r.Context(), r.Caller(), h.ID)
}

// facts are the fields of a section or a row, at a path: those that a form shows, and those that have something. What
// needs a permission of its own stands apart.
func (f *formReading) facts(s *form.Section, at string, o form.Object) (open, folded []ui.KeyValue) {
	r := f.r
	for _, field := range s.AsWritten() {
		below := field.Below()
		path := at + "/" + below
		value := formpage.Value(r, field, form.At(o, below), f.words)
		fact := ui.KeyValue{Key: label(r, field), Value: value}
		if f.form.Asked.Requires(field.Path) {
			fact.Key = r.T("card.required", "Field", fact.Key)
		}
		var tags []ui.Component
		raw, wrong := f.form.Content.Attention[path]
		if wrong {
			tags = append(tags, ui.Tag{Text: r.T("card.attention"), Icon: "triangle-alert", Tone: ui.Warn},
				ui.Words{Text: formpage.AsTyped(field, raw)})
		} else if slices.Contains(f.form.Missing, path) {
			tags = append(tags, ui.Tag{Text: r.T("card.is_missing"), Icon: "triangle-alert", Tone: ui.Warn})
		}
		if f.form.IsFrozen(path) {
			tags = append(tags, ui.Tag{Text: r.T("card.is_frozen"), Icon: "lock"})
		}
		if len(tags) > 0 && value != "" {
			tags = append([]ui.Component{ui.Words{Text: value}}, tags...)
		}
		fact.Parts = tags
		if field.Needs != 0 {
			folded = append(folded, fact)
		} else if value != "" || len(tags) > 0 || !f.brief && f.form.Asked.Shows(field.Path) {
			open = append(open, fact)
		}
	}
	return open, folded
}

// questions are the answers to questions of courses, and those that lack one.
func (f *formReading) questions(s *form.Section) ui.Component {
	r := f.r
	var facts []ui.KeyValue
	for i := range f.form.Content.Extras {
		e := &f.form.Content.Extras[i]
		fact := ui.KeyValue{Key: e.Name, Value: formpage.Answer(f.r, e)}
		if raw, wrong := f.form.Content.Attention[s.Key+"/"+strconv.FormatInt(e.ID, 10)]; wrong {
			fact.Parts = []ui.Component{ui.Tag{Text: r.T("card.attention"), Icon: "triangle-alert", Tone: ui.Warn},
				ui.Words{Text: raw}}
		}
		facts = append(facts, fact)
	}
	for _, path := range f.form.Missing {
		if id, ok := strings.CutPrefix(path, s.Key+"/"); ok {
			if f.isAnswer(id) {
				continue
			}
			facts = append(facts, ui.KeyValue{Key: f.question(id), Parts: []ui.Component{
				ui.Tag{Text: r.T("card.is_missing"), Icon: "triangle-alert", Tone: ui.Warn}}})
		}
	}
	if len(facts) == 0 {
		return ui.Empty{Icon: "list", Title: r.T("card.no_entries"), Text: r.T("card.no_entries_text")}
	}
	return ui.Box{Title: formpage.SectionName(r, s), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
}

// isAnswer reports whether a question stands among the answers already.
func (f *formReading) isAnswer(question string) bool {
	return slices.ContainsFunc(f.form.Content.Extras,
		func(e admitto.Extra) bool { return strconv.FormatInt(e.ID, 10) == question })
}

// question is the text of a question, by its ID.
func (f *formReading) question(id string) string {
	for i := range f.form.Questions {
		if strconv.FormatInt(f.form.Questions[i].ID, 10) == id {
			return f.form.Questions[i].Name
		}
	}
	return f.r.T("formpage.question", "ID", id)
}
