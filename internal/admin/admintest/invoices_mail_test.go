package admintest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestMailOfInvoice sends the document with the mail that announces an invoice, to the payer, and again when it is
// sent again; what waits for the mail server holds no document. The page of the mail leads to the invoice.
func TestMailOfInvoice(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		issue := func(fields ...string) {
			staff.Open(newInvoice).Submit("Check", over(fields...)...).Submit("Issue invoice")
		}
		last := func(of string) string { return d.Lines("SELECT nr FROM invoice WHERE id = (" + of + ")") }
		const newest = "SELECT max(id) FROM invoice"
		issue("instructions", "Name the number.")
		d.Post.Will(func(context.Context, *mail.Message) error { return &mail.Refusal{Code: 550, Step: "RCPT"} })
		d.Deliver()
		d.Post.Will(nil)
		mails := d.Lines("SELECT email_id FROM invoice WHERE id = (" + newest + ")")
		page := staff.Open("/admin/applications/1/emails/" + mails)
		if link := page.Find(`main a[href^="/admin/invoices/"]`); link.Text() != last(newest) {
			t.Errorf("the mail leads to %q: %s", link.Text(), page.Text("main"))
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.ApplicantsView))
		if few.Open("/admin/applications/1/emails/"+mails).Find(`main a[href^="/admin/invoices/"]`).Length() != 0 {
			t.Error("who may not see invoices is led to one")
		}
		page.Submit("Send again")
		issue("payer", "Firm", "email", "pay@firm.example")
		before := len(d.Post.Taken())
		if d.Deliver() != 2 {
			t.Fatal("the mails did not leave")
		}
		sent := d.Post.Taken()[before:]
		for n, to := range []string{sent[0].To.Email, "pay@firm.example"} {
			m := sent[n]
			if m.To.Email != to || len(m.Attachments) != 1 || m.Attachments[0].Type != "application/pdf" {
				t.Fatalf("to %s with %d attachments", m.To.Email, len(m.Attachments))
			}
			text := pdftest.Text(t, m.Attachments[0].Data)
			if !strings.Contains(text, "Total 15.80 EUR") || !strings.Contains(text, "Counsel") {
				t.Error(text)
			}
		}
		if text := pdftest.Text(t, sent[1].Attachments[0].Data); !strings.Contains(text, "Firm") ||
			!strings.Contains(text, last(newest)) {
			t.Error(text)
		}
		issue()
		d.Put("DELETE FROM invoice_item WHERE invoice_id = (" + newest + ")")
		d.Must(d.Services.Billing.DeleteInvoice(t.Context(), servicestest.As(admitto.BySystem, 0), d.Number(newest)))
		before = len(d.Post.Taken())
		d.Deliver()
		if m := d.Post.Taken()[before]; len(m.Attachments) != 0 {
			t.Error("a deleted invoice went along")
		}
	})
}

// TestLargestInvoice measures the mail of an invoice that has as much as may be said of one.
func TestLargestInvoice(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		in := billing.NewInvoice{Instructions: strings.Repeat("学", 4096), Smallprint: strings.Repeat("Σй", 2048)}
		for n := range admitto.MaxInvoiceItems {
			in.Items = append(in.Items, admitto.InvoiceItem{Item: fmt.Sprint(n, strings.Repeat(" Žluťoučký", 20)), Qty: 100,
				Price: 100})
		}
		if _, err := d.Services.Billing.IssueInvoice(t.Context(), servicestest.As(admitto.BySystem, 0),
			billing.Debtor{Application: 1}, in); err != nil {
			t.Fatal(err)
		}
		waiting := d.Number("SELECT max(length(sealed)) FROM outbox")
		var whole []byte
		d.Post.Will(func(_ context.Context, m *mail.Message) (err error) {
			sent := *m
			whole, err = sent.Bytes()
			return errors.Join(err)
		})
		d.Deliver()
		t.Logf("%d bytes wait, %d leave", waiting, len(whole))
		if waiting > 16<<10 || len(whole) < 20<<10 || len(whole) > 1<<20 {
			t.Errorf("%d bytes wait, %d leave", waiting, len(whole))
		}
	})
}
