// Package protection has the pages of data protection: requests about one's data, the recovery list, files with the
// data of one person, and the purge list (screens.md A56).
package protection

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

type pages struct{ *services.Services }

// Routes are the pages of data protection with who may open them; all of them ask for a proof of identity.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	access := site.Needs(admitto.DataProtection).Proved()
	return []site.Route{
		{Name: "data-protection", Path: "/admin/data-protection/requests", Access: access, Handle: p.requests},
		{Name: "data-request-new", Path: "/admin/data-protection/requests/new", Access: access, Form: true,
			Parent: "data-protection", Handle: p.record},
		{Name: "data-request-grant", Path: "/admin/data-protection/requests/{id}/grant", Access: access, Form: true,
			Parent: "data-protection", Handle: p.grant},
		{Name: "data-request-refuse", Path: "/admin/data-protection/requests/{id}/refuse", Access: access, Form: true,
			Parent: "data-protection", Handle: p.refuse},
		{Name: "recovery", Path: "/admin/data-protection/recovery", Access: access, Parent: "data-protection",
			Handle: p.recovery},
		{Name: "recovery-restore", Path: "/admin/data-protection/recovery/{id}/restore", Access: access, Form: true,
			Parent: "recovery", Handle: p.restore},
		{Name: "recovery-erase", Path: "/admin/data-protection/recovery/{id}/erase", Access: access, Form: true,
			Parent: "recovery", Handle: p.erase},
		{Name: "data-exports", Path: "/admin/data-protection/exports", Access: access, Form: true,
			Parent: "data-protection", Handle: p.exports},
		{Name: "purged", Path: "/admin/data-protection/purge", Access: access, Parent: "data-protection",
			Handle: p.purged},
	}
}

// show answers with a page below the tabs.
func (p *pages) show(r *site.Request, current, intro string, buttons []ui.Button, parts ...ui.Component) error {
	tabs := ui.Tabs{Label: r.T("title.data-protection")}
	for _, name := range []string{"data-protection", "recovery", "data-exports", "purged"} {
		tabs.Links = append(tabs.Links, ui.Link{Text: r.T("protection." + "tab_" + tabKey(name)), Href: r.At(name),
			Current: name == current})
	}
	return site.Sheet{Title: r.T("title.data-protection"), Buttons: buttons,
		Parts: append([]ui.Component{tabs, ui.Words{Text: r.T(intro), Muted: true}}, parts...)}.Show(r)
}

// tabKey is what the message of a tab is called by.
func tabKey(name string) string {
	switch name {
	case "data-protection":
		return "requests"
	case "data-exports":
		return "exports"
	}
	return name
}
