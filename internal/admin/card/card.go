// Package card has the pages about one application: the head that stands on every tab, and the tabs (screens.md A12 to
// A22).
package card

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// List is a list that leads through cards.
type List struct {
	Route string // of its page
	// Neighbours finds the records before and after one in the list that a query asks for, 0 for none.
	Neighbours func(r *site.Request, list string, id int64) (previous, next int64, err error)
	// Open is the address of a record of the list, "" for one that is gone; nil for applications, which are opened on the
	// same tab.
	Open func(r *site.Request, id int64) (string, error)
}

// pages has the functions of the pages.
type pages struct {
	*services.Services
	lists []List // the usual one first

	rehearsing bool // nothing of it is kept
}

// Card is what all tabs of an application stand in, those of other packages among them.
type Card struct{ p *pages }

// New makes the card.
func New(s *services.Services, lists ...List) *Card { return &Card{&pages{Services: s, lists: lists}} }

// Tab is the route of a tab whose content another package has; its name is in the table of tabs.
func (c *Card) Tab(name, path string, access site.Access,
	handle func(*site.Request, *query.ApplicationHead) error) site.Route {
	route := c.p.tab(name, path, access, handle)
	route.InList = true
	return route
}

// Below is the route of a page below such a tab.
func (c *Card) Below(name, parent, path string, access site.Access,
	handle func(*site.Request, *query.ApplicationHead) error) site.Route {
	return site.Route{Name: name, Path: "/admin/applications/{id}" + path, Access: access, Form: true, InList: true,
		Parent: parent,
		Handle: c.p.ofApplication(handle)}
}

// Show shows a tab with buttons of what can be done.
func (c *Card) Show(r *site.Request, h *query.ApplicationHead, tab string, buttons []ui.Button,
	parts ...ui.Component) error {
	return c.p.showWith(r, h, tab, buttons, parts...)
}

// PartOf reads the head of the application that a page with an address of its own is about, and leads back from there
// to a tab: the parent of the page, or of its parent.
func (c *Card) PartOf(r *site.Request, application int64, tab string) (*query.ApplicationHead, error) {
	h, err := c.p.Query.ApplicationHead(r.Context(), r.Reader(), application)
	if err != nil {
		return nil, err
	}
	r.NameCrumb(tab, titleOf(r, &h))
	r.PartOf(h.ID)
	if err := c.p.leadThrough(r, h.ID, tab); err != nil {
		return nil, err
	}
	r.LeadCrumb(tab, r.Within(tab, h.ID))
	return &h, nil
}

// Routes are the pages of the card with who may open them. The overview is named "application".
func (c *Card) Routes() []site.Route {
	p := c.p
	view := site.Needs(admitto.ApplicationsView)
	routes := slices.Concat([]site.Route{
		p.tab("application", "", view, p.overview),
		p.tab("application-form", "/form/{section}", view, p.formTab),
		p.tab("application-courses", "/courses", site.Needs(admitto.OffersView), p.courses),
	}, p.documentRoutes(), p.taskRoutes(), p.noteRoutes(), p.historyRoutes(), p.actionRoutes(), p.flagRoutes(),
		p.courseRoutes(),
		p.formRoutes())
	whole := len(routes)
	routes = slices.Concat(routes, p.offerRoutes(), p.decisionRoutes())
	for i := range routes {
		routes[i].InList, routes[i].Part = true, i >= whole
	}
	return routes
}

// tabs are the tabs in their order, by the names of their routes, with what they count.
var tabs = []struct {
	name  string
	count func(*query.ApplicationHead) int64
}{
	{"application", nil},
	{"application-form", nil},
	{"application-courses", func(h *query.ApplicationHead) int64 { return h.Counts.Courses }},
	{"application-tasks", func(h *query.ApplicationHead) int64 { return h.Counts.Tasks }},
	{"application-documents", func(h *query.ApplicationHead) int64 { return h.Counts.Documents }},
	{"application-scores", func(h *query.ApplicationHead) int64 { return h.Counts.Scores }},
	{"application-invoices", func(h *query.ApplicationHead) int64 { return h.Counts.Invoices }},
	{"application-emails", func(h *query.ApplicationHead) int64 { return h.Counts.Emails + h.Counts.GeneralEmails }},
	{"application-notes", func(h *query.ApplicationHead) int64 { return h.Counts.ApplicantNotes + h.Counts.OfferNotes }},
	{"application-history", func(h *query.ApplicationHead) int64 { return h.Counts.Events }},
}

