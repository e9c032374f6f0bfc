package scores

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// The bounds of texts of a score (resources.md 20.4), in characters.
const (
	mostComments  = 2000
	mostReference = 64
	mostSubject   = 255
)

// fieldsOf are the fields that scores of a sheet have, with the messages of their labels.
func fieldsOf(t *admitto.Scoresheet) (list [][2]string) {
	for _, f := range []struct {
		field       admitto.ScoreFields
		name, label string
	}{{admitto.ScorePoints, "points", "offer.points"}, {admitto.ScoreComments, "comments", "score.comments"},
		{admitto.ScoreDate, "date", "score.date"}, {admitto.ScoreReference, "reference", "score.reference"},
		{admitto.ScoreSubject, "subject", "score.subject"}, {admitto.ScoreLanguage, "language", "score.language"}} {
		if may, _ := t.Carries(f.field); may || f.field&admitto.ScoreDetails == 0 {
			list = append(list, [2]string{f.name, f.label})
		}
	}
	return list
}

// stored is what a score has in the fields of its form.
func stored(v *admitto.Score) site.Values {
	values := site.Values{"points": site.One(v.Text(admitto.ScorePoints)), "comments": site.One(v.Comments),
		"reference": site.One(v.Reference), "subject": site.One(v.Subject), "language": site.One(v.Language)}
	values.SetDay("date", v.Date)
	return values
}

// fields are the fields of a score of a sheet, each with what the sheet demands.
func fields(r *site.Request, f *site.Form, t *admitto.Scoresheet) (parts []ui.Component) {
	need := func(field admitto.ScoreFields) bool {
		_, must := t.Carries(field)
		return !must || field&admitto.ScoreDetails == 0
	}
	for _, of := range fieldsOf(t) {
		name, label := of[0], of[1]
		switch name {
		case "points":
			if t.IsLabelled() {
				options := []ui.Option{{Text: r.T("score.no_points")}}
				for _, m := range t.Maps {
					points := string(m.Value.Append(nil, t.Scale))
					options = append(options, ui.Option{Value: points, Text: fmt.Sprintf("%s (%s)", m.Label, points)})
				}
				parts = append(parts, f.Select(name, label, options...))
				continue
			}
			points := f.Text(name, label)
			points.Width, points.InputMode, points.Optional, points.Hint = "w10", "decimal", true, rangeOf(r, t)
			parts = append(parts, points)
		case "comments":
			comments := f.Long(name, label, 4, mostComments)
			comments.Optional = true
			parts = append(parts, comments)
		case "date":
			date := f.Date(name, label)
			date.Optional = need(admitto.ScoreDate)
			parts = append(parts, date)
		case "reference":
			line := f.Text(name, label)
			line.Optional = need(admitto.ScoreReference)
			parts = append(parts, line)
		case "subject":
			line := f.Text(name, label)
			line.Optional = need(admitto.ScoreSubject)
			parts = append(parts, line)
		case "language":
			line := f.Text(name, label)
			line.Width, line.Optional = "w4", need(admitto.ScoreLanguage)
			parts = append(parts, line)
		}
	}
	return parts
}

// typed is a score as it was typed; what is wrong is noted with its field.
func typed(r *site.Request, f *site.Form, t *admitto.Scoresheet) scoring.ScoreChange {
	change := scoring.ScoreChange{Fields: admitto.ScorePoints | admitto.ScoreComments, Whole: true,
		Scorers: r.Reader().Has(admitto.ScorersEdit)}
	v := &change.Values
	v.Scale = t.Scale
	wrong := func(name string, err error) {
		if err != nil {
			f.FailText(name, message.From(err))
		}
	}
	if points := f.Get("points"); points != "" {
		p, err := t.ParsePoints(strings.Replace(points, ",", ".", 1))
		wrong("points", err)
		v.Points = &p
	}
	var err error
	for _, of := range fieldsOf(t) {
		switch name := of[0]; name {
		case "comments":
			v.Comments, err = text.Multiline(f.Typed(name), 0, mostComments)
			wrong(name, err)
		case "date":
			change.Fields |= admitto.ScoreDate
			v.Date, _ = f.Day(name, "score.no_day")
		case "reference":
			change.Fields |= admitto.ScoreReference
			v.Reference, err = text.Line(f.Typed(name), 0, mostReference)
			wrong(name, err)
		case "subject":
			change.Fields |= admitto.ScoreSubject
			v.Subject, err = text.Line(f.Typed(name), 0, mostSubject)
			wrong(name, err)
		case "language":
			change.Fields |= admitto.ScoreLanguage
			if f.Get(name) != "" {
				v.Language, err = text.Language(f.Get(name))
				wrong(name, err)
			}
		}
	}
	return change
}

