package billing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
)

var pasteDay = admitto.Date{Year: 2026, Month: 3, Day: 9}

// read is a row in one line: number, amount, currency and day, or the codes of what is wrong with it.
func read(row billing.PaymentRow) string {
	var wrong []string
	for _, text := range row.Wrong {
		wrong = append(wrong, text.Code)
	}
	if wrong != nil {
		return strings.Join(wrong, "+")
	}
	return strings.Join(strings.Fields(fmt.Sprint(row.Number, " ", row.Amount, " ", row.Currency, " ", row.Day)), " ")
}

// TestPasted reads rows as people and spreadsheets write them, and refuses what could mean something else.
func TestPasted(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"2026-17\t80.00\t2026-02-05", "2026-17 80.00 2026-02-05"},
		{"2026-17;80,00;05.02.2026", "2026-17 80.00 2026-02-05"},
		{"2026-17; 80 ; 5.2.26", "2026-17 80.00 2026-02-05"},
		{"2026-17,80.00,2026-02-05", "2026-17 80.00 2026-02-05"},
		{"2026-17 80.00 2026-02-05", "2026-17 80.00 2026-02-05"},
		{"2026-17 1 234,50 5 February 2026", "2026-17 1234.50 2026-02-05"},
		{"2026-17 80,00", "2026-17 80.00 2026-03-09"},
		{"2026-17\t80.00\t", "2026-17 80.00 2026-03-09"},
		{"\uFEFF2026-17\t80.00\t2026-02-05", "2026-17 80.00 2026-02-05"},
		{`"2026-17"` + "\t" + `"80.00"` + "\t" + `"2026-02-05"`, "2026-17 80.00 2026-02-05"},
		{"2026-17\t1.234,56\t2026-02-05", "2026-17 1234.56 2026-02-05"},
		{"2026-17\t1,234.56\t2026-02-05", "2026-17 1234.56 2026-02-05"},
		{"2026-17\t1,234,567\t2026-02-05", "2026-17 1234567.00 2026-02-05"},
		{"2026-17\t1'234.5\t2026-02-05", "2026-17 1234.50 2026-02-05"},
		{"2026-17\t1\u00A0234,56 EUR\t2026-02-05", "2026-17 1234.56 EUR 2026-02-05"},
		{"2026-17\t1\u202F234,56\t2026-02-05", "2026-17 1234.56 2026-02-05"},
		{"2026-17\tEUR 80\t2026-02-05", "2026-17 80.00 EUR 2026-02-05"},
		{"2026-17\t80\t2026-02-05\teur", "2026-17 80.00 EUR 2026-02-05"},
		{"2026-17\t1.234\t2026-02-05", "2026-17 1234.00 2026-02-05"},
		{"2026-17\t٨٠٫٥٠\t٢٠٢٦-٠٢-٠٥", "2026-17 80.50 2026-02-05"},
		{"2026-17\t80\t5/2/2026", "2026-17 80.00 2026-02-05"},
		{"2026-17\t80\t2/25/2026", "2026-17 80.00 2026-02-25"},
		{"2026-17\t80\t2026/2/5", "2026-17 80.00 2026-02-05"},
		{"2026-17\t80\t20260205", "2026-17 80.00 2026-02-05"},
		{"2026-17\t80\t2026-02-05 14:32:05", "2026-17 80.00 2026-02-05"},
		{"2026-17\t80\t5. Feb 2026", "2026-17 80.00 2026-02-05"},
		{"2026-17\t80\tFebruary 5, 2026", "2026-17 80.00 2026-02-05"},
		{"#2001\t0\t2026-02-05", "#2001 0.00 2026-02-05"},
		{"2026-17\t000080.00\t2026-02-05", "2026-17 80.00 2026-02-05"},
		{"2026-17\t999999999.99\t2026-02-05", "2026-17 999999999.99 2026-02-05"},
		{"2026-17\t0.500\t2026-02-05", "pasted-amount"}, // thousands do not begin with a nought
		{"2026-17\t00,500\t2026-02-05", "pasted-amount"},
		{"2026-17\t9999999999.99\t2026-02-05", "amount-range"},
		{"2026-17\t99999999999999999999999999\t2026-02-05", "amount-range"},
		{"2026-17\t-80\t2026-02-05", "amount-range"},
		{"2026-17\t\u221280\t2026-02-05", "amount-range"},
		{"2026-17\t80.000,5\t2026-02-05", "2026-17 80000.50 2026-02-05"},
		{"2026-17\t80.005,555\t2026-02-05", "pasted-amount"},
		{"2026-17\t1.23.456\t2026-02-05", "pasted-amount"},
		{"2026-17\t1.234.56\t2026-02-05", "pasted-amount"},
		{"2026-17\t1,234 567\t2026-02-05", "pasted-amount"},
		{"2026-17\t8O\t2026-02-05", "pasted-amount"},
		{"2026-17\t1e3\t2026-02-05", "pasted-amount"},
		{"2026-17\t\t2026-02-05", "pasted-amount"},
		{"2026-17\t80 XYZ\t2026-02-05", "no-currency"},
		{"2026-17\t80\t31.02.2026", "pasted-day"},
		{"2026-17\t80\t13/13/2026", "pasted-day"},
		{"2026-17\t80\tyesterday", "pasted-day"},
		{"2026-17\t80\t2026-02", "pasted-day"},
		{"2026-17\tx\ty", "pasted-amount+pasted-day"},
		{"\t80\t2026-02-05", "text-missing"},
		{"2026-17", "pasted-columns"},
		{"a\tb\tc\td\te1", "pasted-columns"},
		{strings.Repeat("9", 200) + "\t80\t2026-02-05", "characters-count"},
	} {
		rows := billing.Pasted(c.typed, pasteDay, true)
		if len(rows) != 1 {
			t.Errorf("%q: %d rows", c.typed, len(rows))
			continue
		}
		if got := read(rows[0]); got != c.want {
			t.Errorf("%q: %s, want %s", c.typed, got, c.want)
		}
	}
	if got := read(billing.Pasted("2026-17\t80\t5/2/2026", pasteDay, false)[0]); got != "2026-17 80.00 2026-05-02" {
		t.Errorf("month first: %s", got)
	}
	if got := read(billing.Pasted("2026-17\t80", admitto.Date{}, false)[0]); got != "pasted-no-day" {
		t.Errorf("without a day: %s", got)
	}
	rows := billing.Pasted("Number;Amount;Day\r\n\r\n1;2;3.2.2026\r\n \t \r2;3;3.2.2026\n", pasteDay, true)
	if len(rows) != 2 || rows[0].Line != 3 || rows[1].Line != 5 || rows[1].Text != "2;3;3.2.2026" {
		t.Errorf("%+v", rows)
	}
	if n := len(billing.Pasted(strings.Repeat("1\t2\t2026-02-05\n", 501), pasteDay, true)); n != 501 {
		t.Errorf("%d rows", n)
	}
}

