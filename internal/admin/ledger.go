package admin

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// ledgerRoutes are the lists of invoices and of payments (screens.md A29, A32).
func (p *pages) ledgerRoutes() []site.Route {
	view := site.Needs(admitto.AccountingView)
	return []site.Route{
		{Name: "invoices", Path: "/admin/invoices", Access: view, Handle: p.invoices},
		{Name: "invoices-csv", Path: "/admin/invoices.csv", Access: view, Handle: p.invoicesCSV},
		{Name: "transactions", Path: "/admin/transactions", Access: view, Handle: p.transactions},
		{Name: "transactions-csv", Path: "/admin/transactions.csv", Access: view, Handle: p.transactionsCSV},
	}
}

// ledgerView is a list about money that an address asks for. A filter that cannot be read finds nothing: a mistyped day
// must not become a list of everything.
type ledgerView struct {
	*site.View
	r      *site.Request
	faults map[string]string // what cannot be read, by name
	series []admitto.Series
	fields []ledgerFilter
}

// ledgerFilter is one filter of the address. The message ledger.<name> names it.
type ledgerFilter struct {
	name    string
	day     bool
	several bool // the address may have several values, which are boxes
	options []ui.Option
}

func (l *ledgerView) unread(name string) { l.faults[name] = l.r.T("ledger.unread") }

// day is the day in the address, the zero Date without one.
func (l *ledgerView) day(name string) admitto.Date {
	typed := strings.TrimSpace(l.Get(name))
	if typed == "" {
		return admitto.Date{}
	}
	day, err := admitto.ParseDate(typed)
	if err != nil {
		l.faults[name] = l.r.T("browse.no_day")
	}
	return day
}

// begin and end are the bounds of a day of the address as times, 0 without one.
func (l *ledgerView) begin(name string) admitto.Time { return l.bound(name, 0) }

func (l *ledgerView) end(name string) admitto.Time {
	if end := l.bound(name, 1); end != 0 {
		return end - 1 // the day itself belongs to it
	}
	return 0
}

func (l *ledgerView) bound(name string, later int) admitto.Time {
	day := l.day(name)
	if day.IsZero() {
		return 0
	}
	return admitto.TimeOf(day.AddDays(later).In(l.r.Zone()))
}

// ids are the IDs of a name in the address, nil for none.
func (l *ledgerView) ids(name string) (ids []int64) {
	for _, text := range l.All(name) {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || id < 1 {
			l.unread(name)
		}
		ids = append(ids, id)
	}
	return ids
}

// label is the name of a filter.
func (l *ledgerView) label(name string) string {
	for _, f := range [...][2]string{{"state", "ledger.state"}, {"series", "ledger.series"}, {"currency",
		"ledger.currency"},
		{"issued_from", "ledger.issued_from"}, {"issued_to", "ledger.issued_to"},
		{"collected_from", "ledger.collected_from"}, {"collected_to", "ledger.collected_to"},
		{"due_from", "ledger.due_from"}, {"due_to", "ledger.due_to"}, {"mark", "ledger.mark"},
		{"recorded_from", "ledger.recorded_from"}, {"recorded_to", "ledger.recorded_to"},
		{"paid_from", "ledger.paid_from"}, {"paid_to", "ledger.paid_to"}} {
		if f[0] == name {
			return l.r.T(f[1])
		}
	}
	return l.r.T("ledger.invoice")
}

// pane is the pane with the fields of all filters.
func (l *ledgerView) pane() *ui.Filters {
	r := l.r
	pane := &ui.Filters{ID: "filters", Action: r.URL.Path, Hidden: l.Hidden(columnName),
		Applies: r.T("applicants.apply")}
	for _, f := range l.fields {
		field := ui.Field{ID: "filter-" + strings.ReplaceAll(f.name, "_", "-"), Name: f.name, Label: l.label(f.name),
			Value: l.Get(f.name), Error: l.faults[f.name]}
		for i := range f.options {
			f.options[i].Selected = slices.Contains(l.All(f.name), f.options[i].Value)
		}
		switch {
		case f.several:
			pane.Fields = append(pane.Fields, ui.Choices{Field: field, Multiple: true, Options: f.options})
		case f.options != nil:
			pane.Fields = append(pane.Fields, ui.Select{Field: field,
				Options: append([]ui.Option{{Text: r.T("applicants.any")}}, f.options...)})
		case f.day:
			field.Hint = r.T("applicants.day_hint")
			pane.Fields = append(pane.Fields, ui.TextField{Field: field})
		default:
			pane.Fields = append(pane.Fields, ui.TextField{Field: field, Type: "search"})
		}
	}
	if len(l.chips()) > 0 {
		pane.Clear = r.URL.Path
	}
	return pane
}

