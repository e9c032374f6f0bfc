package admintest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// issued issues an invoice over 80.00 EUR of a blocking series, and returns the address of its card.
func issued(d *servicestest.Desk) (card string, id int64) {
	d.Put("UPDATE invoice_series SET blocking = TRUE")
	made, err := d.Services.Billing.IssueInvoice(d.T.Context(), servicestest.As(admitto.BySystem, 0),
		billing.Debtor{Application: 1}, billing.NewInvoice{Items: []admitto.InvoiceItem{{Item: "Fee", Price: 80_00,
			Qty: 1_00}}})
	d.Must(err)
	return fmt.Sprintf("/admin/invoices/%d", made.ID), made.ID
}

// blocking reports whether an invoice stops the submission of the application.
func blocking(d *servicestest.Desk) bool {
	d.T.Helper()
	able, err := d.Services.Admissions.Chances(d.T.Context(), servicestest.As(admitto.ByAdministrator, 1), 1)
	d.Must(err)
	for _, chance := range able {
		if chance.Event == admitto.Submit && slices.ContainsFunc(chance.Faults,
			func(f admitto.Fault) bool { return f.Code == admitto.CodeInvoiceUnpaid }) {
			return true
		}
	}
	return false
}

// refused fails unless the page refused a form: it says all of the words in its summary, and has the typed value still.
func refused(t *testing.T, p *sitetest.Page, field, typed string, words ...string) {
	t.Helper()
	errors := strings.Join(p.Errors(), " | ")
	for _, w := range words {
		if p.Status != 422 || !strings.Contains(errors, w) {
			t.Errorf("%s: %d without %q: %s", p.Path, p.Status, w, errors)
		}
	}
	of := p.Find("[name=" + field + "]").First()
	if got := of.AttrOr("value", of.Text()); got != typed {
		t.Errorf("%s: %s is now %q", p.Path, field, got)
	}
}

// TestCollect collects a part and then the rest, refuses more than is open unless that is ticked, and takes a payment
// back: the invoice blocks, does not, and blocks again (screens.md A30, lifecycle.md 6.3).
func TestCollect(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		card, _ := issued(d)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		blocks := func() bool { return blocking(d) }
		began := len(d.Journal())
		form := staff.Open(card + "/collect")
		if form.Find("[name=amount]").AttrOr("value", "") != "80.00" || form.Find("[name=surplus]").Length() != 0 {
			t.Error(form.Text("main"))
		}
		p := form.Submit("Record payment", "amount", "30,00")
		if p.Path != card || !strings.Contains(p.Text(".notice"), "30.00 EUR was recorded") || !blocks() ||
			!strings.Contains(p.Text("main"), "Partly collected") {
			t.Fatalf("%d %s: %s", p.Status, p.Path, p.Text("main"))
		}
		p = staff.Open(card+"/collect").Submit("Record payment", "amount", "90")
		refused(t, p, "amount", "90", "Only 50.00 EUR of the invoice is due")
		if p.Find("[name=surplus]").Length() != 1 {
			t.Error("the tick for a surplus is not offered")
		}
		p = p.Submit("Record payment", "amount", "50.33", "surplus", "yes")
		if text := p.Text("main"); !strings.Contains(text, "0.33 EUR too much") || blocks() {
			t.Error(text)
		}
		d.WantSince(began, "Transaction was added: 1", "Invoice was partly collected", "Transaction was added: 2",
			"Invoice was collected")
		began = len(d.Journal())
		back := p.Find(`a[href$="/transactions/2/reverse"]`).AttrOr("href", "")
		form = staff.Open(back)
		refused(t, form.Submit("Take back", "amount", "50.34", "reason", "bounced"), "amount", "50.34",
			"Only 50.33 EUR of the payment is left")
		refused(t, form.Submit("Take back", "amount", "50.33"), "amount", "50.33", "reason")
		p = staff.Open(back).Submit("Take back", "amount", "20", "reason", "wrong invoice")
		if text := p.Text("main"); !strings.Contains(text, "20.00 EUR was taken back") || !blocks() ||
			!strings.Contains(text, "wrong invoice") || !strings.Contains(text, "Partly collected") {
			t.Error(text)
		}
		if text := staff.Open(back).Text("main"); !strings.Contains(text, "30.33 EUR") {
			t.Error(text)
		}
		d.WantSince(began, "Transaction was added: 3", "Invoice collection was reverted")
		refused(t, staff.Open(back).Submit("Take back", "amount", "30.34", "reason", "bounced"), "amount", "30.34",
			"Only 30.33 EUR")
		open := staff.Open(back) // as it is before all of it is taken back
		none := func(address, why string) {
			t.Helper()
			if p := staff.Open(address); !strings.Contains(p.Text("main .notice"), why) ||
				p.Find(`main form[method="post"]`).Length() != 0 || p.Find(`main .notice a[href^="/admin/"]`).Length() != 1 {
				t.Errorf("%s: %s", address, p.Text("main"))
			}
		}
		none(card+"/transactions/3/reverse", "takes a payment back already")
		for _, missing := range []string{"/transactions/9/reverse", "/transactions/x/reverse"} {
			if p := staff.Open(card + missing); p.Status != 404 {
				t.Errorf("%s: %d", missing, p.Status)
			}
		}
		if got := d.Lines("SELECT amount || '/' || coalesce(reverses, 0) FROM invoice_transaction ORDER BY id"); got != "3000/0 5033/0 -2000/2" {
			t.Error(got)
		}
		staff.Open(back).Submit("Take back", "amount", "30.33", "reason", "the rest")
		none(back, "All of this payment was taken back already")
		if p := open.Submit("Take back", "amount", "30.33", "reason", "again"); p.Status != 422 ||
			!strings.Contains(strings.Join(p.Errors(), " "), "Only 0.00 EUR of the payment is left") {
			t.Errorf("%d %v", p.Status, p.Errors())
		}
		d.Chained()
	})
}

