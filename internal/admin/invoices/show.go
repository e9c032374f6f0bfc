package invoices

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// show is the page of one invoice.
func (p *pages) show(r *site.Request, c *query.InvoiceCard) error {
	today := p.Core.DayOf(r.Now())
	facts := ui.Box{Title: r.T("card.facts"), Parts: []ui.Component{ui.KeyValues{Facts: p.facts(r, c, today)}}}
	paid := ui.Box{Title: r.T("invoice.payments"), Parts: []ui.Component{payments(r, c)}}
	right := ui.Stack{Parts: []ui.Component{paid}}
	if c.Mail.ID != 0 {
		right.Parts = append(right.Parts, ui.Box{Title: r.T("invoice.mail"), Parts: []ui.Component{p.mail(r, c)}})
	}
	buttons, refused := p.offered(r, c)
	left := ui.Stack{Parts: []ui.Component{facts}}
	if len(refused) > 0 {
		left.Parts = append(left.Parts, ui.Fold{Title: r.T("card.not_now"),
			Parts: []ui.Component{ui.KeyValues{Facts: refused}}})
	}
	parts := []ui.Component{ui.Columns{Parts: []ui.Component{left, right}},
		ui.Heading{Title: r.T("invoice.items")}, itemTable(r, &c.Invoice)}
	for _, text := range []struct{ title, text string }{{"invoice.instructions", c.Instructions},
		{"invoice.smallprint", c.Smallprint}} {
		if text.text != "" {
			parts = append(parts, ui.Box{Title: r.T(text.title), Parts: []ui.Component{ui.Prose{Text: text.text}}})
		}
	}
	history, err := p.Query.InvoiceHistory(r.Context(), r.Reader(), c.ID)
	if err != nil {
		return err
	}
	if len(history) > 0 {
		events, err := show.Events(r, p.Query, history, admitto.Links{Applicant: c.Applicant,
			Application: c.Application,
			Course:      c.Course, Invoice: c.ID})
		if err != nil {
			return err
		}
		parts = append(parts, ui.Heading{Title: r.T("card.timeline")}, ui.Timeline{Events: events})
	}
	return site.Sheet{Buttons: buttons, Parts: parts}.Show(r)
}

// mail is the e-mail that brought the invoice last.
func (p *pages) mail(r *site.Request, c *query.InvoiceCard) ui.Component {
	m := &c.Mail
	fact := ui.KeyValue{Key: r.T("invoice.mail_subject"), Value: show.Subject(r, m)}
	if c.HasApplication && m.Application == c.Application && r.May("application-email") {
		fact.Href = r.At("application-email", c.Application, m.ID)
	} else if c.HasApplicant && r.May("applicant-email") {
		fact.Href = r.At("applicant-email", c.Applicant, m.ID)
	}
	return ui.KeyValues{Facts: []ui.KeyValue{fact, {Key: r.T("invoice.payer_email"), Value: m.Recipient},
		{Key: r.T("card.status"), Tags: []ui.Tag{show.Mail(r, m)}}}}
}

// facts are what is known of an invoice, without what is not set.
func (p *pages) facts(r *site.Request, c *query.InvoiceCard, today admitto.Date) []ui.KeyValue {
	list := []ui.KeyValue{{Key: r.T("card.status"), Tags: tags(r, &c.Invoice, today)}}
	add := func(key, value, href string) {
		if value != "" {
			list = append(list, ui.KeyValue{Key: r.T(key), Value: value, Href: href})
		}
	}
	link := func(has bool, name string, id int64) string {
		if !has || !r.May(name) {
			return ""
		}
		return r.Within(name, id)
	}
	named := func(key string, id int64) string {
		if id == 0 {
			return ""
		}
		return r.T(key, "ID", id)
	}
	add("applicant.total", money(r, &c.Invoice, c.Total), "")
	add("card.paid", money(r, &c.Invoice, c.Paid), "")
	if c.Lapsed == 0 || c.Collected != 0 { // nobody pays what has lapsed
		add("applicant.due", money(r, &c.Invoice, c.Due()), "")
	}
	add("applicant.deadline", show.Date(r, c.Deadline), "")
	add("card.series", c.Series.Name, "")
	add("invoice.payer", c.PayerName, "")
	add("invoice.payer_email", c.PayerEmail, "")
	add("invoice.applicant", named("card.applicant", c.Applicant), link(c.HasApplicant, "applicant", c.Applicant))
	add("invoice.application", named("invoice.of_application", c.Application), link(c.HasApplication, tab,
		c.Application))
	add("invoice.course", c.Subject.Name, "")
	switch {
	case !c.Blocks():
	case c.Application == 0:
		add("invoice.stops", r.T("invoice.stops_all"), "")
	default:
		add("invoice.stops", r.T("invoice.stops_one", "ID", c.Application), "")
	}
	add("applicant.issued", r.Clock(c.Issued), "")
	add("invoice.issuer", c.Issuer.Name, "")
	add("invoice.issued_by", c.IssuedBy, "")
	reminder := "invoice.no_reminder"
	if c.Reminder {
		reminder = "invoice.will_remind"
	}
	add("invoice.reminder", r.T(reminder), "")
	for _, e := range []struct {
		key string
		at  admitto.Time
	}{{"invoice.delivered", c.Delivered}, {"card.reminded", c.Reminded}, {"invoice.collected", c.Collected},
		{"invoice.lapsed", c.Lapsed}} {
		if e.at != 0 {
			add(e.key, r.Clock(e.at), "")
		}
	}
	return list
}

