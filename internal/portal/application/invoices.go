package application

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// invoiceRoutes are the invoices of an applicant (screens.md P19).
func (p *pages) invoiceRoutes() []site.Route {
	const path = "/my/invoices/{id}"
	return []site.Route{
		{Name: "invoices", Path: "/my/invoices", Access: site.SignedIn(), Handle: p.invoices},
		// Mails of earlier releases lead here.
		{Name: "my-invoices-of", Path: "/my/applications/{id}/invoices", Access: site.SignedIn(),
			Handle: func(r *site.Request) error { return r.To("invoices") }},
		{Name: "my-invoice", Path: path, Access: site.SignedIn(), Parent: "invoices", Handle: p.invoice},
		{Name: "my-invoice-pdf", Path: path + "/pdf", Access: site.SignedIn(), Parent: "invoices", Handle: p.invoicePDF},
	}
}

// invoiceState is what became of an invoice.
func invoiceState(r *site.Request, in *admitto.Invoice) ui.Tag {
	today := admitto.DateOf(r.Now().Std().In(r.Zone()))
	switch in.State(today) {
	case admitto.InvoiceIsCollected:
		return ui.Tag{Text: r.T("my_invoice.paid"), Icon: "check", Tone: ui.OK}
	case admitto.InvoiceIsLapsed:
		return ui.Tag{Text: r.T("my_invoice.lapsed"), Icon: "ban"}
	case admitto.InvoiceIsPartlyCollected:
		return ui.Tag{Text: r.T("my_invoice.partly"), Icon: "clock", Tone: ui.Warn}
	case admitto.InvoiceIsOverdue:
		return ui.Tag{Text: r.T("my_invoice.overdue"), Icon: "triangle-alert", Tone: ui.Bad}
	}
	return ui.Tag{Text: r.T("my_invoice.open"), Icon: "clock", Tone: ui.Warn}
}

// forWhat names what an invoice is for.
func forWhat(r *site.Request, in *admitto.Invoice) string {
	var items []string
	for i := range in.Items {
		items = append(items, in.Items[i].Item)
	}
	return r.Listed(items...)
}

// invoices lists all invoices, the latest first.
func (p *pages) invoices(r *site.Request) error {
	list, err := p.Query.InvoicesOfApplicant(r.Context(), r.Reader(), r.Person.Account)
	if err != nil {
		return err
	}
	slices.Reverse(list)
	if len(list) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "receipt", Title: r.T("my_invoice.none"),
			Text: r.T("my_invoice.none_text"), Actions: r.Buttons(site.Do("applications"))}}}.Show(r)
	}
	facts := ui.KeyValues{}
	for i := range list {
		in := &list[i]
		fact := ui.KeyValue{Key: in.Number + ": " + forWhat(r, in), KeyHref: r.At("my-invoice", in.ID),
			Value: r.Money(int64(in.Total), in.Currency), Tags: []ui.Tag{invoiceState(r, in)}}
		if in.Collected == 0 && in.Lapsed == 0 {
			if in.Paid > 0 {
				fact.Value = r.T("my_invoice.paid_of", "Paid", r.Money(int64(in.Paid), in.Currency), "Total", fact.Value, "Rest",
					r.Money(int64(in.Due()), in.Currency))
			}
			if !in.Deadline.IsZero() {
				fact.Value += ". " + r.T("my_task.by", "Day", day(r, in.Deadline))
			}
		}
		facts.Facts = append(facts.Facts, fact)
	}
	return site.Sheet{Parts: []ui.Component{facts}}.Show(r)
}

// invoice shows what is to be paid, and how.
func (p *pages) invoice(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	in, err := p.Query.InvoiceOfApplicant(r.Context(), r.Reader(), r.Person.Account, id)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("my_invoice.title", "Number", in.Number))
	page := site.Sheet{Buttons: []ui.Button{{Text: r.T("action.my-invoice-pdf"), Icon: "download",
		Href: r.At("my-invoice-pdf", in.ID)}}}
	facts := []ui.KeyValue{{Key: r.T("my_invoice.state"), Tags: []ui.Tag{invoiceState(r, &in)}}}
	for i := range in.Items {
		facts = append(facts, ui.KeyValue{Key: in.Items[i].Item,
			Value: r.Money(int64(in.Items[i].Amount()), in.Currency)})
	}
	facts = append(facts, ui.KeyValue{Key: r.T("my_invoice.total"), Value: r.Money(int64(in.Total), in.Currency)})
	if in.Paid > 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("my_invoice.paid"), Value: r.Money(int64(in.Paid), in.Currency)},
			ui.KeyValue{Key: r.T("my_invoice.rest"), Value: r.Money(int64(in.Due()), in.Currency)})
	}
	if !in.Deadline.IsZero() && in.Collected == 0 && in.Lapsed == 0 {
		facts = append(facts, ui.KeyValue{Key: r.T("my_invoice.due"), Value: day(r, in.Deadline)})
	}
	page.Parts = append(page.Parts, ui.KeyValues{Facts: facts})
	if in.Blocks() {
		page.Parts = append(page.Parts, ui.Notice{Tone: ui.Warn, Text: r.T("my_invoice.blocks")})
	}
	if in.Collected == 0 && in.Lapsed == 0 {
		how := []ui.Component{ui.Words{Text: r.T("my_invoice.reference", "Number", in.Number)}}
		if in.Instructions != "" {
			how = append([]ui.Component{ui.Prose{Text: in.Instructions}}, how...)
		} else {
			how = append([]ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("my_invoice.ask"), Link: askAbout(r, &in)}}, how...)
		}
		paid, of, err := p.Query.PaidBefore(r.Context(), r.Reader(), r.Person.Account, in.ID)
		if err != nil {
			return err
		}
		if of != 0 {
			how = append([]ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T("my_invoice.again", "Number", paid, "ID",
				number(of)), Link: askAbout(r, &in)}}, how...)
		}
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_invoice.how"), Parts: how})
	}
	if len(in.Transactions) > 0 {
		list := ui.KeyValues{}
		for i := range in.Transactions {
			t, key := &in.Transactions[i], "my_invoice.received"
			if t.Reverses != 0 {
				key = "my_invoice.reversed"
			}
			list.Facts = append(list.Facts, ui.KeyValue{Key: r.T(key, "Day", day(r, t.Collected)),
				Value: r.Money(int64(t.Amount), in.Currency)})
		}
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_invoice.payments"), Parts: []ui.Component{list}})
	}
	if in.Smallprint != "" {
		page.Parts = append(page.Parts, ui.Box{Title: r.T("my_invoice.terms"), Parts: []ui.Component{
			ui.Prose{Text: in.Smallprint}}})
	}
	if in.Application != 0 {
		page.Parts = append(page.Parts, ui.Acts{{Text: r.T("applications.title", "ID", number(in.Application)),
			Href: r.At("my-application", in.Application)}})
	}
	return page.Show(r)
}

// askAbout leads to the people who can be asked, with the invoice that it is about.
func askAbout(r *site.Request, in *admitto.Invoice) *ui.Link {
	href := r.At("help") + "?about=invoice&id=" + number(in.ID)
	if in.Application != 0 {
		href += "&application=" + number(in.Application)
	}
	return &ui.Link{Text: r.T("my_view.contact_us"), Href: href}
}

func (p *pages) invoicePDF(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	if _, err := p.Query.InvoiceOfApplicant(r.Context(), r.Reader(), r.Person.Account, id); err != nil {
		return err
	}
	name, data, err := p.Query.InvoicePDF(r.Context(), r.Reader(), id)
	return download(r, name, data, err)
}
