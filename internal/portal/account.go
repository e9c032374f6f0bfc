package portal

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/portal/application"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// accountRoutes are the pages of screens.md P24.
func (p *pages) accountRoutes() []site.Route {
	signedIn := site.SignedIn()
	return []site.Route{
		{Name: "my-account", Path: "/my/account", Access: signedIn, Handle: p.account},
		{Name: "my-account-edit", Path: "/my/account/person", Access: signedIn, Form: true, Parent: "my-account",
			Handle: p.editAccount},
		{Name: "my-account-email", Path: "/my/account/e-mail", Access: signedIn, Form: true, Parent: "my-account",
			Handle: p.changeEmail},
		{Name: "my-account-email-drop", Path: "/my/account/e-mail/drop", Access: signedIn, Only: true, Handle: p.dropEmail},
		{Name: "my-account-display", Path: "/my/account/display", Access: signedIn, Form: true, Parent: "my-account",
			Handle: p.display},
		{Name: "my-sessions", Path: "/my/account/sessions", Access: signedIn, Form: true, Parent: "my-account",
			Handle: p.sessions},
		{Name: "my-photo", Path: "/my/photo", Access: signedIn, Form: true, Files: true, Parent: "my-account",
			Handle: p.photo},
		{Name: "my-photo-remove", Path: "/my/photo/remove", Access: signedIn, Form: true, Parent: "my-photo",
			Handle: p.removePhoto},
		{Name: "my-photo-file", Path: "/my/photo/file", Access: signedIn, Handle: p.photoFile},
	}
}

// account is what is known of the applicant, with what can be changed.
func (p *pages) account(r *site.Request) error {
	a, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	change := func(route string) []ui.Button {
		buttons := r.Buttons(site.Do(route))
		for i := range buttons {
			buttons[i].Small, buttons[i].About = true, r.T("title."+route)
		}
		return buttons
	}
	email := []ui.Component{ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("person.email"), Value: a.Email}}}}
	if a.NewEmail != "" {
		email = append(email, ui.Notice{Tone: ui.Info, Text: r.T("my_account.new_email", "Email", a.NewEmail, "Until",
			r.Clock(a.NewEmailUntil))}, ui.FormBox{Action: r.At("my-account-email-drop"),
			Buttons: []ui.Button{{Text: r.T("action.my-account-email-drop"), Small: true}}})
	}
	password := r.T("my_account.no_password")
	if a.HasPassword {
		password = r.T("my_account.has_password")
	}
	scheme := a.Scheme
	if scheme == "" {
		scheme = "system"
	}
	asks, err := application.Also(r, p.Services)
	if err != nil {
		return err
	}
	return site.Sheet{Parts: append(asks,
		ui.Box{Title: r.T("my_account.person"), Actions: change("my-account-edit"), Parts: []ui.Component{ui.KeyValues{
			Facts: []ui.KeyValue{{Key: r.T("my_account.number"), Value: strconv.FormatInt(a.ID, 10)},
				{Key: r.T("person.given"), Value: strings.TrimSpace(a.Name.Given + " " + a.Name.Middle)},
				{Key: r.T("person.family"), Value: a.Name.Family},
				{Key: r.T("person.phone"), Value: a.Phone},
				{Key: r.T("person.citizenship"), Value: r.Country(a.Citizenship)}}}}},
		ui.Box{Title: r.T("title.my-photo"), Actions: change("my-photo"), Parts: []ui.Component{
			ui.Words{Text: r.T("my_photo.what")}}},
		ui.Box{Title: r.T("my_account.email"), Actions: change("my-account-email"), Parts: email},
		ui.Box{Title: r.T("my_account.password"), Actions: change("my-password"),
			Parts: []ui.Component{ui.Words{Text: password}}},
		ui.Box{Title: r.T("title.my-sessions"), Actions: change("my-sessions"), Parts: []ui.Component{
			ui.Words{Text: r.T("my_account.sessions_text")}}},
		ui.Box{Title: r.T("my_account.display"), Actions: change("my-account-display"), Parts: []ui.Component{ui.KeyValues{
			Facts: []ui.KeyValue{{Key: r.T("display.language"), Value: r.T("lang.name")},
				{Key: r.T("display.scheme"), Value: r.T("scheme." + scheme)}}}}},
	)}.Show(r)
}

