package kinds

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// series are screens.md A31.
func (p *pages) series() *records.Family[admitto.Series] {
	type of = admitto.Series
	return &records.Family[of]{
		Query: p.Query, List: "series", New: "series-new", One: "series-one", Kind: admitto.SeriesRow,
		Events: []admitto.Pattern{admitto.SeriesCreated, admitto.SeriesEdited},
		Texts: records.Texts{Count: "series.count", None: "series.none", NoneText: "series.none_text",
			NewIntro: "series.intro", Intro: "series.intro", Saved: "series.saved"},
		ID: func(s *of) int64 { return s.ID }, Name: func(s *of) string { return s.Name },
		All: func(r *site.Request) ([]of, error) { return p.Query.InvoiceSeries(r.Context(), r.Reader()) },
		Columns: func(r *site.Request, _ []of) ([]records.Column[of], error) {
			return []records.Column[of]{
				{Title: "series.name", Place: "main", Cell: func(s *of) ui.Cell {
					return ui.Cell{Text: s.Name, Note: words(r, state{s.Default, "series.default"},
						state{s.Blocking, "series.blocking"}, state{s.Permanent, "series.permanent"})}
				}},
				{Title: "series.format", Place: "label", Cell: func(s *of) ui.Cell { return ui.Cell{Text: s.Format} }},
				{Title: "series.next", Place: "label", Cell: func(s *of) ui.Cell { return ui.Cell{Text: nextNumbers(r, s, 1)} }},
				{Title: "series.last", Place: "label", Cell: func(s *of) ui.Cell {
					return ui.Cell{Text: s.LastNumber, Note: show.Day(r, s.LastIssued)}
				}},
			}, nil
		},
		Read: func(r *site.Request, id int64) (of, error) {
			list, err := p.Query.InvoiceSeries(r.Context(), r.Reader())
			for i := range list {
				if list[i].ID == id {
					return list[i], nil
				}
			}
			if err == nil {
				err = &admitto.Error{Kind: admitto.NotFound}
			}
			return of{}, err
		},
		Blank: func(*site.Request) (of, error) { return of{Format: "%yearLong%-%incYearly:4%"}, nil },
		Fields: func(m records.Maker[of], s *of) ([]records.Field[of], error) {
			return []records.Field[of]{
				m.Text("name", "series.name", func(s *of) *string { return &s.Name }),
				m.Text("format", "series.format", func(s *of) *string { return &s.Format }, records.Hint("series.format_hint")),
				m.Tick("blocking", "series.blocking", "series.blocking_text", func(s *of) *bool { return &s.Blocking }),
				m.Tick("permanent", "series.permanent", "series.permanent_text", func(s *of) *bool { return &s.Permanent }),
				m.Tick("default", "series.default", "series.default_text", func(s *of) *bool { return &s.Default }),
				m.Head("series.words", "series.words_text"),
				m.Long("instructions", "invoice.instructions", 4, 4096, func(s *of) *string { return &s.Instructions },
					records.Optional),
				m.Long("smallprint", "invoice.smallprint", 3, 4096, func(s *of) *string { return &s.Smallprint },
					records.Optional),
				m.Versions([]records.Version{
					{Name: "instructions", Label: m.R.T("invoice.instructions"), First: s.Instructions, Rows: 4},
					{Name: "smallprint", Label: m.R.T("invoice.smallprint"), First: s.Smallprint, Rows: 3}},
					func(s *of) *admitto.Versions { return &s.Versions }),
			}, nil
		},
		Save: func(r *site.Request, s of) (int64, error) { return p.Catalogue.SaveSeries(r.Context(), r.Caller(), s) },
		Below: func(r *site.Request, s *of) ([]ui.Component, error) {
			return []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("series.next"), Value: nextNumbers(r, s, 3)},
				{Key: r.T("series.last"), Value: strings.TrimSpace(s.LastNumber + " " + show.Day(r, s.LastIssued))}}}}, nil
		},
		Buttons: func(r *site.Request, s *of) []ui.Button { return r.Buttons(site.Do("series-numbers", s.ID)) },
	}
}

// numbers are the register of a series: every number that it gave, those of deleted invoices as void.
func (p *pages) numbers(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	series, err := p.Query.InvoiceSeries(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	at := slices.IndexFunc(series, func(s admitto.Series) bool { return s.ID == id })
	if at < 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	r.NameCrumb("series-one", series[at].Name)
	view := r.View(true)
	void := view.Get("void") == "yes"
	list, count, err := p.Query.NumbersOf(r.Context(), r.Reader(), id, void, view.Size, int64(view.Offset()))
	if err != nil {
		return err
	}
	total := int(count)
	if last, beyond := view.Beyond(len(list), total); beyond {
		return r.Redirect(last)
	}
	table := ui.Table{Caption: r.Title(), Columns: []ui.Column{{Title: r.T("applicant.number"), Place: "main"},
		{Title: r.T("card.status"), Place: "meta"}, {Title: r.T("applicant.issued"), Place: "label"}},
		Empty: ui.Empty{Icon: "list-ordered", Title: r.T("series.no_numbers"), Text: r.T("series.no_numbers_text")}}
	for i := range list {
		n := &list[i]
		cell := ui.Cell{Text: n.Number}
		tag := ui.Tag{Text: r.T("series.given"), Icon: "check", Tone: ui.OK}
		if n.Void {
			tag = ui.Tag{Text: r.T("series.void"), Icon: "ban"}
		} else if n.Invoice != 0 && r.May("invoice") {
			cell.Href = r.At("invoice", n.Invoice)
		}
		table.Rows = append(table.Rows, ui.Row{Label: n.Number, Cells: []ui.Cell{cell, {Tags: []ui.Tag{tag}},
			{Text: show.Day(r, n.Issued)}}})
	}
	shown := ui.Button{Text: r.T("series.only_void"), Small: true, Href: view.With("void", "yes")}
	if void {
		shown = ui.Button{Text: r.T("series.all_numbers"), Small: true, Href: view.With("void", "")}
	}
	return site.ListPage{Head: ui.ListHead{Title: r.Title(), Count: r.Plural("series.numbers", total),
		Actions: []ui.Button{shown}}, Table: table, Pager: view.Pager(total)}.Show(r)
}

// nextNumbers are the next numbers of a series, as far as the last one says.
func nextNumbers(r *site.Request, s *admitto.Series, n int64) string {
	format, err := admitto.ParseNumberFormat(s.Format)
	if err != nil {
		return ""
	}
	today := admitto.DateOf(r.Now().Std().In(r.Zone()))
	begins := int64(0)
	if s.LastIssued != 0 {
		issued := admitto.DateOf(s.LastIssued.Std().In(r.Zone()))
		if period, last, ok := format.Read(s.LastNumber, issued); ok && period == format.Period(today) {
			begins = last
		}
	}
	var list []string
	for i := range n {
		list = append(list, format.Number(today, begins+1+i))
	}
	return strings.Join(list, ", ")
}
