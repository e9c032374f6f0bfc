package admin

import (
	"slices"
	"strconv"
	"strings"
	"time"

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
}

// readApplicants reads what the address of the list says. A filter that cannot be read matches nobody: a mistyped day
// must not become a list of everybody.
func (p *pages) readApplicants(r *site.Request) (l *applicantList, err error) {
	l = &applicantList{View: r.View(true, applicantSorts...), r: r, faults: map[string]string{},
		seesAll: r.Reader().Has(admitto.ApplicationsView)}
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
	return l, nil
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
		l.faults[name] = l.r.T("applicants.no_day")
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
	l, err := p.readApplicants(r)
	if err != nil {
		return err
	}
	var page query.ApplicantPage
	if len(l.faults) == 0 {
		if page, err = p.Query.BrowseApplicants(r.Context(), r.Reader(), l.find); err != nil {
			return err
		}
	}
	total := int(page.Total)
	count := r.Plural("applicants.count", total)
	if page.TotalMore {
		count = r.T("applicants.more", "Count", r.Number(total))
		total = max(total, l.Offset()+len(page.Rows))
		if page.More {
			total++
		}
	}
	chips := l.chips()
	list := site.ListPage{
		Filters: l.filters(),
		Head: ui.ListHead{Title: r.T("title.applicants"), Strong: count, FilterDrawer: "filters",
			Actions: smallButtons(r.Buttons(site.Primary("applicant-add")))},
		Chips: chips, Table: l.table(page.Rows), Pager: l.Pager(total),
	}
	csv := ui.Button{Text: r.T("applicants.csv"), Icon: "download", Small: true,
		Href: strings.Replace(l.With(), r.URL.Path, r.At("applicants-csv"), 1)}
	list.Head.Actions = append([]ui.Button{csv}, list.Head.Actions...)
	if len(page.Rows) == 0 {
		list.Table.Empty = ui.Empty{Icon: "users", Title: r.T("applicants.none"), Text: r.T("applicants.none_text")}
		if len(chips.Chips) > 0 || len(l.faults) > 0 {
			list.Table.Empty = ui.Empty{Icon: "search", Title: r.T("applicants.no_match"),
				Text: r.T("applicants.no_match_text"), Actions: []ui.Button{{Text: r.T("filters.clear"), Href: r.URL.Path}}}
		}
	}
	if len(l.faults) > 0 {
		list.Above = append(list.Above, ui.Notice{Tone: ui.Bad, Text: r.T("applicants.unread"),
			Link: &ui.Link{Text: r.T("filters.clear"), Href: r.URL.Path}})
	}
	return list.Show(r)
}

// applicantsCSV is the list as a file: the same rows in the same order, all pages.
func (p *pages) applicantsCSV(r *site.Request) error {
	l, err := p.readApplicants(r)
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
	heads := []string{r.T("applicant.identifier"), r.T("applicants.name"), r.T("applicant.email"),
		r.T("applicant.citizenship"), r.T("applicant.registered"), r.T("applicant.lead"), r.T("applicant.trackers")}
	if l.seesAll {
		heads = append(heads, r.T("applicants.applications"))
	}
	return r.CSV("applicants", heads, func(row func(...string) error) error {
		for a, err := range rows {
			if err != nil {
				return err
			}
			cells := []string{strconv.FormatInt(a.ID, 10), nameOf(r, &a.Applicant), a.Email, a.Citizenship,
				a.Registered.Std().In(r.Zone()).Format(time.RFC3339), l.lead(a.Lead), strings.Join(l.trackerCodes(a), " ")}
			if l.seesAll {
				cells = append(cells, strconv.FormatInt(a.Applications, 10))
			}
			if err := row(cells...); err != nil {
				return err
			}
		}
		return nil
	})
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

func (l *applicantList) table(rows []query.ApplicantRow) ui.Table {
	r := l.r
	t := ui.Table{Caption: r.T("title.applicants"), Columns: []ui.Column{
		l.Column(r.T("applicant.identifier"), "id"), l.Column(r.T("applicants.name"), "applicant"),
		l.Column(r.T("applicant.email"), "email"),
		l.Column(r.T("applicant.registered"), "registered"), {Title: r.T("applicants.marks")},
	}}
	t.Columns[0].Place, t.Columns[0].Muted = "meta", true
	t.Columns[1].Place, t.Columns[3].Place = "main", "label"
	if l.seesAll {
		t.Columns = append(t.Columns, ui.Column{Title: r.T("applicants.applications"), Num: true, Place: "label"})
	}
	for i := range rows {
		a := &rows[i]
		id := strconv.FormatInt(a.ID, 10)
		var marks []ui.Tag
		if a.Lead {
			marks = append(marks, ui.Tag{Text: r.T("applicant.lead"), Tone: ui.Info})
		}
		if a.State == admitto.ApplicantBlocked {
			marks = append(marks, ui.Tag{Text: r.T("applicant.blocked"), Icon: "ban", Tone: ui.Bad})
		}
		for _, code := range l.trackerCodes(a) {
			marks = append(marks, ui.Tag{Text: code, Icon: "megaphone"})
		}
		cells := []ui.Cell{{Text: id}, {Text: nameOf(r, &a.Applicant), Href: r.At("applicant", a.ID), Note: a.Citizenship},
			{Text: a.Email}, {Text: r.Day(a.Registered)}, {Tags: marks}}
		if l.seesAll {
			cells = append(cells, ui.Cell{Text: r.Number(int(a.Applications))})
		}
		t.Rows = append(t.Rows, ui.Row{ID: id, Label: nameOf(r, &a.Applicant), Cells: cells})
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
		choose("citizenship", "applicant.citizenship", countries("")[1:])}
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
	twin := ui.Choices{Field: field("duplicate", "applicants.duplicate"), Multiple: true, Options: []ui.Option{{Value: "yes",
		Text: r.T("applicants.duplicate_yes"), Selected: l.find.Twin}}}
	return &ui.Filters{ID: "filters", Action: r.URL.Path, Clear: r.URL.Path, Hidden: l.Hidden(),
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
func (l *applicantList) chips() ui.Chips {
	r := l.r
	chips := ui.Chips{Clear: r.URL.Path}
	add := func(key, name, value, said string) {
		chips.Chips = append(chips.Chips, ui.Chip{Name: r.T(key), Value: said, Remove: l.Without(name, value)})
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
			add("applicant.citizenship", "citizenship", value, countryName(code))
		}
	}
	for _, value := range l.All("tracker") {
		if id, err := strconv.ParseInt(value, 10, 64); err == nil && id > 0 {
			add("applicant.tracker", "tracker", value, l.codes[id])
		}
	}
	if q.Lead != nil {
		add("applicant.lead", "lead", l.Get("lead"), l.lead(*q.Lead))
	}
	if q.Blocked != nil {
		add("applicant.blocked", "blocked", l.Get("blocked"), l.lead(*q.Blocked))
	}
	if q.Consent != 0 {
		for _, o := range l.consentOptions() {
			if o.Value == l.Get("consent") {
				add("applicant.consent", "consent", o.Value, o.Text)
			}
		}
	}
	if q.InTerm != 0 {
		for _, o := range termOptions(l.terms) {
			if o.Value == l.Get("term") {
				add("applicants.term", "term", o.Value, o.Text)
			}
		}
	}
	if q.Twin {
		add("applicants.duplicate", "duplicate", "yes", l.lead(true))
	}
	return chips
}
