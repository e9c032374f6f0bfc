package admin

import (
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// navGroup is one heading of the navigation with its pages, by the names of their routes (screens.md 2). What is not
// built, and what the reader may not open, is not shown.
type navGroup struct {
	name  string
	pages []navPage
}

type navPage struct{ route, icon string }

// navigation is the order of screens.md 2.
func navigation() []navGroup {
	return []navGroup{
		{"overview", []navPage{{"dashboard", "layout-dashboard"}, {"applicants", "users"}}},
		{"applications", []navPage{{"browse", "files"}, {"tasks", "list-checks"}, {"rankings", "trophy"},
			{"flags", "flag"}}},
		{"scoring", []navPage{{"scoresheets", "clipboard-list"}, {"criteria", "scale"}}},
		{"catalogue", []navPage{{"institutions", "building-2"}, {"courses", "graduation-cap"},
			{"intakes", "calendar-clock"}, {"terms", "calendar"}, {"fees", "receipt"}}},
		{"finance", []navPage{{"invoices", "file-text"}, {"transactions", "arrow-left-right"}, {"series", "list-ordered"}}},
		{"marketing", []navPage{{"trackers", "megaphone"}, {"imports", "upload"}}},
		{"automation", []navPage{{"task-templates", "workflow"}, {"batches", "zap"}, {"time-rules", "timer"}}},
		{"insight", []navPage{{"tableviews", "table"}, {"reports", "chart-column"}, {"journal", "history"},
			{"access-log", "eye"}}},
		{"data_protection", []navPage{{"data-protection", "shield"}}},
		{"settings", []navPage{{"settings", "settings"}, {"offer-types", "percent"}, {"templates", "mail"},
			{"consents", "check"}, {"lists", "list"}, {"administrators", "user"}, {"api-keys", "key-round"},
			{"webhooks", "webhook"}, {"system", "server"}}},
	}
}

// frame is what surrounds every page of the administration.
func (p *pages) frame(r *site.Request) ui.Frame {
	if r.Person.Account == 0 {
		return &ui.Entry{Home: r.At("dashboard"), Foot: r.Foot("choose")}
	}
	f := &ui.Admin{Home: r.At("dashboard"), NoKeys: r.Person.NoShortcuts, Ends: r.Ends(), Keys: p.shortcuts(r)}
	groups := navigation()
	if r.Person.First != "" {
		groups = nil // nothing else is open yet
	}
	for _, group := range groups {
		var links []ui.Link
		for _, page := range group.pages {
			if link, ok := r.Link(page.route); ok {
				link.Icon, link.Current = page.icon, r.Current(page.route)
				if short := "nav_page." + page.route; r.Has(short) {
					link.Text = r.T(short)
				}
				links = append(links, link)
			}
		}
		if len(links) > 0 {
			f.Nav = append(f.Nav, ui.NavGroup{Title: r.T("nav." + group.name), Links: links})
		}
	}
	if r.May("search") && r.Person.First == "" {
		f.Search, f.Query = r.At("search"), r.URL.Query().Get("q")
	}
	f.Term = p.termMenu(r)
	f.User = ui.Menu{Text: r.Person.Name, Icon: "user"}
	if link, ok := r.Link("staff-account"); ok {
		link.Icon = "settings"
		f.User.Links = append(f.User.Links, link)
	}
	f.User.Links = append(f.User.Links, ui.Link{Text: r.T("action.sign-out"), Icon: "log-out", Href: r.At("sign-out"),
		Posts: true})
	f.Foot = r.Foot("choose")
	return f
}

// shortcuts are the keys of screens.md U5, with those pages that the reader may open.
func (p *pages) shortcuts(r *site.Request) (keys []ui.Shortcut) {
	if r.Person.NoShortcuts {
		return nil
	}
	if r.May("search") {
		keys = append(keys, ui.Shortcut{Keys: "/", Text: r.T("frame.search_label")})
	}
	for _, to := range []struct{ keys, route string }{{"g a", "browse"}, {"g p", "applicants"}} {
		if link, ok := r.Link(to.route); ok {
			keys = append(keys, ui.Shortcut{Keys: to.keys, Text: link.Text, Href: link.Href})
		}
	}
	keys = append(keys, ui.Shortcut{Keys: "j k", Text: r.T("frame.key_rows")})
	near := r.Neighbours()
	if near == (site.Neighbours{}) {
		keys = append(keys, ui.Shortcut{Keys: "n p", Text: r.T("frame.key_cards")})
	}
	for _, to := range []struct{ key, text, href string }{{"n", "frame.key_next", near.Next},
		{"p", "frame.key_previous", near.Previous}} {
		if to.href != "" {
			keys = append(keys, ui.Shortcut{Keys: to.key, Text: r.T(to.text), Href: to.href})
		}
	}
	for _, more := range [][2]string{{"1 … 9", "frame.key_tabs"}, {"e", "frame.key_first"},
		{"Ctrl Enter", "frame.key_send"}} {
		keys = append(keys, ui.Shortcut{Keys: more[0], Text: r.T(more[1])})
	}
	return append(keys, ui.Shortcut{Keys: "?", Text: r.T("frame.key_list")})
}
