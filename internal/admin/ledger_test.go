package admin_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// putInvoices stores an invoice of each state and mark on the desk, whose day is 9 March 2026.
func putInvoices(d *servicestest.Desk) {
	d.Money(2)
	d.Put(`INSERT INTO invoice_series (id, name, format) VALUES (7, 'Tuition', 'T%inc%')`,
		`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, paid, collected, lapsed, reminded, delivered, payer_name) VALUES
		(1, 'Invoice', 'N1', 1, 1, 1, 1772000000000000, '2026-03-20', 'EUR', 10010, 0, NULL, NULL, NULL, NULL, '=SUM(A1)'),
		(2, 'Invoice', 'N2', 1, 1, 1, 1772000000000001, '2026-03-20', 'EUR', 20020, 0, NULL, NULL, NULL, 1772000000000009, 'B'),
		(3, 'Invoice', 'N3', 1, 1, 1, 1772000000000002, '2026-03-20', 'EUR', 1, 0, NULL, NULL, 1772000000000009, 1772000000000009, 'C'),
		(4, 'Invoice', 'N4', 7, 1, 2, 1772000000000003, '2026-03-08', 'EUR', 40000, 1, NULL, NULL, NULL, NULL, 'D'),
		(5, 'Invoice', 'N5', 7, 1, 2, 1772000000000004, '2026-03-09', 'EUR', 50000, 2, NULL, NULL, NULL, NULL, 'E'),
		(6, 'Invoice', 'N6', 7, NULL, NULL, 1772000000000005, '2026-03-20', 'HUF', 60000, 60000, 1772100000000000, NULL, NULL, NULL, 'F'),
		(7, 'Invoice', 'N7', 1, 1, 1, 1760000000000000, '2025-11-20', 'EUR', 70000, 0, NULL, 1772100000000000, NULL, NULL, 'G'),
		(8, 'Invoice', 'N8', 7, 1, 1, 1760000000000000, '2025-11-20', 'EUR', 80000, 80033, 1760100000000000, NULL, NULL, NULL, 'H')`,
		`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected) VALUES (1, 4, 1, 1772000000000000, '2026-02-25'), (2, 5, 2, 1772000000000000, '2026-02-26'),
		(3, 6, 60000, 1772100000000000, '2026-02-26'), (4, 8, 80033, 1760100000000000, '2025-10-10')`)
}

// spaced is a row of a table with space between its cells.
func spaced(row *goquery.Selection) string {
	var cells []string
	for _, cell := range row.Find("td").EachIter() {
		cells = append(cells, strings.TrimSpace(cell.Text()))
	}
	return strings.ReplaceAll(strings.Join(cells, " "), "\u00a0", " ")
}

// numbersOf are the numbers of a list of invoices, in its order.
func numbersOf(p *sitetest.Page) string {
	var list []string
	for _, a := range p.Find(`table a[href^="/admin/invoices/"]`).EachIter() {
		list = append(list, a.Text())
	}
	return strings.Join(list, " ")
}

