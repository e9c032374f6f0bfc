package portal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestMessages reads mails, of which the frame counts those that are new; who looks as the applicant reads none for
// them (screens.md P20).
func TestMessages(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own := signedIn(t, i, "ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id),
			fmt.Sprintf("DELETE FROM email WHERE applicant_id = %d", id))
		for n := range 60 {
			i.Put(fmt.Sprintf("INSERT INTO email (id, applicant_id, inserted, failed, from_name, from_email, subject, message) "+
				"VALUES (%d, %d, 1772000000000000, %d, 'A', 'a@example.org', 'Message %d', 'Text %d')", 9001+n, id,
				1+n, n, n))
		}
		unread := func(page *sitetest.Page) (listed int, counted string) {
			t.Helper()
			return page.Find("main .kv .tag").Length(), page.Text("header nav")
		}
		page := own.Open("/my/messages")
		if n, nav := unread(page); n != 50 || !strings.Contains(nav, "Messages (60)") ||
			!strings.Contains(page.Text("main"), "Message 59") || strings.Contains(page.Text("main"), "Message 9 ") {
			t.Errorf("%d, %s", n, nav)
		}
		if n, _ := unread(own.Open("/my/messages?page=2")); n != 10 {
			t.Errorf("%d on the second page", n)
		}
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AllPermissions().List()...))
		staff.Open(fmt.Sprintf("/admin/applicants/%d/look", id)).Submit("View as applicant")
		want(t, staff.Open("/my/messages/9060"), "/my/messages/9060", "Text 59")
		if i.Number("SELECT count(*) FROM email WHERE read_at IS NOT NULL") != 0 {
			t.Error("staff read a message for the applicant")
		}
		want(t, own.Open("/my/messages/9060"), "/my/messages/9060", "Text 59") // it was never delivered
		i.Put("INSERT INTO email_attachment (id, email_id, uploaded, name, mime, size, hash) VALUES (9, 9060, 1, 'Invoice-1.pdf', 'application/pdf', 2048, '')")
		if text := own.Open("/my/messages/9060").Text("main"); !strings.Contains(text, "Invoice-1.pdf2 KB") {
			t.Error(text)
		}
		if n, nav := unread(own.Open("/my/messages")); n != 49 || !strings.Contains(nav, "Messages (59)") {
			t.Errorf("%d, %s after one was read", n, nav)
		}
		i.Put(fmt.Sprintf("UPDATE email SET read_at = 1 WHERE applicant_id = %d", id))
		if n, nav := unread(own.Open("/my/messages")); n != 0 || strings.Contains(nav, "(") {
			t.Errorf("%d, %s after all were read", n, nav)
		}
	})
}

