package admintest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// owing issues so many invoices over 80.00 EUR, whose numbers are N1, N2 and so on.
func owing(d *servicestest.Desk, n int) {
	d.Money(1)
	d.Put("UPDATE invoice_series SET format = 'N%inc%', blocking = TRUE")
	for range n {
		issued(d)
	}
}

// states are what the page says of each row, by its line.
func states(p *sitetest.Page) string {
	var list []string
	for _, row := range p.Find("main table tbody tr").EachIter() {
		list = append(list, strings.TrimSpace(row.Find("td").First().Text())+" "+
			strings.Join(strings.Fields(row.Find("td").Last().Find(".tag").Text()), " "))
	}
	return strings.Join(list, ", ")
}

// TestRecordPayments pastes 200 transfers, of which some cannot be booked: the good ones are, the others stay. The same
// paste again books nothing without a tick. One was on the wrong invoice, and is taken back; what nobody will pay is
// waived. What is booked is the sum of the rows, to the cent.
func TestRecordPayments(t *testing.T) {
	t.Parallel()
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		const many = 200
		owing(d, many+2)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		lines := []string{"Number;Amount;Day"}
		for n := 1; n <= many; n++ {
			lines = append(lines, fmt.Sprintf("N%d;%d,%02d;%d.2.2026", n, 10+n%60, n%100, 1+n%28))
		}
		sum := func() string { return d.Lines("SELECT CAST(sum(amount) AS bigint) FROM invoice_transaction") }
		want := 0
		for n := 1; n <= many; n++ {
			want += (10+n%60)*100 + n%100
		}
		bad := []string{"N999;10;1.2.2026", "N3;10;1.2.2099", "N4;10,005;1.2.2026", "N201;90;1.2.2026",
			"N202;95;1.2.2099"}
		page := staff.Open("/admin/transactions/record").Submit("Check", "rows", strings.Join(append(lines, bad...), "\r\n"))
		if page.Status != 200 || d.Count("invoice_transaction") != 0 {
			t.Fatal(page.Status, page.Errors())
		}
		all := fmt.Sprintf("%d,%03d.%02d EUR", want/100000, want/100%1000, want%100)
		if text := page.Text("main"); !strings.Contains(text, "200 rows can be booked: "+all) ||
			!strings.Contains(text, "no invoice with this number") ||
			!strings.Contains(text, "lies in the future") || !strings.Contains(text, "10.00 EUR too much") ||
			!strings.Contains(text, "15.00 EUR too much") {
			t.Error(text)
		}
		page = page.Submit("Book 200 of 205")
		text := page.Text(".notice")
		if page.Path != "/admin/transactions/record" || !strings.Contains(text, "200 payments were booked.") ||
			!strings.Contains(text, "5 rows stay.") {
			t.Fatalf("%s: %s", page.Path, text)
		}
		if got := page.Find("[name=rows]").Text(); strings.TrimSpace(got) != strings.Join(bad, "\n") {
			t.Errorf("left are %q", got)
		}
		if sum() != fmt.Sprint(want) {
			t.Errorf("booked are %s, not %d", sum(), want)
		}
		list := staff.Open("/admin/transactions")
		if got := list.Find("main table").First().Find("tbody tr").Text(); !strings.Contains(got, all) {
			t.Errorf("the list sums up to %s", got)
		}

		// The same paste once more.
		page = staff.Open("/admin/transactions/record").Submit("Check", "rows", strings.Join(lines, "\n"))
		if text := page.Text("main"); !strings.Contains(text, "None of the rows can be booked.") ||
			strings.Count(text, "Booked before") != many {
			t.Error(text)
		}
		page.Submit("Book 0 of 200")
		if sum() != fmt.Sprint(want) {
			t.Error("the same paste was booked twice")
		}
		page = staff.Open("/admin/transactions/record").Submit("Check", "rows", strings.Join(lines[:4], "\n"))
		tick := tickOf(page, 3)
		page.Submit("Book 0 of 3", "rows", "\n\n"+lines[3], "again", tick) // another row is the third now
		if sum() != fmt.Sprint(want) {
			t.Errorf("the tick of a row has booked another one: %s", sum())
		}
		page.Submit("Book 0 of 3", "again", tick)
		if sum() != fmt.Sprint(want+1202) {
			t.Errorf("with a tick: %s", sum())
		}

		// One was on the wrong invoice.
		id := d.Number("SELECT id FROM invoice WHERE nr = 'N7'")
		payment := d.Number("SELECT id FROM invoice_transaction WHERE invoice_id = $1", id)
		p := staff.Open(fmt.Sprintf("/admin/invoices/%d/transactions/%d/reverse", id, payment)).Submit("Take back", "reason",
			"It was meant for N202")
		if text := p.Text("main"); !strings.Contains(text, "17.07 EUR was taken back") {
			t.Error(p.Errors(), text)
		}
		page = staff.Open("/admin/transactions/record").Submit("Check", "rows", "N202 17.07 8.2.2026\nN7 17.07 8.2.2026")
		if got := states(page); got != "1 Ready, 2 Ready" { // what was taken back can come again
			t.Error(got)
		}
		page.Submit("Book 2 of 2", "rows", "N202 17.07 8.2.2026")
		other := d.Number("SELECT id FROM invoice WHERE nr = 'N202'")
		got := d.Lines(fmt.Sprintf("SELECT paid FROM invoice WHERE id IN (%d, %d) ORDER BY id", id, other))
		if got != "0 1707" {
			t.Error(got)
		}
		p = staff.Open(fmt.Sprintf("/admin/invoices/%d/waive", id)).Submit("Waive the invoice", "reason", "Paid on N202")
		if !strings.Contains(p.Text("main"), "The invoice was waived.") {
			t.Error(p.Text("main"))
		}
		page = staff.Open("/admin/transactions/record").Submit("Check", "rows", "N7 1.00 8.2.2026")
		if text := page.Text("main"); !strings.Contains(text, "has lapsed") {
			t.Error(text)
		}
		d.Chained()
	})
}

