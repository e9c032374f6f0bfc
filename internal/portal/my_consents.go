package portal

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// consentRoutes are the pages of screens.md P21.
func (p *pages) consentRoutes() []site.Route {
	signedIn := site.SignedIn()
	return []site.Route{
		{Name: "consents", Path: "/my/consents", Access: signedIn, Handle: p.consents},
		{Name: "my-consent", Path: "/my/consents/{id}", Access: signedIn, Form: true, Early: true, Parent: "consents",
			Handle: p.consent},
	}
}

// consents are the texts with what was decided about each, and all decisions.
func (p *pages) consents(r *site.Request) error {
	list, err := p.Accounts.ConsentsOfApplicant(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	history, err := p.Accounts.ConsentHistory(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	var parts []ui.Component
	for i := range list {
		parts = append(parts, consentBox(r, &list[i], history))
	}
	if len(list) == 0 {
		parts = append(parts, ui.Words{Text: r.T("consents.none")})
	}
	if len(history) > 0 {
		parts = append(parts, ui.Heading{Title: r.T("consents.history"), Text: r.T("consents.history_text")},
			consentHistory(r, history))
	}
	return site.Sheet{Intro: []string{r.T("consents.text")}, Parts: parts}.Show(r)
}

// consentBox is one consent with its current text, and what was decided about it.
func consentBox(r *site.Request, c *admitto.AskedConsent, history []admitto.ConsentChange) ui.Box {
	kind := "consents.voluntary"
	if c.IsMandatory() {
		kind = "consents.mandatory"
	}
	facts := []ui.KeyValue{{Key: r.T("consents.decision"), Value: consentWords(r, c.Decision)}}
	last := slices.IndexFunc(history, func(h admitto.ConsentChange) bool {
		return h.Consent == c.ID &&
			h.Version == c.Version
	})
	if c.Decision != "" && last >= 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("consents.time"), Value: r.Clock(history[last].Decided)})
	}
	facts = append(facts, ui.KeyValue{Key: r.T("consents.version"), Value: strconv.FormatInt(c.Version, 10)})
	text, lang := r.Version(c.Versions, "text", c.Text)
	buttons := r.Buttons(site.Do("my-consent", c.ID))
	for i := range buttons {
		buttons[i].Small, buttons[i].About = true, text
	}
	if c.Link != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("consents.whole"), Value: r.T("consent.read"), Href: c.Link})
	}
	return ui.Box{Title: r.T(kind), Actions: buttons,
		Parts: []ui.Component{ui.Words{Text: text, Lang: lang}, ui.KeyValues{Facts: facts}}}
}

// consentWords is a decision in words.
func consentWords(r *site.Request, decision string) string {
	switch decision {
	case accept:
		return r.T("consents.accepted")
	case reject:
		return r.T("consents.rejected")
	}
	return r.T("consents.undecided")
}

// consentHistory are the decisions by their times: a table would be wider than the page.
func consentHistory(r *site.Request, history []admitto.ConsentChange) (facts ui.KeyValues) {
	for _, h := range history {
		decision := reject
		if h.Accepted {
			decision = accept
		}
		text, _ := r.Version(h.Versions, "text", h.Text)
		facts.Facts = append(facts.Facts, ui.KeyValue{Key: r.Clock(h.Decided), Value: r.T("consents.entry", "Decision",
			consentWords(r, decision), "Version", h.Version, "Text", beginning(text))})
	}
	return facts
}

// beginning is what a list shows of a long text.
func beginning(text string) string {
	const most = 80
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return text
}

// consent asks about one consent again; what follows from rejecting one that is needed is said first.
func (p *pages) consent(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	list, err := p.Accounts.ConsentsOfApplicant(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(c admitto.AskedConsent) bool { return c.ID != id })
	if len(list) == 0 {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	c := &list[0]
	stored := site.Values{}
	if c.Decision != "" {
		stored[consentField(c)] = site.One(c.Decision)
	}
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		done, err := p.decideOne(r, f, list)
		if err != nil {
			return err
		}
		if done {
			r.Notify(ui.OK, r.T("consents.saved"))
			warnRejected(r, f, list)
			return r.To("consents")
		}
	}
	var parts []ui.Component
	if c.IsMandatory() {
		parts = append(parts, ui.Notice{Tone: ui.Warn, Text: r.T("consents.consequence")})
	}
	choices := consentChoices(r, f, list)
	box := f.Box([]ui.Button{r.Save("action.save"), r.Cancel(r.At("consents"))}, choices...)
	return site.Sheet{Parts: append(parts, box)}.Show(r)
}

// decideOne stores the decision on the one consent of the list. done is false while nothing was chosen, or its text is
// another by now.
func (p *pages) decideOne(r *site.Request, f *site.Form, list []admitto.AskedConsent) (done bool, err error) {
	answers := consentAnswers(f, list)
	if len(answers) == 0 {
		f.Fail(consentField(&list[0]), "consents.choose")
		return false, nil
	}
	by := r.Caller()
	by.Version = answers[0].Version
	err = p.Admissions.DecideConsent(r.Context(), by, r.Person.Account, answers[0].Consent, answers[0].Accept)
	if site.Changed(err) {
		f.Fail("", "consents.other_text")
		return false, nil
	}
	refused, err := f.Refused(err, nil)
	return !refused && err == nil, err
}

// warnRejected says on the next page what follows when a consent that is needed was rejected.
func warnRejected(r *site.Request, f *site.Form, list []admitto.AskedConsent) {
	for i := range list {
		if c := &list[i]; c.IsMandatory() && f.Get(consentField(c)) == reject {
			r.NotifyWay(ui.Warn, r.T("consents.warning"), "consents")
			return
		}
	}
}
