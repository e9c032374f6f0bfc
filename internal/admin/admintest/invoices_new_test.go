package admintest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

const newInvoice = "/admin/invoices/new?application=1"

// The fields of two items that come to 3.30 + 12.50.
var twoItems = []string{"item-0", "Counsel", "qty-0", "0.33", "unit-0", "h", "price-0", "9.99", "item-1", "Copies",
	"price-1", "12,50"}

// over are the fields of two items with others in their place.
func over(fields ...string) (list []string) {
	for n := 0; n < len(twoItems); n += 2 {
		if !slices.Contains(fields, twoItems[n]) {
			list = append(list, twoItems[n], twoItems[n+1])
		}
	}
	return append(list, fields...)
}

// TestIssue issues an invoice: a number is taken by issuing alone, once however often the button is pressed, and what
// was shown before is what the invoice says.
func TestIssue(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		count := func() int64 { return d.Count("invoice") + d.Count("invoice_number") }
		form := staff.Open(newInvoice)
		if form.Status != 200 || form.Find(`.crumbs a[href="/admin/applications/1/invoices"]`).Length() != 1 ||
			form.Find("#f-payer").AttrOr("value", "") != "Ilse Varga" || form.Find("#f-currency").AttrOr("value", "") != "EUR" {
			t.Fatalf("%d %s", form.Status, form.Text("main"))
		}
		more := form.Submit("Add lines", twoItems...)
		if more.Find(`[name^="item-"]`).Length() != 5 || more.Find("#f-item-1").AttrOr("value", "") != "Copies" {
			t.Errorf("%d rows", more.Find(`[name^="item-"]`).Length())
		}
		check := more.Submit("Check", "instructions", "Name the number.\nThank you.", "reminder", "-")
		text := squeezed(check.Text("main"))
		for _, want := range []string{"Check the invoice", "Counsel 0.33 h 9.99 EUR 3.30 EUR", "Total 15.80 EUR",
			"Ilse Varga", "Name the number."} {
			if !strings.Contains(text, squeezed(want)) {
				t.Errorf("%q is not in %s", want, check.Text("main"))
			}
		}
		if strings.Contains(text, squeezed("is reminded")) {
			t.Error("a reminder is promised that was not wanted")
		}
		if back := check.Submit("Change"); back.Find("#f-qty-0").AttrOr("value", "") != "0.33" ||
			back.Text("#f-instructions") != "Name the number. Thank you." ||
			back.Find(`[name="reminder"]`).Is("[checked]") || !back.Find(`[name="send"]`).Is("[checked]") {
			t.Errorf("changing loses what was typed: %s", back.Body)
		}
		if count() != 0 {
			t.Fatal("a number is taken before the invoice is issued")
		}
		again := staff.Copied()
		typed := sitetest.Typed(check.Find("main form"))
		typed.Set("issue", "yes")
		first, second := staff.Do(http.MethodPost, newInvoice, typed), again.Do(http.MethodPost, newInvoice, typed)
		place := fmt.Sprintf("/admin/invoices/%d", d.Number("SELECT max(id) FROM invoice"))
		if first.Header.Get("Location") != place || second.Header.Get("Location") != place || count() != 2 {
			t.Fatalf("%s and %s, %d", first.Header.Get("Location"), second.Header.Get("Location"), count())
		}
		page := staff.Follow(first)
		if !strings.Contains(page.Text("main"), "Invoice "+d.Lines("SELECT nr FROM invoice")+" was issued.") ||
			!strings.Contains(squeezed(page.Text("main")), squeezed("Total 15.80 EUR")) {
			t.Error(page.Text("main"))
		}
		if n := d.Number("SELECT count(*) FROM invoice WHERE reminder OR email_id IS NULL OR total <> 1580"); n != 0 {
			t.Error(d.Lines("SELECT total FROM invoice"), d.Lines("SELECT email_id FROM invoice"))
		}
		if tab := staff.Open("/admin/applications/1/history"); !strings.Contains(tab.Text(".timeline li:first-child"),
			"Invoice was issued") ||
			!strings.Contains(tab.Text(".timeline li:first-child"), "Mara Lind") {
			t.Error(tab.Text(".timeline li:first-child"))
		}
		staff.Open(newInvoice).Submit("Check", "item-0", "Nothing", "price-0", "0", "send", "-").Submit("Issue invoice")
		if d.Lines("SELECT nr FROM invoice WHERE collected IS NOT NULL AND email_id IS NULL") == "" {
			t.Error("a total of nothing is not collected, or was mailed")
		}
		if p := staff.Open("/admin/invoices/new?application=99"); p.Status != 404 {
			t.Errorf("an application that is gone: %d", p.Status)
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.AccountingView))
		if p := few.Open("/admin/applications/1/invoices"); p.Status != 200 ||
			p.Find(`a[href^="/admin/invoices/new"]`).Length() != 0 ||
			few.Do(http.MethodPost, newInvoice, typed).Status != 403 {
			t.Error("who only reads invoices may issue them")
		}
		keeper := i.Staff(i.Administrator("Ida Moen", admitto.AccountingView, admitto.AccountingEdit))
		if p := keeper.Open(newInvoice).Submit("Check", twoItems...).Submit("Issue invoice"); !strings.HasPrefix(p.Text("h1"),
			"Invoice ") {
			t.Errorf("%d %s", p.Status, p.Text("main"))
		}
	})
}

