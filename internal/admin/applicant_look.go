package admin

import (
	"net/url"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// applicantLook lets staff see the portal as the applicant does, and change nothing there.
func (p *pages) applicantLook(r *site.Request, a *accounts.ApplicantAccount) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	back := r.At("applicant", a.ID)
	if r.Posted() {
		token, err := p.Accounts.BeginLook(r.Context(), r.Reader(),
			accounts.Look{Applicant: a.ID, Begun: r.Begun(), Back: back})
		if err != nil {
			return err
		}
		r.BeginLook(token)
		return r.Redirect(p.portalPath())
	}
	question := ask{action: "applicant-look", back: back, undo: r.T("look.undo"), effects: []ui.Effect{
		{Icon: "eye", Text: r.T("look.effect", "Name", show.Name(r, &a.Applicant))},
		{Icon: "lock", Text: r.T("look.nothing")}, {Icon: "log-out", Text: r.T("look.replaces")}}}
	page := question.page(r)
	page.Fields = []ui.Component{f.Head()}
	return r.Ask(page)
}

// portalPath is the path of the first page of applicants.
func (p *pages) portalPath() string {
	if u, err := url.Parse(p.Core.Links().Portal()); err == nil {
		return u.Path
	}
	return "/"
}
