package admin

import (
	"strings"

	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// setUpStep is a step of the checklist.
type setUpStep struct {
	key   string // message
	done  bool
	route string // of the form where it is done
	parts []any  // of its address
	query string
	lacks []string // what is missing, in words
}

// checklist says what an instance needs before applications can come (screens.md A01); nothing once it has all of that,
// or has applications. A step that is to do says what is missing and leads to its form.
func (d *board) checklist(to *panel) error {
	r := d.r
	c, err := d.p.Maintenance.Checklist(r.Context(), r.Reader())
	if err != nil || c.Done() || c.Applied {
		return err
	}
	steps, err := d.setUpSteps(&c)
	if err != nil {
		return err
	}
	facts := ui.KeyValues{}
	for _, step := range steps {
		fact := ui.KeyValue{Key: r.T("dashboard." + step.key)}
		lacks := strings.Join(step.lacks, " ")
		switch {
		case step.done:
			fact.Tags = []ui.Tag{{Text: r.T("dashboard.done"), Icon: "check", Tone: ui.OK}}
		case r.May(step.route):
			fact.Value, fact.Href = r.T("dashboard.to_do", "Missing", lacks), r.At(step.route, step.parts...)+step.query
		default:
			fact.Value = r.T("dashboard.to_do_others", "Missing", lacks)
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

// setUpSteps are the steps in their order. A record that lacks little is completed before another one is made.
func (d *board) setUpSteps(c *maintenance.Checklist) ([]setUpStep, error) {
	lack := func(key string, args ...any) []string { return []string{d.r.T("checklist_lacks."+key, args...)} }
	institution := setUpStep{key: "set_institution", done: c.Institution, route: "institution", parts: []any{c.First.ID}}
	switch {
	case c.First.ID == 0:
		institution.route, institution.parts, institution.lacks = "institution-new", nil, lack("institution")
	default:
		if c.First.Address == "" {
			institution.lacks = lack("address")
		}
		if c.First.Country == "" {
			institution.lacks = append(institution.lacks, lack("country")...)
		}
	}
	intake := setUpStep{key: "set_intake", done: c.Intake, route: "intake-new", lacks: lack("intake")}
	switch {
	case c.Undated.ID != 0:
		intake.route, intake.parts = "intake", []any{c.Undated.ID}
		intake.lacks = lack("deadlines", "Name", c.Undated.Name)
	case c.Over.ID != 0:
		intake.route, intake.parts = "intake", []any{c.Over.ID}
		intake.lacks = lack("intake_over", "Name", c.Over.Name)
	}
	course, err := d.courseStep(c.Course)
	if err != nil {
		return nil, err
	}
	types := setUpStep{key: "set_types", done: c.OfferTypes, route: "offer-type-new", lacks: lack("types")}
	if c.Unused.ID != 0 {
		types.route, types.parts = "offer-type", []any{c.Unused.ID}
		types.lacks = lack("types_off", "Name", c.Unused.Title)
	}
	server := setUpStep{key: "set_mail", done: c.Mail, route: "settings-group", parts: []any{"mail"}, lacks: lack("test")}
	switch {
	case !c.Server:
		server.lacks = lack("server")
	case c.Tested:
		server.lacks = lack("other_server")
	}
	return []setUpStep{institution,
		{key: "set_contact", done: c.Contact, route: "settings-group", parts: []any{"contact"}, lacks: lack("contact")},
		{key: "set_privacy", done: c.Privacy, route: "settings-group", parts: []any{"texts"}, lacks: lack("privacy")},
		{key: "set_term", done: c.Term, route: "term-new", lacks: lack("term")},
		intake, course, types,
		{key: "set_templates", done: c.Templates, route: "template", parts: []any{"application-submitted"},
			lacks: lack("templates")},
		server, {key: "set_second", done: c.Second, route: "administrator-invite", lacks: lack("second")}}, nil
}

// courseStep leads to the course that lacks the least, to its status where that is all.
func (d *board) courseStep(done bool) (setUpStep, error) {
	r := d.r
	step := setUpStep{key: "set_course", done: done, route: "course-new", lacks: []string{r.T("checklist_lacks.course")}}
	if done || !r.May(step.route) {
		return step, nil
	}
	course, lacks, err := d.p.Catalogue.NearestCourse(r.Context(), r.Reader())
	if err != nil || course.ID == 0 {
		return step, err
	}
	step.route, step.parts, step.query = "course-status", []any{course.ID}, "?status=Online"
	step.lacks = []string{r.T("checklist_lacks.offline", "Name", course.Name)}
	if len(lacks) > 0 {
		step.route, step.query = "course", ""
	}
	for _, text := range lacks {
		step.lacks = append(step.lacks, r.Say(text))
	}
	return step, nil
}
