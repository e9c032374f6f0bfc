package admin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/batches"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// applicantSorts are the orders of the list, the usual one first.
var applicantSorts = []string{"id", "applicant", "email", "registered"}

// applicantList is the list of applicants that an address asks for.
type applicantList struct {
	*site.View
	r        *site.Request
	find     admitto.BrowseApplicants
	trackers []admitto.Tracker
	codes    map[int64]string
	consents []admitto.Consent
	terms    []admitto.Term
	faults   map[string]string // what cannot be read in the address, by name
	seesAll  bool              // numbers of applications, too
	row      int               // that is being written, counted from 1 over all pages
}

// readApplicants reads what the address of a list says.
func (p *pages) readApplicants(r *site.Request, view *site.View) (l *applicantList, err error) {
	l = &applicantList{View: view, r: r, seesAll: r.Reader().Has(admitto.ApplicationsView)}
	ctx, by := r.Context(), r.Reader()
	if l.trackers, err = p.Query.Trackers(ctx, by); err != nil {
		return nil, err
	}
	l.codes, _ = usecase.Named(l.trackers, nil, func(t *admitto.Tracker) (int64, string) { return t.ID, t.Code })
	if l.consents, err = p.Query.Consents(ctx, by); err != nil {
		return nil, err
	}
	if l.seesAll {
		if l.terms, err = p.Query.Terms(ctx, by); err != nil {
			return nil, err
		}
	}
	l.readFilters()
	return l, nil
}

// readFilters reads the filters. One that cannot be read matches nobody: a mistyped day must not become a list of
// everybody.
func (l *applicantList) readFilters() {
	l.faults, l.find = map[string]string{}, admitto.BrowseApplicants{}
	q := &l.find.ApplicantQuery
	q.Text = l.Get("text")
	q.FromTime = l.day("from", 0)
	if q.ToTime = l.day("to", 1); q.ToTime != 0 {
		q.ToTime-- // the day itself belongs to it
	}
	for _, code := range l.All("citizenship") {
		if country, err := text.Country(code); err == nil {
			q.Citizenships = append(q.Citizenships, country)
		} else {
			l.unread("citizenship")
		}
	}
	for _, id := range l.All("tracker") {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil && n > 0 {
			q.TrackerIDs = append(q.TrackerIDs, n)
		} else {
			l.unread("tracker")
		}
	}
	q.Lead, q.Blocked = l.yesOrNo("lead"), l.yesOrNo("blocked")
	if consent, decision, ok := strings.Cut(l.Get("consent"), "-"); ok {
		if id, err := strconv.ParseInt(consent, 10, 64); err == nil && id > 0 && consentDecisions[decision] != nil {
			q.Consent, q.Decision = id, *consentDecisions[decision]
		}
	}
	if l.Get("consent") != "" && q.Consent == 0 {
		l.unread("consent")
	}
	if l.seesAll {
		if q.InTerm = l.ID("term"); q.InTerm == 0 && l.Get("term") != "" {
			l.unread("term")
		}
	}
	q.Twin = l.Get("duplicate") == "yes"
	l.find.Page = admitto.BrowsePage{Sort: admitto.BrowseSort(l.Sort), Descending: l.Desc, Rows: l.Size,
		Skip: int64(l.Offset())}
}

// consentDecisions are what the address says of a consent, and what is stored.
var consentDecisions = func() map[string]*string {
	accept, reject, none := "Accept", "Reject", ""
	return map[string]*string{"accepted": &accept, "rejected": &reject, "undecided": &none}
}()

// day is the beginning of the day in the address, so many days later; 0 without one.
func (l *applicantList) day(name string, later int) admitto.Time {
	typed := strings.TrimSpace(l.Get(name))
	if typed == "" {
		return 0
	}
	day, err := admitto.ParseDate(typed)
	if err != nil {
		l.faults[name] = l.r.T("browse.no_day")
		return 0
	}
	return admitto.TimeOf(day.AddDays(later).In(l.r.Zone()))
}

// unread notes that a filter in the address cannot be read.
func (l *applicantList) unread(name string) { l.faults[name] = l.r.T("applicants.unread") }

func (l *applicantList) yesOrNo(name string) *bool {
	yes := l.Get(name) == "yes"
	if !yes && l.Get(name) != "no" {
		if l.Get(name) != "" {
			l.unread(name)
		}
		return nil
	}
	return &yes
}

