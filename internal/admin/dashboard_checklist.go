package admin

import (
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// checklist says what an instance needs before applications can come (screens.md A01); nothing once it has all of that,
// or has applications.
// A step that is to do leads to its page, where there is one.
func (d *board) checklist(to *panel) error {
	r := d.r
	c, err := d.p.Maintenance.Checklist(r.Context(), r.Reader())
	if err != nil || c.Done() || c.Applied {
		return err
	}
	facts := ui.KeyValues{}
	for _, step := range []struct {
		key, route string
		parts      []any // of the address
		done       bool
	}{
		{"set_institution", "institution", []any{1}, c.Institution},
		{"set_contact", "settings-group", []any{"contact"}, c.Contact},
		{"set_privacy", "settings-group", []any{"texts"}, c.Privacy},
		{"set_term", "term-new", nil, c.Term},
		{"set_intake", "intake-new", nil, c.Intake},
		{"set_course", "courses", nil, c.Course},
		{"set_types", "offer-types", nil, c.OfferTypes},
		{"set_templates", "templates", nil, c.Templates},
		{"set_mail", "settings-group", []any{"mail"}, c.Mail},
		{"set_second", "administrators", nil, c.Second},
	} {
		fact := ui.KeyValue{Key: r.T("dashboard." + step.key)}
		switch {
		case step.done:
			fact.Tags = []ui.Tag{{Text: r.T("dashboard.done"), Icon: "check", Tone: ui.OK}}
		case r.May(step.route):
			fact.Value, fact.Href = r.T("dashboard.to_do"), r.At(step.route, step.parts...)
		default:
			fact.Value = r.T("dashboard.to_do_later")
		}
		facts.Facts = append(facts.Facts, fact)
	}
	to.Wide, to.Parts = true, []ui.Component{ui.Words{Text: r.T("dashboard.checklist_text")}, facts}
	if !c.Term || !c.Intake || !c.Course {
		if buttons := r.Buttons(site.Do("season-template")); buttons != nil {
			to.Parts = append(to.Parts, ui.Words{Text: r.T("dashboard.season_text")}, ui.Acts(buttons))
		}
	}
	return nil
}
