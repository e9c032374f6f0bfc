package card

import (
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// decisionRoutes are what staff decide about an offer, and how it came about (screens.md A14).
func (p *pages) decisionRoutes() []site.Route {
	edit, at := site.Needs(admitto.OffersEdit).And(admitto.OffersView), "/admin/offers/{id}/"
	return []site.Route{
		{Name: "offer-decision", Path: at + "decision", Form: true, Access: edit, Parent: "application",
			Handle: p.ofOffer(p.decide)},
		{Name: "offer-score", Path: at + "score", Form: true, Access: edit, Parent: "application",
			Handle: p.ofOffer(p.extraScore)},
		{Name: "offer-decided", Path: at + "decided", Access: site.Needs(admitto.OffersView), Parent: "application",
			Handle: p.ofOffer(p.decided)},
	}
}

// backToCourses is the tab with the courses, at that of the offer.
func backToCourses(r *site.Request, c *onOffer) string {
	return r.Within("application-courses", c.Application) + "#" + courseAnchor(c.OfferCase.Course)
}

// decide sets the decision, with a reason; no other offer is changed (lifecycle.md D1).
func (p *pages) decide(r *site.Request, c *onOffer) error {
	stored := site.Values{"decision": site.One(string(c.Decision))}
	f, err := p.formOfOffer(r, c, stored)
	if err != nil {
		return err
	}
	if r.Posted() && !goesBack(r, f) {
		decision, known := admitto.ParseDecision(f.Get("decision"))
		if !known {
			f.FailText("decision", message.Of("choose-one"))
		}
		reason, wrong := text.Multiline(f.Typed("reason"), 1, mostReason)
		switch {
		case strings.TrimSpace(f.Typed("reason")) == "":
			f.Fail("reason", "offer.decision_reason")
		case wrong != nil:
			f.FailText("reason", message.From(wrong))
		}
		asked, err := p.tell(r, f, &telling{application: c.Application,
			title: r.T("offer.ask_decision", "Decision", show.Decision(r, decision)), send: r.T("offer.send_decision"),
			back: backToCourses(r, c), do: func(p *pages) error {
				return p.Admissions.SetDecision(r.Context(), r.Caller(), c.Application, c.OfferCase.ID,
					admissions.DecisionChange{Decision: decision, Tell: f.Has("tell"), Reason: reason})
			}})
		if asked {
			return err
		}
		refused, err := p.refusedOffer(r, f, err, nil, c, stored, [2]string{"decision", "offer.decision"})
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("offer.decision_saved", "Decision", show.Decision(r, decision)))
			return r.Redirect(backToCourses(r, c))
		}
	}
	var options []ui.Option
	for _, d := range []admitto.Decision{admitto.DecisionNone, admitto.DecisionFinal, admitto.DecisionDeclined} {
		options = append(options, ui.Option{Value: string(d), Text: show.Decision(r, d)})
	}
	return site.Sheet{Intro: []string{r.T("offer.decision_intro")}, Parts: []ui.Component{
		f.Box([]ui.Button{r.Save("action.save"), r.Cancel(backToCourses(r, c))},
			f.Choices("decision", "offer.decision", false, options...), f.Long("reason", "card.reason", 3, mostReason),
			f.Tick("tell", "card.tell", "offer.decision_tell"))}}.Show(r)
}

// extraScore sets the extra score; an empty field clears it (lifecycle.md O10).
func (p *pages) extraScore(r *site.Request, c *onOffer) error {
	stored := site.Values{}
	if c.ScoreExtra != nil {
		stored["extra"] = site.One(c.ScoreExtra.String())
	}
	f, err := p.formOfOffer(r, c, stored)
	if err != nil {
		return err
	}
	if r.Posted() {
		score, wrong := show.TypedExtra(f.Get("extra"))
		if wrong {
			f.Fail("extra", "offer.extra_range")
		} else {
			err = p.Admissions.SetExtraScore(r.Context(), r.Caller(), c.Application, c.OfferCase.ID, score)
		}
		refused, err := p.refusedOffer(r, f, err, nil, c, stored, [2]string{"extra", "card.score_extra"})
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("offer.extra_saved"))
			return r.Redirect(backToCourses(r, c))
		}
	}
	extra := f.Text("extra", "card.score_extra")
	extra.Optional, extra.Width, extra.InputMode = true, "w10", "decimal"
	return site.Sheet{Intro: []string{r.T("offer.extra_intro")}, Parts: []ui.Component{
		f.Box([]ui.Button{r.Save("action.save"), r.Cancel(backToCourses(r, c))}, extra)}}.Show(r)
}

// decided is how the offer came about, from its first day, for a printer, too: what happened, the score line by line,
// and the letters.
func (p *pages) decided(r *site.Request, c *onOffer) error {
	records, err := p.Query.OfferHistory(r.Context(), r.Reader(), c.Application, c.OfferCase.ID)
	if err != nil {
		return err
	}
	events, err := show.Events(r, p.Query, records, c.Links())
	if err != nil {
		return err
	}
	facts, err := p.workingFacts(r, c)
	if err != nil {
		return err
	}
	parts := []ui.Component{ui.KeyValues{Facts: append([]ui.KeyValue{{Key: r.T("card.applicant", "ID",
		c.head.Person.ID),
		Value: show.Name(r, &c.head.Person)}}, facts...)}}
	if c.Reason.Reason != "" {
		parts = append(parts, ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("offer.reason"), Value: c.Reason.Reason}}})
	}
	parts = append(parts, ui.Heading{Title: r.T("card.timeline")}, ui.Timeline{Events: events})
	parts = append(parts, ui.Heading{Title: r.T("offer.score")})
	parts = append(parts, show.Score(r, &c.Explained, c.Course.Name)...)
	for i := range c.Sent {
		parts = append(parts, ui.Heading{Title: sentTitle(r, c, i)}, ui.Prose{Text: c.Sent[i].Body})
	}
	return site.Sheet{Title: r.T("offer.decided_title", "Course", c.Course.Name, "Name", show.Name(r, &c.head.Person)),
		Buttons: show.Small(r.Buttons(site.Do("offer", c.OfferCase.ID))), Parts: parts}.Show(r)
}
