package admin

import (
	"net/url"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// keptList is a list whose views are kept under a name.
type keptList struct {
	list, page string // its name in the core, and the route of its page
	needs      admitto.Permission
	// chips are the filters of a query, in words; open reports whether the reader may use all of them.
	chips func(p *pages, r *site.Request, query string) (chips []ui.Chip, err error)
	open  func(r *site.Request, query url.Values) bool
}

func keptLists() []keptList {
	return []keptList{
		{"applications", "browse", admitto.ApplicationsView, (*pages).applicationChips, opensApplications},
		{"applicants", "applicants", admitto.ApplicantsView, (*pages).applicantChips, opensApplicants},
		{"invoices", "invoices", admitto.AccountingView, (*pages).invoiceChips, opensAll},
		{"transactions", "transactions", admitto.AccountingView, (*pages).transactionChips, opensAll},
	}
}

func keptListOf(name string) keptList {
	lists := keptLists()
	return lists[slices.IndexFunc(lists, func(k keptList) bool { return k.list == name })]
}

// viewRoutes are the pages on which views of the long lists are kept, called something else, and removed, and those of
// tableviews.
func (p *pages) viewRoutes() (routes []site.Route) {
	for _, k := range keptLists() {
		needs := site.Needs(k.needs)
		routes = append(routes,
			site.Route{Name: k.list + "-keep", Path: "/admin/" + k.list + "/keep", Access: needs, Form: true, Parent: k.page,
				Handle: func(r *site.Request) error { return p.keepView(r, &k) }},
			site.Route{Name: k.list + "-view", Path: "/admin/views/" + k.list + "/{id}", Access: needs, Form: true,
				Parent: k.page,
				Handle: func(r *site.Request) error { return p.changeView(r, &k) }},
			site.Route{Name: k.list + "-view-remove", Path: "/admin/views/" + k.list + "/{id}/remove", Access: needs, Form: true,
				Parent: k.page, Handle: func(r *site.Request) error { return p.removeView(r, &k) }})
	}
	return append(routes, p.tableviewRoutes()...)
}

// opensApplications reports whether the reader may use all filters of a query.
func opensApplications(r *site.Request, query url.Values) bool {
	for _, f := range browseFilters() {
		if query.Has(f.name) && f.needs != 0 && !r.Reader().Has(f.needs) {
			return false
		}
	}
	return true
}

// opensApplicants is opensApplications for the list of applicants.
func opensApplicants(r *site.Request, query url.Values) bool {
	return !query.Has("term") || r.Reader().Has(admitto.ApplicationsView)
}

// opensAll is opensApplications for lists all of whose filters need what the list needs.
func opensAll(*site.Request, url.Values) bool { return true }

func (p *pages) applicationChips(r *site.Request, query string) (chips []ui.Chip, err error) {
	b, err := p.browse(r, r.ViewAt(r.At("browse"), query, true, browseSorts()...))
	if err != nil {
		return nil, err
	}
	term := b.r.T("browse.all_terms")
	if name := b.termName(b.term); name != "" {
		term = name
	}
	chips = append(chips, ui.Chip{Name: r.T("browse.term"), Value: term})
	for _, c := range b.chips() {
		chips = append(chips, ui.Chip{Name: c.Name, Value: c.Value})
	}
	return chips, nil
}

func (p *pages) applicantChips(r *site.Request, query string) (chips []ui.Chip, err error) {
	l, err := p.readApplicants(r, r.ViewAt(r.At("applicants"), query, true, applicantSorts...))
	if err != nil {
		return nil, err
	}
	for _, c := range l.chips() {
		chips = append(chips, ui.Chip{Name: c.Name, Value: c.Value})
	}
	return chips, nil
}

// keptViews are the views that stand above the filters of a list, which shows the query. Those of others with filters
// that the reader may not use are left out.
func (p *pages) keptViews(r *site.Request, name, query string) (kept ui.KeptViews, err error) {
	k := keptListOf(name)
	views, err := p.Reports.KeptViews(r.Context(), r.Reader(), k.list)
	if err != nil {
		return kept, err
	}
	kept = ui.KeptViews{ID: "kept-views", Title: r.T("view.kept")}
	shown, _ := site.ViewQuery(query)
	for i := range views {
		v := &views[i]
		values, err := url.ParseQuery(v.Query)
		open := err == nil && k.open(r, values)
		if !open && !v.Own {
			continue
		}
		row := ui.KeptView{Link: ui.Link{Text: v.Name, Current: v.Query == shown}}
		if open {
			row.Link.Href = r.At(k.page) + "?" + v.Query
		}
		if v.Shared {
			row.Link.Muted = r.T("view.shared")
		}
		if v.Changeable {
			row.Change = ui.Link{Text: r.T("view.change", "Name", v.Name), Href: r.At(k.list+"-view", v.ID)}
		}
		kept.Views = append(kept.Views, row)
	}
	return kept, nil
}

// keepButton leads to the page on which the view that is shown is kept.
func keepButton(r *site.Request, list, query string) ui.Button {
	return ui.Button{Text: r.T("view.keep"), Icon: "bookmark", Small: true,
		Href: r.At(list+"-keep") + "?" + url.Values{"query": {query}}.Encode()}
}

// viewFields are the name of a view and who sees it.
func viewFields(r *site.Request, f *site.Form) []ui.Component {
	return []ui.Component{f.Text("name", "view.name"),
		f.Choices("who", "view.who", false, ui.Option{Value: "me", Text: r.T("view.me")},
			ui.Option{Value: "all", Text: r.T("view.everybody")})}
}

// viewFaults leads what is wrong with a view to its fields.
func viewFaults() map[admitto.Path]string {
	return map[admitto.Path]string{"view.query": "", "view.shared": "who"}
}

// keepView keeps the view of the address under a name (screens.md A07, A10).
func (p *pages) keepView(r *site.Request, k *keptList) error {
	query := r.URL.Query().Get("query")
	list := r.At(k.page)
	if query != "" {
		list += "?" + query
	}
	r.LeadCrumb(k.page, list)
	f, err := r.Form(site.Values{"who": site.One("me")}, 0)
	if err != nil {
		return err
	}
	normal, readable := site.ViewQuery(query)
	if r.Posted() {
		f.Among("who", "me", "all")
		switch {
		case !readable:
			f.Fail("", "view.unreadable")
		case !f.Failed():
			_, err = p.Reports.KeepView(r.Context(), r.Caller(), report.KeptView{List: k.list, Name: f.Get("name"),
				Query: normal, Shared: f.Get("who") == "all"})
		}
		refused, err := f.Refused(err, viewFaults())
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("view.was_kept", "Name", f.Get("name")))
			return r.Redirect(list)
		}
	}
	chips, err := k.chips(p, r, query)
	if err != nil {
		return err
	}
	parts := viewFields(r, f)
	return site.Sheet{Intro: []string{r.T("view.keep_text")}, Parts: []ui.Component{ui.Chips{Chips: chips},
		f.Box([]ui.Button{r.Save("view.save"), r.Cancel(list)}, parts...)}}.Show(r)
}

