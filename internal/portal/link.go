package portal

import (
	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// pressCookie has a browser recognised that presses the button of a link twice.
const pressCookie = "__Host-admitto-press"

// link is screens.md P05. Looking at it does not use the link up; its button does.
func (p *pages) link(r *site.Request) error {
	token := r.Part("token")
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() && f.Get("do") != doLink {
		who, err := p.Accounts.PressSignInLink(r.Context(), token, r.Remembered(pressCookie), r.RequestID())
		if err == nil {
			return p.begin(r, who, false, r.Next(""))
		}
		if admitto.KindOf(err) != admitto.NotFound {
			return err
		}
	}
	l, err := p.Accounts.SignInLink(r.Context(), token)
	if err != nil {
		return err
	}
	if l.State == accounts.LinkUsed && l.Owner == r.Person.Account && f.Get("do") != doLink {
		return r.Redirect(r.Next(r.At("applications"))) // pressed again by who is signed in by it
	}
	if r.Posted() && f.Get("do") == doLink && l.Email != "" {
		sent, err := p.sendLink(r.Context(), r, f, l.Email, l.Masked, r.Next(""),
			l.State == accounts.LinkUsed)
		if err != nil {
			return err
		}
		if sent {
			return r.To("mailbox")
		}
	}
	if l.State == accounts.LinkWorks {
		button := r.Save("action.continue-as")
		button.Text, button.Busy = r.T("action.continue-as", "Email", l.Masked), r.T("form.signing_in")
		box := f.Box([]ui.Button{button})
		r.Recognise(pressCookie)
		return site.Sheet{Intro: []string{r.T("link.text")}, Parts: []ui.Component{box,
			ui.Words{Muted: true, Text: r.T("link.not_you")}}}.Show(r)
	}
	return p.deadLink(r, f, &l)
}

// deadLink says why a link does not work, and offers a new one.
func (p *pages) deadLink(r *site.Request, f *site.Form, l *accounts.Link) error {
	r.SetTitle(r.T("link.dead"))
	r.SetGone()
	register := ui.Button{Text: r.T("title.register"), Plain: true,
		Href: withNext(r.At("register"), r.Next(""))}
	switch l.State {
	case accounts.LinkBlocked:
		r.SetTitle(r.T("link.blocked"))
		return site.Sheet{Intro: []string{r.T("link.blocked_text")}, Buttons: []ui.Button{{Text: r.T("title.help"),
			Primary: true, Href: r.At("help") + "?about=blocked"}}}.Show(r)
	case accounts.LinkUsed, accounts.LinkExpired:
		text := "link.used_text"
		if l.State == accounts.LinkExpired {
			text = "link.expired_text"
		}
		box := f.Box([]ui.Button{{Text: r.T("action.send-link-to", "Email", l.Masked), Name: "do", Value: doLink,
			Primary: true,
			Busy:    r.T("form.sending")}, register})
		return site.Sheet{Intro: []string{r.T(text)}, Parts: []ui.Component{box}}.Show(r)
	case accounts.LinkUnknown, accounts.LinkWorks:
	}
	r.SetMissing()
	box := f.Box([]ui.Button{{Text: r.T("action.send-link"), Name: "do", Value: doLink, Primary: true,
		Busy: r.T("form.sending")}, register}, f.Email("email", "sign_in.email", "username"))
	box.Action = withNext(r.At("sign-in"), r.Next(""))
	return site.Sheet{Intro: []string{r.T("link.unknown_text")}, Parts: []ui.Component{box}}.Show(r)
}
