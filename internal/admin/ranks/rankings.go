package ranks

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// allTerms is the term of an address that asks for all.
const allTerms = "all"

// mostCounted is how far the entries of the rankings of a list are counted.
const mostCounted = 1000

// rankings are screens.md A24.
func (p *pages) rankings() *records.Family[admitto.Ranking] {
	type of = admitto.Ranking
	return &records.Family[of]{
		Query: p.Query, List: "rankings", New: "ranking-new", One: "ranking", Kind: admitto.RankingRow,
		Events: []admitto.Pattern{admitto.RankingCreated, admitto.RankingEdited},
		Texts: records.Texts{Count: "ranking.count", None: "ranking.none", NoneText: "ranking.none_text",
			NewIntro: "ranking.intro", Intro: "ranking.intro", Saved: "ranking.saved"},
		ID: func(k *of) int64 { return k.ID }, Name: func(k *of) string { return k.Name },
		All: func(r *site.Request) ([]of, error) {
			var terms []int64
			if view := r.View(false); view.Get("term") != allTerms {
				terms = []int64{view.ID("term")}
			}
			return p.Query.Rankings(r.Context(), r.Reader(), nil, terms)
		},
		Above:   p.chooseTerm,
		Columns: p.rankingColumns,
		Read:    func(r *site.Request, id int64) (of, error) { return p.Query.Ranking(r.Context(), r.Reader(), id) },
		Blank:   func(*site.Request) (of, error) { return of{}, nil },
		Fields:  p.rankingFields,
		Save: func(r *site.Request, k of) (int64, error) {
			return p.Catalogue.SaveRanking(r.Context(), r.Caller(),
				k)
		},
	}
}

// rankingList writes the reader's term into the address of the list (screens.md U15).
func (p *pages) rankingList(all *records.Family[admitto.Ranking]) func(*site.Request) error {
	return func(r *site.Request) error {
		view := r.View(false)
		if view.Get("term") != "" {
			return all.Show(r)
		}
		term := r.Person.Term
		if term != 0 {
			if _, err := p.Query.Term(r.Context(), r.Reader(), term); err != nil {
				term = 0
			}
		}
		if term == 0 {
			var err error
			if term, err = p.Query.DefaultTerm(r.Context(), r.Reader()); err != nil {
				return err
			}
		}
		if term == 0 {
			return r.Redirect(view.With("term", allTerms))
		}
		return r.Redirect(view.With("term", number(term)))
	}
}

// chooseTerm is the filter of the list.
func (p *pages) chooseTerm(r *site.Request) ([]ui.Component, error) {
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	view := r.View(false)
	options := []ui.Option{{Value: allTerms, Text: r.T("browse.all_terms")}}
	for i := range terms {
		options = append(options, ui.Option{Value: number(terms[i].ID), Text: terms[i].Name})
	}
	for i := range options {
		options[i].Selected = options[i].Value == view.Get("term")
	}
	return []ui.Component{ui.FormBox{Get: true, Action: r.URL.Path, Head: ui.FormHead{Hidden: view.HiddenBut("term")},
		Parts: []ui.Component{ui.Select{Field: ui.Field{ID: "term", Name: "term", Label: r.T("intake.term")},
			Options: options}},
		Buttons: []ui.Button{{Text: r.T("ranking.show")}}}}, err
}

func (p *pages) rankingColumns(r *site.Request, list []admitto.Ranking) ([]records.Column[admitto.Ranking], error) {
	type of = admitto.Ranking
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	sizes, err := p.Query.RankingSizes(r.Context(), r.Reader(), list, mostCounted)
	names := map[int64]string{0: r.T("ranking.any_term")}
	for i := range terms {
		names[terms[i].ID] = terms[i].Name
	}
	return []records.Column[of]{
		{Title: "ranking.name", Place: "main", Cell: func(k *of) ui.Cell { return ui.Cell{Text: k.Name} }},
		{Title: "intake.term", Place: "label", Cell: func(k *of) ui.Cell { return ui.Cell{Text: names[k.Term]} }},
		{Title: "intake.courses", Place: "label", Num: true, Cell: func(k *of) ui.Cell {
			if len(k.Courses) == 0 {
				return ui.Cell{Text: r.T("ranking.all_courses")}
			}
			return ui.Cell{Text: r.Number(len(k.Courses))}
		}},
		{Title: "ranking.quota", Place: "label", Num: true, Cell: func(k *of) ui.Cell {
			if k.Quota == nil {
				return ui.Cell{Text: r.T("ranking.no_quota")}
			}
			return ui.Cell{Text: r.Number(int(*k.Quota))}
		}},
		{Title: "ranking.size", Place: "label", Num: true, Cell: func(k *of) ui.Cell {
			if sizes[k.ID] > mostCounted {
				return ui.Cell{Text: r.T("ranking.more_than", "Count", r.Number(mostCounted))}
			}
			return ui.Cell{Text: r.Number(int(sizes[k.ID]))}
		}},
		{Title: "course.updated", Place: "label", Cell: func(k *of) ui.Cell {
			return ui.Cell{Text: show.Day(r, k.Modified)}
		}},
	}, err
}