// TestBadInvoices refuses what cannot be issued, at its field, with everything that was typed.
func TestBadInvoices(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		form := staff.Open(newInvoice)
		for field, values := range map[string][]string{
			"item-0": {"", strings.Repeat("x", 256)}, "price-0": {"", "x", "1.234", "1,234", "1.000,00", "1000000", "-1000000",
				"1e3", "99999999999999999999"},
			"qty-0": {"0", "-1", "0.001", "100000", "one"}, "unit-0": {strings.Repeat("x", 33)},
			"payer": {"", " ", strings.Repeat("x", 256)}, "email": {"nobody", "a@b", sitetest.Hostile},
			"currency":      {"", "EURO", "XYZ", "€"},
			"deadline-year": {"1999", "x", "20260"}, "deadline-month": {"13", "0"}, "instructions": {strings.Repeat("x", 4097)},
			"smallprint": {strings.Repeat("y", 4097)}, "series": {"99", "x", "-1"},
		} {
			for _, value := range values {
				p := form.Submit("Check", over(field, value)...)
				id := "#f-" + strings.NewReplacer("-year", "", "-month", "").Replace(field)
				sitetest.Harmless(t, p)
				if p.Status != 422 || len(p.Errors()) != 1 || p.Find(id+"-error").Length() != 1 ||
					p.Find("#f-item-1").AttrOr("value", "") != "Copies" {
					t.Errorf("%s %.40q: %d %q", field, value, p.Status, p.Errors())
				}
			}
		}
		for name, fields := range map[string][]string{
			"nothing":      {},
			"negative":     {"item-0", "Credit", "price-0", "-1"},
			"above":        {"item-0", "Much", "price-0", "999999.99", "qty-0", "99999.99"},
			"too many":     tooMany(),
			"a lone price": {"price-2", "1.00"},
		} {
			if p := form.Submit("Check", fields...); p.Status != 422 || len(p.Errors()) != 1 {
				t.Errorf("%s: %d %q", name, p.Status, p.Errors())
			}
		}
		for price, says := range map[string]string{"": "Write an amount, such as 12.50.", "99999999999999": "from",
			"-99999999999.5": "from", "abc": "is not a number",
			"1,234.50": `"1,234.50" is not a number`, "12,345": `"12,345"`} {
			if p := form.Submit("Check", over("price-0", price)...); p.Status != 422 || len(p.Errors()) != 1 ||
				!strings.Contains(p.Errors()[0], says) || p.Find("#f-price-0").AttrOr("value", "") != price {
				t.Errorf("%q: %d %q", price, p.Status, p.Errors())
			}
		}
		p := form.Submit("Check", over("deadline-day", "1", "deadline-month", "1", "deadline-year", "2020",
			"price-0", "x", "payer", "")...)
		if len(p.Errors()) != 3 {
			t.Errorf("not everything is said at once: %q", p.Errors())
		}
		hostile := over("item-0", sitetest.Hostile, "payer", sitetest.Hostile, "instructions", sitetest.Hostile, "unit-0",
			"<b>")
		check := form.Submit("Check", hostile...)
		sitetest.Harmless(t, check)
		sitetest.Harmless(t, check.Submit("Change"))
		d.Put("UPDATE invoice_series SET is_default = FALSE", "DELETE FROM fee", "DELETE FROM invoice_series")
		if p := check.Submit("Issue invoice"); p.Status != 422 || p.Find("#f-series-error").Length() != 1 {
			t.Errorf("without series: %d %q", p.Status, p.Errors())
		}
		if d.Count("invoice")+d.Count("invoice_number") != 0 {
			t.Error("something was issued")
		}
	})
}

