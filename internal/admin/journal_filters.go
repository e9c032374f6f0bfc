package admin

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// wholeGroup begins the value that stands for all events of a group.
const wholeGroup = "group "

// journalList is what the address of the journal asks for.
type journalList struct {
	*site.View
	r      *site.Request
	find   query.BrowseJournal
	terms  []admitto.Term
	staff  []admitto.Administrator
	keys   map[int64]string
	faults map[string]string // what cannot be read in the address, by name
}

// journalFilters are the names of all filters.
var journalFilters = []string{"event", "actor", "applicant", "application", "term", "from", "to"}

// readJournal reads the address. A filter that cannot be read matches nothing, and is said.
func (p *pages) readJournal(r *site.Request) (j *journalList, err error) {
	j = &journalList{View: r.View(true), r: r, faults: map[string]string{}}
	ctx, by := r.Context(), r.Reader()
	if j.terms, err = p.Query.Terms(ctx, by); err != nil {
		return nil, err
	}
	if j.staff, err = p.Query.Administrators(ctx, by); err != nil {
		return nil, err
	}
	if by.Has(admitto.APIAdmin) {
		keys, err := p.Keys.Keys(ctx, by)
		j.keys, err = usecase.Named(keys, err, func(k *admitto.Key) (int64, string) { return k.ID, k.Label })
		if err != nil {
			return nil, err
		}
	}
	q := &j.find
	q.Rows = j.Size
	q.ApplicantIDs, q.ApplicationIDs, q.TermIDs = j.ids("applicant"), j.ids("application"), j.ids("term")
	j.readEvents()
	j.readActor()
	q.FromID, q.FromTime = j.bound("from", false)
	q.ToID, q.ToTime = j.bound("to", true)
	if side, id, ok := strings.Cut(j.Get("page"), "-"); ok {
		n, err := strconv.ParseInt(id, 10, 64)
		switch {
		case err != nil || n < 1:
		case side == "before":
			q.Before = n
		case side == "after":
			q.After = n
		}
	}
	return j, nil
}

func (j *journalList) unread(name string) { j.faults[name] = j.r.T("ledger.unread") }

// ids are the IDs of a name, nil without any.
func (j *journalList) ids(name string) (list []int64) {
	for _, value := range j.All(name) {
		for part := range strings.FieldsSeq(strings.ReplaceAll(value, ",", " ")) {
			id, err := strconv.ParseInt(part, 10, 64)
			if err != nil || id < 1 {
				j.unread(name)
				continue
			}
			list = append(list, id)
		}
	}
	return list
}

// readEvents reads events: patterns, those with values, and whole groups.
func (j *journalList) readEvents() {
	for _, value := range j.All("event") {
		if group, ok := strings.CutPrefix(value, wholeGroup); ok {
			found := false
			for _, kind := range admitto.EventKinds() {
				if kind.Group == group {
					found = true
					j.find.Events = append(j.find.Events, admitto.EventFilter{Pattern: kind.Pattern})
				}
			}
			if !found {
				j.unread("event")
			}
			continue
		}
		pattern, bind, ok := admitto.ParseEvent(value)
		if !ok {
			j.unread("event")
			continue
		}
		j.find.Events = append(j.find.Events, admitto.EventFilter{Pattern: pattern, Bind: bind})
	}
}

// readActor reads who acted: a kind, or one administrator or key.
func (j *journalList) readActor() {
	value := j.Get("actor")
	if value == "" {
		return
	}
	kind, id, one := strings.Cut(value, "-")
	q := &j.find
	q.ActorKind = admitto.ActorKind(kind)
	switch q.ActorKind {
	case admitto.ByAdministrator, admitto.ByKey, admitto.ByApplicant, admitto.BySystem:
	default:
		j.unread("actor")
		return
	}
	if one {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || n < 1 {
			j.unread("actor")
			return
		}
		q.ActorID = n
	}
}

// bound reads an end of the range: an ID, a day, or a time.
func (j *journalList) bound(name string, upper bool) (id int64, at admitto.Time) {
	typed := strings.TrimSpace(j.Get(name))
	if typed == "" {
		return 0, 0
	}
	if n, err := strconv.ParseInt(typed, 10, 64); err == nil && n > 0 {
		return n, 0
	}
	if d, err := admitto.ParseDate(typed); err == nil {
		if upper {
			return 0, d.End(j.r.Zone()) - 1
		}
		return 0, admitto.TimeOf(d.In(j.r.Zone()))
	}
	if t, err := time.Parse(time.RFC3339, typed); err == nil && t.Year() > 0 && t.Year() < 10000 {
		if at = admitto.TimeOf(t); upper { // the whole second
			at += admitto.Second - 1
		}
		return 0, at
	}
	j.faults[name] = j.r.T("journal.no_bound")
	return 0, 0
}