// changeView calls a view something else, or says who sees it.
func (p *pages) changeView(r *site.Request, k *keptList) error {
	v, err := p.viewOf(r, k)
	if err != nil {
		return err
	}
	who := "me"
	if v.Shared {
		who = "all"
	}
	stored := site.Values{"name": site.One(v.Name), "who": site.One(who)}
	f, err := r.Form(stored, v.Version)
	if err != nil {
		return err
	}
	list := r.At(k.page) + "?" + v.Query
	if r.Posted() {
		err := p.Reports.RenameView(r.Context(), r.Caller(), k.list, v.ID, f.Get("name"), f.Get("who") == "all")
		changed := site.Changed(err)
		refused, err := f.Refused(err, viewFaults())
		switch {
		case err != nil:
			return err
		case changed:
			f.Meanwhile(stored, v.Version, r.T("record.somebody"), r.Clock(r.Now()), [2]string{"name", "view.name"},
				[2]string{"who", "view.who"})
		case !refused:
			r.Notify(ui.OK, r.T("view.was_changed", "Name", f.Get("name")))
			return r.Redirect(list)
		}
	}
	chips, err := k.chips(p, r, v.Query)
	if err != nil {
		return err
	}
	parts, buttons := viewFields(r, f), []ui.Button{r.Save("view.save"), r.Cancel(list)}
	buttons = append(buttons, r.Buttons(site.Danger(k.list+"-view-remove", v.ID))...)
	return site.Sheet{Parts: []ui.Component{ui.Chips{Chips: chips}, f.Box(buttons, parts...)}}.Show(r)
}

// viewOf is the view of the address.
func (p *pages) viewOf(r *site.Request, k *keptList) (v report.KeptView, err error) {
	id, err := r.ID()
	if err != nil {
		return v, err
	}
	if v, err = p.Reports.ChangeableView(r.Context(), r.Reader(), k.list, id); err != nil {
		return v, err
	}
	r.SetTitle(r.T("view.change", "Name", v.Name))
	if values, err := url.ParseQuery(v.Query); err == nil && k.open(r, values) {
		r.LeadCrumb(k.page, r.At(k.page)+"?"+v.Query)
	}
	return v, nil
}

// removeView removes a view.
func (p *pages) removeView(r *site.Request, k *keptList) error {
	v, err := p.viewOf(r, k)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(p.Reports.RemoveView(r.Context(), r.Caller(), k.list, v.ID), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("view.was_removed", "Name", v.Name))
			return r.To(k.page)
		}
	}
	effect := "view.remove_own"
	if v.Shared {
		effect = "view.remove_shared"
	}
	r.SetTitle(r.T("view.remove_title", "Name", v.Name))
	return r.Ask(ui.Confirmation{Title: r.Title(), Effects: []ui.Effect{{Icon: "bookmark", Text: r.T(effect)}},
		Undo: r.T("view.remove_undo"), Fields: []ui.Component{f.Head()},
		Confirm: ui.Button{Text: r.T("view.remove"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At(k.list+"-view", v.ID)}})
}
