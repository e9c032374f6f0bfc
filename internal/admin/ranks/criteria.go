package ranks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// criteria lead to the criteria of each course (screens.md A28).
func (p *pages) criteria(r *site.Request) error {
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return err
	}
	byName(courses)
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("course.name"), Place: "main"},
		{Title: r.T("criteria.criteria"), Place: "label"}},
		Empty: ui.Empty{Icon: "scale", Title: r.T("course.none"), Text: r.T("criteria.none_text"),
			Actions: r.Buttons(site.Primary("course-new"))}}
	used, err := p.Query.CriteriaOfCourses(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	for i := range courses {
		c := &courses[i]
		if c.Status == "Archived" || c.Status == "Template" {
			continue
		}
		words := r.T("criteria.none")
		if n := used[c.ID]; n > 0 {
			words = r.Plural("criteria.count", int(n))
		}
		table.Rows = append(table.Rows, ui.Row{Label: c.Name, Cells: []ui.Cell{{Text: c.Name, Below: c.Code,
			Href: r.At("course-criteria", c.ID)}, {Text: words}}})
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("course.count", len(table.Rows))},
		Table: table}.Show(r)
}

// moreCriteria is how many empty lines the form has for further criteria.
const moreCriteria = 2

// criteriaPage are the criteria of a course, a line each, with what they make of a real application.
type criteriaPage struct {
	*pages
	r       *site.Request
	id      int64
	stored  []admitto.Criterion
	sheets  []admitto.Scoresheet
	f       *site.Form
	preview bool // of what was typed
}

