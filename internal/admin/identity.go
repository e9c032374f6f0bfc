package admin

import (
	"errors"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// confirmIdentity is screens.md A04: the password or a code again, before a sensitive page.
func (p *pages) confirmIdentity(r *site.Request) error {
	next := r.Next(r.At("admin"))
	m, err := p.Accounts.StaffMember(r.Context(), r.Person.Account)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		proof := accounts.Proof{Password: f.Typed("password"), Code: f.Get("code"), Network: r.Client()}
		if proof.Password == "" && proof.Code == "" {
			f.Fail("password", "identity.nothing")
		} else if err := p.Accounts.ProveIdentity(r.Context(), r.Caller(), proof); err == nil {
			if err := r.Prove(); err != nil {
				return err
			}
			return r.Redirect(next)
		} else if err := refusedProof(f, err); err != nil {
			return err
		}
	}
	parts := []ui.Component{whose(r, r.Person.Email), f.Password("password", "sign_in.password", "current-password")}
	if m.HasSecondFactor {
		parts = append(parts, p.codeField(f, "identity.code"))
	}
	box := f.Box([]ui.Button{r.Save("action.confirm-identity"), r.Cancel(r.At("dashboard"))}, parts...)
	return site.Sheet{Intro: []string{r.T("identity.intro")}, Parts: []ui.Component{box}}.Show(r)
}

func refusedProof(f *site.Form, refused error) error {
	var e *admitto.Error
	if !errors.As(refused, &e) || len(e.Faults) == 0 {
		return refused
	}
	switch fault := e.Faults[0]; fault.Code {
	case "code-wrong":
		f.FailText("code", fault.Text)
	case "sign-in-wrong":
		f.Fail("password", "identity.wrong")
	case "sign-in-throttled":
		f.FailText("", fault.Text)
	default:
		return refused
	}
	return nil
}

// whose says whose password is typed; programs that keep passwords read it.
func whose(r *site.Request, email string) ui.TextField {
	return ui.TextField{Field: ui.Field{ID: "f-username", Name: "username", Label: r.T("sign_in.email"), Value: email,
		ReadOnly: true, Autocomplete: "username"}, Type: "email"}
}