// change changes a score of the application.
func (p *pages) change(r *site.Request, c *ofApplication) error {
	id, err := r.IDAt("score")
	if err != nil {
		return err
	}
	var v *admitto.Score
	for i := range c.Scores {
		if c.Scores[i].ID == id {
			v = &c.Scores[i]
		}
	}
	if v == nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	t := c.Sheet(v.Scoresheet)
	back := r.Within(tab, c.head.ID)
	if !r.Posted() && !mayWrite(r, t) {
		why := message.Of("sheet-confirmed")
		if !t.TakesFrom(r.Reader()) {
			why = message.Of("sheet-of-others")
		}
		return site.Sheet{Title: t.Name, Parts: []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.Say(why),
			Link: &ui.Link{Text: r.T("card.back"), Href: back}}}}.Show(r)
	}
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.ScoreRow, ID: id})
	if err != nil {
		return err
	}
	f, err := r.Form(stored(v), version)
	if err != nil {
		return err
	}
	if r.Posted() {
		change := typed(r, f, t)
		if !f.Failed() {
			err = p.Scoring.ChangeScore(r.Context(), r.Caller(), t.ID, id, change)
		}
		changed := site.Changed(err)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("score.saved", "Sheet", t.Name))
			return r.Redirect(back)
		}
		if changed {
			f.Meanwhile(stored(v), version, r.T("applicant.somebody"), r.Clock(r.Now()), fieldsOf(t)...)
		}
	}
	return sheetPage(r, c, t, v.Offer, f)
}

// sheetPage is the form of a score.
func sheetPage(r *site.Request, c *ofApplication, t *admitto.Scoresheet, offer int64, f *site.Form) error {
	var intro []string
	for _, line := range []string{c.Courses[offer], t.Instructions} {
		if line != "" {
			intro = append(intro, line)
		}
	}
	parts := fields(r, f, t)
	if !t.TakesFrom(r.Reader()) {
		parts = []ui.Component{ui.Words{Text: r.T("score.others")}}
	}
	return site.Sheet{Title: t.Name, Intro: intro, Parts: []ui.Component{
		f.Box([]ui.Button{r.Save("action.save"), r.Cancel(r.Within(tab, c.head.ID))}, parts...)}}.Show(r)
}

// places are the sheets that the application, or an offer of it, is not on and may be put on by the reader.
func (c *ofApplication) places(r *site.Request) (options []ui.Option) {
	for i := range c.Sheets {
		t := &c.Sheets[i]
		if !mayPut(r, t) {
			continue
		}
		if !t.ByOffer && !c.On(t.ID, 0) {
			options = append(options, ui.Option{Value: strconv.FormatInt(t.ID, 10), Text: t.Name})
		}
		for n := range c.Offers {
			if o := c.Offers[n].ID; t.ByOffer && !c.On(t.ID, o) {
				options = append(options, ui.Option{Value: fmt.Sprintf("%d-%d", t.ID, o),
					Text: r.T("score.on_offer", "Sheet", t.Name, "Course", c.Courses[o])})
			}
		}
	}
	return options
}

// add puts the application, or an offer of it, on a scoresheet: the sheet is chosen first, since it says what a score
// has.
func (p *pages) add(r *site.Request, c *ofApplication) error {
	options := c.places(r)
	back := r.Within(tab, c.head.ID)
	if len(options) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("score.on_all"), Link: &ui.Link{
			Text: r.T("card.back"), Href: back}}}}.Show(r)
	}
	chosen := r.URL.Query().Get("sheet")
	var values []string
	for _, o := range options {
		values = append(values, o.Value)
		if o.Value == chosen {
			return p.addOn(r, c, chosen)
		}
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if f.Among("sheet", values...); f.Get("sheet") != "" && !f.Failed() {
			return r.Redirect(site.Add(r.Within(adding, c.head.ID), "sheet", f.Get("sheet")))
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("score.go_on"), r.Cancel(back)},
		f.Select("sheet", "offer.sheet", options...))}}.Show(r)
}

// addOn adds a score on the chosen sheet, with points or without; on a sheet that others score, without.
func (p *pages) addOn(r *site.Request, c *ofApplication, chosen string) error {
	sheet, offer, _ := strings.Cut(chosen, "-")
	id, err := strconv.ParseInt(sheet, 10, 64)
	if err != nil {
		return err
	}
	in := scoring.NewScore{Application: c.head.ID}
	if offer != "" {
		if in.Offer, err = strconv.ParseInt(offer, 10, 64); err != nil {
			return err
		}
	}
	t := c.Sheet(id)
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if !t.TakesFrom(r.Reader()) {
			err = p.Scoring.PutOnSheet(r.Context(), r.Caller(), id, c.head.ID, []int64{in.Offer})
		} else if in.ScoreChange = typed(r, f, t); !f.Failed() {
			_, err = p.Scoring.AddScore(r.Context(), r.Caller(), id, in)
		}
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("score.added", "Sheet", t.Name))
			return r.To(tab, c.head.ID)
		}
	}
	return sheetPage(r, c, t, in.Offer, f)
}