// courseCriteria shows what a change does before it is stored (screens.md A28).
func (p *pages) courseCriteria(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	course, err := p.Query.Course(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	c := &criteriaPage{pages: p, r: r, id: id}
	var version int64
	if c.stored, version, err = p.Query.Criteria(r.Context(), r.Reader(), id); err != nil {
		return err
	}
	if c.sheets, err = p.Query.Scoresheets(r.Context(), r.Reader()); err != nil {
		return err
	}
	r.SetTitle(r.T("criteria.title", "Course", course.Name))
	if c.f, err = r.Form(storedCriteria(c.stored), version); err != nil {
		return err
	}
	lines := linesOf(c.stored)
	var example scoring.Example
	if r.Posted() {
		var fields map[admitto.Path]string
		lines, fields = typedCriteria(c.f, c.count())
		if taken, err := c.take(lines, fields, version, &example); taken || err != nil {
			return err
		}
	} else if example, err = p.Scoring.ExampleOf(r.Context(), r.Reader(), id, lines, 0); err != nil {
		return err
	}
	return c.show(lines, &example)
}

// take looks at what was typed; what was looked at before is stored. taken is false where there is more to say.
func (c *criteriaPage) take(lines []scoring.NewCriterion, fields map[admitto.Path]string, version int64,
	example *scoring.Example) (taken bool, err error) {
	r, f := c.r, c.f
	application := f.Choice("application")
	if f.Failed() {
		err = f.Store(func() error { return c.Scoring.ChangeCriteria(r.Context(), r.Caller(), c.id, lines) })
	} else {
		*example, err = c.Scoring.ExampleOf(r.Context(), r.Reader(), c.id, lines, max(application, 0))
		if err == nil && f.Has("save") && f.Get("seen") == linesText(lines) {
			err = c.Scoring.ChangeCriteria(r.Context(), r.Caller(), c.id, lines)
			taken = err == nil
		}
	}
	changed := site.Changed(err)
	if err == nil && !taken { // nothing is stored, so what was typed is not forgotten
		if application > 0 && example.Application == 0 {
			f.Fail("application", "criteria.no_offer")
		}
		c.preview = !f.Failed()
		return false, nil
	}
	refused, err := f.Refused(err, fields)
	switch {
	case err != nil:
		return false, err
	case !refused:
		r.Notify(ui.OK, r.T("criteria.stored"))
		return true, r.To("course-criteria", c.id)
	case changed:
		return false, c.meanwhile(version)
	}
	return false, nil
}

// meanwhile lets the reader choose between what was typed and what somebody else has saved (screens.md U10).
func (c *criteriaPage) meanwhile(version int64) error {
	r, f := c.r, c.f
	who, at, err := c.Query.LastEdit(r.Context(), r.Reader(), []admitto.EventFilter{{Pattern: admitto.CriteriaChanged}},
		func(of *admitto.Record) bool { return of.Links.Course == c.id })
	if err != nil {
		return err
	}
	if at == 0 {
		at = r.Now()
	}
	var inputs [][2]string
	for n := range c.count() {
		for _, of := range criterionFields {
			name := of[0] + number(int64(n))
			f.SetLabel(name, r.T("criteria.field", "Number", n+1, "Field", r.T(of[1])))
			inputs = append(inputs, [2]string{name, of[1]})
		}
	}
	f.Meanwhile(storedCriteria(c.stored), version, cmp.Or(who, r.T("record.somebody")), r.Clock(at), inputs...)
	return nil
}

// linesText are lines in a form that equal ones share.
func linesText(lines []scoring.NewCriterion) string { return fmt.Sprint(lines) }

// linesOf are stored criteria as those that staff choose.
func linesOf(stored []admitto.Criterion) (lines []scoring.NewCriterion) {
	for _, c := range stored {
		lines = append(lines, scoring.NewCriterion{Scoresheet: c.Sheet.ID, Weight: c.Weight, Percent: c.Percent,
			Required: c.Required})
	}
	return lines
}

func storedCriteria(stored []admitto.Criterion) site.Values {
	values := site.Values{}
	for n := range stored {
		line := number(int64(n))
		values["sheet-"+line] = site.One(number(stored[n].Sheet.ID))
		values["weight-"+line] = site.One(strings.TrimRight(strings.TrimRight(points(stored[n].Weight, 4), "0"), "."))
		if stored[n].Percent {
			values["percent-"+line] = site.One("yes")
		}
		if stored[n].Required {
			values["required-"+line] = site.One("yes")
		}
	}
	return values
}

// show answers with the page.
func (c *criteriaPage) show(lines []scoring.NewCriterion, example *scoring.Example) error {
	r, f := c.r, c.f
	if f.Failed() { // what was typed makes no example
		var err error
		if *example, err = c.Scoring.ExampleOf(r.Context(), r.Reader(), c.id, linesOf(c.stored), 0); err != nil {
			return err
		}
	}
	progress, err := c.Scoring.CriteriaProgress(r.Context(), r.Reader(), c.id)
	if err != nil {
		return err
	}
	var parts []ui.Component
	if progress.Left > 0 {
		parts = append(parts, c.calculating(progress))
	} else {
		r.Over()
	}
	fields := c.lines()
	application := f.Text("application", "criteria.example_of")
	application.Optional, application.InputMode, application.Autocomplete, application.Width = true, "numeric", "off",
		"w10"
	fields = append(fields, application)
	buttons := []ui.Button{{Text: r.T("criteria.check"), Primary: true, Busy: r.T("form.saving")},
		r.Cancel(r.At("criteria"))}
	if c.preview {
		fields = append(fields, ui.Notice{Tone: ui.Info, Text: r.Plural("criteria.recalculates", int(progress.Offers))})
		buttons = []ui.Button{{Text: r.T("criteria.press"), Name: "save", Value: "yes", Primary: true,
			Busy: r.T("form.saving")}, {Text: r.T("criteria.check")}, r.Cancel(r.At("criteria"))}
	}
	box := f.Box(buttons, fields...)
	if c.preview {
		box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "seen", Value: linesText(lines)})
	}
	box.After = c.example(example)
	return site.Sheet{Intro: []string{r.T("criteria.intro")}, Parts: append(parts, box)}.Show(r)
}

