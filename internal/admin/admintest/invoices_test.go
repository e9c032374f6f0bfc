package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// squeezed is a text without the space in it.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// TestTab lists the invoices of an application with what is open and whether they stop the submission, and leads to
// each.
func TestTab(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT application_id FROM invoice WHERE application_id IS NOT NULL AND collected IS NULL AND lapsed IS NULL ORDER BY id LIMIT 1")
	i.Put("UPDATE invoice_series SET blocking = TRUE",
		fmt.Sprintf("UPDATE invoice SET deadline = '2031-01-01', reminded = NULL, delivered = NULL WHERE application_id = %d",
			id))
	path := fmt.Sprintf("/admin/applications/%d/invoices", id)
	staff := i.Staff(i.Administrator("Mara Lind", everything...))
	page := staff.Open(path)
	if text := page.Text("tbody"); !strings.Contains(text, "Not delivered") ||
		!strings.Contains(text, "Stops the submission") ||
		!strings.Contains(text, "EUR") {
		t.Error(text)
	}
	invoice := page.Find("tbody a").First().AttrOr("href", "")
	due := func(page *sitetest.Page) string {
		for _, row := range page.Find("tbody tr").EachIter() {
			if row.Find(fmt.Sprintf("a[href=%q]", invoice)).Length() == 1 {
				return strings.TrimSpace(row.Find("td").Last().Text())
			}
		}
		return "no row"
	}
	if text := due(page); strings.HasPrefix(text, "0.00") || !strings.HasSuffix(text, "EUR") {
		t.Error(text)
	}
	number := invoice[strings.LastIndex(invoice, "/")+1:]
	i.Put("UPDATE invoice SET lapsed = 1 WHERE id = " + number) // nobody pays it
	applicant := i.Number("SELECT applicant_id FROM invoice WHERE id = " + number)
	for _, list := range []string{path, fmt.Sprintf("/admin/applicants/%d/invoices", applicant),
		"/admin/invoices?state=lapsed&column=number&column=state&column=due&size=250"} {
		p := staff.Open(list)
		text := due(p)
		if p.Path == "/admin/invoices" {
			text = ""
			for _, row := range p.Find("tbody tr").EachIter() {
				if row.Find(`a[href$="/invoices/`+number+`"]`).Length() == 1 {
					text = strings.TrimSpace(row.Find("td").Last().Text())
				}
			}
		}
		if strings.Join(strings.Fields(text), "") != "0.00EUR" {
			t.Errorf("%s: %q of a lapsed invoice is due", list, text)
		}
	}
	i.Put("UPDATE invoice SET lapsed = NULL WHERE id = " + number)
	one := staff.Open(invoice)
	if one.Status != 200 || !strings.HasPrefix(one.Text("h1"), "Invoice ") ||
		one.Find(fmt.Sprintf(`.crumbs a[href=%q]`, path)).Length() != 1 {
		t.Errorf("%d %s leads back to %s", one.Status, one.Text("h1"), one.Text(".crumbs"))
	}
	none := i.Number("SELECT min(a.id) FROM application a WHERE visible AND NOT EXISTS (SELECT 1 FROM invoice WHERE application_id = a.id)")
	if p := staff.Open(fmt.Sprintf("/admin/applications/%d/invoices", none)); !strings.Contains(p.Text("main"),
		"No invoices yet") {
		t.Error(p.Text("main"))
	}
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.AccountingView))
	if p := few.Open(invoice); p.Status != 200 || p.Find(`main a[href^="/admin/applicants"]`).Length() != 0 {
		t.Errorf("%d %s", p.Status, p.Text("main"))
	}
	if p := i.Staff(i.Administrator("Ida Moen", admitto.ApplicationsView)).Open(invoice); p.Status != 403 {
		t.Errorf("without accounting-view: %d", p.Status)
	}
}

