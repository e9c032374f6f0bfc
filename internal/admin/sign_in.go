package admin

import (
	"errors"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// home leads from /admin to the first page that is of use to the reader: a role of a single permission may see nothing
// of the dashboard.
func (p *pages) home(r *site.Request) error {
	if r.Person.Account == 0 {
		return r.To("sign-in") // which leads here again
	}
	if slices.ContainsFunc(panels(), r.Reader().Has) {
		return r.To("dashboard")
	}
	for _, group := range navigation() {
		for _, page := range group.pages {
			if page.route != "dashboard" && r.May(page.route) {
				return r.To(page.route)
			}
		}
	}
	if r.May("applicant-add") {
		return r.To("applicant-add") // who only adds applicants sees no list of them
	}
	return r.To("dashboard") // which says what is missing
}

// panels are the permissions that show something on the dashboard (screens.md A05).
func panels() []admitto.Permission {
	return []admitto.Permission{admitto.ReportsView, admitto.ApplicationsView, admitto.OffersView,
		admitto.ApplicationsScore, admitto.AccountingView, admitto.BatchesRelease, admitto.InstanceAdmin}
}

// fieldStep carries what the first step of a sign-in proved.
const fieldStep = "code_step"

// signIn is screens.md A02: the password, and then the code of the second factor where there is one.
func (p *pages) signIn(r *site.Request) error {
	next := r.Next(r.At("admin"))
	if next == r.At("dashboard") {
		next = r.At("admin")
	}
	if !r.Posted() && r.Person.Account != 0 {
		return r.Redirect(next)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	step := f.Typed(fieldStep)
	if r.Posted() {
		var who accounts.SignedIn
		if step == "" {
			who, err = p.Accounts.SignInStaff(r.Context(), accounts.SignIn{Email: f.Get("email"),
				Password: f.Typed("password"), Network: r.Client()})
		} else {
			who, err = p.Accounts.SignInByCode(r.Context(), accounts.SecondStep{Step: step, Code: f.Get("code"),
				Network: r.Client()})
		}
		if err == nil {
			if err = p.enter(r, who.Account, who.NeedsSecondFactorSetup, next); err == nil && who.ByRecoveryCode {
				tellCodesLeft(r, who.RecoveryCodes)
			}
			return err
		}
		if step, err = refusedSignIn(f, err, step, who.Step); err != nil {
			return err
		}
	}
	var box ui.FormBox
	if step == "" {
		box = f.Box([]ui.Button{r.Save("action.sign-in")}, f.Email("email", "sign_in.email", "username"),
			f.Password("password", "sign_in.password", "current-password"))
		box.Buttons = append(box.Buttons, ui.Button{Text: r.T("title.reset"), Plain: true, Href: r.At("reset")})
		idle, total := p.Accounts.SessionStore(accounts.Administration).Limits()
		return signInSheet(r, box, next, ui.Words{Muted: true, Text: r.T("sign_in.lasts", "Idle", int(idle/time.Hour),
			"Total", int(total/time.Hour))})
	}
	r.SetTitle(r.T("sign_in.second"))
	again := ui.Button{Text: r.T("sign_in.again"), Plain: true, Href: r.At("sign-in") + "?next=" + escaped(next)}
	box = f.Box([]ui.Button{r.Save("action.sign-in"), again}, p.codeField(f, "sign_in.code"))
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: fieldStep, Value: step},
		ui.Option{Text: "email", Value: f.Get("email")})
	return signInSheet(r, box, next, ui.Words{Muted: true, Text: r.T("sign_in.lost_code")})
}

func signInSheet(r *site.Request, box ui.FormBox, next string, words ui.Words) error {
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	return site.Sheet{Parts: []ui.Component{box, words}}.Show(r)
}

// codeField is where a code of the second factor is typed.
func (p *pages) codeField(f *site.Form, label string) ui.TextField {
	code := f.Text("code", label)
	code.Autocomplete, code.Value = "one-time-code", ""
	return code
}

// enter signs an administrator in and leads on: to the second factor first, where the instance requires one.
func (p *pages) enter(r *site.Request, account int64, needsFactor bool, next string) error {
	if err := r.SignIn(account, true); err != nil {
		return err
	}
	if needsFactor {
		return r.Redirect(r.At("second-factor") + "?next=" + escaped(next))
	}
	return r.Redirect(next)
}

// refusedSignIn puts what speaks against a sign-in into its form. It returns the first step that the form goes on with,
// "" for none: begun is the one that was just made.
func refusedSignIn(f *site.Form, refused error, step, begun string) (string, error) {
	var e *admitto.Error
	if !errors.As(refused, &e) || len(e.Faults) == 0 {
		return "", refused
	}
	switch fault := e.Faults[0]; fault.Code {
	case "code-needed":
		return begun, nil
	case "code-wrong":
		f.FailText("code", fault.Text)
		return step, nil
	case "sign-in-wrong":
		f.FailText("email", fault.Text)
		return "", nil
	case "sign-in-throttled":
		f.FailText("", fault.Text)
		return step, nil
	case "sign-in-over":
		f.FailText("", fault.Text)
		return "", nil
	}
	return "", refused
}

// signOut ends the session.
func (p *pages) signOut(r *site.Request) error {
	if err := r.SignOut(); err != nil {
		return err
	}
	return r.To("sign-in")
}