// TestFormattedMessage shows a message with the formatting of the mail, to the applicant and to staff, and none of its
// secrets; what was not made by the service is text (screens.md P20).
func TestFormattedMessage(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Put("UPDATE consent SET type = 'Voluntary'")
		id, token := i.Registered("ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT', given = '<b>*Ilse*' WHERE id = %d", id))
		own, staff := i.Applicant(id), i.Staff(i.Superuser("Hana Yildiz"))
		staff.Open(fmt.Sprintf("/admin/messages/new?applicant=%d", id)).Submit("Check and send", "subject", "Your day",
			"text", "h2. Programme\n\nHello %applicant-GivenName%, be there *at nine*.\n\n* Bring your _passport_\n"+
				"* Read \"the map\":https://example.org/map\n\nAsk day@example.org.").Submit("Send the message")
		last := i.Number("SELECT max(id) FROM email")
		for _, page := range []*sitetest.Page{own.Open(fmt.Sprintf("/my/messages/%d", last)),
			staff.Open(fmt.Sprintf("/admin/applicants/%d/emails/%d", id, last))} {
			letter := page.Find("main article")
			for selector, want := range map[string]string{"h3": "Programme", "b": "at nine", "i": "passport",
				"li:nth-child(2) a[href='https://example.org/map']": "the map",
				"a[href='mailto:day@example.org']":                  "day@example.org"} {
				if got := letter.Find(selector).Text(); got != want {
					t.Errorf("%s: %q in %s", page.Path, got, selector)
				}
			}
			if letter.Find("script, b:contains(Ilse)").Length() != 0 ||
				!strings.Contains(letter.Text(), "Hello <b>*Ilse*, be there") {
				t.Errorf("%s: %s", page.Path, letter.Text())
			}
		}
		first := fmt.Sprintf("/my/messages/%d", i.Number("SELECT min(id) FROM email"))
		page := own.Open(first)
		if text := page.Text("main article"); page.Find("main article a").Length() == 0 ||
			!strings.Contains(text, "(secret removed)") || strings.Contains(text, "((") {
			t.Error("the welcome is not formatted: ", page.Text("main"))
		}
		if strings.Contains(page.Body, token) || i.Number("SELECT count(*) FROM email WHERE html LIKE '%/sign-in/link/%'") != 0 {
			t.Error("the link to sign in is kept")
		}
		// A mail keeps its language on a page in another one; what stands for a secret is in that of the mail.
		own.Lang = "ar"
		page = own.Open(first)
		if page.Find("h1 [lang=en], h1[lang=en]").Length() != 1 ||
			!strings.Contains(page.Text("main article"), "(secret removed)") ||
			own.Open("/my/messages").Find("dt [lang=en] a[href='"+first+"']").Length() != 1 {
			t.Error("an English mail on an Arabic page: ", page.Body)
		}
		i.Put("UPDATE email SET html = replace(html, '<html lang=\"en\"', '<html lang=\"ar\"')")
		if page = own.Open(first); page.Find("h1 [lang], h1[lang]").Length() != 0 ||
			!strings.Contains(page.Text("main article"), "(حُذفت معلومة سرّية)") ||
			strings.Contains(page.Body, "secret removed") {
			t.Error("an Arabic mail: ", page.Text("main"))
		}
		// So does one that looks the same as text.
		i.Put(fmt.Sprintf("UPDATE applicant SET language = 'en' WHERE id = %d", id))
		staff.Open(fmt.Sprintf("/admin/messages/new?applicant=%d", id)).Submit("Check and send", "subject", "Tomorrow",
			"text", "Come at nine.").Submit("Send the message")
		plain := i.Number("SELECT max(id) FROM email")
		i.Put(fmt.Sprintf("UPDATE applicant SET language = 'ar' WHERE id = %d", id))
		page = own.Open(fmt.Sprintf("/my/messages/%d", plain))
		if page.Find("main .prose[lang=en]").Length() != 1 || page.Find("h1 [lang=en], h1[lang=en]").Length() != 1 {
			t.Error("nobody says that it is English: ", page.Body)
		}
		i.Put(fmt.Sprintf("UPDATE applicant SET language = 'en' WHERE id = %d", id))
		own.Lang = "en"
		// One of an earlier release has its text alone, and nothing foreign reaches the page.
		for _, html := range []string{"", "<p>x</p><script>alert(1)</script>", "<!DOCTYPE html>\n<html lang=\"en\">\n" +
			"<body>\n<p onclick=\"x\">x</p>\n</body>\n</html>\n"} {
			i.Put(fmt.Sprintf("UPDATE email SET message = 'Only *text*', html = '%s' WHERE id = %d", html, last))
			page := own.Open(fmt.Sprintf("/my/messages/%d", last))
			want(t, page, page.Path, "Only *text*")
			if strings.Contains(page.Body, "onclick") || strings.Contains(page.Body, "alert(1)") {
				t.Error(page.Body)
			}
		}
	})
}

// TestInvoiceList says what each invoice is for, and of one that is paid in part how much is (screens.md P19).
func TestInvoiceList(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own := signedIn(t, i, "ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id),
			"INSERT INTO invoice_series (id, name, format) VALUES (901, 'Fees', '{n}')",
			fmt.Sprintf("INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, paid, payer_name) "+
				"VALUES (901, 'Invoice', 'F-901', 901, %d, 1, '2099-06-01', 'EUR', 15000, 10500, 'Ilse')", id),
			"INSERT INTO invoice_item (invoice_id, n, item, price, qty) VALUES (901, 1, 'Application fee', 15000, 100)")
		text := own.Open("/my/invoices").Text("main")
		for _, words := range []string{"F-901: Application fee", "105.00 EUR of 150.00 EUR paid, 45.00 EUR still open",
			"1 June 2099",
			"Paid in part"} {
			if !strings.Contains(text, words) {
				t.Errorf("no %q in %s", words, text)
			}
		}
		// How to pay and what is paid back is there before one pays; without instructions somebody can be asked.
		page := own.Open("/my/invoices/901")
		want(t, page, "/my/invoices/901", "Give the number F-901 with your payment.")
		if page.Find("main a[href='/help?about=invoice&id=901']").Length() != 1 {
			t.Error("nobody can be asked how to pay: ", page.Text("main"))
		}
		paper := func() string { return pdftest.Text(t, []byte(own.Open("/my/invoices/901/pdf").Body)) }
		if text := paper(); !strings.Contains(text, "does not say how to pay it. Write to us") {
			t.Error("the paper does not say what the page says: ", text)
		}
		want(t, own.Open("/help?about=invoice&id=901"), "/help", "An invoice F-901")
		want(t, own.Open("/help?about=invoice&id=902"), "/help", "An invoice 902")
		i.Put("UPDATE invoice SET instructions = 'Pay into account 12.', smallprint = 'Fees are paid back until 1 August.'")
		page = own.Open("/my/invoices/901")
		want(t, page, "/my/invoices/901", "Pay into account 12.")
		want(t, page, "/my/invoices/901", "Terms and refundsFees are paid back until 1 August.")
		if page.Find("main a[href^='/help']").Length() != 0 {
			t.Error(page.Text("main"))
		}
		if text := paper(); !strings.Contains(text, "How to pay Pay into account 12.") ||
			strings.Contains(text, "Write to us") {
			t.Error(text)
		}
		// Each payment and what was taken back of it, with its day; what is paid is due on none (lifecycle.md 12.3).
		i.Put("INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected) VALUES (901, 901, 10500, 1, '2099-05-02')",
			"INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected, reverses) VALUES (902, 901, -500, 1, '2099-05-03', 901)")
		page = own.Open("/my/invoices/901")
		want(t, page, "/my/invoices/901", "Received on 2 May 2099105.00 EUR")
		want(t, page, "/my/invoices/901", "Taken back on 3 May 2099−5.00 EUR")
		want(t, page, "/my/invoices/901", "Pay by")
		i.Put("UPDATE invoice SET paid = 15000, collected = 1 WHERE id = 901")
		if text := own.Open("/my/invoices/901").Text("main"); strings.Contains(text, "Pay by") {
			t.Error("it is paid:", text)
		}
	})
}

