package admin

import (
	"net/url"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// searchPage is the template "search".
type searchPage struct {
	Title, Text string
	Groups      []searchGroup
	Empty       *ui.Empty
}

// searchGroup is one kind of what was found.
type searchGroup struct {
	Title string
	All   *ui.Link
	Table ui.Table
}

// search is screens.md A06.
func (p *pages) search(r *site.Request) error {
	q := r.View(false).Get("q")
	page := searchPage{Title: r.Title()}
	if q == "" {
		page.Empty = &ui.Empty{Icon: "search", Title: r.T("search.begin"), Text: r.T("search.hints")}
		return r.Show("search", page)
	}
	found, err := p.Query.Search(r.Context(), r.Reader(), q)
	if err != nil {
		return err
	}
	s := &searching{p: p, r: r, q: q}
	for _, group := range []searchGroup{s.applicants(&found), s.applications(&found), s.offers(&found), s.invoices(&found),
		s.courses(&found)} {
		if len(group.Table.Rows) > 0 {
			group.Table.Caption = group.Title
			page.Groups = append(page.Groups, group)
		}
	}
	if s.err != nil {
		return s.err
	}
	if found.Exact && found.Count() == 1 {
		for _, cell := range page.Groups[0].Table.Rows[0].Cells {
			if cell.Href != "" {
				return r.Redirect(cell.Href)
			}
		}
	}
	page.Text = r.Plural("search.found", found.Count(), "Query", q)
	if len(page.Groups) == 0 {
		said := "search.hints"
		if utf8.RuneCountInString(q) < 2 {
			said = "search.short"
		}
		page.Text, page.Empty = "", &ui.Empty{Icon: "search", Title: r.T("search.nothing", "Query", q), Text: r.T(said)}
	}
	return r.Show("search", page)
}

// searching makes the groups; a name that cannot be read is in err.
type searching struct {
	p   *pages
	r   *site.Request
	q   string
	err error
}

func (s *searching) group(id string, more bool, list string, columns ...ui.Column) searchGroup {
	g := searchGroup{Title: s.r.T("search." + id), Table: ui.Table{Columns: columns}}
	if more && s.r.May(list) {
		g.All = &ui.Link{Text: s.r.T("search.all"), Href: s.r.At(list) + "?" + url.Values{"text": {s.q}}.Encode()}
	}
	return g
}

// to is the address of a card, "" while there is none that the reader may open.
func (s *searching) to(route string, id int64) string {
	if !s.r.May(route) {
		return ""
	}
	return s.r.At(route, id)
}

func (s *searching) columns(keys ...string) (columns []ui.Column) {
	for i, key := range keys {
		c := ui.Column{Title: s.r.T("search." + key)}
		switch i {
		case 0:
			c.Muted, c.Place = true, "meta"
		case 1:
			c.Place = "main"
		default:
			c.Place = "label"
		}
		columns = append(columns, c)
	}
	return columns
}

func (s *searching) applicants(f *query.Found) searchGroup {
	g := s.group("applicants", f.MoreApplicants, "applicants", s.columns("nr", "name", "email", "phone", "reference",
		"matriculation")...)
	for _, a := range f.Applicants {
		name := a.Name.Full()
		if name == "" {
			name = a.Email
		}
		g.Table.Rows = append(g.Table.Rows, ui.Row{Cells: []ui.Cell{{Text: number(a.ID)},
			{Text: name, Note: a.Citizenship, Href: s.to("applicant",
				a.ID)}, {Text: a.Email}, {Text: a.Phone}, {Text: a.Reference},
			{Text: a.Matriculation}}})
	}
	return g
}

func (s *searching) applications(f *query.Found) searchGroup {
	g := s.group("applications", f.MoreApplications, "browse", s.columns("nr", "applicant", "status", "courses")...)
	g.Table.Columns[2].Place, g.Table.Columns[3].Place = "", ""
	if len(f.Applications) == 0 {
		return g
	}
	b := &browsing{r: s.r}
	b.offerTypes = s.offerTypes()
	for i := range f.Applications {
		a := &f.Applications[i]
		g.Table.Rows = append(g.Table.Rows, ui.Row{Cells: []ui.Cell{{Text: number(a.ID)},
			{Text: a.Name.Full(), Note: a.Citizenship, Href: s.to("application",
				a.ID)}, {Tags: []ui.Tag{show.Status(s.r, a.Status)}},
			{Choices: b.choices(a)}}})
	}
	return g
}

func (s *searching) offerTypes() []admitto.OfferType {
	types, err := s.p.Query.OfferTypes(s.r.Context(), s.r.Reader())
	if err != nil {
		s.err = err
	}
	return types
}

func (s *searching) offers(f *query.Found) searchGroup {
	g := s.group("offers", false, "", s.columns("nr", "course", "offer_type", "application")...)
	if len(f.Offers) == 0 {
		return g
	}
	types := s.offerTypes()
	for _, o := range f.Offers {
		course, err := s.p.Query.Course(s.r.Context(), s.r.Reader(), o.Course)
		if err != nil {
			s.err = err
			return g
		}
		kind := ui.Cell{}
		for _, t := range types {
			if t.ID == o.Type {
				kind.Parts = []ui.Component{ui.Dot{Text: t.Title, Colour: t.Colour}}
			}
		}
		g.Table.Rows = append(g.Table.Rows, ui.Row{Cells: []ui.Cell{{Text: number(o.ID)},
			{Text: course.Name, Href: s.to("application", o.Application)}, kind, {Text: number(o.Application)}}})
	}
	return g
}

func (s *searching) invoices(f *query.Found) searchGroup {
	g := s.group("invoices", f.MoreInvoices, "invoices", s.columns("nr", "number", "payer")...)
	for _, i := range f.Invoices {
		g.Table.Rows = append(g.Table.Rows, ui.Row{Cells: []ui.Cell{{Text: number(i.ID)},
			{Text: i.Number, Href: s.to("invoice", i.ID)}, {Text: i.Payer}}})
	}
	return g
}

func (s *searching) courses(f *query.Found) searchGroup {
	g := s.group("courses", f.MoreCourses, "courses", s.columns("nr", "course", "code")...)
	for _, c := range f.Courses {
		g.Table.Rows = append(g.Table.Rows, ui.Row{Cells: []ui.Cell{{Text: number(c.ID)},
			{Text: c.Name, Href: s.to("course", c.ID)}, {Text: c.Code}}})
	}
	return g
}