// editAccount changes names, telephone number and citizenship.
func (p *pages) editAccount(r *site.Request) error {
	a, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	stored := site.Values{"given": site.One(a.Name.Given), "middle": site.One(a.Name.Middle),
		"family": site.One(a.Name.Family), "phone": site.One(a.Phone), "citizenship": site.One(a.Citizenship)}
	f, err := r.Form(stored, a.RowVersion)
	if err != nil {
		return err
	}
	if r.Posted() {
		given, middle, family, phone := f.Get("given"), f.Get("middle"), f.Get("family"), f.Get("phone")
		edit := accounts.ApplicantEdit{Given: &given, Middle: &middle, Family: &family, Phone: &phone}
		if citizenship := f.Get("citizenship"); a.CitizenshipChangeable && citizenship != "" {
			edit.Citizenship = &citizenship
		}
		emptied := a.CitizenshipChangeable && a.Citizenship != "" && f.Get("citizenship") == ""
		if emptied {
			f.Fail("citizenship", "my_account.citizenship_missing")
		}
		var saved error
		if !emptied {
			saved = p.Accounts.EditApplicant(r.Context(), r.Caller(), r.Person.Account, edit)
		}
		if site.Changed(saved) {
			fields := [][2]string{{"given", "person.given"}, {"middle", "person.middle"}, {"family", "person.family"},
				{"phone", "person.phone"}}
			if a.CitizenshipChangeable {
				fields = append(fields, [2]string{"citizenship", "person.citizenship"})
			}
			who, when, err := application.LastEdit(r, p.Services, 0, "")
			if err != nil {
				return err
			}
			f.Meanwhile(stored, a.RowVersion, who, when, fields...)
		} else if refused, err := f.Refused(saved, nil); err != nil {
			return err
		} else if !refused && !emptied {
			r.Notify(ui.OK, r.T("my_account.saved"))
			if err := application.AccountChanged(r, p.Services, &a.Applicant); err != nil {
				return err
			}
			return r.To("my-account")
		}
	}
	given := f.Text("given", "person.given")
	given.Autocomplete, given.Optional = "given-name", true
	middle := f.Text("middle", "person.middle")
	middle.Autocomplete, middle.Optional = "additional-name", true
	family := f.Text("family", "person.family")
	family.Autocomplete = "family-name"
	phone := f.Text("phone", "person.phone")
	phone.Type, phone.Autocomplete, phone.Optional = "tel", "tel", true
	parts := []ui.Component{given, middle, family, phone}
	if a.CitizenshipChangeable {
		country := f.Country("citizenship", "person.citizenship", countries(r)...)
		country.Hint = r.T("my_account.citizenship_warning")
		parts = append(parts, country)
	} else {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("my_account.citizenship_fixed", "Country",
			r.Country(a.Citizenship)), Link: &ui.Link{Text: r.T("title.help"), Href: r.At("help") + "?about=citizenship"}})
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"), r.Cancel(r.At("my-account"))},
		parts...)}}.Show(r)
}

// changeEmail asks for another address; a link to it makes it theirs.
func (p *pages) changeEmail(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	a, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	if r.Posted() && f.Get("email") == a.Email {
		f.Fail("email", "my_account.email_same")
	} else if r.Posted() && !lacks(f, "email", "person.email_missing") {
		_, err := p.Accounts.ChangeEmail(r.Context(), r.Caller(), r.Person.Account, f.Get("email"))
		refused, err := refusedOpenly(f, err)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("my_account.email_asked", "Email", f.Get("email")))
			return r.To("my-account")
		}
	}
	return site.Sheet{Intro: []string{r.T("my_account.email_text")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("action.change-email"), r.Cancel(r.At("my-account"))}, f.Email(
		"email", "my_account.email_new", "email"))}}.Show(r)
}

// dropEmail takes back that another address was asked for.
func (p *pages) dropEmail(r *site.Request) error {
	if err := p.Accounts.DropEmailChange(r.Context(), r.Caller(), r.Person.Account); err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("my_account.email_dropped"))
	return r.To("my-account")
}

