// Package invoices has the pages about invoices: the tab of the card with those of an application, the page of one, and
// how one is issued (screens.md A20, A30).
package invoices

import (
	"bytes"
	"io"

	"github.com/admitto/admitto/internal/admin/card"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// The names of routes that others lead to.
const (
	tab     = "application-invoices"
	ofOne   = "invoice"
	pdfFile = "invoice-pdf"
	issuing = "invoice-new"

	recordName = "transactions-record"

	collecting = "invoice-collect"
	editing    = "invoice-edit"
	sending    = "invoice-send"
	waiving    = "invoice-waive"
	reviving   = "invoice-revive"
	deleting   = "invoice-delete"
	reversing  = "transaction-reverse"
)

// pages has the functions of the pages.
type pages struct {
	*services.Services
	card *card.Card
}

// Routes are the pages with who may open them.
func Routes(s *services.Services, c *card.Card) []site.Route {
	p := &pages{s, c}
	view := site.Needs(admitto.AccountingView)
	const one = "/admin/invoices/{id}"
	routes := []site.Route{
		{Name: ofOne, Path: one, Access: view, Parent: tab, Handle: p.ofInvoice(p.show)},
		{Name: issuing, Path: "/admin/invoices/new",
			Access: site.Needs(admitto.AccountingEdit).And(admitto.AccountingView),
			Form:   true,
			Parent: tab, Handle: p.issuing},
		{Name: pdfFile, Path: one + "/pdf", Access: view, Handle: p.download},
	}
	edit := site.Needs(admitto.AccountingEdit).And(admitto.AccountingView)
	for _, act := range []struct {
		name, path string
		handle     func(*site.Request, *query.InvoiceCard) error
	}{
		{collecting, "/collect", p.collect}, {editing, "/edit", p.edit}, {sending, "/send", p.send},
		{waiving, "/waive", p.waive}, {reviving, "/revive", p.revive}, {deleting, "/delete", p.remove},
		{reversing, "/transactions/{transaction}/reverse", p.reverse},
	} {
		routes = append(routes, site.Route{Name: act.name, Path: one + act.path, Access: edit, Form: true,
			Parent: ofOne,
			Handle: p.ofInvoice(p.within(act.name, act.handle))})
	}
	for i := range routes {
		routes[i].InList, routes[i].Part = true, true
	}
	routes = append(routes, site.Route{Name: recordName, Path: "/admin/transactions/record", Access: edit, Form: true,
		Parent: "transactions", Handle: p.record})
	return append(routes, c.Tab(tab, "/invoices", view, p.ofApplication))
}

// ofInvoice reads the invoice that a page is about, and leads back to where it is listed.
func (p *pages) ofInvoice(handle func(*site.Request, *query.InvoiceCard) error) func(*site.Request) error {
	return func(r *site.Request) error {
		id, err := r.ID()
		if err != nil {
			return err
		}
		c, err := p.Query.InvoiceCard(r.Context(), r.Reader(), id)
		if err != nil {
			return err
		}
		switch {
		case c.HasApplication:
			if _, err := p.card.PartOf(r, c.Application, tab); err != nil {
				return err
			}
		case c.HasApplicant && r.May("applicant-invoices"):
			r.NameCrumb(tab, r.T("title.applicant-invoices"))
			r.LeadCrumb(tab, r.At("applicant-invoices", c.Applicant))
		case r.May("invoices"):
			r.HideCrumb("browse")
			r.NameCrumb(tab, r.T("title.invoices"))
			r.LeadCrumb(tab, r.At("invoices"))
		default:
			r.HideCrumbs()
		}
		r.SetTitle(r.T("invoice.title", "Number", numberOf(&c.Invoice)))
		return handle(r, &c)
	}
}

// download is the document that the payer gets.
func (p *pages) download(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	name, data, err := p.Query.InvoicePDF(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return r.Download(name, "application/pdf", func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	})
}
