package portal

import (
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Values of a consent in forms.
const (
	accept = "Accept"
	reject = "Reject"
)

// consentField is the name of the field of a consent, with the version of the text that was shown, so that nobody
// decides about words they have not seen.
func consentField(c *admitto.AskedConsent) string {
	return "consent-" + strconv.FormatInt(c.ID, 10) + "-" + strconv.FormatInt(c.Version, 10)
}

// consentChoices are the questions about consents, each with its whole text.
func consentChoices(r *site.Request, f *site.Form, list []admitto.AskedConsent) (parts []ui.Component) {
	for i := range list {
		c := &list[i]
		label := "consent.voluntary"
		if c.IsMandatory() {
			label = "consent.mandatory"
		}
		f.SetLabel(consentField(c), r.T(label, "Number", i+1, "Of", len(list)))
		choices := f.Choices(consentField(c), label, false, ui.Option{Value: accept, Text: r.T("consent.accept")},
			ui.Option{Value: reject, Text: r.T("consent.reject")})
		if choices.Text, choices.TextLang = r.Version(c.Versions, "text", c.Text); c.Link != "" {
			choices.Read = &ui.Link{Text: r.T("consent.read"), Href: c.Link}
		}
		parts = append(parts, choices)
	}
	return parts
}

// consentAnswers are the decisions that were made.
func consentAnswers(f *site.Form, list []admitto.AskedConsent) (answers []accounts.ConsentAnswer) {
	for i := range list {
		c := &list[i]
		if decision := f.Get(consentField(c)); decision == accept || decision == reject {
			answers = append(answers, accounts.ConsentAnswer{Consent: c.ID, Version: c.Version, Accept: decision == accept})
		}
	}
	return answers
}