// TestBadPayments types what is no payment: nothing is stored, and everything typed is there again.
func TestBadPayments(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		card, _ := issued(d)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for _, c := range []struct {
			amount, day, month, year string
			words                    string
		}{
			{"", "1", "3", "2026", "no amount"},
			{"0", "1", "3", "2026", "amount above 0.00"},
			{"-5", "1", "3", "2026", "amount above 0.00"},
			{"1,234.5.6", "1", "3", "2026", "no amount"},
			{"12.345,678", "1", "3", "2026", "no amount"},
			{"99999999999999999999", "1", "3", "2026", "at most 999999999.99"},
			{"eighty", "1", "3", "2026", "no amount"},
			{"80 USD", "1", "3", "2026", "in EUR, not in USD"},
			{"80", "31", "2", "2026", "no such day"},
			{"80", "10", "3", "2026", "in the future"},
			{"80.01", "1", "3", "2026", "Only 80.00 EUR"},
		} {
			p := staff.Open(card+"/collect").Submit("Record payment", "amount", c.amount, "day-day", c.day, "day-month", c.month,
				"day-year", c.year)
			refused(t, p, "amount", c.amount, c.words)
			if p.Find("[name=day-day]").AttrOr("value", "") != c.day {
				t.Errorf("%+v: the day is gone", c)
			}
		}
		for _, bad := range [][3]string{{"", "3", "2027"}, {"1", "1", "2020"}, {"31", "2", "2027"}} {
			p := staff.Open(card+"/edit").Submit("Save", "deadline-day", bad[0], "deadline-month", bad[1], "deadline-year",
				bad[2], "instructions", "Kept")
			refused(t, p, "instructions", "Kept")
			if p.Status != 422 {
				t.Errorf("%v: %d", bad, p.Status)
			}
		}
		p := staff.Open(card+"/edit").Submit("Save", "smallprint", strings.Repeat("x", 5000))
		refused(t, p, "smallprint", strings.Repeat("x", 5000), "4096")
		refused(t, staff.Open(card+"/waive").Submit("Waive the invoice", "reason", " "), "reason", " ", "reason")
		if d.Count("invoice_transaction") != 0 || d.Number("SELECT count(*) FROM invoice WHERE lapsed IS NOT NULL") != 0 ||
			d.Number("SELECT row_version FROM invoice") > 2 {
			t.Error("something was stored")
		}
	})
}

