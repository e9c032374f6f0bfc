package ranks

import (
	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// rankings are screens.md A24.
func (p *pages) rankings() *records.Family[admitto.Ranking] {
	type of = admitto.Ranking
	return &records.Family[of]{
		Query: p.Query, List: "rankings", New: "ranking-new", One: "ranking", Kind: admitto.RankingRow,
		Events: []admitto.Pattern{admitto.RankingCreated, admitto.RankingEdited},
		Texts: records.Texts{Count: "ranking.count", None: "ranking.none", NoneText: "ranking.none_text",
			NewIntro: "ranking.intro", Intro: "ranking.intro", Saved: "ranking.saved"},
		ID: func(k *of) int64 { return k.ID }, Name: func(k *of) string { return k.Name },
		All: func(r *site.Request) ([]of, error) { return p.Query.Rankings(r.Context(), r.Reader(), nil, nil) },
		Columns: func(r *site.Request, _ []of) ([]records.Column[of], error) {
			terms, err := p.Query.Terms(r.Context(), r.Reader())
			names := map[int64]string{}
			for i := range terms {
				names[terms[i].ID] = terms[i].Name
			}
			return []records.Column[of]{
				{Title: "ranking.name", Place: "main", Cell: func(k *of) ui.Cell { return ui.Cell{Text: k.Name} }},
				{Title: "intake.term", Place: "label", Cell: func(k *of) ui.Cell { return ui.Cell{Text: names[k.Term]} }},
				{Title: "intake.courses", Place: "label", Num: true, Cell: func(k *of) ui.Cell {
					return ui.Cell{Text: r.Number(len(k.Courses))}
				}},
				{Title: "ranking.quota", Place: "label", Num: true, Cell: func(k *of) ui.Cell {
					if k.Quota == nil {
						return ui.Cell{}
					}
					return ui.Cell{Text: r.Number(int(*k.Quota))}
				}},
				{Title: "course.updated", Place: "label", Cell: func(k *of) ui.Cell {
					return ui.Cell{Text: show.Day(r, k.Modified)}
				}},
			}, err
		},
		Read:  func(r *site.Request, id int64) (of, error) { return p.Query.Ranking(r.Context(), r.Reader(), id) },
		Blank: func(*site.Request) (of, error) { return of{}, nil },
		Fields: func(m records.Maker[of], _ *of) ([]records.Field[of], error) {
			terms, err := p.Query.Terms(m.R.Context(), m.R.Reader())
			if err != nil {
				return nil, err
			}
			courses, err := p.Query.Courses(m.R.Context(), m.R.Reader(), admitto.CourseQuery{})
			byName(courses)
			inTerm := []ui.Option{{Text: m.R.T("ranking.any_term")}}
			for i := range terms {
				inTerm = append(inTerm, ui.Option{Value: number(terms[i].ID), Text: terms[i].Name})
			}
			var chosen []ui.Option
			for i := range courses {
				chosen = append(chosen, ui.Option{Value: number(courses[i].ID), Text: courses[i].Name, Hint: courses[i].Code})
			}
			return []records.Field[of]{
				m.Text("name", "ranking.name", func(k *of) *string { return &k.Name }),
				m.ChooseID("term", "intake.term", inTerm, func(k *of) *int64 { return &k.Term }, records.Optional),
				m.Number("quota", "ranking.quota", func(k *of) **int64 { return &k.Quota }, records.Optional,
					records.Hint("ranking.quota_hint")),
				m.IDs("courses", "intake.courses", chosen, func(k *of) *[]int64 { return &k.Courses }, records.Optional,
					records.Hint("ranking.courses_hint")),
			}, err
		},
		Save: func(r *site.Request, k of) (int64, error) { return p.Catalogue.SaveRanking(r.Context(), r.Caller(), k) },
	}
}

// ranked is a ranking with its entries and their names.
type ranked struct {
	admitto.Ranking
	entries []admitto.RankingEntry
	names   map[int64]admitto.Name
	courses map[int64]string
	types   map[int64]admitto.OfferType
}

func (p *pages) readRanking(r *site.Request) (k ranked, err error) {
	id, err := r.ID()
	if err != nil {
		return k, err
	}
	if k.Ranking, err = p.Query.Ranking(r.Context(), r.Reader(), id); err != nil {
		return k, err
	}
	if k.entries, err = p.Query.RankingEntries(r.Context(), r.Reader(), id); err != nil {
		return k, err
	}
	k.courses, k.types = map[int64]string{}, map[int64]admitto.OfferType{}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return k, err
	}
	for i := range courses {
		k.courses[courses[i].ID] = courses[i].Name
	}
	types, err := p.Query.OfferTypes(r.Context(), r.Reader())
	for i := range types {
		k.types[types[i].ID] = types[i]
	}
	return k, err
}

