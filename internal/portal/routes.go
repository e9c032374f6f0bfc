package portal

import "github.com/admitto/admitto/internal/site"

// routes is the table of all pages and actions of the portal, with who may open them.
func (p *pages) routes() []site.Route {
	open, signedIn := site.Everyone(), site.SignedIn()
	return []site.Route{
		{Name: "front", Path: "/{$}", Access: open, Handle: p.front},
		{Name: "sign-in", Path: "/sign-in", Access: open, Form: true, Handle: p.front},
		{Name: "sign-out", Path: "/sign-out", Access: open, Only: true, Handle: p.signOut},
		{Name: "stay", Path: "/my/stay", Access: signedIn, Only: true, Handle: site.Stay},
		{Name: "draft", Path: "/my/draft", Access: signedIn, Only: true, Handle: site.KeepDraft},
		{Name: "choose", Path: "/choose/{kind}/{value}", Access: open, Handle: site.Choose},
	}
}
