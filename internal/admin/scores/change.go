package scores

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// typed is a score as it was typed; what is wrong is noted with its field.
func typed(r *site.Request, f *site.Form, t *admitto.Scoresheet) scoring.ScoreChange {
	values, fields := show.TypedScore(f, t)
	return scoring.ScoreChange{Fields: fields, Values: values, Whole: true,
		Scorers: r.Reader().Has(admitto.ScorersEdit)}
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
	f, err := r.Form(show.ScoreValues(v), version)
	if err != nil {
		return err
	}
	ours := func(of *admitto.Record) bool { return of.Links.Score == id }
	if err := show.SinceEdit(r, p.Query, f, "Scores", ours); err != nil {
		return err
	}
	if r.Posted() {
		change := typed(r, f, t)
		err = f.Store(func() error { return p.Scoring.ChangeScore(r.Context(), r.Caller(), t.ID, id, change) })
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
			who, when, err := show.LastEdit(r, p.Query, "Scores", ours)
			if err != nil {
				return err
			}
			f.Meanwhile(show.ScoreValues(v), version, who, when, show.ScoreFields(t)...)
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
	parts := show.ScoreForm(r, f, t, false)
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