// itemTable are the items with their amounts, and the total that they come to.
func itemTable(r *site.Request, v *admitto.Invoice) ui.Table {
	table := ui.Table{Caption: r.T("invoice.items"), Cards: true,
		Columns: []ui.Column{{Title: r.T("invoice.item"), Place: "main"},
			{Title: r.T("invoice.qty"), Num: true, Place: "label"}, {Title: r.T("invoice.price"), Num: true,
				Place: "label"},
			{Title: r.T("invoice.amount"), Num: true, Place: "label"}}}
	for i := range v.Items {
		it := &v.Items[i]
		table.Rows = append(table.Rows, ui.Row{Cells: []ui.Cell{{Text: it.Item}, {Text: quantity(r, it)},
			{Text: money(r, v, it.Price)}, {Text: money(r, v, it.Amount())}}})
	}
	if rest := admitto.RoundingOf(v.Items); rest != 0 {
		table.Rows = append(table.Rows, ui.Row{Cells: []ui.Cell{{Text: r.T("invoice.rounding")}, {}, {},
			{Text: money(r, v, rest)}}})
	}
	table.Rows = append(table.Rows, ui.Row{Cells: []ui.Cell{{Text: r.T("applicant.total")}, {}, {},
		{Text: money(r, v, admitto.TotalOf(v.Items))}}})
	return table
}

// quantity is how much of an item there is, with its unit.
func quantity(r *site.Request, it *admitto.InvoiceItem) string {
	return strings.TrimSpace(r.Money(int64(it.Qty), it.Unit))
}

// payments are the transactions, in the order in which they were recorded.
func payments(r *site.Request, c *query.InvoiceCard) ui.Table {
	v := &c.Invoice
	table := ui.Table{Caption: r.T("invoice.payments"), Cards: true,
		Columns: []ui.Column{{Title: r.T("invoice.paid_on"), Place: "main"},
			{Title: r.T("invoice.amount"), Num: true, Place: "meta"}, {Title: r.T("invoice.recorded"), Place: "label"}},
		Empty: ui.Empty{Icon: "receipt", Title: r.T("invoice.no_payments"), Text: r.T("invoice.no_payments_text")}}
	acts := r.May(reversing) && slices.ContainsFunc(v.Transactions, func(t admitto.Transaction) bool {
		return v.LeftOf(&t) > 0
	})
	if acts {
		table.Columns = append(table.Columns, ui.Column{Title: r.T("invoice.take_back")})
	}
	for i := range v.Transactions {
		t := &v.Transactions[i]
		day := ui.Cell{Text: r.Date(t.Collected.In(time.UTC))}
		if t.Reverses != 0 {
			day.Below = r.T("ledger.reverses", "ID", strconv.FormatInt(t.Reverses, 10))
		}
		recorded := ui.Cell{Text: r.Clock(t.Inserted), Below: strings.TrimSpace(r.T("invoice.payment_id", "ID",
			strconv.FormatInt(t.ID, 10)) + " " + r.Isolated(c.By[t.Administrator]))}
		cells := []ui.Cell{day, {Text: money(r, v, t.Amount)}, recorded}
		if acts {
			cell := ui.Cell{}
			if v.LeftOf(t) > 0 {
				cell.Parts = []ui.Component{ui.Acts{{Text: r.T("action.transaction-reverse"), Small: true,
					Href: r.Within(reversing, v.ID, t.ID), About: strconv.FormatInt(t.ID, 10)}}}
			}
			cells = append(cells, cell)
		}
		table.Rows = append(table.Rows, ui.Row{ID: strconv.FormatInt(t.ID, 10), Cells: cells})
	}
	return table
}