// tab is the route of a tab.
func (p *pages) tab(name, path string, access site.Access,
	handle func(*site.Request, *query.ApplicationHead) error) site.Route {
	return site.Route{Name: name, Path: "/admin/applications/{id}" + path, Access: access, Parent: "browse",
		Handle: p.ofApplication(func(r *site.Request, h *query.ApplicationHead) error {
			if err := p.leadThrough(r, h.ID, name); err != nil {
				return err
			}
			return handle(r, h)
		})}
}

// leadThrough leads to the records before and after one in the list that it was opened from: to applications on the
// same tab.
func (p *pages) leadThrough(r *site.Request, id int64, tab string) error {
	place, ok := r.ListPlace()
	if !ok || r.Posted() {
		return nil
	}
	list := &p.lists[0]
	for i := range p.lists {
		if p.lists[i].Route == place.List {
			list = &p.lists[i]
			r.NameCrumb(p.lists[0].Route, r.T("title."+list.Route))
		}
	}
	open := func(id int64) (string, error) { return r.At(tab, valuesOf(tab, id)...), nil }
	if list.Open != nil {
		id, open = place.Record, func(id int64) (string, error) { return list.Open(r, id) }
	}
	view := r.ViewAt(r.At(list.Route), place.Query, true)
	return r.LeadThrough(place, id, view, p.lists[0].Route, func() (previous, next int64, err error) {
		previous, next, err = list.Neighbours(r, place.Query, id)
		// somebody else's list, whose filters show more than this reader may see
		if admitto.KindOf(err) == admitto.NotPermitted {
			err = nil
		}
		return previous, next, err
	}, open)
}

// ofApplication reads the head of the application that a page is about.
func (p *pages) ofApplication(handle func(*site.Request, *query.ApplicationHead) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		h, err := p.Query.ApplicationHead(r.Context(), r.Reader(), id)
		if err != nil {
			return err
		}
		for _, tab := range tabs { // the pages below them do not show whose they are
			r.NameCrumb(tab.name, tabTitle(r, &h, tab.name))
		}
		return handle(r, &h)
	}
}

func titleOf(r *site.Request, h *query.ApplicationHead) string {
	return r.T("card.title", "ID", h.ID, "Name", show.Name(r, &h.Person))
}

// tabTitle is the title of a tab, the overview's that of the card.
func tabTitle(r *site.Request, h *query.ApplicationHead, tab string) string {
	if tab == "application" {
		return titleOf(r, h)
	}
	return r.T("card.tab_title", "Title", titleOf(r, h), "Tab", r.T("title."+tab))
}

// show shows a tab of the card.
func (p *pages) show(r *site.Request, h *query.ApplicationHead, tab string, parts ...ui.Component) error {
	return p.showWith(r, h, tab, nil, parts...)
}

// showWith is show with buttons of what can be done.
func (p *pages) showWith(r *site.Request, h *query.ApplicationHead, tab string, buttons []ui.Button,
	parts ...ui.Component) error {
	return p.showWithMore(r, h, tab, buttons, nil, parts...)
}

