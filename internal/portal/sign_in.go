package portal

import (
	"errors"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Values of the buttons of the page to sign in on.
const (
	doLink     = "link"
	doAsk      = "ask" // for the password
	doPassword = "password"
)

// applying is where the addresses begin at which a course is put on an application.
const applying = "/my/apply/"

// signIn is screens.md P04: a link by mail, or the password.
func (p *pages) signIn(r *site.Request) error {
	next := r.Next("")
	if !r.Posted() && r.Person.Account != 0 {
		return r.Redirect(r.Next(r.At("applications")))
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	do, blocked := f.Get("do"), false
	if r.Posted() {
		switch do {
		case doPassword:
			if email := lacks(f, "email", "person.email_missing"); lacks(f, "password", "person.password_missing") || email {
				break
			}
			who, err := p.Accounts.SignInApplicant(r.Context(), accounts.ApplicantSignIn{Email: f.Get("email"),
				Password: f.Typed("password"), Network: r.Client(), RequestID: r.RequestID()})
			if err == nil {
				return p.begin(r, who, true, next)
			}
			if blocked, err = refusedSignIn(f, err); err != nil {
				return err
			}
		case doLink:
			sent, err := p.sendLink(r.Context(), r, f, f.Get("email"), f.Get("email"), next, false)
			if err != nil {
				return err
			}
			if sent {
				return r.To("mailbox")
			}
		}
	}
	parts := []ui.Component{f.Email("email", "sign_in.email", "username")}
	link := ui.Button{Text: r.T("action.send-link"), Name: "do", Value: doLink, Busy: r.T("form.sending")}
	buttons := []ui.Button{link, {Text: r.T("action.use-password"), Name: "do", Value: doAsk}}
	buttons[0].Primary = true
	if do == doAsk || do == doPassword {
		parts = append(parts, f.Password("password", "sign_in.password", "current-password"))
		buttons = []ui.Button{{Text: r.T("action.sign-in"), Name: "do", Value: doPassword, Primary: true,
			Busy: r.T("form.signing_in")}, link}
	}
	box := f.Box(buttons, parts...)
	if next != "" {
		box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	}
	if blocked {
		box.Head.Notices = append(box.Head.Notices, ui.Notice{Tone: ui.Info, Text: r.T("sign_in.blocked"),
			Link: &ui.Link{Text: r.T("title.help"), Href: r.At("help") + "?about=blocked"}})
	}
	idle, _ := p.Accounts.SessionStore(accounts.Portal).Limits()
	newcomer := ui.Notice{Tone: ui.Info, Text: r.T("sign_in.new"), Link: &ui.Link{Text: r.T("title.register"),
		Href: withNext(r.At("register"), next)}}
	page := site.Sheet{Intro: []string{r.T("sign_in.text")}, Parts: []ui.Component{box, newcomer}}
	if strings.HasPrefix(next, applying) && !r.Posted() { // most who begin have no account yet
		newcomer.Text = r.T("sign_in.apply")
		page.Parts = []ui.Component{newcomer, box}
	}
	page.Parts = append(page.Parts, ui.Words{Muted: true, Text: r.T("sign_in.ends", "Idle", int(idle/time.Hour))})
	return page.Show(r)
}

// begin makes the session one of the applicant who has signed in, and leads to where they wanted to go. Who signs in
// for the first time may choose a password before.
func (p *pages) begin(r *site.Request, who accounts.SignedInApplicant, proved bool, next string) error {
	r.Take(keptRequest)
	if err := r.SignIn(who.ID, proved); err != nil {
		return err
	}
	if next == "" {
		next = r.At("applications")
	}
	if who.First && !who.HasPassword {
		return r.Redirect(withNext(r.At("my-password"), next))
	}
	return r.Redirect(next)
}

// refusedSignIn puts what speaks against a sign-in into its form. blocked says that staff stopped the account.
func refusedSignIn(f *site.Form, refused error) (blocked bool, err error) {
	var e *admitto.Error
	if !errors.As(refused, &e) || len(e.Faults) == 0 {
		return false, refused
	}
	switch fault := e.Faults[0]; fault.Code {
	case "sign-in-wrong":
		f.FailText("email", fault.Text)
	case "sign-in-throttled":
		f.FailText("", fault.Text)
	case "account-blocked":
		f.FailText("", fault.Text)
		return true, nil
	default:
		return false, refused
	}
	return false, nil
}