// chips are the filters that count.
func (l *ledgerView) chips() (chips []active) {
	for _, f := range l.fields {
		for _, value := range l.All(f.name) {
			shown := value
			for _, o := range f.options {
				if o.Value == value {
					shown = o.Text
				}
			}
			if day, err := admitto.ParseDate(value); f.day && err == nil {
				shown = l.r.Date(day.In(l.r.Zone()))
			}
			chips = append(chips, active{ui.Chip{Name: l.label(f.name), Value: shown, Remove: l.Without(f.name,
				value)}, f.name,
				value})
		}
	}
	return chips
}

// head is the head of the list.
func (l *ledgerView) head(list, count string, further ...ui.Button) ui.ListHead {
	r := l.r
	csv := ui.Button{Text: r.T("applicants.csv"), Icon: "download", Small: true,
		Href: strings.Replace(l.With(), r.URL.Path, r.At(list+"-csv"), 1)}
	return ui.ListHead{Title: r.Title(), Strong: count, FilterDrawer: "filters",
		Actions: append([]ui.Button{keepButton(r, list, l.Query()), csv}, further...)}
}

// above is what stands above the rows: the sums by currency, and that a filter cannot be read.
func (l *ledgerView) above(sums []admitto.LedgerSum, invoices bool) (parts []ui.Component) {
	r := l.r
	if len(l.faults) > 0 {
		return []ui.Component{ui.Notice{Tone: ui.Bad, Text: r.T("ledger.unread"),
			Link: &ui.Link{Text: r.T("filters.clear"), Href: r.URL.Path}}}
	}
	if len(sums) == 0 {
		return nil
	}
	table := ui.Table{Caption: r.T("ledger.sums"), Cards: true, Columns: []ui.Column{
		{Title: r.T("ledger.currency"), Place: "main"}, {Title: r.T("ledger.count"), Num: true, Place: "label"}}}
	if invoices {
		table.Columns = append(table.Columns, ui.Column{Title: r.T("applicant.total"), Num: true, Place: "label"})
	}
	table.Columns = append(table.Columns, ui.Column{Title: r.T("card.paid"), Num: true, Place: "label"})
	if invoices {
		table.Columns = append(table.Columns, ui.Column{Title: r.T("ledger.open"), Num: true, Place: "label"})
	}
	for _, s := range sums {
		money := func(h admitto.Hundredths) ui.Cell { return ui.Cell{Text: r.Money(int64(h), s.Currency)} }
		cells := []ui.Cell{{Text: s.Currency}, {Text: r.Number(int(s.Count))}}
		if invoices {
			cells = append(cells, money(s.Total))
		}
		cells = append(cells, money(s.Paid))
		if invoices {
			cells = append(cells, money(s.Open))
		}
		table.Rows = append(table.Rows, ui.Row{Cells: cells})
	}
	said := "ledger.sums_paid"
	if invoices {
		said = "ledger.sums_all"
	}
	return []ui.Component{ui.Stack{Tight: true, Parts: []ui.Component{table, ui.Words{Text: r.T(said), Muted: true}}}}
}

// nothing says why a list with filters is empty, and how many each filter that is taken out would leave.
func (l *ledgerView) nothing(count func(other *site.View) (n int64, more bool, err error)) (ui.Empty, error) {
	r := l.r
	empty := ui.Empty{Icon: "search", Title: r.T("ledger.no_match"), Text: r.T("applicants.no_match_text")}
	for _, c := range l.chips() {
		n, more, err := count(l.Dropped(c.name, c.value))
		if err != nil {
			return empty, err
		}
		if n < 0 {
			continue // another filter cannot be read
		}
		shown := r.Number(int(n))
		if more {
			shown += "+"
		}
		empty.Actions = append(empty.Actions, ui.Button{Icon: "x", Href: c.Remove, Small: true,
			Text: r.T("browse.without", "Name", c.Name, "Value", c.Value, "Count", shown)})
	}
	return empty, nil
}
