package admin

import (
	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// askReset sends the link by which a forgotten password is replaced (screens.md A03).
func (p *pages) askReset(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if f.Get("email") == "" {
			f.Fail("email", "reset.no_email")
		} else {
			if err := p.Accounts.RequestReset(r.Context(), f.Get("email"), r.Client()); err != nil {
				return err
			}
			return r.To("reset-sent")
		}
	}
	box := f.Box([]ui.Button{r.Save("action.reset"), r.Cancel(r.At("sign-in"))},
		f.Email("email", "sign_in.email", "username"))
	return site.Sheet{Intro: []string{r.T("reset.intro")}, Parts: []ui.Component{box}}.Show(r)
}

// resetSent says the same whether there is such an account or not.
func (p *pages) resetSent(r *site.Request) error {
	return site.Sheet{Intro: []string{r.T("reset.sent"), r.T("reset.sent_more")}, Buttons: []ui.Button{
		{Text: r.T("title.sign-in"), Href: r.At("sign-in")}, {Text: r.T("reset.again"), Plain: true,
			Href: r.At("reset")}}}.Show(r)
}

// invitation lets somebody choose the first password.
func (p *pages) invitation(r *site.Request) error {
	return p.choosePassword(r, accounts.ForInvitation, "new_password.intro_invite")
}

// newPassword lets somebody choose another password.
func (p *pages) newPassword(r *site.Request) error {
	return p.choosePassword(r, accounts.ForReset, "new_password.intro_reset")
}

// token reads what a link is for. A link that does not work has a page that sends another one, and done is true.
func (p *pages) token(r *site.Request, purpose accounts.Purpose) (state accounts.StaffToken, done bool, err error) {
	token := r.Part("token")
	state, err = p.Accounts.TokenState(r.Context(), token)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && state.Purpose != purpose {
		r.SetMissing()
		return state, true, site.Sheet{Title: r.T("link.none"), Intro: []string{r.T("link.none_text")},
			Buttons: []ui.Button{{Text: r.T("title.reset"), Href: r.At("reset")}}}.Show(r)
	}
	if err != nil || state.Works {
		return state, err != nil, err
	}
	if r.Posted() {
		if err := p.Accounts.NewLinkFor(r.Context(), token, r.Client()); err != nil {
			return state, true, err
		}
		return state, true, r.To("reset-sent")
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return state, true, err
	}
	r.SetGone()
	return state, true, site.Sheet{Title: r.T("link.over"), Intro: []string{r.T("link.over_text")},
		Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.new-link")})}}.Show(r)
}

func (p *pages) choosePassword(r *site.Request, purpose accounts.Purpose, intro string) error {
	state, done, err := p.token(r, purpose)
	if done || err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() && agree(f) {
		who, err := p.Accounts.AcceptToken(r.Context(), r.Part("token"), f.Typed("password"))
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			said := r.T("new_password.set", "Strength", strengthOf(r, f.Typed("password"), state.Name, state.Email))
			if who.NeedsCode {
				r.Notify(ui.OK, said+" "+r.T("new_password.now_sign_in"))
				return r.To("sign-in")
			}
			if err := p.enter(r, who.Account, true, r.At("admin")); err != nil {
				return err
			}
			r.Notify(ui.OK, said)
			return nil
		}
	}
	box := f.Box([]ui.Button{r.Save("action.new-password")}, append([]ui.Component{whose(r, state.Email)},
		passwords(f)...)...)
	return site.Sheet{Intro: []string{r.T(intro, "Name", state.Name)},
		Parts: []ui.Component{box}}.Show(r)
}

// passwords are the fields in which a password is chosen.
func passwords(f *site.Form) []ui.Component {
	return []ui.Component{f.Password("password", "new_password.new", "new-password"),
		f.Password("password_again", "new_password.again", "new-password")}
}

// agree reports whether the password was typed twice alike.
func agree(f *site.Form) bool {
	if f.Typed("password") == f.Typed("password_again") {
		return true
	}
	f.Fail("password_again", "new_password.different")
	return false
}

// strengthOf says in words how good a password is.
func strengthOf(r *site.Request, password string, own ...string) string {
	switch accounts.StrengthOf(password, own...) {
	case accounts.Strong:
		return r.T("new_password.strong")
	case accounts.Good:
		return r.T("new_password.good")
	}
	return r.T("new_password.weak")
}

// confirmEmail makes a new address the one of an account, once its owner presses the button.
func (p *pages) confirmEmail(r *site.Request) error {
	state, done, err := p.token(r, accounts.ForEmail)
	if done || err != nil {
		return err
	}
	if r.Posted() {
		if err := p.Accounts.ConfirmStaffEmail(r.Context(), r.Part("token")); err != nil {
			return err
		}
		r.Notify(ui.OK, r.T("own.email_changed", "Email", state.Email))
		if r.Person.Account != 0 {
			return r.To("staff-account")
		}
		return r.To("sign-in")
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	return site.Sheet{Intro: []string{r.T("own.email_confirm", "Email", state.Email)},
		Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.staff-email")})}}.Show(r)
}
