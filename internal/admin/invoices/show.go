package invoices

import (
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
	paid := ui.Box{Title: r.T("invoice.payments"), Parts: []ui.Component{payments(r, &c.Invoice)}}
	parts := []ui.Component{ui.Columns{Parts: []ui.Component{facts, paid}},
		ui.Heading{Title: r.T("invoice.items")}, itemTable(r, &c.Invoice)}
	for _, text := range []struct{ title, text string }{{"invoice.instructions", c.Instructions},
		{"invoice.smallprint", c.Smallprint}} {
		if text.text != "" {
			parts = append(parts, ui.Box{Title: r.T(text.title), Parts: []ui.Component{ui.Prose{Text: text.text}}})
		}
	}
	pdf := r.Buttons(site.Do(pdfFile, c.ID))
	for i := range pdf {
		pdf[i].Icon = "download"
	}
	return site.Sheet{Buttons: pdf, Parts: parts}.Show(r)
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
	add("applicant.due", money(r, &c.Invoice, c.Due()), "")
	add("applicant.deadline", show.Date(r, c.Deadline), "")
	add("card.series", c.Series.Name, "")
	add("invoice.payer", c.PayerName, "")
	add("invoice.payer_email", c.PayerEmail, "")
	add("invoice.applicant", named("card.applicant", c.Applicant), link(c.HasApplicant, "applicant", c.Applicant))
	add("invoice.application", named("invoice.of_application", c.Application), link(c.HasApplication, tab, c.Application))
	add("invoice.course", c.Subject.Name, "")
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
			{Title: r.T("invoice.qty"), Num: true, Place: "label"}, {Title: r.T("invoice.price"), Num: true, Place: "label"},
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
func payments(r *site.Request, v *admitto.Invoice) ui.Table {
	table := ui.Table{Caption: r.T("invoice.payments"), Cards: true,
		Columns: []ui.Column{{Title: r.T("invoice.paid_on"), Place: "main"},
			{Title: r.T("invoice.amount"), Num: true, Place: "meta"}, {Title: r.T("invoice.recorded"), Place: "label"}},
		Empty: ui.Empty{Icon: "receipt", Title: r.T("invoice.no_payments"), Text: r.T("invoice.no_payments_text")}}
	for i := range v.Transactions {
		t := &v.Transactions[i]
		table.Rows = append(table.Rows, ui.Row{ID: strconv.FormatInt(t.ID, 10), Cells: []ui.Cell{
			{Text: r.Date(t.Collected.In(time.UTC))}, {Text: money(r, v, t.Amount)}, {Text: r.Clock(t.Inserted)}}})
	}
	return table
}
