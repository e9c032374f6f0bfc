package admin

import (
	"errors"
	"log/slog"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// dashboardPage is the template "dashboard".
type dashboardPage struct {
	Title, Time string
	Notice      *ui.Notice // instead of the figures
	Figures     *ui.Figures
	Panels      []panel
}

// panel is one part of the dashboard.
type panel struct {
	Title string
	Wide  bool
	Links []ui.Link
	Parts []ui.Component
}

// board is a dashboard while it is made.
type board struct {
	p    *pages
	r    *site.Request
	term int64
	page dashboardPage
	at   admitto.Time // the oldest time of a number
}

// dashboard is screens.md A05. A panel that fails says so in its place, and the others stay.
func (p *pages) dashboard(r *site.Request) error {
	d := &board{p: p, r: r, term: p.termOf(r), page: dashboardPage{Title: r.Title()}}
	by := r.Reader()
	d.figures()
	for _, part := range []struct {
		name string
		may  bool
		make func(*panel) error
	}{
		{"checklist", by.Has(admitto.InstanceAdmin), d.checklist},
		{"per_day", by.Has(admitto.ReportsView), d.perDay},
		{"funnel", by.Has(admitto.ReportsView), d.funnel},
		{"work", true, d.work},
		{"offers", by.Has(admitto.OffersView), d.offers},
		{"ahead", by.Has(admitto.ReportsView) || by.Has(admitto.ApplicationsView), d.ahead},
		{"citizenships", by.Has(admitto.ReportsView), d.citizenships},
		{"tasks", by.Has(admitto.ApplicationsView), d.tasks},
		{"scoring", by.Has(admitto.ApplicationsScore), d.scoring},
	} {
		if !part.may {
			continue
		}
		made := panel{Title: r.T("dashboard." + part.name)}
		if err := part.make(&made); err != nil {
			if r.Context().Err() != nil {
				return err
			}
			made.Parts = []ui.Component{d.failed(part.name, err)}
		}
		if len(made.Parts) > 0 {
			d.page.Panels = append(d.page.Panels, made)
		}
	}
	if d.at != 0 {
		d.page.Time = r.T("dashboard.at", "Time", r.Clock(d.at))
	}
	return r.Show("dashboard", d.page)
}

// failed is the notice in the place of what failed, or of what is still being counted.
func (d *board) failed(name string, err error) ui.Notice {
	if errors.Is(err, query.ErrCounting) {
		return ui.Notice{Tone: ui.Info, Text: d.r.T("dashboard.counting"), Link: &ui.Link{Text: d.r.T("refusal.again"),
			Href: d.r.URL.RequestURI()}}
	}
	slog.WarnContext(d.r.Context(), "a panel of the dashboard failed", "panel", name, "error", err)
	return ui.Notice{Tone: ui.Warn, Text: d.r.T("dashboard.failed"), Link: &ui.Link{Text: d.r.T("refusal.again"),
		Href: d.r.URL.RequestURI()}}
}

// seen notes when a number was counted.
func (d *board) seen(at admitto.Time) {
	if at != 0 && (d.at == 0 || at < d.at) {
		d.at = at
	}
}

// list is the address of the applications of the term with filters; "" for those who may not open it, or lack one of
// the permissions that its filters need.
func (d *board) list(term int64, needs []admitto.Permission, pairs ...string) string {
	if !d.r.May("browse") {
		return ""
	}
	for _, p := range needs {
		if !d.r.Reader().Has(p) {
			return ""
		}
	}
	return d.r.At("browse") + listOf(term, pairs...)
}

// offersView is what filters on offers need.
func offersView(others ...admitto.Permission) []admitto.Permission {
	return append([]admitto.Permission{admitto.OffersView}, others...)
}

// statusPairs are the filter of the applications that nobody has submitted.
func statusPairs() (pairs []string) {
	for _, s := range query.Unsubmitted() {
		pairs = append(pairs, "status", s)
	}
	return pairs
}

// figures are the four numbers of the term.
func (d *board) figures() {
	r := d.r
	if !r.Reader().Has(admitto.ReportsView) {
		return
	}
	n, err := d.p.Query.Numbers(r.Context(), r.Reader(), d.term)
	if err != nil {
		notice := d.failed("numbers", err)
		d.page.Notice = &notice
		return
	}
	d.seen(n.At)
	before := n.Snapshot
	if n.Before != nil {
		before = *n.Before
	}
	f := &ui.Figures{}
	for _, one := range []struct {
		key         string
		now, before int64
		href        string
	}{
		{"n_applicants", n.Applicants, before.Applicants, d.applicants()},
		{"n_unsubmitted", n.Unsubmitted, before.Unsubmitted, d.list(d.term, nil, statusPairs()...)},
		{"n_submitted", n.Submitted, before.Submitted, d.list(d.term, nil, "submitted", "yes")},
		{"n_final", n.Final, before.Final, d.list(d.term, offersView(), "decision", string(admitto.DecisionFinal))},
	} {
		figure := ui.Figure{Label: r.T("dashboard." + one.key), Value: r.Number(int(one.now)), Href: one.href}
		if n.Before != nil {
			change := r.Number(int(one.now - one.before))
			if one.now >= one.before {
				change = "+" + change
			}
			figure.Change = r.T("dashboard.change", "Change", change)
		}
		f.Figures = append(f.Figures, figure)
	}
	d.page.Figures = f
}

// applicants is the address of the applicants of the term.
func (d *board) applicants() string {
	if !d.r.May("applicants") || !d.r.Reader().Has(admitto.ApplicationsView) || d.term == 0 {
		return ""
	}
	return d.r.At("applicants") + "?term=" + number(d.term)
}

// perDay is the plot of the last 30 or 90 days.
func (d *board) perDay(to *panel) error {
	r, days := d.r, 90
	if r.URL.Query().Get("days") == "30" {
		days = 30
	}
	p, err := d.p.Query.PerDay(r.Context(), r.Reader(), d.term, days)
	if err != nil {
		return err
	}
	d.seen(p.At)
	lines := ui.NewLines(r.Locale, p.Days[0].In(r.Zone()), len(p.Days))
	lines.ID, lines.Title, lines.Description = "per-day", to.Title, r.T("dashboard.per_day_text", "Days", days)
	created, submitted := ui.LineSeries{Name: r.T("dashboard.created")}, ui.LineSeries{Name: r.T("dashboard.submitted")}
	for i := range p.Days {
		created.Values = append(created.Values, int(p.Created[i]))
		submitted.Values = append(submitted.Values, int(p.Submitted[i]))
	}
	lines.Series = []ui.LineSeries{created, submitted}
	to.Wide, to.Parts = true, []ui.Component{lines}
	for _, n := range []int{30, 90} {
		to.Links = append(to.Links, ui.Link{Text: r.Plural("dashboard.days", n), Current: n == days,
			Href: r.View(false).With("days", r.Number(n))})
	}
	return nil
}

// funnel are the steps from the beginning to the matriculation.
func (d *board) funnel(to *panel) error {
	r, final := d.r, string(admitto.DecisionFinal)
	f, err := d.p.Query.Funnel(r.Context(), r.Reader(), d.term)
	if err != nil {
		return err
	}
	d.seen(f.At)
	bars := ui.Bars{Title: to.Title, Label: r.T("dashboard.step"), Series: []string{r.T("dashboard.applications")},
		Share: true}
	for _, step := range []struct {
		key  string
		n    int64
		href string
	}{
		{"funnel_all", f.All, d.list(d.term, nil)}, {"funnel_submitted_once", f.Submitted,
			d.list(d.term, nil, "submitted", "yes")},
		{"funnel_in_quota", f.InQuota, d.list(d.term, offersView(), "quota", "yes")},
		{"funnel_final", f.Final, d.list(d.term, offersView(), "decision", final)},
		{"funnel_matriculated", f.Matriculated, d.list(d.term, offersView(admitto.ApplicantsView), "decision", final,
			"matriculated", "yes")},
	} {
		bars.Rows = append(bars.Rows, ui.BarRow{Label: r.T("dashboard." + step.key), Values: []int{int(step.n)},
			Href: step.href})
	}
	to.Parts = []ui.Component{bars}
	return nil
}

// nothing is what a plot without rows says.
func (d *board) nothing() ui.Empty {
	return ui.Empty{Icon: "chart-column", Title: d.r.T("dashboard.nothing"), Text: d.r.T("dashboard.nothing_text")}
}