// showWithMore is showWith with buttons of what is seldom done, behind one menu.
func (p *pages) showWithMore(r *site.Request, h *query.ApplicationHead, tab string, buttons, seldom []ui.Button,
	parts ...ui.Component) error {
	if r.Current(tab) { // a page below a tab has a title of its own
		r.SetTitle(tabTitle(r, h, tab))
	}
	head, err := p.head(r, h)
	if err != nil {
		return err
	}
	head.Actions = append(head.Actions, show.Small(buttons)...)
	show.More(r, &head, seldom...)
	links := ui.Tabs{Label: r.T("card.tabs")}
	for _, t := range tabs {
		link, ok := r.Link(t.name, valuesOf(t.name, h.ID)...)
		if !ok {
			continue
		}
		if t.name == "application" {
			link.Text = r.T("card.overview")
		}
		if t.count != nil {
			link.Count = r.Number(int(t.count(h)))
		}
		link.Href = r.Within(t.name, valuesOf(t.name, h.ID)...)
		link.Current = t.name == tab
		links.Links = append(links.Links, link)
	}
	return site.CardPage{Head: head, Tabs: links, Parts: parts}.Show(r)
}

// valuesOf are the values of the path of a tab.
func valuesOf(tab string, id int64) []any {
	if tab == "application-form" {
		return []any{id, wholeForm}
	}
	return []any{id}
}

// head is what stands above the tabs. Readers without applications-view see the applicant, the ID and the status.
func (p *pages) head(r *site.Request, h *query.ApplicationHead) (head ui.CardHead, err error) {
	head = ui.CardHead{Title: show.Name(r, &h.Person), ID: strconv.FormatInt(h.ID, 10),
		Initials: show.Initials(h.Person.Name), Tags: []ui.Tag{show.Status(r, h.Status)}}
	person := ui.Link{Text: r.T("card.applicant", "ID", h.Person.ID)}
	if r.May("applicant") {
		person.Href = r.At("applicant", h.Person.ID)
	}
	head.Links.Links = []ui.Link{person}
	if !r.Reader().Has(admitto.ApplicationsView) {
		return head, nil
	}
	if since := since(h); since != 0 {
		head.Tags[0].Text = r.T("card.status_since", "Status", head.Tags[0].Text, "Day", r.Day(since))
	}
	head.Tags = append(head.Tags, marks(r, h)...)
	officer := r.T("card.no_officer")
	if h.Officer != "" {
		officer = r.T("card.officer", "Name", h.Officer)
	}
	head.Links.Links = append(head.Links.Links, ui.Link{Text: h.InTerm.Name}, ui.Link{Text: officer})
	near := r.Neighbours()
	if near.Previous != "" {
		head.Actions = append(head.Actions, ui.Button{Text: r.T("card.previous"), Icon: "chevron-left", Plain: true,
			Small: true, Href: near.Previous})
	}
	if near.Next != "" {
		head.Actions = append(head.Actions, ui.Button{Text: r.T("card.next"), Icon: "chevron-right", After: true, Plain: true,
			Small: true, Href: near.Next})
	}
	return head, nil
}

// since is when the status began, as far as that is known.
func since(h *query.ApplicationHead) admitto.Time {
	switch h.Status {
	case admitto.Blank:
		return h.Created
	case admitto.Reopened:
		return h.Reopened
	case admitto.Submitted:
		return max(h.Submitted, h.Resubmitted)
	case admitto.Withdrawn:
		return h.Withdrawn
	case admitto.Inactive, admitto.Closed:
		return h.Since
	case admitto.Draft:
	}
	return 0
}

// marks are what holds besides the status, and the flags.
func marks(r *site.Request, h *query.ApplicationHead) (tags []ui.Tag) {
	if h.Expired {
		tags = append(tags, ui.Tag{Text: r.T("card.expired"), Icon: "clock", Tone: ui.Bad})
	}
	if h.Frozen != 0 {
		tags = append(tags, ui.Tag{Text: r.T("card.frozen", "Day", r.Day(h.Frozen)), Icon: "lock", Tone: ui.Info})
	}
	if h.Silenced {
		tags = append(tags, ui.Tag{Text: r.T("card.silenced"), Icon: "bell"})
	}
	if h.UndoUntil != 0 {
		tags = append(tags, ui.Tag{Text: r.T("card.undo_until", "Time", r.Clock(h.UndoUntil)), Icon: "undo-2", Tone: ui.Warn})
	}
	for _, f := range h.Flags {
		tags = append(tags, ui.Tag{Text: f.Name, Icon: "flag"})
	}
	return tags
}