// TestRowsInfluenceEachOther checks rows about the same invoice one after the other: together they are not more than is
// open, and the same twice is said to be.
func TestRowsInfluenceEachOther(t *testing.T) {
	t.Parallel()
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		owing(d, 3)
		d.Put("INSERT INTO invoice_series (id, name, format) VALUES (9, 'Other', 'N%inc%')",
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name) VALUES (77, 'Invoice', 'N3', 9, 1, 1, '2026-03-20', 'HUF', 9000, 'B')`)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		page := staff.Open("/admin/transactions/record").Submit("Check", "rows", strings.Join([]string{
			"N1\t50\t2026-02-01", "N1\t30\t2026-02-01", "N1\t30\t2026-02-01", "N2\t50\t2026-02-02", "N2\t50\t2026-02-03",
			"N3\t10\t2026-02-03", "#77\t10\t2026-02-03", "#77\t10 EUR\t2026-02-03", "N1\t0\t2026-02-03"}, "\n"))
		if got := states(page); got != "1 Ready, 2 Ready, 3 Booked before30.00 EUR too much, 4 Ready, 5 20.00 EUR too much, "+
			"6 Cannot be booked, 7 Ready, 8 Cannot be booked, 9 Cannot be booked" {
			t.Error(got)
		}
		if text := page.Text("main"); !strings.Contains(text, "Write one of #3, #77 in its place") ||
			!strings.Contains(text, "The invoice is in HUF, not in EUR") || !strings.Contains(text, "130.00 EUR") {
			t.Error(text)
		}
		page = page.Submit("Book 4 of 9", "again", tickOf(page, 5))
		if got := d.Lines("SELECT paid FROM invoice ORDER BY id"); got != "8000 10000 0 1000" {
			t.Error(got)
		}
		if !strings.Contains(page.Text(".notice"), "5 payments were booked.") {
			t.Error(page.Text(".notice"))
		}
	})
}

// tickOf is the value of the tick that books the row of a line all the same.
func tickOf(page *sitetest.Page, line int) string {
	return page.Find(fmt.Sprintf("[name=again][value^='%d-']", line)).AttrOr("value", "")
}

// TestNoPayments types what cannot be recorded: nothing is stored, and it is there again.
func TestNoPayments(t *testing.T) {
	t.Parallel()
	servicestest.OnSQLite(t, func(t *testing.T, d *servicestest.Desk) {
		owing(d, 1)
		i := sitetest.On(d)
		staff := i.Staff(i.Administrator("Mara Lind", everything...))
		for _, c := range []struct{ rows, words string }{
			{"", "at least one row"},
			{"Number\tAmount\tDay", "at least one row"},
			{strings.Repeat("N1\t0.01\t2026-02-01\n", 501), "These are 501 rows"},
		} {
			for _, press := range []string{"Check"} {
				p := staff.Open("/admin/transactions/record").Submit(press, "rows", c.rows)
				if errors := strings.Join(p.Errors(), " "); p.Status != 422 || !strings.Contains(errors, c.words) {
					t.Errorf("%.20q: %d %s", c.rows, p.Status, errors)
				}
				if got := p.Find("[name=rows]").Text(); strings.TrimSpace(got) != strings.TrimSpace(c.rows) {
					t.Errorf("%.20q is gone", c.rows)
				}
			}
		}
		p := staff.Open("/admin/transactions/record").Submit("Check", "rows", "N1 1", "day-day", "31", "day-month", "2")
		if p.Status != 422 {
			t.Errorf("a day that there is not: %d", p.Status)
		}
		page := staff.Open("/admin/transactions/record").Submit("Check", "rows", "<script>alert(1)</script>\t80\t2026-02-01")
		sitetest.Harmless(t, page)
		if d.Count("invoice_transaction") != 0 {
			t.Error("something was stored")
		}
		few := i.Staff(i.Administrator("Kofi Haugen", admitto.AccountingView))
		if p := few.Open("/admin/transactions/record"); p.Status != 403 {
			t.Error(p.Status)
		}
		if few.Open("/admin/transactions").Find(`a[href$="/record"]`).Length() != 0 {
			t.Error("who may only look is offered to record")
		}
	})
}
