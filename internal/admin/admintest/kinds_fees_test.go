package admintest

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestFees makes a fee, asks who pays what, lets it issue an invoice with the reduction of a tracker, and changes it
// (screens.md A33).
func TestFees(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		v := i.Staff(i.Superuser("Hana Yildiz"))
		began := len(i.Journal())
		if text := v.Open("/admin/fees").Text("main"); !strings.Contains(text, "There are no fees") {
			t.Error(text)
		}
		page := v.Open("/admin/fees/new").Submit("Add fee", "name", "Application fee", "amount-0", "100", "territory-1", "EU",
			"amount-1", "1.050,50", "currency-1", "eur", "territory-2", "HU", "amount-2", "40 EUR", "automatic", "application",
			"cause", "submitted", "days", "30")
		if page.Path != "/admin/fees/1" || !strings.Contains(page.Text(".notice"), "was saved") {
			t.Fatal(page.Path, page.Errors())
		}
		for country, want := range map[string]string{"HU": "40.00 EUR", "DE": "1,050.50 EUR", "US": "100.00 EUR"} {
			if text := v.Open("/admin/fees/1?country=" + country).Text("main"); !strings.Contains(
				strings.ReplaceAll(text, "\u00a0", " "), want+"Basis") {
				t.Errorf("%s: %s", country, text)
			}
		}
		for _, amount := range []string{"-1", "12345678901"} { // nothing is a price, too
			page = v.Open("/admin/fees/1").Submit("Save", "amount-0", amount)
			if errors := strings.Join(page.Errors(), " "); !strings.Contains(errors, "Write a price from 0.00 to ") ||
				strings.Contains(errors, "above 0") {
				t.Error(errors)
			}
		}
		page = v.Open("/admin/fees/1").Submit("Save", "territory-0", "", "amount-0", "")
		if text := v.Open("/admin/fees/1?country=US").Text("main"); !strings.Contains(text, "Nobody with the citizenship") {
			t.Error(page.Errors(), text)
		}
		for _, name := range []string{"Application fee", "2 territories"} {
			if text := v.Open("/admin/fees").Text("table"); !strings.Contains(text, name) {
				t.Error(text)
			}
		}
		d.WantSince(began, "Fee was created: 1", "Fee was edited: 1")
		if n := i.Number("SELECT row_version FROM fee"); n != 2 {
			t.Errorf("row version %d", n)
		}
		d.Put("INSERT INTO tracker (id, created, code, code_key, percent, amount, currency) VALUES (1, 1, 'TEN', 'ten', 1000, NULL, '')",
			"INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES (1, 1, 1)")
		d.Submit(servicestest.Ann(), "", "")
		if got := i.Lines("SELECT item || '=' || price FROM invoice_item ORDER BY n"); strings.ReplaceAll(got, " ", "_") !=
			"Application_fee=4000_Reduction_TEN=-400" {
			t.Error(got)
		}
		if got := i.Lines("SELECT total || '/' || deadline FROM invoice"); got != "3600/2026-04-08" {
			t.Error(got)
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.AccountingView))
		if p := few.Open("/admin/fees"); p.Status != 403 {
			t.Error(p.Status)
		}
	})
}

// TestBadFees types what is no fee: nothing is stored, and it is there again.
func TestBadFees(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		i := sitetest.On(d)
		v := i.Staff(i.Superuser("Hana Yildiz"))
		for _, c := range []struct {
			words  string
			fields []string
		}{
			{"Fill this in", []string{"name", " ", "amount-0", "1"}},
			{"Type an amount", []string{"name", "X"}},
			{"no amount", []string{"name", "X", "amount-0", "much"}},
			{"price", []string{"name", "X", "amount-0", "-1"}},
			{"price from 0.00", []string{"name", "X", "amount-0", "1000000"}},
			{"at least one amount", []string{"name", "X", "territory-0", ""}},
			{"stands in two lines", []string{"name", "X", "amount-0", "1", "territory-1", "001", "amount-1", "2",
				"currency-1", "EUR"}},
			{"Choose for whom this line holds", []string{"name", "X", "amount-0", "1", "amount-1", "2"}},
			{"code of a currency", []string{"name", "X", "amount-0", "1", "currency-0", "XXY"}},
			{"Fill this in", []string{"name", "X", "amount-0", "1", "currency-0", ""}},
			{"from 0 to 365", []string{"name", "X", "amount-0", "1", "days", "400"}},
			{"at least one course", []string{"name", "X", "amount-0", "1", "scope", "listed"}},
		} {
			p := v.Open("/admin/fees/new").Submit("Add fee", c.fields...)
			if errors := strings.Join(p.Errors(), " "); p.Status != 422 || !strings.Contains(errors, c.words) {
				t.Errorf("%v: %d %s", c.fields, p.Status, errors)
			}
			if got := p.Find("[name=name]").AttrOr("value", ""); got != c.fields[1] {
				t.Errorf("%v: the name is %q", c.fields, got)
			}
		}
		if n := i.Count("fee"); n != 0 {
			t.Errorf("%d fees", n)
		}
	})
}

// TestSeriesWords gives a series words that its new invoices take, and shows the number of a deleted invoice as void.
func TestSeriesWords(t *testing.T) {
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		i := sitetest.On(d)
		v := i.Staff(i.Superuser("Hana Yildiz"))
		v.Open("/admin/series/1").Submit("Save", "instructions", "To IBAN DE02.", "smallprint", "No refund.")
		issue := func(fields ...string) {
			fields = append(fields, "item-0", "Fee", "price-0", "80")
			v.Open("/admin/invoices/new?application=1").Submit("Check", fields...).Submit("Issue invoice")
		}
		issue()
		issue("instructions", "In cash.")
		if got := i.Lines("SELECT instructions || '|' || smallprint FROM invoice ORDER BY id"); got != "To IBAN DE02.|No refund. In cash.|No refund." {
			t.Error(got)
		}
		v.Open("/admin/invoices/2/delete").Submit("Delete the invoice")
		page := v.Open("/admin/series/1/numbers")
		if text := page.Text("table"); !strings.Contains(text, "Given") || !strings.Contains(text, "Void") ||
			page.Find(`table a[href^="/admin/invoices/"]`).Length() != 1 {
			t.Error(text)
		}
		if rows := v.Open("/admin/series/1/numbers?void=yes").Find("tbody tr"); rows.Length() != 1 ||
			!strings.Contains(rows.Text(), "Void") {
			t.Error(rows.Text())
		}
		if p := v.Open("/admin/series/99/numbers"); p.Status != 404 {
			t.Error(p.Status)
		}
		if p := v.Open("/admin/series/1").Submit("Save", "smallprint", strings.Repeat("x", 5000)); p.Status != 422 {
			t.Error(p.Status)
		}
	})
}