// TestOne shows an invoice with everything, one that belongs to nobody any more, and the document of both.
func TestOne(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		d.Put("INSERT INTO invoice_series (id, name, format) VALUES (99, 'Fees', '%inc%')",
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, paid, payer_name,
				payer_email, instructions, smallprint) VALUES (1001, 'Invoice', '2026-17', 99, 1, 1, 1772000000000000,
					'2026-03-20', 'EUR',
				989, 1060, 'Ilse "><script>alert(1)</script>', 'p@example.org', 'Use the number.', 'No refund.')`,
			`INSERT INTO invoice_item (invoice_id, n, item, price, qty, unit) VALUES (1001, 1, 'Counsel', 999, 33, 'h'),
				(1001, 2, 'Advice', 999, 33, ''), (1001, 3, 'Support', 999, 33, '')`,
			`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected) VALUES (51, 1001, 1060, 1772100000000000, '2026-02-26')`)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open("/admin/invoices/1001")
		sitetest.Harmless(t, page)
		// 0.33 × 9.99 is 3.2967: shown are three times 3.30, and together they are 9.8901.
		for _, want := range []string{"0.71 EUR too much", "Counsel 0.33 h 9.99 EUR 3.30 EUR", "Rounding −0.01 EUR",
			"Total 9.89 EUR",
			"Use the number.", "No refund.", "26 February 2026", "Application 1"} {
			if !strings.Contains(squeezed(page.Text("main")), squeezed(want)) {
				t.Errorf("%q is not in %s", want, page.Text("main"))
			}
		}
		pdf := staff.Open("/admin/invoices/1001/pdf")
		if text := pdftest.Text(t, []byte(pdf.Body)); pdf.Header.Get("Content-Type") != "application/pdf" ||
			!strings.Contains(text, "Invoice 2026-17") || !strings.Contains(text, "Total 9.89 EUR") {
			t.Errorf("%s %s", pdf.Header.Get("Content-Type"), text)
		}
		d.Put("UPDATE invoice SET applicant_id = NULL, application_id = NULL WHERE id = 1001")
		page = staff.Open("/admin/invoices/1001")
		if !strings.Contains(page.Text("main"), "The applicant was erased") ||
			page.Text(".crumbs li:first-child") != "Invoices" {
			t.Errorf("%d %s: %s", page.Status, page.Text(".crumbs"), page.Text("main"))
		}
		d.Put("UPDATE invoice SET applicant_id = 1 WHERE id = 1001")
		if page = staff.Open("/admin/invoices/1001"); page.Find(
			`.crumbs a[href="/admin/applicants/1/invoices"]`).Length() != 1 {
			t.Error(page.Text(".crumbs"))
		}
		for _, missing := range []string{"/admin/invoices/987654321", "/admin/invoices/01", "/admin/invoices/x",
			"/admin/invoices/7/pdf"} {
			if p := staff.Open(missing); p.Status != 404 {
				t.Errorf("%s: %d", missing, p.Status)
			}
		}
	})
}

// TestInvoicePages looks at the pages in a browser.
func TestInvoicePages(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	paid := i.Number("SELECT max(t.invoice_id) FROM invoice_transaction t JOIN invoice i ON i.id = t.invoice_id WHERE i.application_id IS NOT NULL")
	long := i.Number("SELECT max(id) FROM invoice WHERE id <> $1", paid)
	i.Put(fmt.Sprintf("UPDATE invoice SET payer_name = '%[2]s', instructions = '%[2]s', smallprint = 'Refunds until the day of the deadline.' WHERE id = %[1]d",
		long, strings.Repeat("Supercalifragilistic", 12)),
		fmt.Sprintf("UPDATE invoice_item SET item = '%s', qty = 33, price = 12345678, unit = 'participants of the whole term' WHERE invoice_id = %d",
			strings.Repeat("Supercalifragilistic", 10), long))
	none := i.Number("SELECT min(a.id) FROM application a WHERE visible AND NOT EXISTS (SELECT 1 FROM invoice WHERE application_id = a.id)")
	open := i.Number("SELECT max(id) FROM invoice WHERE collected IS NULL AND lapsed IS NULL AND application_id IS NOT NULL")
	payment := i.Number("SELECT max(id) FROM invoice_transaction WHERE invoice_id = $1", paid)
	at := fmt.Sprintf("/admin/invoices/%d", open)
	uitest.Check(t, i,
		uitest.Page{Name: "invoice-open", Path: at, Cookie: staff},
		uitest.Page{Name: "invoice-collect", Path: at + "/collect", Cookie: staff},
		uitest.Page{Name: "invoice-edit", Path: at + "/edit", Cookie: staff},
		uitest.Page{Name: "invoice-send", Path: at + "/send", Cookie: staff},
		uitest.Page{Name: "invoice-waive", Path: at + "/waive", Cookie: staff},
		uitest.Page{Name: "invoice-reverse", Path: fmt.Sprintf("/admin/invoices/%d/transactions/%d/reverse", paid, payment),
			Cookie: staff},
		uitest.Page{Name: "invoice", Path: fmt.Sprintf("/admin/invoices/%d", paid), Cookie: staff},
		uitest.Page{Name: "invoice-long", Path: fmt.Sprintf("/admin/invoices/%d", long), Cookie: staff},
		uitest.Page{Name: "invoice-tab", Path: fmt.Sprintf("/admin/applications/%d/invoices",
			i.Number("SELECT application_id FROM invoice WHERE id = $1", paid)), Cookie: staff},
		uitest.Page{Name: "invoice-none", Path: fmt.Sprintf("/admin/applications/%d/invoices", none), Cookie: staff})
}
