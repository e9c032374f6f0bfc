package catalogue

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// courseRoutes are screens.md A38.
func (p *pages) courseRoutes(access site.Access) []site.Route {
	routes := append(p.courses().Routes("/admin/courses", access), site.Route{Name: "course-status",
		Path: "/admin/courses/{id}/status", Access: access, Form: true, Parent: "course", Handle: p.courseStatus})
	routes = append(routes, p.courseSheets().routes("/admin/courses", access)...)
	return append(routes, p.formRoutes(access)...)
}

func (p *pages) courses() *records.Family[admitto.Course] {
	type of = admitto.Course
	return &records.Family[of]{
		Query: p.Query, List: "courses", New: "course-new", One: "course", Kind: admitto.CourseRow,
		Events: []admitto.Pattern{admitto.CourseCreated, admitto.CourseEdited, admitto.CourseStatusSet},
		Texts: records.Texts{Count: "course.count", None: "course.none", NoneText: "course.none_text",
			NewIntro: "course.new_intro", Saved: "course.saved"},
		ID:    func(c *of) int64 { return c.ID },
		Name:  func(c *of) string { return c.Name },
		About: func(c *of, links admitto.Links) bool { return links.Course == c.ID },
		All: func(r *site.Request) ([]of, error) {
			return p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
		},
		Columns: p.courseColumns,
		Read:    func(r *site.Request, id int64) (of, error) { return p.Query.Course(r.Context(), r.Reader(), id) },
		Blank:   p.newCourse,
		Fields:  p.courseFields,
		Save: func(r *site.Request, c of) (int64, error) {
			return p.Catalogue.SaveCourse(r.Context(), r.Caller(), c, r.View(false).ID("from"))
		},
		Below:   p.ofCourse,
		Buttons: p.courseButtons,
		Actions: p.courseSheets().buttons,
	}
}

// newCourse is a copy of the course that the address names, or an undergraduate course of the first institution, for
// the intake of the terms to come where there is but one.
func (p *pages) newCourse(r *site.Request) (c admitto.Course, err error) {
	if id := r.View(false).ID("from"); id != 0 {
		if c, err = p.Query.Course(r.Context(), r.Reader(), id); err == nil {
			c.ID, c.Name = 0, ui.Unmarked(r.T("course.copy_of", "Name", c.Name))
		}
		return c, err
	}
	list, err := p.Query.Institutions(r.Context(), r.Reader(), admitto.InstitutionQuery{Modes: []string{"Internal"}})
	if err != nil {
		return c, err
	}
	if len(list) > 0 {
		c.Institution, c.Country, c.Location = list[0].ID, list[0].Country, list[0].Location
	}
	lists, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return c, err
	}
	for class, code := range map[string]struct {
		at       *string
		proposed string
	}{"Course type": {&c.Type, "UG"}, "Course mode": {&c.Mode, "FT"}} {
		if slices.ContainsFunc(codes(r, class, "", lists), func(o ui.Option) bool { return o.Value == code.proposed }) {
			*code.at = code.proposed
		}
	}
	intakes, err := p.Query.Intakes(r.Context(), r.Reader())
	intakes = slices.DeleteFunc(intakes, func(i admitto.Intake) bool { return i.Term.Expired(r.Now(), 0, r.Zone()) })
	if len(intakes) == 1 {
		c.Intakes = []int64{intakes[0].ID}
	}
	return c, err
}