// TestChangeInvoice edits, sends, waives, revives and deletes an invoice, and says why not where that is not possible.
func TestChangeInvoice(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		card, id := issued(d)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		d.Deliver()
		began := len(d.Journal())
		p := staff.Open(card+"/edit").Submit("Save", "deadline-day", "30", "deadline-month", "4", "deadline-year", "2026",
			"instructions", "Name the number.", "reminder", "-")
		if text := p.Text("main"); !strings.Contains(text, "The invoice was changed.") || !strings.Contains(text,
			"30 April 2026") || !strings.Contains(text, "Name the number.") {
			t.Error(p.Errors(), text)
		}
		staff.Open(card + "/edit").Submit("Save")
		d.WantSince(began, "Invoice was edited")
		one, other := staff.Open(card+"/edit"), staff.Open(card+"/edit")
		one.Submit("Save", "smallprint", "Mine")
		if p := other.Submit("Save", "smallprint", "Theirs"); p.Status != 422 || !strings.Contains(p.Text("main"), "Mine") ||
			!strings.Contains(p.Text("main"), "Theirs") {
			t.Errorf("two editors: %d %s", p.Status, p.Text("main"))
		}

		d.Post.Will(nil)
		before := len(d.Post.Taken())
		p = staff.Open(card + "/send")
		if !strings.Contains(p.Text("main"), "It was delivered before") {
			t.Error(p.Text("main"))
		}
		for range 2 { // each press of another page is another mail
			staff.Open(card + "/send").Submit("Send the invoice")
			d.Clock.Add(admitto.Second)
		}
		if n := d.Deliver(); n != 2 || len(d.Post.Taken()[before].Attachments) != 1 {
			t.Errorf("%d mails", n)
		}

		// What became impossible since its page was shown is refused; opened now, the page says why.
		late := func(old *sitetest.Page, button, why string, fields ...string) {
			t.Helper()
			if p := old.Submit(button, fields...); p.Status != 422 {
				t.Errorf("%s: %d", old.Path, p.Status)
			}
			if p := staff.Open(old.Path); !strings.Contains(p.Text("main"), why) || p.Find("main form").Length() != 0 {
				t.Errorf("%s: %s", old.Path, p.Text("main"))
			}
		}
		if text := staff.Open(card + "/revive").Text("main"); !strings.Contains(text, "has not lapsed") {
			t.Error(text)
		}
		began = len(d.Journal())
		collect, waived := staff.Open(card+"/collect"), staff.Open(card+"/waive")
		p = staff.Open(card+"/waive").Submit("Waive the invoice", "reason", "hardship")
		if text := p.Text("main"); !strings.Contains(text, "The invoice was waived.") || !strings.Contains(text, "Lapsed") ||
			!strings.Contains(text, "hardship") || p.Find(`a[href$="/collect"]`).Length() != 0 ||
			!strings.Contains(text, "Revive it first.") {
			t.Error(p.Status, text)
		}
		if blocking(d) {
			t.Error("a waived invoice blocks")
		}
		late(collect, "Record payment", "Revive it first.", "amount", "1")
		late(waived, "Waive the invoice", "has lapsed already", "reason", "x")
		staff.Open(card + "/revive").Submit("Revive the invoice")
		d.WantSince(began, "Invoice was lapsed", "Invoice was revived")

		remove, waive := staff.Open(card+"/delete"), staff.Open(card+"/waive")
		staff.Open(card + "/collect").Submit("Record payment")
		p = staff.Open(card)
		for _, want := range []string{"There are payments on it", "The invoice is paid."} {
			if !strings.Contains(p.Text("main"), want) {
				t.Errorf("%q is not in %s", want, p.Text("main"))
			}
		}
		late(remove, "Delete the invoice", "There are payments on it")
		late(waive, "Waive the invoice", "The invoice is paid.", "reason", "x")
		second, secondID := issued(d)
		d.Put("UPDATE invoice_series SET permanent = TRUE")
		if text := staff.Open(second).Text("main"); !strings.Contains(text, "are kept for good") {
			t.Error(text)
		}
		d.Put("UPDATE invoice_series SET permanent = FALSE")
		p = staff.Open(second + "/delete").Submit("Delete the invoice")
		if p.Status != 200 || !strings.Contains(p.Text(".notice"), "stays void") || staff.Open(second).Status != 404 {
			t.Errorf("%d at %s: %s", p.Status, p.Path, p.Text("main"))
		}
		if n := d.Number("SELECT count(*) FROM invoice_number WHERE void AND invoice_id = $1", secondID); n != 1 {
			t.Error("the number is not void")
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.AccountingView))
		if p := few.Open(card); p.Find(`main a[href$="/edit"], main a[href*="/reverse"]`).Length() != 0 {
			t.Error("who may only look is offered to change")
		}
		if p := staff.Open(card + "/send"); !strings.Contains(p.Text("main"), "asks to pay it") ||
			p.Find("main form").Length() != 0 {
			t.Error(p.Text("main"))
		}
		d.Put(fmt.Sprintf("UPDATE invoice SET collected = NULL WHERE id = %d", id))
		send := staff.Open(card + "/send")
		d.Put(fmt.Sprintf("UPDATE invoice SET lapsed = 1 WHERE id = %d", id))
		late(send, "Send the invoice", "lapsed")
		d.Put(fmt.Sprintf("UPDATE invoice SET lapsed = NULL WHERE id = %d", id))
		d.Put(fmt.Sprintf("UPDATE invoice SET applicant_id = NULL, application_id = NULL WHERE id = %d", id))
		late(send, "Send the invoice", "not there any more")
		d.Chained()
	})
}