// calculating says how far the calculation is, and is read again until it has ended.
func (c *criteriaPage) calculating(progress scoring.Progress) ui.Box {
	r, done := c.r, progress.Offers-progress.Left
	return ui.Box{ID: "calculating", Title: r.T("criteria.calculating"), Again: r.At("course-criteria", c.id),
		Parts: []ui.Component{ui.Progress{Label: r.T("criteria.offers"), Done: int(done), Of: int(progress.Offers),
			Text: r.T("criteria.done_of", "Done", r.Number(int(done)), "Of", r.Number(int(progress.Offers)))},
			ui.Button{Text: r.T("journal.look_again"), Href: r.At("course-criteria", c.id), Small: true}}}
}

// criterionFields are the beginnings of the names of the fields of each line, with what they are called.
var criterionFields = [][2]string{{"sheet-", "criteria.sheet"}, {"weight-", "criteria.weight"},
	{"percent-", "criteria.percent"}, {"required-", "criteria.required"}}

// count is how many lines the form has: those that are stored and some that are empty, or all that were typed, where
// somebody else has removed some since.
func (c *criteriaPage) count() int {
	n := len(c.stored) + moreCriteria
	for n < admitto.MaxCriteria+moreCriteria && c.f.All("sheet-"+number(int64(n))) != nil {
		n++
	}
	return n
}

// lines are the fields of the criteria.
func (c *criteriaPage) lines() (parts []ui.Component) {
	r, f := c.r, c.f
	options := []ui.Option{{Text: r.T("value.none")}}
	for i := range c.sheets {
		options = append(options, ui.Option{Value: number(c.sheets[i].ID), Text: c.sheets[i].Name})
	}
	for n := range c.count() {
		line := number(int64(n))
		for _, of := range criterionFields {
			f.SetLabel(of[0]+line, r.T(of[1]))
		}
		sheet, weight := f.Select("sheet-"+line, "", options...), f.Text("weight-"+line, "")
		weight.Width, weight.InputMode, weight.Autocomplete = "w4", "decimal", "off"
		sheet.Optional, weight.Optional = true, true
		parts = append(parts, ui.Box{Title: r.T("criteria.line", "Number", n+1), Parts: []ui.Component{
			ui.Columns{Parts: []ui.Component{sheet, weight}},
			ui.Columns{Parts: []ui.Component{f.Tick("percent-"+line, "", "criteria.percent_text"),
				f.Tick("required-"+line, "", "criteria.required_text")}}}})
	}
	return parts
}

// example is what the criteria make of a real application, line by line.
func (c *criteriaPage) example(e *scoring.Example) []ui.Component {
	r := c.r
	if e.Application == 0 {
		return []ui.Component{ui.Heading{Title: r.T("criteria.example"), Text: r.T("criteria.no_example")}}
	}
	title := r.T("criteria.example_title", "ID", number(e.Application))
	box := ui.Box{ID: "example", Title: title, Parts: show.Score(r, &e.Explained, title,
		ui.KeyValue{Key: r.T("criteria.before"), Value: cmp.Or(scoreText(e.Before), r.T("criteria.no_score"))})}
	if r.May("application-scores") {
		box.Actions = []ui.Button{{Text: r.T("scoring.open"), Small: true, Href: r.At("application-scores",
			e.Application)}}
	}
	return []ui.Component{box}
}

// typedCriteria are the lines that were filled in, and the fields that faults of each line go to.
func typedCriteria(f *site.Form, lines int) (list []scoring.NewCriterion, fields map[admitto.Path]string) {
	fields = map[admitto.Path]string{}
	for n := range lines {
		line := number(int64(n))
		sheet := f.Choice("sheet-" + line)
		if sheet == 0 {
			continue
		}
		weight, err := admitto.ParsePoints(strings.Replace(f.Get("weight-"+line), ",", ".", 1), 4)
		if err != nil || weight == 0 {
			f.Fail("weight-"+line, "criteria.no_weight")
			weight = 1 // the rest of the line is looked at
		}
		fields[admitto.CriterionPath(len(list))] = "sheet-" + line
		list = append(list, scoring.NewCriterion{Scoresheet: sheet, Weight: weight, Percent: f.Has("percent-" + line),
			Required: f.Has("required-" + line)})
	}
	return list, fields
}
