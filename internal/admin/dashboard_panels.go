package admin

import (
	"net/url"
	"slices"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// offers are the applications by the types of their offers.
func (d *board) offers(to *panel) error {
	r := d.r
	counts, at, err := d.p.Query.OffersByType(r.Context(), r.Reader(), d.term)
	if err != nil {
		return err
	}
	d.seen(at)
	types, err := d.p.Query.OfferTypes(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	bars := ui.Bars{Title: to.Title, Label: r.T("dashboard.type"), Stacked: true, Empty: d.nothing(),
		Series: []string{r.T("dashboard.confirmed"), r.T("dashboard.unconfirmed")}}
	for _, c := range counts {
		row := ui.BarRow{Values: []int{int(c.Confirmed), int(c.Unconfirmed)}, Links: []string{"", ""}}
		for i, confirmed := range []string{"yes", "no"} {
			if row.Values[i] > 0 {
				row.Links[i] = d.list(d.term, nil, "offer", number(c.Type), "confirmed", confirmed)
			}
		}
		for _, t := range types {
			if t.ID == c.Type {
				row.Label = t.Title
			}
		}
		bars.Rows = append(bars.Rows, row)
	}
	to.Parts = []ui.Component{bars}
	return nil
}

func (d *board) citizenships(to *panel) error {
	r := d.r
	c, err := d.p.Query.Citizenships(r.Context(), r.Reader(), d.term)
	if err != nil {
		return err
	}
	d.seen(c.At)
	bars := ui.Bars{Title: to.Title, Label: r.T("dashboard.country"), Series: []string{r.T("dashboard.applications")},
		Empty: d.nothing()}
	for _, one := range c.Top {
		row := ui.BarRow{Label: show.Country(r, one.Code), Values: []int{int(one.N)}}
		if one.Code == "" {
			row.Label = r.T("dashboard.no_country")
		} else {
			row.Href = d.list(d.term, nil, "citizenship", one.Code)
		}
		bars.Rows = append(bars.Rows, row)
	}
	if c.Others > 0 {
		bars.Rows = append(bars.Rows, ui.BarRow{Label: r.T("dashboard.others"), Values: []int{int(c.Others)}})
	}
	to.Parts = []ui.Component{bars}
	return nil
}

// tasks are the tasks of the term by their templates and statuses.
func (d *board) tasks(to *panel) error {
	r := d.r
	counts, err := d.p.Query.TaskCounts(r.Context(), r.Reader(), d.term)
	if err != nil {
		return err
	}
	classes, err := d.p.Query.TaskClasses(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	bars := ui.Bars{Title: to.Title, Label: r.T("dashboard.task"), Series: []string{r.T("dashboard.tasks")},
		Empty: d.nothing()}
	for _, c := range counts[:min(len(counts), shownTaskCounts)] {
		class, status := taskWords(r, classes, c.Template, c.Status)
		row := ui.BarRow{Label: r.T("dashboard.task_status", "Class", class, "Status", status), Values: []int{int(c.N)}}
		if r.May("tasks") {
			row.Href = r.At("tasks") + listOf(d.term, "task", number(c.Template), "status", c.Status)
		}
		bars.Rows = append(bars.Rows, row)
	}
	to.Parts = []ui.Component{bars}
	return nil
}

// shownTaskCounts bounds the bars: the statuses of templates are few, but programs may set any.
const shownTaskCounts = 60

// taskWords are the titles of a task template and of one of its statuses.
func taskWords(r *site.Request, classes []query.TaskClass, template int64, status string) (class, title string) {
	for i := range classes {
		if t := &classes[i]; t.Template == template {
			return t.Title, r.TaskStatus(t.StatusTitle(status))
		}
	}
	return number(template), status
}

// ahead are the deadlines of the next days.
func (d *board) ahead(to *panel) error {
	r := d.r
	list, at, err := d.p.Query.DeadlinesAhead(r.Context(), r.Reader(), d.term)
	if err != nil {
		return err
	}
	d.seen(at)
	if len(list) == 0 {
		to.Parts = []ui.Component{ui.Words{Text: r.T("dashboard.no_deadlines"), Muted: true}}
		return nil
	}
	today := admitto.DateOf(r.Now().Std().In(r.Zone())).In(r.Zone())
	line := ui.Timeline{}
	for _, one := range together(r, list) {
		left := int(one.Day.In(r.Zone()).Sub(today).Hours()/24 + 0.5)
		event := ui.Event{Title: r.Date(one.Day.In(r.Zone())), Time: r.Plural("dashboard.in_days", left),
			Machine: one.Day.String()}
		if left == 0 {
			event.Time = r.T("dashboard.today")
		}
		if left <= 7 {
			event.Tone = ui.Warn
		}
		switch one.Kind {
		case query.IntakeDeadline:
			event.Links = d.applicationsOf(one.Term, "intake", number(one.Intake))
			event.Text = r.T("dashboard.ahead_intake", "Name", one.Name, "Territory", one.Territory)
		case query.GraceDeadline:
			event.Links = d.applicationsOf(one.Term)
			event.Text = r.T("dashboard.ahead_grace", "Name", one.Name)
		case query.DecisionDeadline:
			event.Text = r.Plural("dashboard.ahead_decisions", int(one.N))
			event.Links = d.applicationsOf(one.Term, "answer_from", one.Day.String(), "answer_to", one.Day.String())
		case query.InvoiceDeadline:
			event.Text = r.Plural("dashboard.ahead_invoices", int(one.N))
			event.Links = d.unpaidDue(one.Day)
		}
		line.Events = append(line.Events, event)
	}
	to.Parts = []ui.Component{line}
	return nil
}

// applicationsOf lead from a deadline to the applications of its term with a filter.
func (d *board) applicationsOf(term int64, pairs ...string) []ui.Link {
	if to := d.list(term, nil, pairs...); to != "" {
		return []ui.Link{{Text: d.r.T("dashboard.applications"), Href: to}}
	}
	return nil
}

// unpaidDue leads to the invoices that are to be paid by a day, and are not.
func (d *board) unpaidDue(day admitto.Date) []ui.Link {
	if !d.r.May("invoices") {
		return nil
	}
	to := url.Values{"due_from": {day.String()}, "due_to": {day.String()}}
	for _, s := range invoiceStates {
		if s != admitto.InvoiceIsCollected && s != admitto.InvoiceIsLapsed {
			to.Add("state", stateName(s))
		}
	}
	return []ui.Link{{Text: d.r.T("dashboard.invoices"), Href: d.r.At("invoices") + "?" + to.Encode()}}
}

// together makes one of the deadlines of an intake that are on the same day, with the names of their territories.
func together(r *site.Request, list []query.DeadlineAhead) (short []query.DeadlineAhead) {
	for _, one := range list {
		one.Territory = territory(r, one.Territory)
		at := slices.IndexFunc(short, func(s query.DeadlineAhead) bool {
			return s.Day == one.Day && s.Kind == query.IntakeDeadline && one.Kind == s.Kind && s.Intake == one.Intake
		})
		if at >= 0 {
			short[at].Territory = r.T("dashboard.and", "First", short[at].Territory, "Second", one.Territory)
		} else {
			short = append(short, one)
		}
	}
	return short
}

// territory is the name of a country, the world, or a region by its code.
func territory(r *site.Request, code string) string {
	if code == "001" || code == "" {
		return r.T("dashboard.world")
	}
	return show.Country(r, code)
}

// work is what waits for the reader.
func (d *board) work(to *panel) error {
	r, by := d.r, d.r.Reader()
	w, err := d.p.Query.MyWork(r.Context(), by)
	if err != nil {
		return err
	}
	facts := ui.KeyValues{Counts: true}
	add := func(key string, n int64, href string) {
		fact := ui.KeyValue{Key: r.T("dashboard." + key), Value: r.Number(int(n)), Href: href}
		if n == query.StillCounting {
			fact.Value, fact.Href = r.T("dashboard.number_counting"), ""
		}
		facts.Facts = append(facts.Facts, fact)
	}
	other := func(route string, pairs ...string) string {
		if !r.May(route) {
			return ""
		}
		query := url.Values{}
		for i := 0; i+1 < len(pairs); i += 2 {
			query.Set(pairs[i], pairs[i+1])
		}
		return r.At(route) + "?" + query.Encode()
	}
	since := w.Since.String()
	if by.Has(admitto.ApplicationsView) {
		add("my_new", w.New, d.list(0, nil, "officer", "me", "submitted_since", since))
		add("my_changed", w.Changed, d.list(0, nil, "officer", "me", "changed_since", since))
		add("handed_in", w.TasksHandedIn, other("tasks", "term", allTerms, "handed_in", "yes", "resolved", "no"))
	}
	if by.Has(admitto.OffersView) && by.Has(admitto.ApplicationsView) {
		pairs := []string{"confirmed", "no"}
		for _, id := range w.ChangedTypes {
			pairs = append(pairs, "offer", number(id))
		}
		add("unconfirmed_changes", w.UnconfirmedChange, d.list(0, nil, pairs...))
	}
	if by.Has(admitto.ApplicantsView) {
		add("failed_emails", w.FailedEmails, other("emails"))
	}
	if by.Has(admitto.AccountingView) {
		money, err := d.p.Query.MoneyWork(r.Context(), by)
		if err != nil {
			return err
		}
		add("overdue", money.Overdue, other("invoices", "state", "overdue"))
		add("surplus", money.Surplus, other("invoices", "mark", "surplus"))
	}
	if by.Has(admitto.BatchesRelease) {
		waiting, err := d.p.Batches.WaitingFor(r.Context(), by)
		if err != nil {
			return err
		}
		add("batches_waiting", waiting, other("batches", "state", string(admitto.BatchWaiting)))
	}
	to.Parts = []ui.Component{facts}
	if len(facts.Facts) == 0 {
		to.Parts = []ui.Component{ui.Words{Text: r.T("dashboard.no_work"), Muted: true}}
		for _, text := range warnings(r, by.Permissions) {
			to.Parts = append(to.Parts, ui.Notice{Tone: ui.Info, Text: text})
		}
	}
	return nil
}

// scoring are the scoresheets that wait for points.
func (d *board) scoring(to *panel) error {
	r := d.r
	sheets, err := d.p.Query.MyScoring(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	facts := ui.KeyValues{Counts: true}
	for _, s := range sheets {
		fact := ui.KeyValue{Key: s.Name, Value: r.T("dashboard.left", "Left", r.Number(int(s.Left)), "Total",
			r.Number(int(s.Total)))}
		if !s.Due.IsZero() {
			fact.Value = r.T("dashboard.left_until", "Left", fact.Value, "Day", show.Date(r, s.Due))
		}
		if r.May("scoring") {
			fact.Href = r.At("scoring", s.Sheet)
		}
		facts.Facts = append(facts.Facts, fact)
	}
	to.Parts = []ui.Component{facts}
	if len(sheets) == 0 {
		to.Parts = []ui.Component{ui.Words{Text: r.T("dashboard.no_scoring"), Muted: true}}
	}
	return nil
}
