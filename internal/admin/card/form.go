package card

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// firstSection is the section of the form that its tab opens.
const firstSection = "profile"

// formTab shows a section of the form as it was filled in (screens.md A13).
func (p *pages) formTab(r *site.Request, h *query.ApplicationHead) error {
	section := form.SectionOf(r.Part("section"))
	if section == nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	read, err := p.Query.ApplicationForm(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return err
	}
	words, err := p.Query.Classificators(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	f := &formReading{r: r, h: h, form: &read, words: words}
	parts := []ui.Component{f.sections(section)}
	if h.Frozen != 0 {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("card.form_frozen")})
	}
	return p.show(r, h, "application-form", append(parts, f.section(section)...)...)
}

// formReading is the form of an application as a page shows it.
type formReading struct {
	r     *site.Request
	h     *query.ApplicationHead
	form  *query.ApplicationForm
	words []admitto.Classificator
}

// isShown reports whether a section is among those that can be opened: what is hidden and empty is not.
func (f *formReading) isShown(s *form.Section) bool {
	return !s.Hidden && s.Key != form.Questions || f.form.Content.Sections[s.Key] != nil || f.missingIn(s) > 0 ||
		s.Key == form.Questions && len(f.form.Content.Extras) > 0
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

// sections lead to the sections; one that lacks something says how much.
func (f *formReading) sections(open *form.Section) ui.Links {
	var list ui.Links
	for _, s := range form.Sections() {
		if !f.isShown(s) && s != open {
			continue
		}
		link := ui.Link{Text: sectionName(f.r, s)}
		if n := f.missingIn(s); n > 0 {
			link.Text = f.r.T("card.section_lacks", "Section", link.Text, "Count", f.r.Number(n))
		}
		if s != open {
			link.Href = f.r.Within("application-form", f.h.ID, s.Key)
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
		parts = append(parts, ui.Box{Title: sectionName(r, s), Parts: []ui.Component{ui.KeyValues{Facts: open}}})
		return append(parts, f.sensitive(folded)...)
	}
	for i, row := range c.Rows(s.Key) {
		title := ""
		if heading := form.FieldAt(s.Key + "/" + s.Heading); heading != nil {
			title = valueText(r, heading, row[s.Heading], f.words)
		}
		if title == "" {
			title = r.T("card.entry", "Row", r.Number(i+1))
		}
		open, folded := f.facts(s, fmt.Sprintf("%s/%d", s.Key, i), row)
		parts = append(parts, ui.Box{Title: title, Parts: []ui.Component{ui.KeyValues{Facts: open}}})
		parts = append(parts, f.sensitive(folded)...)
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

// sensitive folds what is seldom needed; nothing of it stands there for readers without the permission.
func (f *formReading) sensitive(facts []ui.KeyValue) []ui.Component {
	if len(facts) == 0 {
		return nil
	}
	if !f.r.Reader().Has(admitto.ApplicationsSensitive) {
		return []ui.Component{ui.Words{Text: f.r.T("card.sensitive_hidden"), Muted: true}}
	}
	return []ui.Component{ui.Fold{Title: f.r.T("card.sensitive"), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}}
}

// facts are the fields of a section or a row, at a path: those that a form shows, and those that have something. What
// needs a permission of its own stands apart.
func (f *formReading) facts(s *form.Section, at string, o form.Object) (open, folded []ui.KeyValue) {
	r := f.r
	for _, field := range s.Leaves() {
		below := field.Below()
		path := at + "/" + below
		value := valueText(r, field, form.At(o, below), f.words)
		fact := ui.KeyValue{Key: label(r, field), Value: value}
		if field.Needs != 0 {
			folded = append(folded, fact)
			continue
		}
		var tags []ui.Component
		raw, wrong := f.form.Content.Attention[path]
		if wrong {
			tags = append(tags, ui.Tag{Text: r.T("card.attention"), Icon: "triangle-alert", Tone: ui.Warn},
				ui.Words{Text: raw})
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
		if value != "" || len(tags) > 0 || field.Show != form.Hidden {
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
		facts = append(facts, ui.KeyValue{Key: e.Name, Value: f.answer(e)})
	}
	for _, path := range f.form.Missing {
		if id, ok := strings.CutPrefix(path, s.Key+"/"); ok {
			facts = append(facts, ui.KeyValue{Key: r.T("card.question", "ID", id), Parts: []ui.Component{
				ui.Tag{Text: r.T("card.is_missing"), Icon: "triangle-alert", Tone: ui.Warn}}})
		}
	}
	if len(facts) == 0 {
		return ui.Empty{Icon: "list", Title: r.T("card.no_entries"), Text: r.T("card.no_entries_text")}
	}
	return ui.Box{Title: sectionName(r, s), Parts: []ui.Component{ui.KeyValues{Facts: facts}}}
}

// answer says an answer, whatever its type.
func (f *formReading) answer(e *admitto.Extra) string {
	switch {
	case e.YesNo != nil && *e.YesNo:
		return f.r.T("card.yes")
	case e.YesNo != nil:
		return f.r.T("card.no")
	case len(e.Choices) > 0:
		return strings.Join(e.Choices, ", ")
	case e.Money != nil:
		return f.r.Money(int64(e.Money.Amount), e.Money.Currency)
	case e.Document != 0:
		return f.r.T("card.document", "ID", strconv.FormatInt(e.Document, 10))
	}
	if len(e.Entries) > 0 {
		var list []string
		for i := range e.Entries {
			list = append(list, joined(": ", e.Entries[i].Name, f.answer(&e.Entries[i])))
		}
		return strings.Join(list, "; ")
	}
	return joined("", e.Text, e.Number)
}
