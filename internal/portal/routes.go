package portal

import (
	"slices"

	"github.com/admitto/admitto/internal/portal/application"
	"github.com/admitto/admitto/internal/portal/courses"
	"github.com/admitto/admitto/internal/portal/mydata"
	"github.com/admitto/admitto/internal/site"
)

// routes is the table of all pages and actions of the portal, with who may open them.
func (p *pages) routes() []site.Route {
	open, signedIn := site.Everyone(), site.SignedIn()
	return slices.Concat([]site.Route{
		{Name: "sign-out", Path: "/sign-out", Access: open, Only: true, Again: true, Handle: p.signOut},
		{Name: "stay", Path: "/my/stay", Access: signedIn, Only: true, Bare: true, Again: true, Handle: site.Stay},
		{Name: "draft", Path: "/my/draft", Access: signedIn, Only: true, Again: true, Handle: site.KeepDraft},
		{Name: "choose", Path: "/choose/{kind}/{value}", Access: open, Handle: p.choose},
	}, site.Uploads("/my/uploads", signedIn), p.entryRoutes(), application.Routes(p.Services), p.accountRoutes(),
		p.consentRoutes(), p.helpRoutes(), p.lookRoutes(),
		courses.Routes(p.Services), mydata.Routes(p.Services))
}

// entryRoutes are the ways in (screens.md P03 to P06).
func (p *pages) entryRoutes() []site.Route {
	open, signedIn := site.Everyone(), site.SignedIn()
	return []site.Route{
		{Name: "register", Path: "/register", Access: open, Form: true, Handle: p.register},
		{Name: "register-from", Path: "/r/{code}", Access: open, Form: true, Handle: p.register},
		{Name: "sign-in", Path: "/sign-in", Access: open, Form: true, Handle: p.signIn},
		{Name: "mailbox", Path: "/sign-in/mailbox", Access: open, Form: true, Handle: p.mailbox},
		{Name: "link", Path: "/sign-in/link/{token}", Access: open, Form: true, Handle: p.link},
		{Name: "confirm-address", Path: "/sign-in/e-mail/{token}", Access: open, Form: true, Handle: p.confirmEmail},
		{Name: "welcome", Path: "/my/welcome", Access: signedIn, Form: true, Early: true, Handle: p.welcome},
		{Name: "my-password", Path: "/my/password", Access: signedIn, Form: true, Early: true, Handle: p.password},
	}
}