// rankingFields are the fields of a ranking, and below them what restricts it further.
func (p *pages) rankingFields(m records.Maker[admitto.Ranking], _ *admitto.Ranking) ([]records.Field[admitto.Ranking],
	error) {
	type of = admitto.Ranking
	ctx, by := m.R.Context(), m.R.Reader()
	terms, err := p.Query.Terms(ctx, by)
	if err != nil {
		return nil, err
	}
	courses, err := p.Query.Courses(ctx, by, admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	byName(courses)
	intakes, err := p.Query.Intakes(ctx, by)
	if err != nil {
		return nil, err
	}
	flags, err := p.Query.Flags(ctx, by)
	inTerm := []ui.Option{{Text: m.R.T("ranking.any_term")}}
	for i := range terms {
		inTerm = append(inTerm, ui.Option{Value: number(terms[i].ID), Text: terms[i].Name})
	}
	var chosen, periods, marks, statuses []ui.Option
	for i := range courses {
		chosen = append(chosen, ui.Option{Value: number(courses[i].ID), Text: courses[i].Name, Hint: courses[i].Code})
	}
	for i := range intakes {
		periods = append(periods, ui.Option{Value: number(intakes[i].ID), Text: intakes[i].Name})
	}
	for i := range flags {
		marks = append(marks, ui.Option{Value: number(flags[i].ID), Text: flags[i].Name})
	}
	for _, s := range admitto.RankedStatuses() {
		statuses = append(statuses, ui.Option{Value: string(s), Text: show.Status(m.R, s).Text})
	}
	return []records.Field[of]{
		m.Text("name", "ranking.name", func(k *of) *string { return &k.Name }),
		m.ChooseID("term", "intake.term", inTerm, func(k *of) *int64 { return &k.Term }, records.Optional),
		m.Number("quota", "ranking.quota", func(k *of) **int64 { return &k.Quota }, records.Optional,
			records.Hint("ranking.quota_hint")),
		m.IDs("courses", "intake.courses", chosen, func(k *of) *[]int64 { return &k.Courses }, records.Optional,
			records.Hint("ranking.courses_hint")),
		m.Head("ranking.filters", "ranking.filters_text"),
		m.Words("statuses", "ranking.statuses", statuses, func(k *of) *[]string { return &k.Filters.Statuses },
			records.Optional),
		m.IDs("intakes", "ranking.intakes", periods, func(k *of) *[]int64 { return &k.Filters.Intakes },
			records.Optional),
		m.IDs("flags", "ranking.flags", marks, func(k *of) *[]int64 { return &k.Filters.Flags }, records.Optional),
		countries(m),
	}, err
}

// countries are citizenships, as codes of countries.
func countries(m records.Maker[admitto.Ranking]) records.Field[admitto.Ranking] {
	return records.Field[admitto.Ranking]{
		Inputs: [][2]string{{"citizenships", "ranking.citizenships"}},
		Put: func(v site.Values, k *admitto.Ranking) {
			v["citizenships"] = site.One(strings.Join(k.Filters.Citizenships, ", "))
		},
		Take: func(f *site.Form, k *admitto.Ranking) {
			k.Filters.Citizenships = strings.FieldsFunc(strings.ToUpper(f.Get("citizenships")), func(c rune) bool {
				return c == ',' || c == ' ' || c == ';' || c == '\n'
			})
			slices.Sort(k.Filters.Citizenships)
			k.Filters.Citizenships = slices.Compact(k.Filters.Citizenships)
		},
		Draw: func(f *site.Form) []ui.Component {
			line := f.Text("citizenships", "ranking.citizenships")
			line.Optional, line.Autocomplete, line.Hint = true, "off", m.R.T("ranking.citizenships_text")
			return []ui.Component{line}
		},
	}
}

func (p *pages) deleteRanking(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	k, err := p.Query.Ranking(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return records.Removal{Query: p.Query, Name: k.Name, Row: admitto.Row{Kind: admitto.RankingRow, ID: id},
		List: r.At("rankings"), One: r.At("ranking", id), Effect: r.T("ranking.delete_effect"),
		Press: "action.ranking-delete", Act: func() error {
			return p.Catalogue.DeleteRanking(r.Context(), r.Caller(), id)
		}}.Show(r)
}
