package admin

import (
	"strings"

	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// secondFactor sets the own second factor up (screens.md A03, A58): a secret for an app, and a code of it as proof.
func (p *pages) secondFactor(r *site.Request) error {
	next := r.Next(r.At("staff-account"))
	m, err := p.Accounts.StaffMember(r.Context(), r.Person.Account)
	if err != nil {
		return err
	}
	if m.HasSecondFactor {
		words, few, err := p.codesLeft(r)
		if err != nil {
			return err
		}
		intro, parts := []string{r.T("factor.is_on"), words}, []ui.Component(nil)
		if few {
			intro = intro[:1]
			parts = []ui.Component{ui.Notice{Tone: ui.Warn, Text: words + " " + r.T("factor.make_new")}}
		}
		return site.Sheet{Intro: intro, Parts: parts, Buttons: append(r.Buttons(site.Do("recovery-codes"),
			site.Danger("second-factor-remove")), ui.Button{Text: r.T("factor.go_on"), Plain: true, Href: next})}.Show(r)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		codes, err := p.Accounts.ConfirmSecondFactor(r.Context(), r.Caller(), f.Get("code"))
		if err == nil {
			if err := r.Renew(); err != nil {
				return err
			}
			return p.showCodes(r, codes, next)
		}
		if err := refusedProof(f, err); err != nil {
			return err
		}
	}
	begun, found, err := p.Accounts.BegunSecondFactor(r.Context(), r.Reader())
	if err == nil && !found {
		begun, err = p.Accounts.BeginSecondFactor(r.Context(), r.Caller())
	}
	if err != nil {
		return err
	}
	squares, err := begun.Squares()
	if err != nil {
		return err
	}
	intro := []string{r.T("factor.intro")}
	buttons := []ui.Button{r.Save("action.second-factor")}
	if m.NeedsSecondFactor {
		intro = append(intro, r.T("factor.required"))
	} else {
		buttons = append(buttons, ui.Button{Text: r.T("factor.later"), Plain: true, Href: next})
	}
	code := p.codeField(f, "factor.code")
	code.InputMode, code.Width = "numeric", "w10"
	box := f.Box(buttons, code)
	box.Head.Hidden = append(box.Head.Hidden, ui.Option{Text: "next", Value: next})
	return site.Sheet{Intro: intro, Parts: []ui.Component{
		ui.Heading{ID: "app", Title: r.T("factor.step_app"), Text: r.T("factor.step_app_text")},
		ui.QR{Label: r.T("factor.qr"), Rows: squares},
		ui.Secret{ID: "secret", Label: r.T("factor.secret"), Code: inFours(begun.Secret), Hint: r.T("factor.secret_hint")},
		ui.Heading{ID: "code", Title: r.T("factor.step_code")}, box}}.Show(r)
}

// inFours writes a secret in groups that are easy to type.
func inFours(secret string) string {
	var out strings.Builder
	for i, c := range secret {
		if i > 0 && i%4 == 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(c)
	}
	return out.String()
}

// showCodes shows recovery codes, this once.
func (p *pages) showCodes(r *site.Request, codes []string, next string) error {
	r.ShownOnce(next)
	return site.Sheet{Title: r.T("factor.codes"), Intro: []string{r.T("factor.codes_text")}, Parts: []ui.Component{
		ui.Secret{ID: "codes", Label: r.T("factor.codes_label"), Code: strings.Join(codes, "\n"),
			Hint: r.T("factor.codes_hint")}, ui.Button{Text: r.T("factor.codes_kept"), Primary: true, Href: next}}}.Show(r)
}

// codesLeft says how many recovery codes are left, and whether they are few.
func (p *pages) codesLeft(r *site.Request) (words string, few bool, err error) {
	left, of, err := p.Accounts.RecoveryCodesLeft(r.Context(), r.Reader())
	return r.T("factor.codes_left", "Left", r.Number(int(left)), "Of", r.Number(int(of))), fewCodes(left), err
}

// fewCodes reports whether so few recovery codes are left that new ones are to be made.
func fewCodes(left int64) bool { return left <= 2 }

// tellCodesLeft says after a sign-in by a recovery code that it is used up.
func tellCodesLeft(r *site.Request, left int64) {
	words := r.Plural("factor.code_used", int(left))
	if fewCodes(left) {
		r.Notify(ui.Warn, words+" "+r.T("factor.make_new"))
		return
	}
	r.Notify(ui.OK, words)
}

// recoveryCodes makes new recovery codes.
func (p *pages) recoveryCodes(r *site.Request) error {
	if !r.Posted() {
		return r.Ask(ask{action: "recovery-codes", text: r.T("factor.new_codes_text"), back: r.At("staff-account")}.page(r))
	}
	codes, err := p.Accounts.NewRecoveryCodes(r.Context(), r.Caller())
	if err != nil {
		return err
	}
	return p.showCodes(r, codes, r.At("staff-account"))
}

// removeSecondFactor takes the own second factor away.
func (p *pages) removeSecondFactor(r *site.Request) error {
	m, err := p.Accounts.StaffMember(r.Context(), r.Person.Account)
	if err != nil {
		return err
	}
	if !m.HasSecondFactor {
		return r.To("staff-account")
	}
	return confirmed(r, ask{action: "second-factor-remove", text: r.T("factor.remove_text"), done: "factor.removed",
		back: r.At("staff-account"), danger: true}, func() error {
		if err := p.Accounts.RemoveSecondFactor(r.Context(), r.Caller()); err != nil {
			return err
		}
		return r.Renew()
	})
}