// readNames reads the names of some of the entries.
func (p *pages) readNames(r *site.Request, k *ranked, entries []admitto.RankingEntry) (err error) {
	var ids []int64
	for i := range entries {
		ids = append(ids, entries[i].Application)
	}
	k.names, err = p.Query.NamesOf(r.Context(), r.Reader(), ids)
	return err
}

// ranking is one list: the ranks, and the line below the last one that the quota takes.
func (p *pages) ranking(r *site.Request) error {
	k, err := p.readRanking(r)
	if err != nil {
		return err
	}
	r.SetTitle(k.Name)
	view := r.View(false)
	if last, beyond := view.Beyond(max(len(k.entries)-view.Offset(), 0), len(k.entries)); beyond {
		return r.Redirect(last)
	}
	entries := k.entries[min(view.Offset(), len(k.entries)):min(view.Offset()+view.Size, len(k.entries))]
	if err := p.readNames(r, &k, entries); err != nil {
		return err
	}
	table := ui.Table{Caption: k.Name, Columns: []ui.Column{{Title: r.T("ranking.rank"), Place: "meta", Num: true},
		{Title: r.T("ranking.applicant"), Place: "main"}, {Title: r.T("browse.course"), Place: "label"},
		{Title: r.T("ranking.auto"), Place: "label", Num: true}, {Title: r.T("ranking.extra"), Place: "label", Num: true},
		{Title: r.T("ranking.total"), Place: "label", Num: true}, {Title: r.T("ranking.type"), Place: "label"},
		{Title: r.T("ranking.decision"), Place: "label"}},
		Empty: ui.Empty{Icon: "trophy", Title: r.T("ranking.empty"), Text: r.T("ranking.empty_text")}}
	for i := range entries {
		table.Rows = append(table.Rows, k.row(r, &entries[i]))
	}
	page := site.ListPage{Head: ui.ListHead{Title: k.Name, Count: r.Plural("ranking.entries", len(k.entries)),
		Actions: r.Buttons(site.Do("ranking-edit", k.ID), site.Do("ranking-csv", k.ID),
			site.Danger("ranking-delete", k.ID))},
		Table: table, Pager: view.Pager(len(k.entries))}
	if k.Quota != nil {
		page.Above = []ui.Component{ui.Words{Text: r.Plural("ranking.quota_line", int(*k.Quota)), Muted: true}}
	}
	return page.Show(r)
}

// row is one entry of a list.
func (k *ranked) row(r *site.Request, e *admitto.RankingEntry) ui.Row {
	rank := ui.Cell{Text: r.T("ranking.unranked")}
	if e.Rank > 0 {
		rank.Text = r.Number(e.Rank)
	}
	if k.Quota != nil && e.Rank > 0 && int64(e.Rank) <= *k.Quota || e.InQuota {
		rank.Below = r.T("ranking.in_quota") // tags would stand in the place of the rank
	}
	name := k.names[e.Application].Full()
	who := ui.Cell{Text: name, Below: r.T("scoring.application", "ID", number(e.Application))}
	if r.May("application-courses") {
		who.Href = r.At("application-courses", e.Application)
	}
	return ui.Row{Label: name, Cells: []ui.Cell{rank, who, {Text: k.courses[e.Course]}, {Text: scoreText(e.Auto)},
		{Text: scoreText(e.Extra)}, {Text: scoreText(e.Total())}, {Text: k.types[e.Type].Title},
		{Text: show.Decision(r, e.Decision)}}}
}

func scoreText(score *admitto.Hundredths) string {
	if score == nil {
		return ""
	}
	return score.String()
}

// rankingCSV is the whole list as a file.
func (p *pages) rankingCSV(r *site.Request) error {
	k, err := p.readRanking(r)
	if err != nil {
		return err
	}
	if err := p.readNames(r, &k, k.entries); err != nil {
		return err
	}
	heads := []string{"position", "rank", "application", "applicant", "name", "course", "priority", "auto", "extra",
		"total",
		"type", "decision", "in quota"}
	return r.CSV("ranking-"+number(k.ID)+".csv", heads, func(row func(cells ...string) error) error {
		for i := range k.entries {
			e := &k.entries[i]
			rank, quota := "", ""
			if e.Rank > 0 {
				rank = number(int64(e.Rank))
			}
			if e.InQuota {
				quota = "yes"
			}
			if err := row(number(int64(e.Position)), rank, number(e.Application), number(e.Applicant),
				k.names[e.Application].Full(), k.courses[e.Course], number(int64(e.Priority)), scoreText(e.Auto),
				scoreText(e.Extra), scoreText(e.Total()), k.types[e.Type].Title, string(e.Decision), quota); err != nil {
				return err
			}
		}
		return nil
	})
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
