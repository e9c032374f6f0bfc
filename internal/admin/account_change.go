package admin

import (
	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// saved ends the page of a form about the own account: with a notice when it was taken, else with the form again.
func saved(r *site.Request, f *site.Form, err error, fields map[admitto.Path]string, done string) (ok bool, _ error) {
	refused, err := f.Refused(err, fields)
	if err != nil || refused {
		return false, err
	}
	r.Notify(ui.OK, done)
	return true, r.To("staff-account")
}

// accountName changes the own name.
func (p *pages) accountName(r *site.Request) error {
	f, err := r.Form(site.Values{"name": site.One(r.Person.Name)}, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := p.Accounts.EditOwnName(r.Context(), r.Caller(), f.Get("name"))
		if ok, err := saved(r, f, err, nil, r.T("own.saved")); ok || err != nil {
			return err
		}
	}
	name := f.Text("name", "own.name")
	name.Autocomplete = "name"
	return site.Sheet{Parts: []ui.Component{f.Box(saveButtons(r, r.At("staff-account")), name)}}.Show(r)
}

func saveButtons(r *site.Request, back string) []ui.Button {
	return []ui.Button{r.Save("action.save"), r.Cancel(back)}
}

// accountEmail mails a link to another address; it counts when the link is used.
func (p *pages) accountEmail(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() && f.Get("email") == r.Person.Email {
		f.Fail("email", "own.email_same")
	} else if r.Posted() {
		err := p.Accounts.ChangeOwnEmail(r.Context(), r.Caller(), f.Get("email"))
		if ok, err := saved(r, f, err, nil, r.T("own.email_sent", "Email", f.Get("email"))); ok || err != nil {
			return err
		}
	}
	return site.Sheet{Intro: []string{r.T("own.email_now", "Email", r.Person.Email), r.T("own.email_text")},
		Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.my-email"), r.Cancel(r.At("staff-account"))},
			f.Email("email", "own.new_email", "email"))}}.Show(r)
}

// accountPassword changes the own password and ends all other sessions.
func (p *pages) accountPassword(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() && agree(f) {
		password := f.Typed("password")
		err := p.Accounts.ChangeOwnPassword(r.Context(), r.Caller(), password, r.Session())
		if err == nil {
			err = r.Renew()
		}
		said := r.T("new_password.set", "Strength", strengthOf(r, password, r.Person.Name, r.Person.Email)) + " " +
			r.T("session.others_ended")
		if ok, err := saved(r, f, err, nil, said); ok || err != nil {
			return err
		}
	}
	return site.Sheet{Intro: []string{r.T("own.password_text")}, Parts: []ui.Component{f.Box(saveButtons(r,
		r.At("staff-account")), append([]ui.Component{whose(r, r.Person.Email)}, passwords(f)...)...)}}.Show(r)
}

// preferenceFacts are the preferences in words.
func (p *pages) preferenceFacts(r *site.Request, m *accounts.StaffMember) []ui.KeyValue {
	like := m.Preferences
	lang, scheme, density, keys := r.T("preferences.browser"), r.T("scheme.system"), r.T("preferences.dense"),
		r.T("preferences.keys_off")
	if like.Language != "" {
		lang = p.catalogue.Locale(like.Language).Text("lang.name")
	}
	if like.Scheme != "" {
		scheme = r.T("scheme." + like.Scheme)
	}
	if like.Density == "comfortable" {
		density = r.T("preferences.comfortable")
	}
	if like.Shortcuts {
		keys = r.T("preferences.keys_on")
	}
	return []ui.KeyValue{{Key: r.T("preferences.language"), Value: lang}, {Key: r.T("preferences.scheme"), Value: scheme},
		{Key: r.T("preferences.density"), Value: density}, {Key: r.T("preferences.shortcuts"), Value: keys}}
}

// choose keeps the language or the scheme of the foot of a page for the account, too, which comes before the cookie.
func (p *pages) choose(r *site.Request) error {
	if err := site.Choose(r); err != nil || r.Person.Account == 0 {
		return err
	}
	m, err := p.Accounts.StaffMember(r.Context(), r.Person.Account)
	if err != nil {
		return err
	}
	like, value := m.Preferences, r.Part("value")
	if r.Part("kind") == "language" {
		like.Language = value
	} else if like.Scheme = value; value == "system" {
		like.Scheme = ""
	}
	return p.Accounts.SetPreferences(r.Context(), r.Caller(), like)
}

// accountPreferences is how the reader likes the pages.
func (p *pages) accountPreferences(r *site.Request) error {
	m, err := p.Accounts.StaffMember(r.Context(), r.Person.Account)
	if err != nil {
		return err
	}
	stored := site.Values{"language": site.One(m.Preferences.Language), "scheme": site.One(m.Preferences.Scheme),
		"density": site.One(m.Preferences.Density)}
	if m.Preferences.Shortcuts {
		stored["shortcuts"] = site.One("yes")
	}
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		f.Among("language", append(p.catalogue.Languages(), "")...)
		f.Among("scheme", "", "light", "dark")
		f.Among("density", "", "comfortable")
	}
	if r.Posted() && !f.Failed() {
		err := p.Accounts.SetPreferences(r.Context(), r.Caller(), accounts.Preferences{Language: f.Get("language"),
			Scheme: f.Get("scheme"), Density: f.Get("density"), Shortcuts: f.Has("shortcuts"), Term: m.Preferences.Term})
		if ok, err := saved(r, f, err, nil, r.T("own.saved")); ok || err != nil {
			return err
		}
	}
	languages := []ui.Option{{Text: r.T("preferences.browser")}}
	for _, lang := range p.catalogue.Languages() {
		languages = append(languages, ui.Option{Value: lang, Text: p.catalogue.Locale(lang).Text("lang.name")})
	}
	return site.Sheet{Parts: []ui.Component{f.Box(saveButtons(r, r.At("staff-account")),
		f.Select("language", "preferences.language", languages...),
		f.Choices("scheme", "preferences.scheme", false, ui.Option{Text: r.T("scheme.system")},
			ui.Option{Value: "light", Text: r.T("scheme.light")}, ui.Option{Value: "dark", Text: r.T("scheme.dark")}),
		f.Choices("density", "preferences.density", false, ui.Option{Text: r.T("preferences.dense")},
			ui.Option{Value: "comfortable", Text: r.T("preferences.comfortable")}),
		f.Tick("shortcuts", "preferences.shortcuts", "preferences.keys_on"))}}.Show(r)
}
