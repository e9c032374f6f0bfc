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

// doNewLink is the value of the button that asks for another link in the place of one that does not work.
const doNewLink = "link"

// token reads what a link is for. A link that does not work has a page that sends another one, and done is true. Whose
// browser has used it just now goes on as after the first press.
func (p *pages) token(r *site.Request, purpose accounts.Purpose) (state accounts.StaffToken, done bool, err error) {
	token := r.Part("token")
	state, err = p.Accounts.TokenState(r.Context(), token)
	if admitto.KindOf(err) == admitto.NotFound || err == nil && state.Purpose != purpose {
		r.SetMissing()
		return state, true, site.Sheet{Title: r.T("link.none"), Intro: []string{r.T("link.none_text")},
			Buttons: []ui.Button{{Text: r.T("title.reset"), Href: r.At("reset")}}}.Show(r)
	}
	if err != nil || state.Works || state.Settled {
		return state, err != nil, err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return state, true, err
	}
	if r.Posted() && f.Get("do") == doNewLink {
		if err := p.Accounts.NewLinkFor(r.Context(), token, r.Client()); err != nil {
			return state, true, err
		}
		return state, true, r.To("reset-sent")
	}
	if r.Posted() && state.Used && state.Administrator == r.Person.Account {
		return state, true, r.Redirect(afterPassword(r))
	}
	r.SetGone()
	return state, true, site.Sheet{Title: r.T("link.over"), Intro: []string{r.T("link.over_text")},
		Parts: []ui.Component{f.Box([]ui.Button{{Text: r.T("action.new-link"), Name: "do", Value: doNewLink,
			Primary: true, Busy: r.T("form.sending")}})}}.Show(r)
}

// afterPassword is where somebody goes on who has chosen a password by a link: to the offer of a second factor.
func afterPassword(r *site.Request) string {
	return r.At("second-factor") + "?next=" + escaped(r.At("admin"))
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
			if err := r.SignIn(who.Account, true); err != nil {
				return err
			}
			r.Notify(ui.OK, said)
			return r.Redirect(afterPassword(r))
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

// confirmEmail makes a new address the one of an account, once its owner presses the button. Pressed again, it says
// what the address is.
func (p *pages) confirmEmail(r *site.Request) error {
	state, done, err := p.token(r, accounts.ForEmail)
	if done || err != nil {
		return err
	}
	said, next := r.T("own.email_changed", "Email", state.Email), "sign-in"
	if r.Person.Account != 0 {
		next = "staff-account"
	}
	if state.Settled {
		return site.Sheet{Intro: []string{said}, Buttons: []ui.Button{{Text: r.T("title." + next), Primary: true,
			Href: r.At(next)}}}.Show(r)
	}
	if r.Posted() {
		if err := p.Accounts.ConfirmStaffEmail(r.Context(), r.Part("token")); err != nil {
			return err
		}
		r.Notify(ui.OK, said)
		return r.To(next)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	return site.Sheet{Intro: []string{r.T("own.email_confirm", "Email", state.Email)},
		Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.staff-email")})}}.Show(r)
}
