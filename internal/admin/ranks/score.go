package ranks

import (
	"cmp"
	"errors"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// rowsToScore is how many applications a page for points has.
const rowsToScore = 25

// mostComments is how many characters comments may have (lifecycle.md 7).
const mostComments = 2000

// shownPrefix names the hidden fields with what the page has shown of a field.
const shownPrefix = "shown-"

// score is screens.md A27: the applications of a sheet, each with a field for points. What is right is saved together,
// and what is wrong stays in its field.
func (p *pages) score(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.Scoresheet(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	if !t.TakesFrom(r.Reader()) {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	use, err := p.Query.SheetUses(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	view := r.View(false)
	q := admitto.ScoreQuery{Scoresheet: id, After: view.ID("after"), Limit: rowsToScore}
	if missing := view.Get("missing") == "yes"; missing {
		q.Scored = new(bool)
	}
	list, err := p.Query.Scores(r.Context(), r.Reader(), q)
	if err != nil {
		return err
	}
	var rows []admitto.Score
	var applications []int64
	for s, err := range list.All() {
		if err != nil {
			return err
		}
		rows, applications = append(rows, *s), append(applications, s.Application)
	}
	names, err := p.Query.NamesOf(r.Context(), r.Reader(), applications)
	if err != nil {
		return err
	}
	f, err := r.Form(storedScores(rows), 0)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("scoring.title", "Name", t.Name))
	closed := t.Confirmed != 0 && !r.Reader().Has(admitto.ScorersEdit)
	if r.Posted() && !closed {
		n, err := p.saveScores(r, f, &t, rows)
		if err != nil {
			return err
		}
		if n > 0 {
			r.Notify(ui.OK, r.Plural("scoring.saved", n))
		}
		if !f.Failed() {
			if len(rows) == rowsToScore {
				return r.Redirect(view.With("after", number(rows[len(rows)-1].ID)))
			}
			return r.Redirect(view.With())
		}
	}
	page := site.Sheet{Intro: []string{scoredOf(r, use[id])}}
	missing := ui.Button{Text: r.T("scoring.only_missing"), Href: r.At("scoring", id) + "?missing=yes"}
	if view.Get("missing") == "yes" {
		missing = ui.Button{Text: r.T("scoring.all"), Href: r.At("scoring", id)}
	}
	page.Buttons = append(page.Buttons, missing)
	if t.Instructions != "" {
		page.Parts = append(page.Parts, ui.Prose{Text: t.Instructions})
	}
	if closed {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Info, Text: r.Say(message.Of("sheet-confirmed"))})
	}
	if len(rows) == 0 {
		page.Parts = append(page.Parts, ui.Empty{Icon: "clipboard-list", Title: r.T("scoring.none"),
			Text: r.T("scoring.none_text")})
		return page.Show(r)
	}
	var parts []ui.Component
	for i := range rows {
		parts = append(parts, scoreFields(r, f, &t, &rows[i], names[rows[i].Application].Full()))
	}
	box := f.Box([]ui.Button{r.Save("scoring.press")}, parts...)
	for i := range rows { // so that what somebody else saves meanwhile is noticed
		id := number(rows[i].ID)
		box.Head.Hidden = append(box.Head.Hidden,
			ui.Option{Text: shownPrefix + "points-" + id, Value: rows[i].Text(admitto.ScorePoints)},
			ui.Option{Text: shownPrefix + "comments-" + id, Value: rows[i].Comments})
	}
	page.Parts = append(page.Parts, box)
	if len(rows) == rowsToScore {
		page.Parts = append(page.Parts, ui.Acts{{Text: r.T("scoring.more"),
			Href: view.With("after", number(rows[len(rows)-1].ID))}})
	}
	return page.Show(r)
}

func storedScores(rows []admitto.Score) site.Values {
	values := site.Values{}
	for i := range rows {
		s := &rows[i]
		values["points-"+number(s.ID)] = site.One(s.Text(admitto.ScorePoints))
		values["comments-"+number(s.ID)] = site.One(s.Comments)
	}
	return values
}

// scoreFields are the fields of one application; comments that there are none of are folded.
func scoreFields(r *site.Request, f *site.Form, t *admitto.Scoresheet, s *admitto.Score, name string) ui.Box {
	title := r.T("scoring.row", "ID", number(s.Application), "Name", name)
	pointsName, commentsName := "points-"+number(s.ID), "comments-"+number(s.ID)
	f.SetLabel(pointsName, r.T("scoring.points"))
	f.SetLabel(commentsName, r.T("score.comments"))
	var field ui.Component
	if t.IsLabelled() {
		options := []ui.Option{{Text: r.T("score.no_points")}}
		for _, m := range t.Maps {
			value := points(m.Value, t.Scale)
			options = append(options, ui.Option{Value: value, Text: m.Label + " (" + value + ")"})
		}
		choice := f.Select(pointsName, "", options...)
		choice.Optional = true
		field = choice
	} else {
		line := f.Text(pointsName, "")
		line.Width, line.InputMode, line.Optional, line.Autocomplete = "w4", "decimal", true, "off"
		line.Hint = points(t.Min, t.Scale) + " – " + points(t.Max, t.Scale)
		field = line
	}
	comments := f.Long(commentsName, "", 2, mostComments)
	comments.Optional = true
	box := ui.Box{Title: title, Parts: []ui.Component{field, ui.Fold{Title: r.T("score.comments"),
		Open: f.Has(commentsName) || f.Wrong(commentsName), Parts: []ui.Component{comments}}}}
	if r.May("application-scores") {
		box.Actions = []ui.Button{{Text: r.T("scoring.open"), Small: true, Href: r.At("application-scores", s.Application)}}
	}
	return box
}

// saveScores saves what has changed; what is wrong, or was saved by somebody else meanwhile, is said next to its field.
func (p *pages) saveScores(r *site.Request, f *site.Form, t *admitto.Scoresheet, rows []admitto.Score) (saved int,
	err error) {
	for i := range rows {
		s := &rows[i]
		change := scoring.ScoreChange{Scorers: r.Reader().Has(admitto.ScorersEdit)}
		change.Values.Scale = t.Scale
		pointsName, commentsName := "points-"+number(s.ID), "comments-"+number(s.ID)
		if typed, ok := changedField(f, pointsName, s.Text(admitto.ScorePoints)); ok {
			value, err := t.ParsePoints(typed)
			if err != nil && typed != "" {
				f.FailText(pointsName, message.From(err))
			} else {
				change.Fields |= admitto.ScorePoints
			}
			if typed != "" {
				change.Values.Points = &value
			}
		}
		if typed, ok := changedField(f, commentsName, s.Comments); ok {
			typed, err := text.Multiline(typed, 0, mostComments)
			if err != nil {
				f.FailText(commentsName, message.From(err))
			} else {
				change.Fields |= admitto.ScoreComments
				change.Values.Comments = typed
			}
		}
		if change.Fields == 0 {
			continue
		}
		caller := r.Caller()
		caller.Version = 0
		var refused *admitto.Error
		switch err := p.Scoring.ChangeScore(r.Context(), caller, t.ID, s.ID, change); {
		case err == nil:
			saved++
		case errors.As(err, &refused) && (refused.Kind == admitto.InvalidParameter || refused.Kind == admitto.NotAllowedNow ||
			refused.Kind == admitto.InvalidBody):
			for _, fault := range refused.Faults {
				f.FailText(pointsName, fault.Text)
			}
			if len(refused.Faults) == 0 {
				f.FailText(pointsName, refused.Text)
			}
		default:
			return saved, err
		}
	}
	return saved, nil
}

// changedField is what was typed into a field, and whether it is to be saved: it is another value than the page had
// shown, and nobody has saved a third one meanwhile, which is said next to the field.
func changedField(f *site.Form, name, now string) (typed string, ok bool) {
	lines := strings.NewReplacer("\r\n", "\n")
	typed, shown := lines.Replace(f.Get(name)), lines.Replace(f.Get(shownPrefix+name))
	if strings.HasPrefix(name, "points-") {
		typed = strings.Replace(typed, ",", ".", 1)
	}
	switch now = lines.Replace(now); {
	case typed == shown || typed == now:
		return typed, false
	case now != shown:
		f.Fail(name, "scoring.meanwhile", "Now", cmp.Or(now, "–"))
		return typed, false
	}
	return typed, true
}
