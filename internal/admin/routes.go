package admin

import (
	"slices"

	"github.com/admitto/admitto/internal/admin/catalogue"
	"github.com/admitto/admitto/internal/admin/imports"
	"github.com/admitto/admitto/internal/admin/kinds"
	"github.com/admitto/admitto/internal/admin/mailtexts"
	"github.com/admitto/admitto/internal/admin/protection"
	"github.com/admitto/admitto/internal/admin/ranks"
	"github.com/admitto/admitto/internal/admin/reports"
	"github.com/admitto/admitto/internal/admin/system"
	"github.com/admitto/admitto/internal/site"
)

// routes is the table of all pages and actions of the administration, with who may open them.
func (p *pages) routes() []site.Route {
	open, signedIn := site.Everyone(), site.SignedIn()
	return slices.Concat([]site.Route{
		{Name: "dashboard", Path: "/admin/{$}", Access: signedIn, Handle: p.dashboard},
		{Name: "admin", Path: "/admin", Access: open, Handle: p.home},
		{Name: "sign-in", Path: "/admin/sign-in", Access: open, Form: true, Handle: p.signIn},
		{Name: "sign-out", Path: "/admin/sign-out", Access: open, Only: true, Again: true, Handle: p.signOut},
		{Name: "stay", Path: "/admin/stay", Access: signedIn, Only: true, Bare: true, Early: true, Again: true,
			Handle: site.Stay},
		{Name: "draft", Path: "/admin/draft", Access: signedIn, Only: true, Again: true, Handle: site.KeepDraft},
		{Name: "choose", Path: "/admin/choose/{kind}/{value}", Access: open, Handle: p.choose},
	}, p.keyRoutes(), p.accountRoutes(), p.browseRoutes(), p.viewRoutes(), p.cardRoutes(), p.settingRoutes(),
		p.applicantRoutes(),
		p.journalRoutes(), p.batchRoutes(), p.taskRoutes(), catalogue.Routes(p.Services), kinds.Routes(p.Services),
		imports.Routes(p.Services),
		mailtexts.Routes(p.Services),
		ranks.Routes(p.Services), reports.Routes(p.Services, p.termOf),
		system.Routes(p.Services, p.ends), protection.Routes(p.Services))
}