// filtered reports whether the address has a filter.
func (j *journalList) filtered() bool {
	return slices.ContainsFunc(journalFilters, func(name string) bool { return len(j.All(name)) > 0 })
}

// elsewhere is the address of another page with the same filters.
func (j *journalList) elsewhere(route string) string {
	_, filters, _ := strings.Cut(j.With("size", ""), "?")
	if filters == "" {
		return j.r.At(route)
	}
	return j.r.At(route) + "?" + filters
}

// page is the address of the page before or after a record.
func (j *journalList) page(side string, id int64) string {
	address, separator := j.With(), "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + "page=" + side + "-" + number(id)
}

func (j *journalList) pager(page *query.JournalPage) *ui.Pager {
	if page.Newer == 0 && page.Older == 0 && len(page.Records) <= 25 {
		return nil
	}
	p := &ui.Pager{}
	if n := len(page.Records); n > 0 {
		p.Range = j.r.T("journal.range", "From", number(page.Records[n-1].ID), "To", number(page.Records[0].ID))
	}
	if page.Newer != 0 {
		p.Previous = j.page("after", page.Newer)
	}
	if page.Older != 0 {
		p.Next = j.page("before", page.Older)
	}
	for _, size := range query.PageRows() {
		p.Sizes = append(p.Sizes, ui.PageLink{Text: strconv.Itoa(size), Href: j.With("size", strconv.Itoa(size)),
			Current: size == j.Size})
	}
	slices.SortFunc(p.Sizes, func(a, b ui.PageLink) int {
		return len(a.Text)*1000 - len(b.Text)*1000 + strings.Compare(a.Text, b.Text)
	})
	return p
}

// eventTitle is an event in words, without its value.
func eventTitle(r *site.Request, pattern admitto.Pattern) string {
	if key := show.EventKey(pattern); r.Has(key) {
		return r.T(key, "Value", "…")
	}
	return string(pattern)
}

func groupTitle(r *site.Request, group string) string {
	return r.T("event_group." + strings.ReplaceAll(strings.ToLower(group), "-", "_"))
}

// eventTree are the events by group: those that are recorded.
func (j *journalList) eventTree() (parts []ui.Component, further []ui.Option) {
	chosen := j.All("event")
	var order []string
	groups := map[string][]ui.Option{}
	known := map[string]bool{}
	option := func(value, text string) ui.Option {
		known[value] = true
		return ui.Option{Value: value, Text: text, Selected: slices.Contains(chosen, value)}
	}
	for _, kind := range admitto.EventKinds() {
		if kind.Since == "" {
			continue
		}
		if groups[kind.Group] == nil {
			order = append(order, kind.Group)
			groups[kind.Group] = []ui.Option{option(wholeGroup+kind.Group, j.r.T("journal.all_of_group"))}
		}
		groups[kind.Group] = append(groups[kind.Group], option(string(kind.Pattern), eventTitle(j.r, kind.Pattern)))
	}
	for _, group := range order {
		open := slices.ContainsFunc(groups[group], func(o ui.Option) bool { return o.Selected })
		id := "filter-event-" + strings.ToLower(group)
		parts = append(parts, ui.Fold{Title: groupTitle(j.r, group), Open: open, Parts: []ui.Component{ui.Choices{
			Field: ui.Field{ID: id, Name: "event", Label: j.r.T("journal.events_of", "Group",
				groupTitle(j.r, group))}, Multiple: true,
			Options: groups[group]}}})
	}
	for _, value := range chosen {
		if !known[value] {
			further = append(further, ui.Option{Text: "event", Value: value})
		}
	}
	return parts, further
}

// actorOptions are who may have acted.
func (j *journalList) actorOptions() []ui.Option {
	r := j.r
	options := []ui.Option{{Text: r.T("browse.any")}, {Value: "applicant", Text: r.T("journal.applicants")},
		{Value: "system", Text: r.T("journal.system")}, {Value: "administrator", Text: r.T("journal.all_staff")},
		{Value: "api_key", Text: r.T("journal.all_keys")}}
	people := optionsOf(j.staff, func(a *admitto.Administrator) ui.Option {
		return ui.Option{Value: "administrator-" + number(a.ID), Text: a.Name}
	})
	options = append(options, r.ByText(people)...)
	var keys []ui.Option
	for id, label := range j.keys {
		keys = append(keys, ui.Option{Value: "api_key-" + number(id), Text: r.T("journal.key_named", "Label", label)})
	}
	options = append(options, r.ByText(keys)...)
	value := j.Get("actor")
	known := value == ""
	for i := range options {
		options[i].Selected = options[i].Value == value
		known = known || options[i].Selected
	}
	if !known {
		text := value
		if j.find.ActorKind == admitto.ByKey {
			text = r.T("journal.key", "ID", j.find.ActorID)
		} else if j.find.ActorKind == admitto.ByAdministrator {
			text = r.T("journal.administrator", "ID", j.find.ActorID)
		}
		options = append(options, ui.Option{Value: value, Text: text, Selected: true})
	}
	return options
}