// applicants is screens.md A07.
func (p *pages) applicants(r *site.Request) error {
	l, err := p.readApplicants(r, r.View(true, applicantSorts...))
	if err != nil {
		return err
	}
	all := l.columns()
	if short, changed := withoutUsual(r.URL.Query(), all); changed {
		return r.Redirect(strings.TrimSuffix(r.URL.Path+"?"+short.Encode(), "?"))
	}
	var page query.ApplicantPage
	if len(l.faults) == 0 {
		if page, err = p.Query.BrowseApplicants(r.Context(), r.Reader(), l.find); err != nil {
			return err
		}
	}
	total := int(page.Total)
	if last, beyond := l.Beyond(len(page.Rows), total); beyond {
		return r.Redirect(last)
	}
	count := r.Plural("applicants.count", total)
	if page.TotalMore {
		count = r.T("applicants.more", "Count", r.Number(total))
	}
	pane := l.filters()
	if pane.Kept, err = p.keptViews(r, "applicants", l.Query()); err != nil {
		return err
	}
	list := site.ListPage{
		Filters: pane,
		Head: ui.ListHead{Title: r.T("title.applicants"), Strong: count, FilterDrawer: "filters",
			Actions: show.Small(r.Buttons(site.Primary("applicant-add")))},
		Table: l.table(&page, shownColumns(l.View, all)), Pager: l.PagerOver(total, page.TotalMore),
	}
	chips := l.chips()
	list.Chips.Clear = r.URL.Path
	for _, c := range chips {
		list.Chips.Chips = append(list.Chips.Chips, c.Chip)
	}
	list.Head.Columns = chooseColumns(r, l.View, all)
	csv := ui.Button{Text: r.T("applicants.csv"), Icon: "download", Small: true,
		Href: strings.Replace(l.With(), r.URL.Path, r.At("applicants-csv"), 1)}
	list.Head.Actions = append([]ui.Button{keepButton(r, "applicants", l.Query()), csv}, list.Head.Actions...)
	if len(page.Rows) == 0 {
		if list.Table.Empty, err = p.nobodyFound(l, chips); err != nil {
			return err
		}
	}
	if len(l.faults) > 0 {
		list.Above = append(list.Above, ui.Notice{Tone: ui.Bad, Text: r.T("applicants.unread"),
			Link: &ui.Link{Text: r.T("filters.clear"), Href: r.URL.Path}})
	}
	return list.Show(r)
}

// nobodyFound says why a list is empty, and how many each filter that is taken out would leave.
func (p *pages) nobodyFound(l *applicantList, chips []active) (ui.Empty, error) {
	r := l.r
	if len(chips) == 0 && len(l.faults) == 0 {
		return ui.Empty{Icon: "users", Title: r.T("applicants.none"), Text: r.T("applicants.none_text"),
			Actions: show.Small(r.Buttons(site.Do("applicant-add")))}, nil
	}
	empty := ui.Empty{Icon: "search", Title: r.T("applicants.no_match"), Text: r.T("applicants.no_match_text")}
	for _, c := range chips {
		other := *l
		other.View = l.Dropped(c.name, c.value)
		if other.readFilters(); len(other.faults) > 0 {
			continue
		}
		n, more, err := p.Query.CountBrowsedApplicants(r.Context(), r.Reader(), other.find.ApplicantQuery)
		if err != nil {
			return empty, err
		}
		shown := r.Number(int(n))
		if more {
			shown += "+"
		}
		empty.Actions = append(empty.Actions, ui.Button{Icon: "x", Href: c.Remove, Small: true,
			Text: r.T("browse.without", "Name", c.Name, "Value", c.Value, "Count", shown)})
	}
	if len(empty.Actions) == 0 {
		empty.Actions = []ui.Button{{Text: r.T("filters.clear"), Href: r.URL.Path}}
	}
	return empty, nil
}

// applicantsCSV is the list as a file: the same rows in the same order, all pages, with the columns that are shown.
func (p *pages) applicantsCSV(r *site.Request) error {
	l, err := p.readApplicants(r, r.View(true, applicantSorts...))
	if err != nil {
		return err
	}
	if len(l.faults) > 0 {
		return r.Redirect(strings.Replace(l.With(), r.URL.Path, r.At("applicants"), 1)) // which says so
	}
	rows, err := p.Query.EachBrowsedApplicant(r.Context(), r.Reader(), l.find)
	if err != nil {
		return err
	}
	return listCSV(r, "applicants", shownColumns(l.View, l.columns()), rows)
}

func (l *applicantList) lead(yes bool) string {
	if yes {
		return l.r.T("applicants.yes")
	}
	return l.r.T("applicants.no")
}

func (l *applicantList) trackerCodes(a *query.ApplicantRow) (codes []string) {
	for _, id := range a.Trackers {
		codes = append(codes, l.codes[id])
	}
	return codes
}