// TestCollectTogether lets several people collect the same invoice at once: together they never exceed the rest.
func TestCollectTogether(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		_, id := issued(d)
		i := sitetest.On(d)
		by := servicestest.As(admitto.ByAdministrator, i.Administrator("Mara Lind", everything...))
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				_, err := d.Services.Billing.CollectInvoice(context.WithoutCancel(t.Context()), by, id,
					billing.NewPayment{Amount: 30_00})
				if err != nil && admitto.KindOf(err) != admitto.NotAllowedNow {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got := d.Lines("SELECT paid FROM invoice"); got != "6000" {
			t.Errorf("paid are %s", got)
		}
	})
}

// TestAutomaticInvoice charges a fee: its mail has a document that it can be paid from, with the number, the amount,
// how to pay and the small print of the series.
func TestAutomaticInvoice(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		d.Put(`UPDATE invoice_series SET instructions = 'To IBAN DE02 1203 0000 0000 2020 51.', smallprint = 'No refund.', blocking = TRUE`,
			`INSERT INTO fee (id, name, type, automatic, causing, payment_days, all_courses) VALUES (1, 'Application fee', 'Appfee', 'application', 'submitted', 30, TRUE)`,
			`INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (1, '001', 'EUR', 8000, 'One-time')`)
		before := len(d.Post.Taken())
		d.Submit(servicestest.Ann(), "", "")
		d.Deliver()
		var sent []mail.Message
		for _, m := range d.Post.Taken()[before:] {
			if len(m.Attachments) == 1 && strings.HasPrefix(m.Attachments[0].Name, "Invoice-") {
				sent = append(sent, m)
			}
		}
		if len(sent) != 1 {
			t.Fatalf("%d mails", len(sent))
		}
		nr := d.Lines("SELECT nr FROM invoice")
		text := squeezed(pdftest.Text(t, sent[0].Attachments[0].Data))
		for _, want := range []string{"Invoice " + nr, "Total 80.00 EUR", "IBAN DE02 1203 0000 0000 2020 51", "No refund.",
			"8 April 2026"} {
			if !strings.Contains(text, squeezed(want)) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
	})
}
