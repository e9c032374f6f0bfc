package portal

import (
	"errors"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// password is where an applicant chooses a password: the first time after a link, when one was made for them, and later
// on from their account.
func (p *pages) password(r *site.Request) error {
	a, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	forced := r.Person.First == "my-password"
	next := r.Next(r.At("my-account"))
	fresh := r.ByLink() || forced && r.IsProved()
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		others, err := p.Accounts.ApplicantSessions(r.Context(), r.Reader())
		if err != nil {
			return err
		}
		err = p.Accounts.SetApplicantPassword(r.Context(), r.Caller(), accounts.PasswordChange{New: f.Typed("password"),
			Old: f.Typed("old-password"), Fresh: fresh, Keep: r.Hash(), Network: r.Client()})
		if wrongPassword(err) {
			f.Fail("old-password", "my_password.wrong")
		} else if admitto.KindOf(err) == admitto.NotPermitted {
			if _, err = refusedSignIn(f, err); err != nil {
				return err
			}
		} else if refused, err := f.Refused(err, nil); err != nil {
			return err
		} else if !refused {
			if err := r.Prove(); err != nil {
				return err
			}
			done := "my_password.done"
			if len(others) > 1 {
				done = "my_password.done_others"
			}
			r.Notify(ui.OK, r.T(done))
			return r.Redirect(next)
		}
	}
	text := "my_password.text"
	switch {
	case forced:
		text = "my_password.forced"
	case !a.HasPassword:
		text = "my_password.optional"
	}
	var parts []ui.Component
	if a.HasPassword && !fresh {
		old := f.Password("old-password", "my_password.old", "current-password")
		parts = append(parts, old)
	}
	parts = append(parts, f.Password("password", "my_password.new", "new-password"))
	box := f.Box([]ui.Button{r.Save("action.save-password")}, parts...)
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	if !forced {
		skip := r.Cancel(next)
		if !a.HasPassword {
			skip.Text = r.T("action.without-password")
		}
		box.Buttons = append(box.Buttons, skip)
	}
	return site.Sheet{Intro: []string{r.T(text)}, Parts: []ui.Component{box}}.Show(r)
}

// wrongPassword reports whether the password that somebody has now is not the one that was typed.
func wrongPassword(err error) bool {
	var e *admitto.Error
	return errors.As(err, &e) && len(e.Faults) > 0 && e.Faults[0].Code == "sign-in-wrong"
}