// columns are those that the list may show.
func (l *applicantList) columns() []column[query.ApplicantRow] {
	type row = query.ApplicantRow
	r := l.r
	said := func(value func(*row) string) func(*row) ui.Cell {
		return func(a *row) ui.Cell { return ui.Cell{Text: value(a)} }
	}
	list := []column[row]{
		{name: "id", title: "applicant.identifier", sort: "id", place: "meta", muted: true, fixed: true,
			cell: said(func(a *row) string { return number(a.ID) })},
		{name: "name", title: "applicants.name", sort: "applicant", place: "main", fixed: true, cell: func(a *row) ui.Cell {
			return ui.Cell{Text: show.Name(r, &a.Applicant), Href: r.At("applicant", a.ID) +
				site.ListPlace{Query: l.Query(), Row: l.row}.Address()}
		}},
		{name: "citizenship", title: "applicant.citizenship", note: "name",
			cell: said(func(a *row) string { return a.Citizenship })},
		{name: "email", title: "applicant.email", sort: "email", place: "mail",
			cell: said(func(a *row) string { return a.Email })},
		{name: "phone", title: "applicant.phone", off: true, cell: said(func(a *row) string { return a.Phone })},
		{name: "registered", title: "applicant.registered", sort: "registered", place: "label",
			cell: said(func(a *row) string { return a.Registered.Std().In(r.Zone()).Format(time.DateOnly) }),
			text: func(a *row) string { return a.Registered.Std().In(r.Zone()).Format(time.RFC3339) }},
		{name: "lead", title: "applicant.lead", cell: func(a *row) (cell ui.Cell) {
			if a.Lead {
				cell.Tags = append(cell.Tags, ui.Tag{Text: r.T("applicant.lead"), Tone: ui.Info})
			}
			if a.State == admitto.ApplicantBlocked {
				cell.Tags = append(cell.Tags, ui.Tag{Text: r.T("applicant.blocked"), Icon: "ban", Tone: ui.Bad})
			}
			return cell
		}, text: func(a *row) string { return l.lead(a.Lead) }},
		{name: "trackers", title: "applicant.trackers", cell: func(a *row) (cell ui.Cell) {
			for _, code := range l.trackerCodes(a) {
				cell.Tags = append(cell.Tags, ui.Tag{Text: code})
			}
			return cell
		}, text: func(a *row) string { return strings.Join(l.trackerCodes(a), " ") }},
	}
	if l.seesAll {
		list = append(list, column[row]{name: "applications", title: "applicants.applications", num: true, place: "label",
			cell: said(func(a *row) string { return r.Number(int(a.Applications)) }),
			text: func(a *row) string { return number(a.Applications) }})
	}
	return append(list,
		column[row]{name: "reference", title: "applicant.reference", off: true, place: "label",
			cell: said(func(a *row) string { return a.Reference })},
		column[row]{name: "matriculation", title: "applicant.matriculation", off: true, place: "label",
			cell: said(func(a *row) string { return a.Matriculation })})
}

// bulk is what can be done with the selected applicants.
func (l *applicantList) bulk(page *query.ApplicantPage) *ui.Bulk {
	choices := map[string]ui.Select{"tracker": {}}
	if len(l.trackers) > 0 {
		choices["tracker"] = ui.Select{Options: trackerOptions(l.r, l.trackers)[1:]}
	}
	bulk := batches.BulkFor(l.r, admitto.OfApplicants, choices)
	if bulk != nil {
		bulk.All = batches.AllWords(l.r, page.Total, page.TotalMore)
	}
	return bulk
}

func (l *applicantList) table(page *query.ApplicantPage, shown []column[query.ApplicantRow]) ui.Table {
	r, rows := l.r, page.Rows
	t := ui.Table{Caption: r.T("title.applicants"), Columns: tableColumns(r, l.View, shown), Bulk: l.bulk(page)}
	if t.Bulk != nil {
		t.Pick, t.Action = true, withNext(r.At("applicants-at-once"), r.URL.RequestURI())
	}
	for i := range rows {
		a := &rows[i]
		l.row = l.Row(i)
		t.Rows = append(t.Rows, ui.Row{ID: number(a.ID), Label: show.Name(r, &a.Applicant), Cells: tableCells(r, a, shown)})
	}
	return t
}