func (p *pages) courseColumns(r *site.Request, shown []admitto.Course) ([]records.Column[admitto.Course], error) {
	lists, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return nil, err
	}
	types, modes := codesOf("Course type", lists), codesOf("Course mode", lists)
	institutions, err := p.Query.Institutions(r.Context(), r.Reader(), admitto.InstitutionQuery{})
	if err != nil {
		return nil, err
	}
	var ids []int64
	for i := range shown {
		ids = append(ids, shown[i].ID)
	}
	use, err := p.Query.CourseUse(r.Context(), r.Reader(), ids)
	type of = admitto.Course
	columns := []records.Column[of]{
		{Title: "course.name", Place: "main", Cell: func(c *of) ui.Cell {
			return ui.Cell{Text: c.Name,
				Below: c.Code}
		}},
		{Title: "course.status", Place: "meta", Cell: func(c *of) ui.Cell {
			return ui.Cell{Tags: []ui.Tag{status(r, c.Status)}}
		}},
		{Title: "course.type", Place: "label", Cell: func(c *of) ui.Cell {
			return ui.Cell{Text: r.Listed(codeTitle(types, c.Type), codeTitle(modes, c.Mode))}
		}},
		{Title: "course.intakes", Place: "label", Num: true, Cell: func(c *of) ui.Cell {
			return ui.Cell{Text: r.Number(len(c.Intakes))}
		}},
		{Title: "course.quota", Place: "label", Num: true, Cell: func(c *of) ui.Cell {
			if c.Quota == nil {
				return ui.Cell{}
			}
			return ui.Cell{Text: r.Number(int(*c.Quota))}
		}},
		{Title: "course.applications", Place: "label", Num: true, Cell: func(c *of) ui.Cell {
			cell := ui.Cell{Text: r.Number(int(use[c.ID]))}
			if use[c.ID] > 0 && r.May("browse") {
				cell.Href = applicationsOf(r, c.ID)
			}
			return cell
		}},
	}
	if len(institutions) > 1 {
		columns = slices.Insert(columns, 3, records.Column[of]{Title: "course.institution", Place: "label",
			Cell: func(c *of) ui.Cell {
				return ui.Cell{Text: titled(institutionOptions(institutions), number(c.Institution))}
			}})
	}
	return columns, err
}

// applicationsOf is the address of all applications for a course.
func applicationsOf(r *site.Request, course int64) string {
	return r.At("browse") + "?term=all&course=" + number(course)
}

func institutionOptions(list []admitto.Institution) (options []ui.Option) {
	for i := range list {
		options = append(options, ui.Option{Value: number(list[i].ID), Text: list[i].Name})
	}
	return options
}

