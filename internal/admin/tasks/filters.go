package tasks

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// allTerms is the term of an address that asks for all.
const allTerms = "all"

// listing is a list of tasks as its address asks for it.
type listing struct {
	r     *site.Request
	view  *site.View
	term  int64           // 0: all
	wrong map[string]bool // names of values that cannot be read
	query admitto.TaskQuery
	today admitto.Date

	terms   []admitto.Term
	classes query.TaskClasses
	courses []admitto.Course
	counts  []query.TaskCount
}

// filter is one name of the address. The messages tasks.<name> name it, and tasks.<name>_<value> its values where they
// are words of ours.
type filter struct {
	name    string
	day     bool // a day, and not one of the options
	several bool // the address may have several values
	set     func(q *admitto.TaskQuery, values []string) (ok bool)
	options func(l *listing) []ui.Option
}

// ids are the IDs that texts say; ok is false where one says none.
func ids(values []string) (list []int64, ok bool) {
	ok = true
	for _, v := range values {
		id, err := strconv.ParseInt(v, 10, 64)
		ok = ok && err == nil && id > 0
		list = append(list, id)
	}
	return list, ok
}

func inIDs(to func(*admitto.TaskQuery) *[]int64) func(*admitto.TaskQuery, []string) bool {
	return func(q *admitto.TaskQuery, values []string) (ok bool) {
		*to(q), ok = ids(values)
		return ok
	}
}

func inTruth(to func(*admitto.TaskQuery) **bool) func(*admitto.TaskQuery, []string) bool {
	return func(q *admitto.TaskQuery, values []string) bool {
		yes := values[0] == "yes"
		*to(q) = &yes
		return yes || values[0] == "no"
	}
}

func inDay(to func(*admitto.TaskQuery) *admitto.Date) func(*admitto.TaskQuery, []string) bool {
	return func(q *admitto.TaskQuery, values []string) bool {
		day, err := admitto.ParseDate(values[0])
		*to(q) = day
		return err == nil
	}
}

// filters are all filters but the term, in the order of the pane.
func filters() []filter {
	type q = *admitto.TaskQuery
	return []filter{
		{name: "task", several: true, set: inIDs(func(q q) *[]int64 { return &q.Templates }),
			options: (*listing).classOptions},
		{name: "status", several: true, set: func(q q, values []string) bool { q.Statuses = values; return true },
			options: (*listing).statusOptions},
		{name: "overdue", set: func(q q, values []string) bool { q.Overdue = values[0] == "yes"; return q.Overdue },
			options: func(l *listing) []ui.Option { return []ui.Option{{Value: "yes", Text: l.r.T("tasks.overdue_yes")}} }},
		{name: "due_from", day: true, set: inDay(func(q q) *admitto.Date { return &q.DeadlineFrom })},
		{name: "due_to", day: true, set: inDay(func(q q) *admitto.Date { return &q.DeadlineTo })},
		{name: "handed_in", set: inTruth(func(q q) **bool { return &q.HandedIn }), options: func(l *listing) []ui.Option {
			return []ui.Option{{Value: "yes", Text: l.r.T("tasks.handed_in_yes")},
				{Value: "no", Text: l.r.T("tasks.handed_in_no")}}
		}},
		{name: "resolved", set: inTruth(func(q q) **bool { return &q.Resolved }), options: func(l *listing) []ui.Option {
			return []ui.Option{{Value: "yes", Text: l.r.T("tasks.resolved_yes")},
				{Value: "no", Text: l.r.T("tasks.resolved_no")}}
		}},
		{name: "course", several: true, set: inIDs(func(q q) *[]int64 { return &q.Courses }),
			options: (*listing).courseOptions},
	}
}

// read reads an address, and what the page names things by.
func (p *pages) read(r *site.Request, view *site.View) (l *listing, err error) {
	l = p.listingOf(r, view)
	ctx, by := r.Context(), r.Reader()
	if l.terms, err = p.Query.Terms(ctx, by); err != nil {
		return nil, err
	}
	if l.classes, err = p.Query.TaskClasses(ctx, by); err != nil {
		return nil, err
	}
	if l.courses, err = p.Query.Courses(ctx, by, admitto.CourseQuery{}); err != nil {
		return nil, err
	}
	l.counts, err = p.Query.TaskCounts(ctx, by, l.term)
	return l, err
}