// filters is the pane with the fields of all filters.
func (l *applicantList) filters() *ui.Filters {
	r := l.r
	field := func(name, label string) ui.Field {
		f := ui.Field{ID: "filter-" + name, Name: name, Label: r.T(label), Value: l.Get(name), Error: l.faults[name]}
		return f
	}
	day := func(name, label string) ui.TextField {
		f := ui.TextField{Field: field(name, label)}
		f.Hint = r.T("applicants.day_hint")
		return f
	}
	choose := func(name, label string, options []ui.Option) ui.Select {
		options = append([]ui.Option{{Text: r.T("applicants.any")}}, options...)
		for i := range options {
			options[i].Selected = options[i].Value != "" && slices.Contains(l.All(name), options[i].Value)
		}
		return ui.Select{Field: field(name, label), Options: options}
	}
	yesNo := []ui.Option{{Value: "yes", Text: r.T("applicants.yes")}, {Value: "no", Text: r.T("applicants.no")}}
	search := ui.TextField{Field: field("text", "applicants.text"), Type: "search"}
	search.Hint = r.T("applicants.text_hint")
	fields := []ui.Component{search, day("from", "applicants.from"), day("to", "applicants.to"),
		choose("citizenship", "applicant.citizenship", r.Countries())}
	if len(l.trackers) > 0 {
		fields = append(fields, choose("tracker", "applicant.tracker", trackerOptions(r, l.trackers)[1:]))
	}
	fields = append(fields, choose("lead", "applicant.lead", yesNo), choose("blocked", "applicant.blocked", yesNo))
	if len(l.consents) > 0 {
		fields = append(fields, choose("consent", "applicant.consent", l.consentOptions()))
	}
	if l.seesAll {
		fields = append(fields, choose("term", "applicants.term", termOptions(l.terms)))
	}
	twin := ui.Choices{Field: field("duplicate", "applicants.duplicate"), Multiple: true,
		Options: []ui.Option{{Value: "yes",
			Text: r.T("applicants.duplicate_yes"), Selected: l.find.Twin}}}
	return &ui.Filters{ID: "filters", Action: r.URL.Path, Clear: r.URL.Path, Hidden: l.Hidden(columnName),
		Fields: append(fields, twin), Applies: r.T("applicants.apply")}
}

func (l *applicantList) consentOptions() (options []ui.Option) {
	for _, c := range l.consents {
		for _, d := range []struct{ value, key string }{{"accepted", "applicants.consent_accepted"},
			{"rejected", "applicants.consent_rejected"}, {"undecided", "applicants.consent_undecided"}} {
			options = append(options, ui.Option{Value: strconv.FormatInt(c.ID, 10) + "-" + d.value,
				Text: l.r.T(d.key, "Text", shortText(c.Text, 40))})
		}
	}
	return options
}

func termOptions(terms []admitto.Term) (options []ui.Option) {
	for i := len(terms) - 1; i >= 0; i-- {
		options = append(options, ui.Option{Value: strconv.FormatInt(terms[i].ID, 10), Text: terms[i].Name})
	}
	return options
}

// shortText is the beginning of a text.
func shortText(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most]) + "…"
}

// chips are the filters that count.
func (l *applicantList) chips() (chips []active) {
	r := l.r
	add := func(key, name, value, said string) {
		chips = append(chips, active{ui.Chip{Name: r.T(key), Value: said, Remove: l.Without(name, value)}, name, value})
	}
	among := func(key, name, value string, options []ui.Option) { // what there is not is shown as it stands there
		at := slices.IndexFunc(options, func(o ui.Option) bool { return o.Value == value })
		if at < 0 {
			add(key, name, value, value)
		} else {
			add(key, name, value, options[at].Text)
		}
	}
	q := &l.find.ApplicantQuery
	if q.Text != "" {
		add("applicants.text", "text", l.Get("text"), q.Text)
	}
	if q.FromTime != 0 {
		add("applicants.from", "from", l.Get("from"), r.Day(q.FromTime))
	}
	if q.ToTime != 0 {
		add("applicants.to", "to", l.Get("to"), r.Day(q.ToTime))
	}
	for _, value := range l.All("citizenship") {
		if code, err := text.Country(value); err == nil {
			add("applicant.citizenship", "citizenship", value, show.Country(r, code))
		}
	}
	for _, value := range l.All("tracker") {
		if id, err := strconv.ParseInt(value, 10, 64); err == nil && id > 0 {
			add("applicant.tracker", "tracker", value, cmp.Or(l.codes[id], value))
		}
	}
	if q.Lead != nil {
		add("applicant.lead", "lead", l.Get("lead"), l.lead(*q.Lead))
	}
	if q.Blocked != nil {
		add("applicant.blocked", "blocked", l.Get("blocked"), l.lead(*q.Blocked))
	}
	if q.Consent != 0 {
		among("applicant.consent", "consent", l.Get("consent"), l.consentOptions())
	}
	if q.InTerm != 0 {
		among("applicants.term", "term", l.Get("term"), termOptions(l.terms))
	}
	if q.Twin {
		add("applicants.duplicate", "duplicate", "yes", l.lead(true))
	}
	return chips
}
