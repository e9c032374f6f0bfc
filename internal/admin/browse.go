package admin

import (
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// browseRoutes are the applications browser, the search, and the term that lists begin with.
func (p *pages) browseRoutes() []site.Route {
	view := site.Needs(admitto.ApplicationsView)
	return []site.Route{
		{Name: "browse", Path: "/admin/applications", Access: view, Handle: p.applications},
		{Name: "browse-csv", Path: "/admin/applications.csv", Access: view, Handle: p.applicationsCSV},
		{Name: "applications-at-once", Path: "/admin/applications/at-once", Access: view, Only: true,
			Handle: p.applicationsAtOnce},
		{Name: "applications-undo", Path: "/admin/applications/undo", Access: view, Only: true, Handle: p.applicationsUndo},
		{Name: "search", Path: "/admin/search", Access: site.SignedIn(), Handle: p.search},
		{Name: "term", Path: "/admin/term/{id}", Access: site.SignedIn(), Only: true, Again: true, Handle: p.chooseTerm},
	}
}

// applications is screens.md A10. An address without a term gets the reader's, so that the address is the whole view.
func (p *pages) applications(r *site.Request) error {
	if whole, ok := p.wholeAddress(r); !ok {
		return r.Redirect(whole)
	}
	b, err := p.browse(r, r.View(true, browseSorts()...))
	if err != nil {
		return err
	}
	page, err := p.Query.BrowseApplications(r.Context(), r.Reader(), b.query)
	if err != nil {
		return err
	}
	if last, beyond := b.view.Beyond(len(page.Rows), int(page.Total)); beyond {
		return r.Redirect(last)
	}
	pane := b.pane()
	if pane.Kept, err = p.keptViews(r, "applications", b.view.Query()); err != nil {
		return err
	}
	list := site.ListPage{Filters: pane, Head: b.head(&page), Table: b.table(&page),
		Pager: b.view.PagerOver(int(page.Total), page.TotalMore)}
	for _, c := range b.chips() {
		list.Chips.Chips = append(list.Chips.Chips, c.Chip)
	}
	list.Chips.Clear = b.cleared()
	if len(page.Rows) == 0 {
		if list.Table.Empty, err = p.nothingFound(b); err != nil {
			return err
		}
	}
	return list.Show(r)
}

// wholeAddress is the address with the reader's term, where it has none, and without what is empty; ok says that it is
// as it should be.
func (p *pages) wholeAddress(r *site.Request) (address string, ok bool) {
	whole, _ := withoutUsual(r.URL.Query(), (&browsing{r: r}).columns())
	if whole.Get("term") == "" {
		whole.Set("term", allTerms)
		if id := p.termOf(r); id != 0 {
			whole.Set("term", number(id))
		}
	}
	return r.URL.Path + "?" + whole.Encode(), maps.EqualFunc(whole, r.URL.Query(), slices.Equal[[]string])
}

// head says how many there are.
func (b *browsing) head(page *query.ApplicationPage) ui.ListHead {
	head := ui.ListHead{Title: b.r.Title(), FilterDrawer: "filters",
		Strong: b.r.Plural("browse.count", int(page.Total))}
	if page.TotalMore {
		head.Strong = b.r.Plural("browse.count_more", int(page.Total))
	}
	of := b.r.Number(int(b.ofTerm()))
	if b.term == 0 {
		head.Count = b.r.T("browse.of_all", "Of", of)
	} else if name := b.termName(b.term); name != "" {
		head.Count = b.r.T("browse.of_term", "Of", of, "Term", name)
	}
	head.Columns = chooseColumns(b.r, b.view, b.columns())
	csv := b.r.At("browse-csv")
	if b.r.URL.RawQuery != "" {
		csv += "?" + b.r.URL.RawQuery
	}
	head.Actions = []ui.Button{keepButton(b.r, "applications", b.view.Query())}
	if b.r.May("tableview-new") {
		head.Actions = append(head.Actions, ui.Button{Text: b.r.T("browse.tableview"), Icon: "table", Small: true,
			Href: b.r.At("tableview-new") + "?" + b.view.Query()})
	}
	head.Actions = append(head.Actions, ui.Button{Text: "CSV", Icon: "download", Href: csv, Small: true})
	return head
}

// ofTerm is how many applications the term has.
func (b *browsing) ofTerm() (n int64) {
	for _, c := range b.counts.Statuses {
		n += c.N
	}
	return n
}

// nothingFound says why a list is empty, and what each filter that is taken out would leave.
func (p *pages) nothingFound(b *browsing) (ui.Empty, error) {
	r := b.r
	count := func(key, href string, q admitto.ApplicationQuery, args ...any) (ui.Button, error) {
		n, more, err := p.Query.CountBrowsed(r.Context(), r.Reader(), q)
		shown := r.Number(int(n))
		if more {
			shown += "+"
		}
		return ui.Button{Text: r.T(key, append(args, "Count", shown)...), Href: href, Small: true}, err
	}
	all := b.query.ApplicationQuery
	all.TermIDs = nil
	chips := b.chips()
	if len(chips) == 0 {
		n, _, err := p.Query.CountBrowsed(r.Context(), r.Reader(), admitto.ApplicationQuery{})
		if err != nil || n == 0 {
			empty := ui.Empty{Icon: "files", Title: r.T("browse.none"), Text: r.T("browse.none_text")}
			for _, name := range []string{"institutions", "courses", "intakes"} {
				if link, ok := r.Link(name); ok {
					empty.Actions = append(empty.Actions, ui.Button{Text: link.Text, Href: link.Href, Small: true})
				}
			}
			return empty, err
		}
	}
	empty := ui.Empty{Icon: "inbox", Title: r.T("browse.no_match"), Text: r.T("browse.no_match_text")}
	for _, c := range chips {
		if c.name == "term" {
			continue // all terms are offered below
		}
		button, err := count("browse.without", c.Remove, b.filtered(c.name, c.value), "Name", c.Name, "Value", c.Value)
		if err != nil {
			return empty, err
		}
		button.Icon = "x"
		empty.Actions = append(empty.Actions, button)
	}
	if b.query.TermIDs != nil && len(b.wrong) == 0 {
		button, err := count("browse.in_all", b.view.With("term", allTerms), all)
		if err != nil {
			return empty, err
		}
		empty.Actions = append(empty.Actions, button)
	}
	return empty, nil
}

// applicationsCSV is the list as a file, with the columns that are shown.
func (p *pages) applicationsCSV(r *site.Request) error {
	b, err := p.browse(r, r.View(true, browseSorts()...))
	if err != nil {
		return err
	}
	if len(b.wrong) > 0 {
		return r.Redirect(strings.Replace(b.view.With(), r.URL.Path, r.At("browse"), 1)) // which says so
	}
	rows, err := p.Query.EachBrowsedApplication(r.Context(), r.Reader(), b.query)
	if err != nil {
		return err
	}
	return listCSV(r, "applications", shownColumns(b.view, b.columns()), rows)
}