// TestPaidOfDiscarded says of a fee that was paid for an application that was discarded since that it is not carried
// over: before the discarding, and on the invoice of the new application (lifecycle.md 6.4).
func TestPaidOfDiscarded(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		id, own := atWork(t, i, "twice@example.org")
		fee := func(invoice, application int64) {
			i.Put(fmt.Sprintf("INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, fee_id, issued, deadline, currency, total, payer_name) "+
				"SELECT %d, 'Invoice', 'F-%d', (SELECT min(id) FROM invoice_series), applicant_id, id, 71, 1, '2099-06-01', 'EUR', 1500, 'Ilse' FROM application WHERE id = %d",
				invoice, invoice, application))
		}
		fee(901, id)
		discard := fmt.Sprintf("/my/applications/%d/withdraw", id)
		const lost = "What you have paid for it is not carried over"
		if text := own.Open(discard).Text("main"); strings.Contains(text, lost) {
			t.Error("nothing was paid: ", text)
		}
		i.Put("UPDATE invoice SET paid = 1500, collected = 1")
		page := own.Open(discard)
		want(t, page, discard, lost)
		page.Submit("Discard application")
		began := own.Open("/my/apply/71/71").Submit("Add to my application")
		again := i.Number("SELECT max(id) FROM application")
		if again == id {
			t.Fatal(began.Path, began.Text("main"))
		}
		fee(902, again)
		want(t, own.Open("/my/invoices/902"), "/my/invoices/902", fmt.Sprintf(
			"You have paid invoice F-901 of application %d, which is closed.", id))
	})
}

// TestPaidInvoice shows at once what staff have collected, and to nobody the secrets of a mail (screens.md P19, P20).
func TestPaidInvoice(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
		i.Put("UPDATE consent SET type = 'Voluntary'")
		id, token := i.Registered("ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id),
			"INSERT INTO invoice_series (id, name, format, blocking) VALUES (901, 'Fees', '{n}', TRUE)",
			fmt.Sprintf("INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name) "+
				"VALUES (901, 'Invoice', 'F-901', 901, %d, 1, '2099-06-01', 'EUR', 15000, 'Ilse')", id),
			"INSERT INTO invoice_item (invoice_id, n, item, price, qty) VALUES (901, 1, 'Application fee', 15000, 100)")
		own := i.Applicant(id)
		page := own.Open("/my/invoices/901")
		want(t, page, "/my/invoices/901", "To be paid")
		want(t, page, "/my/invoices/901", "You can submit your application after this is paid.")
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		collected := staff.Open("/admin/invoices/901/collect").Submit("Record payment", "amount", "150.00")
		if len(collected.Errors()) != 0 {
			t.Fatal(collected.Errors())
		}
		page = own.Open("/my/invoices/901")
		want(t, page, "/my/invoices/901", "Paid")
		if strings.Contains(page.Text("main"), "You can submit") || strings.Contains(page.Text("main"), "How to pay") {
			t.Error("paid, and still asked for: ", page.Text("main"))
		}
		welcome := fmt.Sprintf("/my/messages/%d", i.Number("SELECT min(id) FROM email"))
		page = own.Open(welcome)
		want(t, page, welcome, "(secret removed)")
		if strings.Contains(page.Body, token) || strings.Contains(page.Body, "/sign-in/link/") {
			t.Error("the link to sign in is shown: ", page.Text("main"))
		}
	})
}