// confirmEmail is where the link to a new address leads.
func (p *pages) confirmEmail(r *site.Request) error {
	token := r.Part("token")
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		owner, err := p.Accounts.ConfirmEmail(r.Context(), token, r.Remembered(pressCookie), r.Hash(),
			r.RequestID())
		switch admitto.KindOf(err) {
		case admitto.AlreadyExists:
			return site.Sheet{Title: r.T("email.taken"), Intro: []string{r.T("email.taken_text")},
				Buttons: []ui.Button{{Text: r.T("title.help"), Primary: true, Href: r.At("help") + "?about=email"}}}.Show(r)
		case admitto.NotFound: // the page says why
		default:
			if err != nil {
				return err
			}
			r.Notify(ui.OK, r.T("email.done"))
			if r.Person.Account != 0 && (owner == r.Person.Account || owner == 0) {
				return r.To("my-account")
			}
			return r.To("sign-in")
		}
	}
	l, err := p.Accounts.EmailLink(r.Context(), token)
	if err != nil {
		return err
	}
	if l.State == accounts.LinkWorks {
		r.Recognise(pressCookie)
		return site.Sheet{Intro: []string{r.T("email.text", "Email", l.Masked)},
			Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.confirm-address")})}}.Show(r)
	}
	r.SetTitle(r.T("link.dead"))
	if r.SetGone(); l.State == accounts.LinkUnknown {
		r.SetMissing()
	}
	return site.Sheet{Intro: []string{r.T("email.dead_text")},
		Buttons: []ui.Button{{Text: r.T("title.my-account"), Primary: true,
			Href: r.At("my-account")}, {Text: r.T("title.help"), Plain: true, Href: r.At("help") + "?about=email"}}}.Show(r)
}

// display chooses language and scheme.
func (p *pages) display(r *site.Request) error {
	f, err := r.Form(site.Values{"language": site.One(r.Person.Lang), "scheme": site.One(r.Person.Scheme)}, 0)
	if err != nil {
		return err
	}
	languages := []ui.Option{{Text: r.T("display.browser")}}
	known := []string{""}
	for _, link := range r.Foot("choose") {
		if link.Lang != "" {
			languages = append(languages, ui.Option{Value: link.Lang, Text: link.Text, Lang: link.Lang})
			known = append(known, link.Lang)
		}
	}
	if r.Posted() {
		f.Among("language", known...)
		f.Among("scheme", "", accounts.SchemeLight, accounts.SchemeDark)
	}
	if r.Posted() && !f.Failed() {
		refused, err := f.Refused(p.Accounts.SetApplicantPreferences(r.Context(), r.Reader(), f.Get("language"),
			f.Get("scheme")), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Speak(f.Get("language"))
			r.Notify(ui.OK, r.T("my_account.saved"))
			return r.To("my-account")
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.save"), r.Cancel(r.At("my-account"))},
		f.Choices("language", "display.language", false, languages...),
		f.Choices("scheme", "display.scheme", false, ui.Option{Text: r.T("scheme.system")},
			ui.Option{Value: accounts.SchemeLight, Text: r.T("scheme.light")},
			ui.Option{Value: accounts.SchemeDark, Text: r.T("scheme.dark")}))}}.Show(r)
}

// sessions lists where the applicant is signed in, and ends others.
func (p *pages) sessions(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if id := f.Get("end"); id != "" {
			err = p.Accounts.EndApplicantSession(r.Context(), r.Caller(), id)
		} else {
			err = p.Accounts.EndOtherApplicantSessions(r.Context(), r.Caller(), r.Hash())
		}
		if err != nil {
			return err
		}
		r.Notify(ui.OK, r.T("my_sessions.ended"))
		return r.To("my-sessions")
	}
	list, err := p.Accounts.ApplicantSessions(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	page := site.Sheet{Intro: []string{r.T("my_sessions.text")}}
	for _, s := range list {
		facts := ui.KeyValues{Facts: []ui.KeyValue{{Key: r.T("my_sessions.begun"), Value: r.Clock(s.Begun)},
			{Key: r.T("my_sessions.seen"), Value: r.Clock(s.Seen)}, {Key: r.T("my_sessions.browser"), Value: r.Device(s.Agent)}}}
		if s.ID == r.Session() {
			page.Parts = append(page.Parts, ui.Box{Title: r.T("my_sessions.this"), Parts: []ui.Component{facts}})
			continue
		}
		end := f.Box([]ui.Button{{Text: r.T("action.end-session"), Name: "end", Value: s.ID, Small: true}})
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_sessions.another"), Parts: []ui.Component{facts, end}})
	}
	if len(list) > 1 {
		page.Parts = append(page.Parts, f.Box([]ui.Button{{Text: r.T("action.end-sessions"), Danger: true}}))
	}
	return page.Show(r)
}
