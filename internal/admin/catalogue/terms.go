package catalogue

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// termRoutes are screens.md A41.
func (p *pages) termRoutes(access site.Access) []site.Route {
	years := site.Route{Name: "year", Path: "/admin/terms/years/{id}", Access: access, Form: true, Parent: "terms",
		Handle: p.year}
	return slices.Concat(p.terms().Routes("/admin/terms", access), p.termTypes().Routes("/admin/terms/types", access),
		[]site.Route{years})
}

func (p *pages) terms() *records.Family[admitto.Term] {
	return &records.Family[admitto.Term]{
		Query: p.Query, List: "terms", New: "term-new", One: "academic-term", Kind: admitto.TermRow,
		Events: []admitto.Pattern{admitto.TermCreated, admitto.TermEdited},
		Texts: records.Texts{Count: "term.count", None: "term.none", NoneText: "term.none_text", Intro: "term.intro",
			NewIntro: "term.intro", Saved: "term.saved"},
		ID:   func(t *admitto.Term) int64 { return t.ID },
		Name: func(t *admitto.Term) string { return t.Name },
		All: func(r *site.Request) ([]admitto.Term, error) {
			list, err := p.Query.Terms(r.Context(), r.Reader())
			slices.SortFunc(list, func(a, b admitto.Term) int { return b.Start.Compare(a.Start) })
			return list, err
		},
		Columns: p.termColumns,
		Above:   p.years,
		Read: func(r *site.Request, id int64) (admitto.Term, error) {
			return p.Query.Term(r.Context(), r.Reader(), id)
		},
		Actions: func(r *site.Request) []ui.Button {
			return r.Buttons(site.Do("season-template"), site.Do("season-later"))
		},
		Blank:  p.newTerm,
		Fields: p.termFields,
		Save: func(r *site.Request, t admitto.Term) (int64, error) {
			return p.Catalogue.SaveTerm(r.Context(), r.Caller(), t)
		},
		Below: p.ofTerm,
		Buttons: func(r *site.Request, t *admitto.Term) []ui.Button {
			return []ui.Button{{Text: r.T("action.term-later"), Href: r.At("term-new") + "?from=" + number(t.ID)}}
		},
		Warn: p.expiring,
	}
}

// expiring says how many applications expire, or come back, with another last day for applying.
func (p *pages) expiring(r *site.Request, was, typed *admitto.Term) (string, error) {
	now := r.Now()
	before, after := was.Expired(now, 0, r.Zone()), typed.Expired(now, 0, r.Zone())
	if before == after {
		return "", nil
	}
	n, err := p.Query.ApplicationsOfTerm(r.Context(), r.Reader(), was.ID)
	if err != nil || n == 0 {
		return "", err
	}
	if after {
		return r.Plural("term.expire", int(n)), nil
	}
	return r.Plural("term.come_back", int(n)), nil
}

// newTerm is a new term: the one that the address names, a year later, or the next autumn or spring that is not there.
func (p *pages) newTerm(r *site.Request) (t admitto.Term, err error) {
	if id := r.View(false).ID("from"); id != 0 {
		if t, err = p.Query.Term(r.Context(), r.Reader(), id); err != nil {
			return t, err
		}
		return catalog.LaterTerm(t), nil
	}
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	t, isSpring := catalog.ProposedTerm(admitto.DateOf(r.Now().Std().In(r.Zone())), terms)
	t.Name = termName(r, isSpring, t.Year)
	return t, err
}