// listingOf is read without names.
func (p *pages) listingOf(r *site.Request, view *site.View) *listing {
	l := &listing{r: r, view: view, wrong: map[string]bool{}, today: admitto.DateOf(r.Now().Std().In(r.Zone()))}
	if view.Get("term") != allTerms {
		l.term = view.ID("term")
	}
	l.query = l.filtered(view, l.wrong)
	return l
}

// filtered is what an address asks for. What cannot be read finds nothing: it must not become a list of everything.
func (l *listing) filtered(view *site.View, wrong map[string]bool) (q admitto.TaskQuery) {
	if term := view.Get("term"); term != allTerms {
		q.TermIDs = []int64{view.ID("term")}
	}
	for _, f := range filters() {
		if values := view.All(f.name); len(values) > 0 && !f.set(&q, values) {
			wrong[f.name] = true
		}
	}
	if len(wrong) > 0 {
		q.TermIDs = []int64{}
	}
	return q
}

// whole is the address with the reader's term, where it has none, and without what is empty; ok says that it is as it
// should be.
func (p *pages) whole(r *site.Request) (address string, ok bool) {
	values, ok := url.Values{}, true
	for name, list := range r.URL.Query() {
		kept := slices.DeleteFunc(slices.Clone(list), func(v string) bool { return v == "" })
		ok = ok && len(kept) == len(list)
		if len(kept) > 0 {
			values[name] = kept
		}
	}
	if values.Get("term") == "" {
		ok = false
		values.Set("term", allTerms)
		if id := p.termOf(r); id != 0 {
			values.Set("term", number(id))
		}
	}
	return r.URL.Path + "?" + values.Encode(), ok
}

// termName is the name of a term, "" for none.
func (l *listing) termName(id int64) string {
	for i := range l.terms {
		if l.terms[i].ID == id {
			return l.terms[i].Name
		}
	}
	return ""
}

// classTitle is the title of a template.
func (l *listing) classTitle(id int64) string {
	for i := range l.classes {
		if l.classes[i].Template == id {
			return l.classes[i].Title
		}
	}
	return number(id)
}

func (l *listing) statusTitle(name string) string { return l.r.TaskStatus(l.classes.StatusTitle(name)) }

func (l *listing) classOptions() (options []ui.Option) {
	for i := range l.classes {
		options = append(options, ui.Option{Value: number(l.classes[i].Template), Text: l.classes[i].Title})
	}
	return l.r.ByText(options)
}

// statusOptions are the statuses of the classes chosen, or of all, and those that tasks have besides.
func (l *listing) statusOptions() (options []ui.Option) {
	chosen := l.view.All("task")
	add := func(template int64, name string) {
		if len(chosen) > 0 && !slices.Contains(chosen, number(template)) {
			return
		}
		if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == name }) {
			options = append(options, ui.Option{Value: name, Text: l.statusTitle(name)})
		}
	}
	for i := range l.classes {
		for _, s := range l.classes[i].Statuses {
			add(l.classes[i].Template, s.Name)
		}
	}
	for _, c := range l.counts[:min(len(l.counts), mostStatuses)] {
		add(c.Template, c.Status)
	}
	return options
}

// mostStatuses bounds the statuses that are offered: those of templates are few, but programs may set any.
const mostStatuses = 200

func (l *listing) courseOptions() (options []ui.Option) {
	for i := range l.courses {
		c := &l.courses[i]
		o := ui.Option{Value: number(c.ID), Text: c.Name}
		if c.Code != "" {
			o.Text = c.Code + " " + c.Name
		}
		options = append(options, o)
	}
	return l.r.ByText(options)
}

// termOptions are all terms, the last first, and all together.
func (l *listing) termOptions() []ui.Option {
	options := []ui.Option{{Value: allTerms, Text: l.r.T("browse.all_terms"), Selected: l.view.Get("term") == allTerms}}
	terms := slices.Clone(l.terms)
	slices.SortStableFunc(terms, func(a, b admitto.Term) int {
		return cmp.Or(cmp.Compare(b.Start.String(), a.Start.String()), cmp.Compare(b.ID, a.ID))
	})
	for i := range terms {
		options = append(options, ui.Option{Value: number(terms[i].ID), Text: terms[i].Name, Selected: terms[i].ID == l.term})
	}
	return options
}

