package scores

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// show are the scores by scoresheet, and what they come to for each offer.
func (p *pages) show(r *site.Request, c *ofApplication) error {
	table := ui.Table{Caption: r.T("title.application-scores"),
		Columns: []ui.Column{{Title: r.T("offer.sheet"), Place: "main"},
			{Title: r.T("offer.points"), Num: true, Place: "meta"}, {Title: r.T("score.range"), Place: "label"},
			{Title: r.T("score.details"), Place: "label"}, {Title: r.T("score.comments"),
				Place: "mail"}, {Title: r.T("score.scored"), Place: "label"}},
		Empty: ui.Empty{Icon: "clipboard-list", Title: r.T("score.none"), Text: r.T("score.none_text")}}
	staff, err := p.scorers(r, c)
	if err != nil {
		return err
	}
	for i := range c.Scores {
		v := &c.Scores[i]
		t := c.Sheet(v.Scoresheet)
		name := ui.Cell{Text: t.Name, Note: aboutSheet(r, t, c.Courses[v.Offer], staff)}
		if mayWrite(r, t) {
			name.Href = r.Within(ofOne, c.head.ID, v.ID)
		}
		if t.Confirmed != 0 {
			name.Tags = []ui.Tag{{Text: r.T("score.confirmed"), Icon: "lock"}}
		}
		table.Rows = append(table.Rows, ui.Row{ID: strconv.FormatInt(v.ID, 10), Label: t.Name, Cells: []ui.Cell{name,
			pointsCell(r, v), {Text: show.ScoreRange(r, t)}, {Text: details(r, v)}, {Text: v.Comments},
			{Text: show.Day(r, v.Scored)}}})
	}
	var buttons []ui.Button
	if r.May(adding) && len(c.places(r)) > 0 {
		buttons = show.Small(r.Buttons(site.Do(adding, c.head.ID)))
	}
	if len(table.Rows) == 0 {
		table.Empty.Actions, buttons = buttons, nil
	}
	parts := []ui.Component{table}
	for i := range c.Offers {
		o := &c.Offers[i]
		if !r.Reader().Has(admitto.OffersView) {
			break
		}
		because := c.Because[o.ID]
		box := ui.Box{Title: r.T("card.course", "Priority", o.Priority, "Course", c.Courses[o.ID]),
			Parts: show.Score(r, &because, c.Courses[o.ID], append(sums(r, o), ranks(r, c.Ranks[o.ID])...)...)}
		if r.May("offer-score") {
			box.Actions = show.Small(r.Buttons(site.Do("offer-score", o.ID)))
		}
		parts = append(parts, box)
	}
	return p.card.Show(r, c.head, tab, buttons, parts...)
}

// scorers are the names of the administrators who are asked to score on sheets of the application.
func (p *pages) scorers(r *site.Request, c *ofApplication) (names map[int64]string, err error) {
	for i := range c.Scores {
		if len(c.Sheet(c.Scores[i].Scoresheet).Scorers) > 0 {
			list, err := p.Query.Administrators(r.Context(), r.Reader())
			names = map[int64]string{}
			for i := range list {
				names[list[i].ID] = list[i].Name
			}
			return names, err
		}
	}
	return nil, nil
}

// aboutSheet says which offer a score is about, until when points are asked for, and of whom.
func aboutSheet(r *site.Request, t *admitto.Scoresheet, course string, staff map[int64]string) string {
	var parts []string
	if course != "" {
		parts = append(parts, course)
	}
	if !t.Due.IsZero() && t.Confirmed == 0 {
		parts = append(parts, r.T("score.due", "Day", show.Date(r, t.Due)))
	}
	var names []string
	for _, id := range t.Scorers {
		if staff[id] != "" {
			names = append(names, staff[id])
		}
	}
	if len(names) > 0 {
		parts = append(parts, r.T("score.scorers", "Names", strings.Join(names, r.T("score.and"))))
	}
	return strings.Join(parts, " · ")
}

// pointsCell are the points with their label; a sheet that the application is on without points says so.
func pointsCell(r *site.Request, v *admitto.Score) ui.Cell {
	if v.Points == nil {
		return ui.Cell{Tags: []ui.Tag{{Text: r.T("score.waiting"), Icon: "clock"}}}
	}
	return ui.Cell{Text: v.Text(admitto.ScorePoints), Note: v.Mapped()}
}

// details are what a score says besides points.
func details(r *site.Request, v *admitto.Score) string {
	text := ""
	for _, part := range []string{show.Date(r, v.Date), v.Reference, v.Subject, v.Language} {
		if part != "" && text != "" {
			text += " · "
		}
		text += part
	}
	return text
}

// ranks are the places of an offer in rankings.
func ranks(r *site.Request, list []query.OfferRank) (facts []ui.KeyValue) {
	for _, k := range list {
		value := r.T("score.rank_of", "Rank", r.Number(k.Rank), "Of", r.Number(k.Of))
		switch {
		case k.Large:
			value = r.T("score.rank_large")
		case k.Rank == 0:
			value = r.T("score.no_rank")
		}
		facts = append(facts, ui.KeyValue{Key: r.T("score.rank", "Ranking", k.Ranking), Value: value})
	}
	return facts
}

// sums are the scores of an offer and what they come to.
func sums(r *site.Request, o *admitto.OfferCase) []ui.KeyValue {
	entry := admitto.RankingEntry{Auto: o.ScoreAuto, Extra: o.ScoreExtra}
	facts := make([]ui.KeyValue, 0, 3)
	for _, f := range []struct {
		key   string
		score *admitto.Hundredths
	}{{"card.score_extra", o.ScoreExtra}, {"score.total", entry.Total()}} {
		fact := ui.KeyValue{Key: r.T(f.key)}
		if f.score != nil {
			fact.Value = f.score.String()
		}
		facts = append(facts, fact)
	}
	return facts
}