// FuzzPasted reads anything: it ends, no amount is out of its bounds, no day is none, and what was left is read again
// as the same.
func FuzzPasted(f *testing.F) {
	for _, seed := range []string{"", "2026-17\t80.00\t2026-02-05", "a;1.234,56;5/2/26\n\"x\";1'000;1 Jan 2026",
		"\uFEFF1 2 3",
		"٨\t٨٠٫٥\t٢٠٢٦-٠٢-٠٥", "1\t80 EUR\t5.2.2026\tEUR", "\t\t\t", ";;;;", "\"\"\"\t\"", "1 1 1 1 1 1"} {
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, typed string, dayFirst bool) {
		rows := billing.Pasted(typed, pasteDay, dayFirst)
		var left []string
		for _, row := range rows {
			left = append(left, row.Text)
			if row.Amount < 0 || row.Amount > admitto.MaxInvoiceTotal {
				t.Fatalf("%q: %s", row.Text, row.Amount)
			}
			if _, err := admitto.ParseDate(row.Day.String()); len(row.Wrong) == 0 && err != nil {
				t.Fatalf("%q: %v", row.Text, row.Day)
			}
		}
		again := billing.Pasted("Number\tAmount\tDay\n"+strings.Join(left, "\n"), pasteDay, dayFirst)
		if len(again) != len(rows) {
			t.Fatalf("%d rows, then %d", len(rows), len(again))
		}
		for n := range again {
			if read(again[n]) != read(rows[n]) {
				t.Fatalf("%q: %s, then %s", rows[n].Text, read(rows[n]), read(again[n]))
			}
		}
	})
}
