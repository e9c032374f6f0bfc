package portal

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// doLater is the value of the button that puts the page off.
const doLater = "later"

// welcome is screens.md P06: what is asked before one starts.
func (p *pages) welcome(r *site.Request) error {
	a, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	list, err := p.Accounts.ConsentsOfApplicant(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(c admitto.AskedConsent) bool {
		return c.Decision == accept || c.Decision == reject && !c.IsMandatory()
	})
	next := r.Next(r.At("applications"))
	if a.Citizenship != "" && len(list) == 0 {
		return r.Redirect(next)
	}
	stored := site.Values{}
	for i := range list {
		if c := &list[i]; c.Decision != "" {
			stored[consentField(c)] = site.One(c.Decision)
		}
	}
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if f.Get("do") == doLater {
			r.PutOff()
			r.NotifyWay(ui.Info, r.T("welcome.reading"), "welcome")
			return r.Redirect(next)
		}
		done, err := p.decide(r, f, a.Citizenship == "", list)
		if err != nil {
			return err
		}
		if done {
			if next != r.At("applications") { // which says it by itself
				warnRejected(r, f, list)
			}
			return r.Redirect(next)
		}
	}
	var parts []ui.Component
	if a.Citizenship == "" {
		parts = append(parts, f.Country("citizenship", "welcome.citizenship", countries(r)...))
	}
	if len(list) > 0 {
		parts = append(parts, ui.Heading{Title: r.T("welcome.consents"), Text: r.T("welcome.consents_text")})
	}
	parts = append(parts, consentChoices(r, f, list)...)
	box := f.Box([]ui.Button{r.Save("action.continue"), {Text: r.T("action.later"), Name: "do", Value: doLater}}, parts...)
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	return site.Sheet{Intro: []string{r.T("welcome.text")}, Parts: []ui.Component{box}}.Show(r)
}

// decide stores what was answered. done is false, and the faults are noted, while something is missing.
func (p *pages) decide(r *site.Request, f *site.Form, citizenship bool, list []admitto.AskedConsent) (done bool,
	err error) {
	if citizenship && f.Get("citizenship") == "" {
		f.Fail("citizenship", "welcome.no_citizenship")
	} else if citizenship {
		refused := p.Accounts.SetCitizenship(r.Context(), r.Caller(), r.Person.Account, f.Get("citizenship"))
		if _, err := f.Refused(refused, nil); err != nil {
			return false, err
		}
	}
	answered := map[int64]bool{}
	for _, answer := range consentAnswers(f, list) {
		by := r.Caller()
		by.Version = answer.Version
		err := p.Admissions.DecideConsent(r.Context(), by, r.Person.Account, answer.Consent, answer.Accept)
		if err != nil && !site.Changed(err) {
			return false, err
		}
		answered[answer.Consent] = err == nil
	}
	for i := range list {
		if c := &list[i]; c.IsMandatory() && !answered[c.ID] {
			f.Fail(consentField(c), "welcome.undecided")
		}
	}
	return !f.Failed(), nil
}