// tooMany are the fields of one item more than an invoice may have.
func tooMany() (fields []string) {
	for n := range admitto.MaxInvoiceItems + 1 {
		fields = append(fields, fmt.Sprint("item-", n), "Copy", fmt.Sprint("price-", n), "1")
	}
	return fields
}

// TestIssueInBrowser issues an invoice without a mouse, with scripts and without, and discards one before.
func TestIssueInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	page := uitest.Page{Name: "invoice-new", Path: fmt.Sprintf("/admin/applications/%d/invoices", id),
		Cookie: i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))}
	b := uitest.Open(t, i)
	for _, scripts := range []bool{true, false} {
		before := i.Count("invoice")
		tab := b.Tab(t, page, scripts)
		fill := func() {
			tab.Reach(`a[href^="/admin/invoices/new"]`)
			tab.Enter()
			tab.Find("#f-item-0")
			tab.Reach("#f-item-0")
			tab.Write("Counsel")
			tab.Reach("#f-price-0")
			tab.Write("9.99")
			tab.Reach("#f-qty-0")
			tab.Write("0.33")
			tab.Reach(`button[name="check"]`)
			tab.Enter()
			tab.Wait("h1", "Check the invoice")
			if text := tab.Text("main"); !strings.Contains(text, "3.30 EUR") {
				t.Error(text)
			}
		}
		fill()
		tab.Reach(`a[href$="/invoices"].btn`)
		tab.Enter()
		tab.Find(`a[href^="/admin/invoices/new"]`)
		if i.Count("invoice") != before {
			t.Error("a discarded invoice was issued")
		}
		fill()
		tab.Reach(`button[name="issue"]`)
		tab.Enter()
		tab.Find(`a[href$="/pdf"]`)
		if i.Count("invoice") != before+1 {
			t.Error("not one invoice was issued")
		}
	}
}

// TestNowhereToBelong shows no link to a page that there is not: above the form without an application, above what the
// reader may not open, and above an invoice that is gone.
func TestNowhereToBelong(t *testing.T) {
	t.Parallel()
	i := sitetest.Filled(t)
	id := i.Number("SELECT max(id) FROM application WHERE visible")
	staff := i.Staff(i.Superuser("Mara Lind"))
	few := i.Staff(i.Administrator("Kofi Haugen", admitto.ApplicationsView, admitto.AccountingView))
	for _, c := range []struct {
		by   *sitetest.Visitor
		path string
		want int
	}{{staff, "/admin/invoices/new", 200}, {staff, "/admin/invoices/new?application=x", 200},
		{staff, "/admin/invoices/987654", 404}, {staff, "/admin/messages/new", 200},
		{few, fmt.Sprint("/admin/invoices/new?application=", id), 403},
		{few, fmt.Sprint("/admin/messages/new?application=", id), 403}} {
		page := c.by.Open(c.path)
		if page.Status != c.want {
			t.Errorf("%s is answered with %d", c.path, page.Status)
		}
		for _, a := range page.Find("main a[href]").EachIter() {
			if to := c.by.Open(a.AttrOr("href", "")); to.Status != 200 || strings.Contains(a.AttrOr("href", ""), "//") ||
				strings.Contains(a.Text(), "action.") {
				t.Errorf("%s leads by %q to %s: %d", c.path, a.Text(), a.AttrOr("href", ""), to.Status)
			}
		}
	}
	if text := staff.Open("/admin/invoices/new").Text("main"); !strings.Contains(text, "Whose invoice?") {
		t.Error(text)
	}
}

// TestPagesOfNewInvoices looks at the form and at what is shown before an invoice is issued.
func TestPagesOfNewInvoices(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	id := i.Number("SELECT max(id) FROM application WHERE visible AND status = 'Submitted'")
	uitest.Check(t, i, uitest.Page{Name: "invoice-new", Path: fmt.Sprintf("/admin/invoices/new?application=%d", id),
		Cookie: staff})
}
