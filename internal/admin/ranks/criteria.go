package ranks

import (
	"strings"

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
		Empty: ui.Empty{Icon: "scale", Title: r.T("course.none"), Text: r.T("criteria.none_text")}}
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
const moreCriteria = 3

// courseCriteria are the criteria of a course, a line each.
func (p *pages) courseCriteria(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	course, err := p.Query.Course(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	stored, version, err := p.Query.Criteria(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	sheets, err := p.Query.Scoresheets(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	r.SetTitle(r.T("criteria.title", "Course", course.Name))
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
	f, err := r.Form(values, version)
	if err != nil {
		return err
	}
	lines := len(stored) + moreCriteria
	if r.Posted() {
		list, fields := typedCriteria(f, lines)
		if !f.Failed() {
			n, err := p.Scoring.SetCriteria(r.Context(), r.Caller(), id, list)
			changed := site.Changed(err)
			refused, err := f.Refused(err, fields)
			if err != nil {
				return err
			}
			if !refused {
				r.Notify(ui.OK, r.Plural("criteria.saved", n))
				return r.To("criteria")
			}
			if changed {
				f.Version = version
			}
		}
	}
	options := []ui.Option{{Text: r.T("value.none")}}
	for i := range sheets {
		options = append(options, ui.Option{Value: number(sheets[i].ID), Text: sheets[i].Name})
	}
	var parts []ui.Component
	for n := range lines {
		line := number(int64(n))
		for _, of := range []struct{ name, key string }{{"sheet-", "criteria.sheet"}, {"weight-", "criteria.weight"},
			{"percent-", "criteria.percent"}, {"required-", "criteria.required"}} {
			f.SetLabel(of.name+line, r.T(of.key))
		}
		sheet, weight := f.Select("sheet-"+line, "", options...), f.Text("weight-"+line, "")
		weight.Width, weight.InputMode, weight.Autocomplete = "w4", "decimal", "off"
		sheet.Optional, weight.Optional = true, true
		parts = append(parts, ui.Heading{Title: r.T("criteria.line", "Number", n+1)}, sheet, weight,
			f.Tick("percent-"+line, "", "criteria.percent_text"), f.Tick("required-"+line, "", "criteria.required_text"))
	}
	return site.Sheet{Intro: []string{r.T("criteria.intro")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("criteria.press"), r.Cancel(r.At("criteria"))}, parts...)}}.Show(r)
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
		if err != nil {
			f.Fail("weight-"+line, "criteria.no_weight")
		}
		fields[admitto.CriterionPath(len(list))] = "sheet-" + line
		list = append(list, scoring.NewCriterion{Scoresheet: sheet, Weight: weight, Percent: f.Has("percent-" + line),
			Required: f.Has("required-" + line)})
	}
	return list, fields
}