func (p *pages) courseFields(m records.Maker[admitto.Course],
	v *admitto.Course) ([]records.Field[admitto.Course], error) {
	r := m.R
	texts := []records.Version{{Name: "name", Label: r.T("course.name"), First: v.Name},
		{Name: "awards", Label: r.T("course.awards"), First: awardsOf(v)},
		{Name: "duration", Label: r.T("course.duration"), First: v.Duration},
		{Name: "location", Label: r.T("course.location"), First: v.Location},
		{Name: "summary", Label: r.T("course.summary"), First: v.Summary},
		{Name: "about", Label: r.T("course.about"), First: v.About, Rows: 8},
		{Name: "requirements", Label: r.T("course.requirements"), First: v.Requirements, Rows: 6}}
	lists, err := r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	if err != nil {
		return nil, err
	}
	institutions, err := p.Query.Institutions(r.Context(), r.Reader(), admitto.InstitutionQuery{})
	if err != nil {
		return nil, err
	}
	intakes, err := p.Query.Intakes(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	slices.SortFunc(intakes, func(a, b admitto.Intake) int { return b.Term.Start.Compare(a.Term.Start) })
	var starts []ui.Option
	for i := range intakes {
		if intakes[i].Term.Expired(r.Now(), 0, r.Zone()) && !slices.Contains(v.Intakes, intakes[i].ID) {
			continue
		}
		starts = append(starts, ui.Option{Value: number(intakes[i].ID), Text: intakes[i].Name,
			Hint: r.Listed(intakes[i].Term.Name, deadlineWords(r, &intakes[i]))})
	}
	languages := []ui.Option{{Text: r.T("value.none")}}
	for _, code := range text.Languages() {
		languages = append(languages, ui.Option{Value: code, Text: r.Language(code)})
	}
	languages = append(languages[:1], r.ByText(languages[1:])...)
	type of = admitto.Course
	return []records.Field[of]{
		m.Text("name", "course.name", func(c *of) *string { return &c.Name }),
		m.ChooseID("institution", "course.institution", institutionOptions(institutions),
			func(c *of) *int64 { return &c.Institution }),
		m.Choose("type", "course.type", codes(r, "Course type", v.Type, lists), func(c *of) *string { return &c.Type },
			records.Optional, records.Hint("course.online_hint")),
		m.Choose("mode", "course.mode", codes(r, "Course mode", v.Mode, lists), func(c *of) *string { return &c.Mode },
			records.Optional, records.Hint("course.online_hint")),
		m.IDs("intakes", "course.intakes", starts, func(c *of) *[]int64 { return &c.Intakes }, records.Optional,
			records.Hint("course.intakes_hint")),
		m.Lacking(len(starts) > 0, "course.lacks_intakes", "intake-new"),
		m.Head("course.portal", "course.portal_text"),
		m.Text("summary", "course.summary", func(c *of) *string { return &c.Summary }, records.Optional,
			records.Hint("course.summary_hint")),
		m.Long("about", "course.about", 8, 20_000, func(c *of) *string { return &c.About }, records.Optional,
			records.Hint("course.markup_hint")),
		m.Long("requirements", "course.requirements", 6, 20_000, func(c *of) *string { return &c.Requirements },
			records.Optional, records.Hint("course.markup_hint")),
		m.Versions(texts, func(c *of) *admitto.Versions { return &c.Versions }),
		m.Tick("featured", "course.featured", "course.featured_text", func(c *of) *bool { return &c.Featured }),
		m.Head("course.facts", "course.facts_text"),
		m.Text("code", "course.code", func(c *of) *string { return &c.Code }, records.Optional),
		m.Text("code_internal", "course.code_internal", func(c *of) *string { return &c.CodeInternal },
			records.Optional),
		m.Lines("awards", "course.awards", 2, awardLines, setAwards, records.Optional,
			records.Hint("course.awards_hint")),
		m.Text("duration", "course.duration", func(c *of) *string { return &c.Duration }, records.Optional,
			records.Hint("course.duration_hint")),
		m.Text("credits", "course.credits", func(c *of) *string { return &c.Credits }, records.Optional),
		m.Choose("language", "course.language", languages, func(c *of) *string { return &c.Language },
			records.Optional),
		m.Country("country", "course.country", func(c *of) *string { return &c.Country }, records.Optional),
		m.Text("location", "course.location", func(c *of) *string { return &c.Location }, records.Optional),
		m.Text("accreditation", "course.accreditation", func(c *of) *string { return &c.Accreditation },
			records.Optional),
		m.Number("quota", "course.quota", func(c *of) **int64 { return &c.Quota }, records.Optional),
		m.Text("prospect_uri", "course.prospect", func(c *of) *string { return &c.ProspectURI }, records.Optional),
	}, nil
}

// awardsOf is what applicants read of the awards.
func awardsOf(c *admitto.Course) string {
	awards, _ := c.AwardsIn("", ", ")
	return awards
}

// awardLines are awards as they are typed: "BSc: Bachelor of Science".
func awardLines(c *admitto.Course) (lines []string) {
	for _, a := range c.Awards {
		lines = append(lines, strings.Trim(a.Abbr+": "+a.Full, ": "))
	}
	return lines
}

func setAwards(c *admitto.Course, lines []string) {
	c.Awards = nil
	for _, line := range lines {
		abbr, full, two := strings.Cut(line, ":")
		if !two {
			abbr, full = "", line
		}
		c.Awards = append(c.Awards, admitto.Award{Abbr: strings.TrimSpace(abbr), Full: strings.TrimSpace(full)})
	}
}

// ofCourse is the status of a course with what goes on from there.
func (p *pages) ofCourse(r *site.Request, c *admitto.Course) ([]ui.Component, error) {
	facts := []ui.KeyValue{{Key: r.T("course.status"), Tags: []ui.Tag{status(r, c.Status)}},
		{Key: r.T("course.updated"), Value: show.Day(r, c.Updated)}}
	if r.May("browse") {
		facts = append(facts, ui.KeyValue{Key: r.T("course.applications"), Value: r.T("course.show_applications"),
			Href: applicationsOf(r, c.ID)})
	}
	card, err := p.Query.CourseCard(r.Context(), r.Reader(), c.ID)
	if err != nil {
		return nil, err
	}
	return []ui.Component{ui.Heading{Title: r.T("course.status")}, ui.KeyValues{Facts: facts},
		ui.Heading{Title: r.T("course.belongs")}, ui.KeyValues{Facts: courseFacts(r, c.ID, &card)}}, nil
}

// courseFacts lead to what belongs to a course, as far as the reader may go there.
func courseFacts(r *site.Request, course int64, c *query.CourseCard) []ui.KeyValue {
	link := func(route, text string, values ...any) ui.Link {
		l := ui.Link{Text: text}
		if r.Known(route) && r.May(route) {
			l.Href = r.At(route, values...)
		}
		return l
	}
	list := func(links []ui.Link, none string) []ui.Component {
		if len(links) == 0 {
			return []ui.Component{ui.Words{Text: r.T(none), Muted: true}}
		}
		return []ui.Component{ui.Links{Links: links}}
	}
	var intakes, fees, tasks []ui.Link
	for i := range c.Intakes {
		intakes = append(intakes, link("intake", c.Intakes[i].Name, c.Intakes[i].ID))
	}
	for i := range c.Fees {
		fees = append(fees, link("fees", c.Fees[i].Name))
	}
	for _, t := range c.Templates {
		tasks = append(tasks, link("task-template", t.Title, t.ID))
	}
	return []ui.KeyValue{{Key: r.T("course.intakes"), Parts: list(intakes, "course.no_intakes")},
		{Key: r.T("title.course-form"), Parts: list([]ui.Link{link("course-form",
			r.Plural("course.questions", c.Questions), course)}, "")},
		{Key: r.T("course.fees"), Parts: list(fees, "course.no_fees")},
		{Key: r.T("course.tasks"), Parts: list(tasks, "course_form.no_tasks")},
		{Key: r.T("criteria.criteria"), Parts: list([]ui.Link{link("course-criteria",
			r.Plural("criteria.count", int(c.Criteria)), course)}, "")}}
}

func (p *pages) courseButtons(r *site.Request, c *admitto.Course) []ui.Button {
	buttons := r.Buttons(site.Do("course-form", c.ID), site.Do("course-status", c.ID))
	return append(buttons, ui.Button{Text: r.T("action.course-copy"),
		Href: r.At("course-new") + "?from=" + number(c.ID)})
}

// courseStatus sets the status of a course, to the one that the address proposes at first.
func (p *pages) courseStatus(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	type of = admitto.Course
	form := records.Form[of]{
		Query: p.Query, Kind: admitto.CourseRow, ID: id, Back: r.At("course", id), Saved: "course.status_saved",
		Events: []admitto.Pattern{admitto.CourseEdited, admitto.CourseStatusSet},
		About:  func(c *of, links admitto.Links) bool { return links.Course == c.ID },
		Name:   func(c *of) string { return c.Name },
		Read: func() (of, error) {
			c, err := p.Query.Course(r.Context(), r.Reader(), id)
			if err == nil {
				r.NameCrumb("course", c.Name)
				if proposed := r.View(false).Get("status"); slices.Contains(catalog.CourseStatuses(), proposed) {
					c.Status = proposed
				}
			}
			return c, err
		},
		Fields: func(m records.Maker[of], _ *of) ([]records.Field[of], error) {
			var options []ui.Option
			for _, s := range catalog.CourseStatuses() {
				options = append(options, ui.Option{Value: s, Text: r.T("catalogue_status." + s),
					Hint: r.T("course_status_text." + s)})
			}
			return []records.Field[of]{m.Radio("status", "course.status", options,
				func(c *of) *string { return &c.Status })}, nil
		},
		Save: func(c of) (string, error) {
			return r.At("course", id), p.Catalogue.SetCourseStatus(r.Context(), r.Caller(), id, c.Status)
		},
	}
	return form.Show(r)
}