// pane is the pane of filters.
func (l *listing) pane() *ui.Filters {
	pane := &ui.Filters{ID: "filters", Action: l.r.At("tasks"), Hidden: l.view.Hidden(), Applies: l.r.T("browse.apply")}
	if len(l.chips()) > 0 {
		pane.Clear = l.cleared()
	}
	pane.Fields = append(pane.Fields, ui.Select{Field: ui.Field{ID: "filter-term", Name: "term",
		Label: l.r.T("browse.term")},
		Options: l.termOptions()})
	for _, f := range filters() {
		field, values := l.field(f.name), l.view.All(f.name)
		if f.day {
			field.Value = l.view.Get(f.name)
			pane.Fields = append(pane.Fields, ui.TextField{Field: field, InputMode: "numeric"})
			continue
		}
		list := []ui.Option{{Text: l.r.T("browse.any")}}
		for _, o := range f.options(l) {
			if len(values) > 0 && o.Value == values[0] {
				o.Selected, values = true, values[1:]
			}
			list = append(list, o)
		}
		for _, v := range values {
			if f.several {
				pane.Hidden = append(pane.Hidden, ui.Option{Text: f.name, Value: v})
			}
		}
		pane.Fields = append(pane.Fields, ui.Select{Field: field, Options: list})
	}
	return pane
}

// label is the name of a filter.
func (l *listing) label(name string) string {
	switch name {
	case "task":
		return l.r.T("tasks.class")
	case "status":
		return l.r.T("tasks.status")
	case "overdue":
		return l.r.T("tasks.overdue")
	case "due_from":
		return l.r.T("tasks.due_from")
	case "due_to":
		return l.r.T("tasks.due_to")
	case "handed_in":
		return l.r.T("tasks.handed_in")
	case "resolved":
		return l.r.T("tasks.resolved")
	}
	return l.r.T("tasks.course")
}

func (l *listing) field(name string) ui.Field {
	id := map[string]string{"due_from": "due-from", "due_to": "due-to", "handed_in": "handed-in"}[name]
	field := ui.Field{ID: "filter-" + cmp.Or(id, name), Name: name, Label: l.label(name)}
	if l.wrong[name] {
		field.Error = l.r.T("tasks.unread")
		if name == "due_from" || name == "due_to" {
			field.Error = l.r.T("browse.no_day")
		}
	}
	return field
}

// active is a filter value of the address.
type active struct {
	ui.Chip
	name, value string
}

// chips are the filters of the address, but for a term that there is: the pane shows it.
func (l *listing) chips() (list []active) {
	if term := l.view.Get("term"); term != "" && term != allTerms && l.termName(l.term) == "" {
		list = append(list, active{ui.Chip{Name: l.r.T("browse.term"), Value: term, Remove: l.view.With("term", allTerms)},
			"term", term})
	}
	for _, f := range filters() {
		var options []ui.Option
		if f.options != nil {
			options = f.options(l)
		}
		for _, v := range l.view.All(f.name) {
			shown := v
			for _, o := range options {
				if o.Value == v {
					shown = o.Text
				}
			}
			if day, err := admitto.ParseDate(v); f.day && err == nil {
				shown = l.r.Date(day.In(l.r.Zone()))
			}
			list = append(list, active{ui.Chip{Name: l.label(f.name), Value: shown, Remove: l.view.Without(f.name, v)}, f.name,
				v})
		}
	}
	return list
}

// cleared is the address without filters but the term.
func (l *listing) cleared() string {
	var pairs []string
	for _, f := range filters() {
		pairs = append(pairs, f.name, "")
	}
	return l.view.With(pairs...)
}

// address is the list of the term with some filters only, by names and values in turns.
func (l *listing) address(pairs ...string) string {
	query := url.Values{"term": {l.view.Get("term")}}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Add(pairs[i], pairs[i+1])
	}
	return l.r.At("tasks") + "?" + query.Encode()
}
