package catalogue

import (
	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// institutions are screens.md A37.
func (p *pages) institutions() *records.Family[admitto.Institution] {
	return &records.Family[admitto.Institution]{
		Query: p.Query, List: "institutions", New: "institution-new", One: "institution",
		Kind:   admitto.InstitutionRow,
		Events: []admitto.Pattern{admitto.InstitutionCreated, admitto.InstitutionEdited},
		Texts: records.Texts{Count: "institution.count", None: "institution.none", NoneText: "institution.none_text",
			Intro: "institution.intro", NewIntro: "institution.intro", Saved: "institution.saved"},
		ID:    func(i *admitto.Institution) int64 { return i.ID },
		Name:  func(i *admitto.Institution) string { return i.Name },
		About: func(i *admitto.Institution, of admitto.Links) bool { return of.Institution == i.ID },
		All: func(r *site.Request) ([]admitto.Institution, error) {
			return p.Query.Institutions(r.Context(), r.Reader(), admitto.InstitutionQuery{})
		},
		Columns: func(r *site.Request, _ []admitto.Institution) ([]records.Column[admitto.Institution], error) {
			return []records.Column[admitto.Institution]{
				{Title: "institution.name", Place: "main", Cell: func(i *admitto.Institution) ui.Cell {
					return ui.Cell{Text: i.Name}
				}},
				{Title: "institution.status", Place: "meta", Cell: func(i *admitto.Institution) ui.Cell {
					return ui.Cell{Tags: []ui.Tag{status(r, i.Status)}}
				}},
				{Title: "institution.mode", Place: "label", Cell: func(i *admitto.Institution) ui.Cell {
					return ui.Cell{Text: r.T("institution_mode." + i.Mode)}
				}},
				{Title: "institution.country", Place: "label", Cell: func(i *admitto.Institution) ui.Cell {
					return ui.Cell{Text: r.Country(i.Country)}
				}},
				{Title: "institution.location", Place: "label", Cell: func(i *admitto.Institution) ui.Cell {
					return ui.Cell{Text: i.Location}
				}},
			}, nil
		},
		Read: func(r *site.Request, id int64) (admitto.Institution, error) {
			return p.Query.Institution(r.Context(), r.Reader(), id)
		},
		Blank: func(*site.Request) (admitto.Institution, error) {
			return admitto.Institution{Status: "Draft", Mode: "Internal"}, nil
		},
		Fields: p.institutionFields,
		Save: func(r *site.Request, i admitto.Institution) (int64, error) {
			return p.Catalogue.SaveInstitution(r.Context(), r.Caller(), i)
		},
		Below: p.ofInstitution,
		Buttons: func(r *site.Request, _ *admitto.Institution) []ui.Button { // also where there is no list
			return r.Buttons(site.Do("institution-new"))
		},
	}
}

func (p *pages) institutionFields(m records.Maker[admitto.Institution],
	v *admitto.Institution) ([]records.Field[admitto.Institution], error) {
	lists, err := m.R.Classes(p.Query.Classificators(m.R.Context(), m.R.Reader()))
	if err != nil {
		return nil, err
	}
	type of = admitto.Institution
	words := func(list ...string) (options []ui.Option) {
		for _, w := range list {
			options = append(options, ui.Option{Value: w, Text: m.R.T("catalogue_status." + w)})
		}
		return options
	}
	modes := []ui.Option{{Value: "Internal", Text: m.R.T("institution_mode.Internal")},
		{Value: "External", Text: m.R.T("institution_mode.External")}}
	return []records.Field[of]{
		m.Text("name", "institution.name", func(i *of) *string { return &i.Name }),
		m.Choose("status", "institution.status", words("Draft", "Online"), func(i *of) *string { return &i.Status },
			records.Hint("institution.status_hint")),
		m.Choose("mode", "institution.mode", modes, func(i *of) *string { return &i.Mode }),
		m.Choose("type", "institution.type", codes(m.R, "Institution type", v.Type, lists),
			func(i *of) *string { return &i.Type },
			records.Optional),
		m.Country("country", "institution.country", func(i *of) *string { return &i.Country }, records.Optional),
		m.Text("location", "institution.location", func(i *of) *string { return &i.Location }, records.Optional),
		m.Long("address", "institution.address", 3, 500, func(i *of) *string { return &i.Address }, records.Optional),
		m.Text("www", "institution.www", func(i *of) *string { return &i.WWW }, records.Optional),
		m.Head("institution.registered", "institution.registered_text"),
		m.Text("registration", "institution.registration", func(i *of) *string { return &i.Registration },
			records.Optional),
		m.Text("vat", "institution.vat", func(i *of) *string { return &i.VAT }, records.Optional),
		m.Text("iban", "institution.iban", func(i *of) *string { return &i.IBAN }, records.Optional),
		m.Text("erasmus", "institution.erasmus", func(i *of) *string { return &i.Erasmus }, records.Optional),
	}, nil
}

// ofInstitution are the departments and the courses of an institution.
func (p *pages) ofInstitution(r *site.Request, i *admitto.Institution) ([]ui.Component, error) {
	departments, err := p.Query.Departments(r.Context(), r.Reader(), i.ID)
	if err != nil {
		return nil, err
	}
	table := ui.Table{Caption: r.T("title.departments"), Cards: true, Columns: []ui.Column{
		{Title: r.T("institution.name"), Place: "main"}, {Title: r.T("institution.location"), Place: "label"}},
		Empty: ui.Empty{Icon: "building-2", Title: r.T("department.none"), Text: r.T("department.none_text")}}
	for _, d := range departments {
		table.Rows = append(table.Rows, ui.Row{Label: d.Name, Cells: []ui.Cell{
			{Text: d.Name, Href: r.At("department", i.ID, d.ID)}, {Text: d.Location}}})
	}
	parts := []ui.Component{ui.Heading{Title: r.T("title.departments")}, table}
	for _, b := range r.Buttons(site.Do("department-new", i.ID)) {
		parts = append(parts, b)
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{Institutions: []int64{i.ID}})
	if err != nil {
		return nil, err
	}
	list := ui.Table{Caption: r.T("title.courses"), Cards: true, Columns: []ui.Column{
		{Title: r.T("course.name"), Place: "main"}, {Title: r.T("course.status"), Place: "meta"}},
		Empty: ui.Empty{Icon: "graduation-cap", Title: r.T("course.none"), Text: r.T("course.none_text")}}
	for n := range courses {
		c := &courses[n]
		cell := ui.Cell{Text: c.Name, Below: c.Code}
		if r.May("course") {
			cell.Href = r.At("course", c.ID)
		}
		list.Rows = append(list.Rows, ui.Row{Label: c.Name, Cells: []ui.Cell{cell, {Tags: []ui.Tag{status(r, c.Status)}}}})
	}
	parts = append(parts, ui.Heading{Title: r.T("title.courses")})
	if len(courses) <= mostUnfolded {
		return append(parts, list), nil
	}
	return append(parts, ui.Fold{Title: r.Plural("course.count", len(courses)), Parts: []ui.Component{list}}), nil
}

// mostUnfolded is how many courses stand on the page of their institution without a press.
const mostUnfolded = 10

// institutionRoutes are screens.md A37. An instance with one institution has no list of them.
func (p *pages) institutionRoutes(access site.Access) []site.Route {
	all := p.institutions()
	routes := all.Routes("/admin/institutions", access)
	for i := range routes {
		if routes[i].Name == all.List {
			routes[i].Handle = p.institutionList(all)
		}
	}
	return routes
}

// institutionList goes on to the one institution where there is but one.
func (p *pages) institutionList(all *records.Family[admitto.Institution]) func(*site.Request) error {
	return func(r *site.Request) error {
		list, err := all.All(r)
		if err == nil && len(list) == 1 {
			return r.To("institution", list[0].ID)
		}
		if err != nil {
			return err
		}
		return all.Show(r)
	}
}

// departmentRoutes are the forms of departments, which stand below their institution.
func (p *pages) departmentRoutes(access site.Access) []site.Route {
	return []site.Route{
		{Name: "department-new", Path: "/admin/institutions/{id}/departments/new", Access: access, Form: true,
			Parent: "institution", Handle: func(r *site.Request) error { return p.departments(r, 0) }},
		{Name: "department", Path: "/admin/institutions/{id}/departments/{department}", Access: access, Form: true,
			Parent: "institution", Handle: func(r *site.Request) error {
				id, err := r.IDAt("department")
				if err != nil {
					return err
				}
				return p.departments(r, id)
			}},
	}
}

// departments is the form of a department, or of a new one.
func (p *pages) departments(r *site.Request, id int64) error {
	institution, err := r.ID()
	if err != nil {
		return err
	}
	of, err := p.Query.Institution(r.Context(), r.Reader(), institution)
	if err != nil {
		return err
	}
	r.NameCrumb("institution", of.Name)
	type dept = admitto.Department
	form := records.Form[dept]{
		Query: p.Query, Kind: admitto.DepartmentRow, ID: id, Back: r.At("institution", institution),
		Events: []admitto.Pattern{admitto.DepartmentCreated, admitto.DepartmentEdited},
		Saved:  "department.saved", Press: "action.department-new",
		Name: func(d *dept) string { return d.Name },
		Read: func() (dept, error) {
			if id == 0 {
				return dept{Institution: institution}, nil
			}
			return p.Query.Department(r.Context(), r.Reader(), institution, id)
		},
		Fields: func(m records.Maker[dept], _ *dept) ([]records.Field[dept], error) {
			return []records.Field[dept]{
				m.Text("name", "institution.name", func(d *dept) *string { return &d.Name }),
				m.Country("country", "institution.country", func(d *dept) *string { return &d.Country },
					records.Optional),
				m.Text("location", "institution.location", func(d *dept) *string { return &d.Location },
					records.Optional),
				m.Text("www", "institution.www", func(d *dept) *string { return &d.WWW }, records.Optional),
			}, nil
		},
		Save: func(d dept) (string, error) {
			_, err := p.Catalogue.SaveDepartment(r.Context(), r.Caller(), d)
			return r.At("institution", institution), err
		},
	}
	return form.Show(r)
}
