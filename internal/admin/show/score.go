package show

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Score explains the automatic score of an offer for a course line by line. The lines come to what is shown: where they
// are rounded otherwise than their sum is, a line says the difference. more follows the score.
func Score(r *site.Request, e *admitto.Explanation, course string, more ...ui.KeyValue) []ui.Component {
	facts := append([]ui.KeyValue{{Key: r.T("card.score_auto"), Value: e.Auto}}, more...)
	if len(e.Lines) == 0 {
		none := []ui.Component{ui.Words{Text: r.T("offer.no_score"), Muted: true}}
		if len(more) > 0 {
			none = append(none, ui.KeyValues{Facts: more})
		}
		return none
	}
	table := ui.Table{Caption: r.T("offer.score_of", "Course", course), Cards: true,
		Columns: []ui.Column{{Title: r.T("offer.sheet"), Place: "main"},
			{Title: r.T("offer.points"), Num: true, Place: "label"}, {Title: r.T("offer.value"), Num: true,
				Place: "label"},
			{Title: r.T("offer.weight"), Num: true, Place: "label"}, {Title: r.T("offer.part"), Num: true,
				Place: "label"}}}
	for _, l := range e.Lines {
		name := ui.Cell{Text: l.Name}
		if l.Required && l.Points == "" {
			name.Note = r.T("offer.score_missing")
		}
		table.Rows = append(table.Rows, ui.Row{Label: l.Name, Cells: []ui.Cell{name, {Text: l.Points}, {Text: l.Value},
			{Text: l.Weight}, {Text: l.Part}}})
	}
	if rest := e.Rounding(); rest != "" {
		table.Rows = append(table.Rows, ui.Row{Cells: []ui.Cell{{Text: r.T("offer.score_rounding")}, {}, {}, {},
			{Text: rest}}})
	}
	return []ui.Component{table, ui.KeyValues{Facts: facts}}
}

// mostExtra is the largest extra score, and with a minus the smallest (lifecycle.md O10).
const mostExtra admitto.Hundredths = 9999_99

// TypedExtra is an extra score as people type it, with a point or a comma; nil for an empty field.
func TypedExtra(typed string) (score *admitto.Hundredths, wrong bool) {
	if typed == "" {
		return nil, false
	}
	n, err := admitto.ParseHundredths(strings.Replace(typed, ",", ".", 1))
	if err != nil || n > mostExtra || n < -mostExtra {
		return nil, true
	}
	return &n, false
}