// TestInvoices reaches each state once, filters by everything, and compares the sums with the rows, to the cent
// (screens.md A29).
func TestInvoices(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		putInvoices(d)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AccountingView))
		for _, c := range []struct{ query, numbers, sums string }{
			{"", "N8 N7 N6 N5 N4 N3 N2 N1",
				"EUR 7 2,700.31 EUR 800.36 EUR 1,200.28 EUR; HUF 1 600.00 HUF 600.00 HUF 0.00 HUF"},
			{"?order=up", "N1 N2 N3 N4 N5 N6 N7 N8", ""},
			{"?state=not-delivered", "N1", "EUR 1 100.10 EUR 0.00 EUR 100.10 EUR"},
			{"?state=delivered", "N2", ""},
			{"?state=reminded", "N3", "EUR 1 0.01 EUR 0.00 EUR 0.01 EUR"},
			{"?state=overdue", "N4", "EUR 1 400.00 EUR 0.01 EUR 399.99 EUR"},
			{"?mark=overdue", "N4", "EUR 1 400.00 EUR 0.01 EUR 399.99 EUR"},
			{"?state=partly-collected", "N5", "EUR 1 500.00 EUR 0.02 EUR 499.98 EUR"},
			{"?state=collected", "N8 N6", "EUR 1 800.00 EUR 800.33 EUR 0.00 EUR; HUF 1 600.00 HUF 600.00 HUF 0.00 HUF"},
			{"?state=lapsed", "N7", "EUR 1 700.00 EUR 0.00 EUR 0.00 EUR"},
			{"?state=lapsed&state=collected", "N8 N7 N6", ""},
			{"?state=overdue&state=reminded", "N4 N3", ""},
			{"?mark=detached", "N6", "HUF 1 600.00 HUF 600.00 HUF 0.00 HUF"},
			{"?mark=surplus", "N8", "EUR 1 800.00 EUR 800.33 EUR 0.00 EUR"},
			{"?mark=surplus&mark=detached", "", ""},
			{"?series=7", "N8 N6 N5 N4", ""},
			{"?series=7&state=overdue", "N4", ""},
			{"?series=7&series=1&currency=HUF", "N6", ""},
			{"?currency=EUR&state=collected", "N8", "EUR 1 800.00 EUR 800.33 EUR 0.00 EUR"},
			{"?issued_from=2026-02-25&issued_to=2026-02-25", "N6 N5 N4 N3 N2 N1", ""},
			{"?issued_to=2026-02-24", "N8 N7", "EUR 2 1,500.00 EUR 800.33 EUR 0.00 EUR"},
			{"?collected_from=2026-01-01", "N6", ""},
			{"?due_from=2026-03-09&due_to=2026-03-20", "N6 N5 N3 N2 N1", ""},
			{"?due_to=2026-03-08&series=7", "N8 N4", ""},
			{"?due_from=2026-03-10&state=delivered&state=reminded", "N3 N2", ""},
			{"?collected_to=2025-12-31", "N8", ""},
			{"?collected_from=2025-10-10&collected_to=2026-02-26&series=7&currency=EUR", "N8", ""},
			{"?series=99", "", ""},
		} {
			page := staff.Open("/admin/invoices" + c.query)
			if got := numbersOf(page); page.Status != 200 || got != c.numbers {
				t.Errorf("%s: %d, %s", c.query, page.Status, got)
			}
			var sums []string
			for _, row := range page.Find("table").First().Find("tbody tr").EachIter() {
				if page.Find("table").Length() > 1 {
					sums = append(sums, spaced(row))
				}
			}
			if got := strings.Join(sums, "; "); c.sums != "" && got != c.sums {
				t.Errorf("%s: sums are %s", c.query, got)
			}
			file := staff.Open("/admin/invoices.csv" + c.query)
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, "\uFEFF"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var numbers []string
			for _, row := range rows[1:] {
				numbers = append(numbers, row[0])
			}
			if got := strings.Join(numbers, " "); got != c.numbers {
				t.Errorf("%s: the file has %s", c.query, got)
			}
		}
		if body := staff.Open("/admin/invoices.csv?state=not-delivered").Body; !strings.Contains(body, ",'=SUM(A1),") ||
			!strings.Contains(body, "100.10") {
			t.Error(body)
		}
		if body := staff.Open("/admin/invoices.csv?column=total").Body; !strings.Contains(body, ",Total,Currency\r\n") {
			t.Errorf("amounts have no currency: %.200s", body)
		}
		for _, bad := range []string{"state=paid", "series=x", "currency=XXY", "issued_from=3", "collected_to=2026-02-30",
			"due_to=soon", "mark=late"} {
			page := staff.Open("/admin/invoices?" + bad)
			if numbersOf(page) != "" || !strings.Contains(page.Text("main"), "nothing is listed") {
				t.Errorf("%s: %s", bad, page.Text("main"))
			}
			if p := staff.Open("/admin/invoices.csv?" + bad); !strings.HasPrefix(p.Path, "/admin/invoices?") {
				t.Errorf("%s is answered at %s", bad, p.Path)
			}
		}
		if text := staff.Open("/admin/invoices?mark=surplus&mark=detached").Text("main"); !strings.Contains(text,
			"Nothing matches") || !strings.Contains(text, "1") {
			t.Error(text)
		}
		keep := staff.Open("/admin/invoices?state=overdue").Find(`a[href*="/keep?"]`).AttrOr("href", "")
		p := staff.Open(keep).Submit("Keep view", "name", "To chase", "who", "me")
		if p.Path != "/admin/invoices?state=overdue" {
			t.Errorf("%d at %s: %s", p.Status, p.Path, p.Text("main"))
		}
		d.Put("DELETE FROM invoice_transaction", "DELETE FROM invoice")
		if text := staff.Open("/admin/invoices").Text("main"); !strings.Contains(text, "when a fee issues them") {
			t.Error(text)
		}
		if p := i.Staff(i.Administrator("Ida Moen", admitto.ApplicationsView)).Open("/admin/invoices"); p.Status != 403 {
			t.Error(p.Status)
		}
	})
}