func (p *pages) termColumns(r *site.Request, shown []admitto.Term) ([]records.Column[admitto.Term], error) {
	types, err := p.Query.TermTypes(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	years, err := p.Query.Years(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	named := map[int64]string{}
	for _, y := range years {
		named[y.Year] = y.Name
	}
	applications, err := p.Query.ApplicationsOfTerms(r.Context(), r.Reader(), shown)
	day := func(title string, at func(t *admitto.Term) admitto.Date) records.Column[admitto.Term] {
		return records.Column[admitto.Term]{Title: title, Place: "label", Cell: func(t *admitto.Term) ui.Cell {
			return ui.Cell{Text: show.Date(r, at(t))}
		}}
	}
	return []records.Column[admitto.Term]{
		{Title: "term.name", Place: "main", Cell: func(t *admitto.Term) ui.Cell { return ui.Cell{Text: t.Name} }},
		{Title: "term.year", Place: "label",
			Cell: func(t *admitto.Term) ui.Cell { return ui.Cell{Text: named[t.Year]} }},
		{Title: "term.type", Place: "label", Cell: func(t *admitto.Term) ui.Cell {
			return ui.Cell{Text: titled(typeOptions(types), number(t.Type))}
		}},
		day("term.start", func(t *admitto.Term) admitto.Date { return t.Start }),
		day("term.grace", func(t *admitto.Term) admitto.Date { return t.Grace }),
		day("term.finish", func(t *admitto.Term) admitto.Date { return t.Finish }),
		{Title: "course.applications", Place: "label", Num: true, Cell: func(t *admitto.Term) ui.Cell {
			cell := ui.Cell{Text: r.Number(int(applications[t.ID]))}
			if applications[t.ID] > 0 && r.May("browse") {
				cell.Href = r.At("browse") + "?term=" + number(t.ID)
			}
			return cell
		}},
	}, err
}

func typeOptions(types []admitto.TermType) (options []ui.Option) {
	for _, t := range types {
		options = append(options, ui.Option{Value: number(t.ID), Text: t.Name})
	}
	return options
}

func (p *pages) termFields(m records.Maker[admitto.Term], t *admitto.Term) ([]records.Field[admitto.Term], error) {
	types, err := p.Query.TermTypes(m.R.Context(), m.R.Reader())
	type of = admitto.Term
	return []records.Field[of]{
		m.Text("name", "term.name", func(t *of) *string { return &t.Name }, records.Hint("term.name_hint")),
		m.Whole("year", "term.year", func(t *of) *int64 { return &t.Year }, records.Hint("term.year_hint")),
		m.ChooseID("type", "term.type", append([]ui.Option{{Text: m.R.T("value.choose")}}, typeOptions(types)...),
			func(t *of) *int64 { return &t.Type }),
		m.Day("start", "term.start", func(t *of) *admitto.Date { return &t.Start }, records.Hint("term.start_hint")),
		m.Day("grace", "term.grace", func(t *of) *admitto.Date { return &t.Grace }, records.Hint("term.grace_hint")),
		m.Day("finish", "term.finish", func(t *of) *admitto.Date { return &t.Finish }),
		m.Versions([]records.Version{{Name: "name", Label: m.R.T("term.name"), First: t.Name}},
			func(t *of) *admitto.Versions { return &t.Versions }),
	}, err
}

// ofTerm says how many applications depend on the term, and leads to those, its intakes and to a term a year later.
func (p *pages) ofTerm(r *site.Request, t *admitto.Term) ([]ui.Component, error) {
	n, err := p.Query.ApplicationsOfTerm(r.Context(), r.Reader(), t.ID)
	if err != nil {
		return nil, err
	}
	intakes, err := p.Query.Intakes(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	list := ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("term.applications"), Value: r.Number(int(n))}}}
	if r.May("browse") {
		list.Facts[0].Href = r.At("browse") + "?term=" + number(t.ID)
	}
	for i := range intakes {
		if intakes[i].Term.ID != t.ID {
			continue
		}
		fact := ui.KeyValue{Key: r.T("term.intake"), Value: intakes[i].Name}
		if r.May("intake") {
			fact.Href = r.At("intake", intakes[i].ID)
		}
		list.Facts = append(list.Facts, fact)
	}
	return []ui.Component{ui.Heading{Title: r.T("term.used")}, list}, nil
}

// years are the academic years, and the way to the kinds of terms.
func (p *pages) years(r *site.Request) ([]ui.Component, error) {
	years, err := p.Query.Years(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	slices.SortFunc(years, func(a, b admitto.Year) int { return cmp.Compare(b.Year, a.Year) })
	var links []ui.Link
	for _, y := range years {
		links = append(links, ui.Link{Text: y.Name, Href: r.At("year", y.Year)})
	}
	if link, ok := r.Link("term-types"); ok {
		links = append(links, link)
	}
	return []ui.Component{ui.Links{Links: links}}, nil
}

// year is the form of an academic year. Years are made with the first term of theirs.
func (p *pages) year(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	type of = admitto.Year
	form := records.Form[of]{
		Query: p.Query, Kind: admitto.YearRow, ID: id, Back: r.At("terms"), Saved: "year.saved",
		Events: []admitto.Pattern{admitto.YearCreated, admitto.YearEdited},
		Name:   func(y *of) string { return y.Name },
		Read:   func() (of, error) { return p.Query.Year(r.Context(), r.Reader(), id) },
		Fields: func(m records.Maker[of], _ *of) ([]records.Field[of], error) {
			return []records.Field[of]{m.Text("name", "year.name", func(y *of) *string { return &y.Name }),
				m.Day("start", "year.start", func(y *of) *admitto.Date { return &y.Start })}, nil
		},
		Save: func(y of) (string, error) {
			return r.At("terms"), p.Catalogue.SaveYear(r.Context(), r.Caller(), y)
		},
	}
	return form.Show(r)
}

// termTypes are the kinds of terms.
func (p *pages) termTypes() *records.Family[admitto.TermType] {
	type of = admitto.TermType
	return &records.Family[of]{
		Query: p.Query, List: "term-types", Parent: "terms", New: "term-type-new", One: "term-type",
		Kind:   admitto.TermTypeRow,
		Events: []admitto.Pattern{admitto.TermTypeCreated, admitto.TermTypeEdited},
		Texts: records.Texts{Count: "term_type.count", None: "term_type.none", NoneText: "term_type.none_text",
			Saved: "term_type.saved"},
		ID:   func(t *of) int64 { return t.ID },
		Name: func(t *of) string { return t.Name },
		All:  func(r *site.Request) ([]of, error) { return p.Query.TermTypes(r.Context(), r.Reader()) },
		Columns: func(*site.Request, []of) ([]records.Column[of], error) {
			return []records.Column[of]{{Title: "term.name", Place: "main", Cell: func(t *of) ui.Cell {
				return ui.Cell{Text: t.Name}
			}}}, nil
		},
		Read:  func(r *site.Request, id int64) (of, error) { return p.Query.TermType(r.Context(), r.Reader(), id) },
		Blank: func(*site.Request) (of, error) { return of{}, nil },
		Fields: func(m records.Maker[of], _ *of) ([]records.Field[of], error) {
			return []records.Field[of]{m.Text("name", "term.name", func(t *of) *string { return &t.Name })}, nil
		},
		Save: func(r *site.Request, t of) (int64, error) {
			return p.Catalogue.SaveTermType(r.Context(), r.Caller(), t)
		},
	}
}
