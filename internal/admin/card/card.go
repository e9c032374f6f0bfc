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

// Neighbours finds the applications before and after one in the list that a query of the browser asks for, 0 for none.
type Neighbours func(r *site.Request, list string, id int64) (previous, next int64, err error)

// pages has the functions of the pages.
type pages struct {
	*services.Services
	neighbours Neighbours
}

// Routes are the pages of the card with who may open them. The overview is named "application".
func Routes(s *services.Services, neighbours Neighbours) []site.Route {
	p := &pages{s, neighbours}
	view := site.Needs(admitto.ApplicationsView)
	routes := slices.Concat([]site.Route{
		p.tab("application", "", view, p.overview),
		p.tab("application-form", "/form/{section}", view, p.formTab),
		p.tab("application-courses", "/courses", site.Needs(admitto.OffersView), p.courses),
		p.tab("application-invoices", "/invoices", site.Needs(admitto.AccountingView), p.invoices),
	}, p.documentRoutes(), p.taskRoutes(), p.noteRoutes(), p.historyRoutes(), p.actionRoutes(), p.flagRoutes(), p.courseRoutes(),
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
	{"application-invoices", func(h *query.ApplicationHead) int64 { return h.Counts.Invoices }},
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

// leadThrough leads to the applications before and after one in the list that it was opened from, on the same tab.
func (p *pages) leadThrough(r *site.Request, id int64, tab string) error {
	place, ok := r.ListPlace()
	if !ok || r.Posted() {
		return nil
	}
	return r.LeadThrough(place, r.ViewAt(r.At("browse"), place.Query, true), "browse", func() (previous, next int64, err error) {
		return p.neighbours(r, place.Query, id)
	}, func(id int64) string { return r.At(tab, valuesOf(tab, id)...) })
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
		r.NameCrumb("application", titleOf(r, &h))
		return handle(r, &h)
	}
}

func titleOf(r *site.Request, h *query.ApplicationHead) string {
	return r.T("card.title", "ID", h.ID, "Name", show.Name(r, &h.Person))
}

// show shows a tab of the card.
func (p *pages) show(r *site.Request, h *query.ApplicationHead, tab string, parts ...ui.Component) error {
	return p.showWith(r, h, tab, nil, parts...)
}

// showWith is show with buttons of what can be done.
func (p *pages) showWith(r *site.Request, h *query.ApplicationHead, tab string, buttons []ui.Button,
	parts ...ui.Component) error {
	title := titleOf(r, h)
	if tab != "application" {
		title = r.T("card.tab_title", "Title", title, "Tab", r.T("title."+tab))
	}
	if r.Current(tab) { // a page below a tab has a title of its own
		r.SetTitle(title)
	}
	head, err := p.head(r, h)
	if err != nil {
		return err
	}
	head.Actions = append(buttons, head.Actions...)
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
		return []any{id, firstSection}
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
	case admitto.Draft, admitto.Inactive, admitto.Closed:
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
