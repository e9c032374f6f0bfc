package admin

import (
	"errors"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// home leads from /admin to its first page.
func (p *pages) home(r *site.Request) error { return r.To("dashboard") }

// signIn is screens.md A02.
func (p *pages) signIn(r *site.Request) error {
	next := r.Next(r.At("dashboard"))
	if !r.Posted() && r.Person.Account != 0 {
		return r.Redirect(next)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	asked := false
	if r.Posted() {
		who, err := p.Accounts.SignInStaff(r.Context(), accounts.SignIn{Email: f.Get("email"),
			Password: f.Typed("password"), Code: f.Get("code"), Network: r.Client()})
		if err == nil {
			if err := r.SignIn(who.Account, true); err != nil {
				return err
			}
			if who.NeedsSecondFactorSetup && r.Known("second-factor") {
				return r.To("second-factor")
			}
			return r.Redirect(next)
		}
		if asked, err = refusedSignIn(f, err); err != nil {
			return err
		}
	}
	parts := []ui.Component{f.Email("email", "sign_in.email", "username"),
		f.Password("password", "sign_in.password", "current-password")}
	if asked || f.Typed("code") != "" {
		code := f.Text("code", "sign_in.code")
		code.Autocomplete, code.InputMode = "one-time-code", "numeric"
		parts = append(parts, code)
	}
	box := f.Box([]ui.Button{r.Save("action.sign-in")}, parts...)
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	if r.May("reset") {
		box.Buttons = append(box.Buttons, ui.Button{Text: r.T("title.reset"), Plain: true, Href: r.At("reset")})
	}
	idle, total := p.Accounts.SessionStore(accounts.Administration).Limits()
	return site.Sheet{Parts: []ui.Component{box, ui.Words{Muted: true, Text: r.T("sign_in.lasts", "Idle",
		int(idle/time.Hour), "Total", int(total/time.Hour))}}}.Show(r)
}

// refusedSignIn puts what speaks against a sign-in into its form. asked says that the code of the second factor is asked
// for, with the password right.
func refusedSignIn(f *site.Form, refused error) (asked bool, err error) {
	var e *admitto.Error
	if !errors.As(refused, &e) || len(e.Faults) == 0 {
		return false, refused
	}
	switch fault := e.Faults[0]; fault.Code {
	case "code-needed":
		f.Fail("code", "sign_in.code_needed")
		return true, nil
	case "code-wrong":
		f.FailText("code", fault.Text)
		return true, nil
	case "sign-in-wrong":
		f.FailText("email", fault.Text)
		return false, nil
	case "sign-in-throttled":
		f.FailText("", fault.Text)
		return false, nil
	}
	return false, refused
}

// signOut ends the session.
func (p *pages) signOut(r *site.Request) error {
	if err := r.SignOut(); err != nil {
		return err
	}
	return r.To("sign-in")
}

// dashboard is screens.md A05.
func (p *pages) dashboard(r *site.Request) error {
	return site.Sheet{}.Show(r)
}
