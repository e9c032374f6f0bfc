package kinds

import (
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
			}, nil
		},
		Save: func(r *site.Request, s of) (int64, error) { return p.Catalogue.SaveSeries(r.Context(), r.Caller(), s) },
		Below: func(r *site.Request, s *of) ([]ui.Component, error) {
			return []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("series.next"), Value: nextNumbers(r, s, 3)},
				{Key: r.T("series.last"), Value: strings.TrimSpace(s.LastNumber + " " + show.Day(r, s.LastIssued))}}}}, nil
		},
	}
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