// pane is the pane of filters.
func (j *journalList) pane() *ui.Filters {
	r := j.r
	field := func(name, hint string) ui.Field {
		f := ui.Field{ID: "filter-" + name, Name: name, Label: r.T("journal." + name), Value: strings.Join(j.All(name), ", "),
			Error: j.faults[name]}
		if hint != "" {
			f.Hint = r.T(hint)
		}
		return f
	}
	terms := append([]ui.Option{{Text: r.T("browse.any")}}, termOptions(j.terms)...)
	for i := range terms {
		terms[i].Selected = terms[i].Value != "" && slices.Contains(j.All("term"), terms[i].Value)
	}
	pane := &ui.Filters{ID: "filters", Action: r.At("journal"), Applies: r.T("browse.apply"), Hidden: j.Hidden()}
	if j.filtered() {
		pane.Clear = j.cleared()
	}
	ids := func(name string) ui.TextField {
		return ui.TextField{Field: field(name, ""), InputMode: "numeric"}
	}
	pane.Fields = []ui.Component{ui.TextField{Field: field("from", "journal.bound_hint")},
		ui.TextField{Field: field("to", "")},
		ids("applicant"), ids("application"), ui.Select{Field: field("term", ""), Options: terms},
		ui.Select{Field: field("actor", ""), Options: j.actorOptions()}}
	tree, further := j.eventTree()
	pane.Fields = append(pane.Fields, ui.Fold{Title: r.T("journal.events"), Open: len(j.All("event")) > 0, Parts: tree})
	pane.Hidden = append(pane.Hidden, further...)
	return pane
}

// cleared is the address without filters.
func (j *journalList) cleared() string {
	pairs := make([]string, 0, 2*len(journalFilters))
	for _, name := range journalFilters {
		pairs = append(pairs, name, "")
	}
	return j.With(pairs...)
}

// chips are the filters of the address, and the range that was looked through where no index leads to the records.
func (j *journalList) chips(page *query.JournalPage) (chips ui.Chips) {
	r := j.r
	for _, name := range journalFilters {
		for _, value := range j.All(name) {
			said := value
			switch name {
			case "event":
				if group, ok := strings.CutPrefix(value, wholeGroup); ok {
					said = groupTitle(r, group)
				} else if _, bind, ok := admitto.ParseEvent(value); ok && bind == nil {
					said = eventTitle(r, admitto.Pattern(value))
				}
			case "term":
				said = optionText(termOptions(j.terms), value)
			case "actor":
				said = optionText(j.actorOptions(), value)
			}
			chips.Chips = append(chips.Chips, ui.Chip{Name: r.T("journal." + name), Value: said, Remove: j.Without(name, value)})
		}
	}
	if len(chips.Chips) > 0 {
		chips.Clear = j.cleared()
	}
	if page.From != 0 {
		chips.Chips = append(chips.Chips, ui.Chip{Name: r.T("journal.looked_through"),
			Value: r.T("journal.range", "From", number(page.From), "To", number(page.To))})
	}
	return chips
}

func optionText(options []ui.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Text
		}
	}
	return value
}

// apiQuery asks the API for the same records; it has no filter for who acted.
func (j *journalList) apiQuery() url.Values {
	query := url.Values{"order": {"newest-first"}}
	set := func(name string, values []string) {
		if len(values) > 0 {
			query.Set(name, strings.Join(values, ","))
		}
	}
	var events []string
	for _, e := range j.find.Events {
		events = append(events, admitto.Event{Pattern: e.Pattern, Bind: e.Bind}.Filled())
	}
	set("byEvents", events)
	set("byApplicantIDs", numbers(j.find.ApplicantIDs))
	set("byApplicationIDs", numbers(j.find.ApplicationIDs))
	set("byAcademicTermID", numbers(j.find.TermIDs))
	for name, filter := range map[string]string{"bySince": "from", "byUntil": "to"} {
		if value := strings.TrimSpace(j.Get(filter)); value != "" && j.faults[filter] == "" {
			query.Set(name, value)
		}
	}
	return query
}

func numbers(ids []int64) (list []string) {
	for _, id := range ids {
		list = append(list, number(id))
	}
	return list
}