// TestTransactions filters the payments, and compares the sums with the rows (screens.md A32).
func TestTransactions(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		putInvoices(d)
		d.Put(`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected, reverses) VALUES (5, 8, -33, 1772100000000000, '2026-03-01', 4)`)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AccountingView))
		for _, c := range []struct{ query, ids, sums string }{
			{"", "5 4 3 2 1", "EUR 4 800.03 EUR; HUF 1 600.00 HUF"},
			{"?order=up&invoice=N8", "4 5", "EUR 2 800.00 EUR"},
			{"?invoice=nothing", "", ""},
			{"?paid_from=2026-02-26&paid_to=2026-02-26", "3 2", "EUR 1 0.02 EUR; HUF 1 600.00 HUF"},
			{"?recorded_from=2026-02-26", "5 3", ""},
			{"?recorded_to=2025-12-31", "4", "EUR 1 800.33 EUR"},
			{"?recorded_from=2026-02-25&paid_to=2026-02-25", "1", ""},
		} {
			page := staff.Open("/admin/transactions" + c.query)
			var ids, sums []string
			tables := page.Find("table")
			for _, row := range tables.Last().Find("tbody tr").EachIter() {
				ids = append(ids, strings.TrimSpace(row.Find("td").First().Text()))
			}
			if got := strings.Join(ids, " "); page.Status != 200 || tables.Length() > 1 && got != c.ids {
				t.Errorf("%s: %d, %s", c.query, page.Status, got)
			}
			for _, row := range tables.First().Find("tbody tr").EachIter() {
				sums = append(sums, spaced(row))
			}
			if got := strings.Join(sums, "; "); c.sums != "" && got != c.sums {
				t.Errorf("%s: sums are %s", c.query, got)
			}
			if got := tables.Last().Find("td.main .below").Length(); got != len(strings.Fields(c.ids)) {
				t.Errorf("%s: %d payers stand below their invoices", c.query, got)
			}
			file := staff.Open("/admin/transactions.csv" + c.query)
			rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.Body, "\uFEFF"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			ids = nil
			for _, row := range rows[1:] {
				ids = append(ids, row[0])
			}
			if got := strings.Join(ids, " "); got != c.ids {
				t.Errorf("%s: the file has %s", c.query, got)
			}
		}
		for _, bad := range []string{"paid_from=x", "recorded_to=2026-13-01"} {
			if page := staff.Open("/admin/transactions?" + bad); !strings.Contains(page.Text("main"), "nothing is listed") {
				t.Errorf("%s: %s", bad, page.Text("main"))
			}
		}
	})
}

// TestWholeLedger reads a file of more rows than are read at once, in its order.
func TestWholeLedger(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		const many = 2_500
		d.Money(1)
		var rows []string
		for n := 1; n <= many; n++ {
			rows = append(rows, fmt.Sprintf("(%d, 'Invoice', 'N%d', 1, 1, 1, %d, '2026-03-20', 'EUR', 100, 0, 'A')", n, n,
				1772000000000000+n))
		}
		d.Put("INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, paid, payer_name) VALUES " +
			strings.Join(rows, ", "))
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", admitto.AccountingView))
		for _, query := range []string{"", "?order=up", "?series=1&issued_from=2026-02-25", "?state=not-delivered"} {
			lines := strings.Split(strings.TrimSpace(staff.Open("/admin/invoices.csv"+query).Body), "\n")
			if len(lines) != many+1 {
				t.Fatalf("%s: %d lines", query, len(lines))
			}
			for n, line := range lines[1:] {
				want := many - n
				if query == "?order=up" {
					want = n + 1
				}
				if !strings.HasPrefix(line, fmt.Sprintf("N%d,", want)) {
					t.Fatalf("%s: line %d is %s", query, n, line)
				}
			}
		}
	})
}
