package portal

import (
	"net/url"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/portal/courses"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// register is screens.md P03; /r/{code} is the same page with a tracker.
func (p *pages) register(r *site.Request) error {
	r.SetTitle(r.T("title.register"))
	next := r.Next("")
	if !r.Posted() && r.Person.Account != 0 {
		return r.Redirect(r.Next(r.At("applications")))
	}
	list, err := p.Accounts.ConsentsAsked(r.Context())
	if err != nil {
		return err
	}
	f, err := r.Form(p.typedBefore(r), 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		proof, hash := seal.NewToken()
		typed := accounts.Registration{
			Given: f.Get("given"), Family: f.Get("family"), Email: f.Get("email"), Citizenship: f.Get("citizenship"),
			Tracker: r.Part("code"), Consents: consentAnswers(f, list), Language: r.Lang, Next: next, Network: r.Client(),
			Proof: hash[:], Replaces: p.replaced(r), RequestID: r.RequestID()}
		var held admitto.Time
		var err error
		if lacksAny(f) {
			err = typed.Check() // for the rest of what is wrong
		} else {
			held, err = p.Accounts.Register(r.Context(), typed)
		}
		refused, err := refusedOpenly(f, err)
		if err != nil {
			return err
		}
		if !refused {
			typed := url.Values{}
			kept := []string{"given", "family", "citizenship"}
			for i := range list {
				kept = append(kept, consentField(&list[i]))
			}
			for _, name := range kept {
				typed.Set(name, f.Get(name))
			}
			if err := p.keepRequested(r, &requestedMail{Email: f.Get("email"), Shown: f.Get("email"), Typed: typed,
				Proof: proof, Next: next}, held); err != nil {
				return err
			}
			return r.To("mailbox")
		}
	}
	given := f.Text("given", "person.given")
	given.Autocomplete, given.Optional = "given-name", true
	family := f.Text("family", "person.family")
	family.Autocomplete = "family-name"
	country := f.Country("citizenship", "person.citizenship", countries(r)...)
	country.Optional = true
	parts := []ui.Component{given, family, f.Email("email", "person.email", "email"), country}
	if len(list) > 0 {
		parts = append(parts, ui.Heading{Title: r.T("register.consents"), Text: r.T("register.consents_text")})
		parts = append(parts, consentChoices(r, f, list)...)
	}
	box := f.Box([]ui.Button{r.Save("action.register")}, parts...)
	if next != "" {
		box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	}
	box.Buttons = append(box.Buttons, ui.Button{Text: r.T("register.known"), Plain: true,
		Href: withNext(r.At("sign-in"), next)})
	return site.Sheet{Intro: []string{r.T("register.text")}, Parts: []ui.Component{box}}.Show(r)
}

// lacksAny says what has to be typed and was not.
func lacksAny(f *site.Form) bool {
	family, email := lacks(f, "family", "person.family_missing"), lacks(f, "email", "person.email_missing")
	return family || email
}

// typedBefore is what was typed before somebody went back to change the address; else the citizenship that was chosen
// in the catalogue.
func (p *pages) typedBefore(r *site.Request) site.Values {
	a := p.changing(r)
	if a == nil {
		return site.Values{"citizenship": site.One(courses.Citizenship(r))}
	}
	values := site.Values{"email": site.One(a.Email)}
	for name, list := range a.Typed {
		values[name] = list
	}
	return values
}

// changing is the registration of this browser whose address is to be another; nil for a new one.
func (p *pages) changing(r *site.Request) *requestedMail {
	a := p.lastRequested(r)
	if a == nil || a.Typed == nil || r.URL.Query().Get("change") == "" {
		return nil
	}
	return a
}

// replaced is the hash of what proves that this browser made the registration that is to be changed; nil for none.
func (p *pages) replaced(r *site.Request) []byte {
	a := p.changing(r)
	if a == nil || a.Proof == "" {
		return nil
	}
	hash := seal.TokenHash(a.Proof)
	return hash[:]
}

// withNext is an address with where one wants to go afterwards.
func withNext(address, next string) string {
	if next == "" {
		return address
	}
	return address + "?next=" + url.QueryEscape(next)
}
