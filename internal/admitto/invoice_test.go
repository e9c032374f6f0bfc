package admitto_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"pgregory.net/rapid"
)

// Every combination of the facts that the state is computed from, against the table of lifecycle.md 6.1 written once
// more in the other direction: which facts each state needs and which it must not have.
func TestInvoiceStates(t *testing.T) {
	today := admitto.Date{Year: 2026, Month: 3, Day: 9}
	seen := map[admitto.InvoiceState]bool{}
	for _, paid := range []admitto.Hundredths{0, 1, 79_99, 80_00, 90_00} {
		for _, total := range []admitto.Hundredths{0, 80_00} {
			for _, ahead := range []int{-1, 0, 1} {
				for bits := range 8 {
					i := admitto.Invoice{Total: total, Paid: paid, Deadline: today.AddDays(ahead)}
					i.Lapsed, i.Reminded, i.Delivered = admitto.Time(bits&1), admitto.Time(bits>>1&1), admitto.Time(bits>>2&1)
					full, over := paid >= total, ahead < 0
					var want admitto.InvoiceState
					switch got := i.State(today); got {
					case admitto.InvoiceIsCollected:
						if full {
							want = got
						}
					case admitto.InvoiceIsLapsed:
						if !full && i.Lapsed != 0 {
							want = got
						}
					case admitto.InvoiceIsPartlyCollected:
						if !full && i.Lapsed == 0 && paid > 0 && !over {
							want = got
						}
					case admitto.InvoiceIsOverdue:
						if !full && i.Lapsed == 0 && over {
							want = got
						}
					case admitto.InvoiceIsReminded:
						if !full && i.Lapsed == 0 && paid == 0 && !over && i.Reminded != 0 {
							want = got
						}
					case admitto.InvoiceIsDelivered:
						if !full && i.Lapsed == 0 && paid == 0 && !over && i.Reminded == 0 && i.Delivered != 0 {
							want = got
						}
					case admitto.InvoiceIsNotDelivered:
						if !full && i.Lapsed == 0 && paid == 0 && !over && i.Reminded == 0 && i.Delivered == 0 {
							want = got
						}
					}
					if want == "" {
						t.Errorf("%+v is %s", i, i.State(today))
					}
					seen[want] = true
				}
			}
		}
	}
	if len(seen) != 7 {
		t.Errorf("seen are %v", seen)
	}
	if i := (admitto.Invoice{}); !i.Detached() {
		t.Error("not detached")
	}
}

func TestReductions(t *testing.T) {
	percent := func(id int64, p admitto.Hundredths) admitto.Tracker {
		return admitto.Tracker{ID: id, Reduction: &admitto.Reduction{Percent: p}}
	}
	amount := func(id int64, a admitto.Hundredths, currency string) admitto.Tracker {
		return admitto.Tracker{ID: id, Reduction: &admitto.Reduction{Amount: a, Currency: currency}}
	}
	for _, c := range []struct {
		name     string
		trackers []admitto.Tracker
		best     int64
		off      admitto.Hundredths
	}{
		{"none", nil, 0, 0},
		{"without a reduction", []admitto.Tracker{{ID: 1}}, 0, 0},
		{"a percentage", []admitto.Tracker{percent(1, 10_00)}, 1, 8_05},
		{"rounded half up", []admitto.Tracker{percent(1, 50_00)}, 1, 40_23}, // of 80.45: 40.225
		{"never added up", []admitto.Tracker{percent(1, 10_00), amount(2, 20_00, "EUR"), percent(3, 5_00)}, 2, 20_00},
		{"in another currency", []admitto.Tracker{amount(1, 20_00, "USD"), percent(2, 1_00)}, 2, 80},
		{"all of it at most", []admitto.Tracker{amount(1, 500_00, "EUR"), percent(2, 100_00)}, 1, 80_45},
		{"the lowest ID of equal ones", []admitto.Tracker{amount(7, 5_00, "EUR"), amount(3, 5_00, "EUR")}, 3, 5_00},
		{"too small", []admitto.Tracker{percent(1, 0)}, 0, 0},
	} {
		best, off := admitto.BestReduction(c.trackers, 80_45, "EUR")
		id := int64(0)
		if best != nil {
			id = best.ID
		}
		if id != c.best || off != c.off {
			t.Errorf("%s: %s by tracker %d, want %s by %d", c.name, off, id, c.off, c.best)
		}
	}
}

func TestFeeAmounts(t *testing.T) {
	regions := []admitto.Region{{Code: "EU", Members: []string{"HU", "NL"}},
		{Code: "150", Members: []string{"HU", "NL", "GB"}}}
	fee := func(territories ...string) *admitto.Fee {
		f := &admitto.Fee{}
		for _, t := range territories {
			f.Amounts = append(f.Amounts, admitto.FeeAmount{Territory: t})
		}
		return f
	}
	for _, c := range []struct {
		fee               *admitto.Fee
		citizenship, want string
	}{
		{fee("001", "150", "EU", "HU"), "HU", "HU"},
		{fee("001", "150", "EU"), "HU", "EU"},
		{fee("001", "150"), "HU", "150"},
		{fee("001"), "HU", "001"},
		{fee("001", "EU"), "", "001"},
		{fee("EU"), "", ""},
		{fee("EU"), "US", ""},
		{fee(), "US", ""},
	} {
		got, found := c.fee.AmountFor(c.citizenship, regions)
		if got.Territory != c.want || found != (c.want != "") {
			t.Errorf("%s of %v: %s, want %s", c.citizenship, c.fee.Amounts, got.Territory, c.want)
		}
	}
}

func TestNumberFormats(t *testing.T) {
	day := admitto.Date{Year: 2026, Month: 3, Day: 9}
	for _, c := range []struct {
		format, number string // of the 17th
		period, fault  string
	}{
		{"%inc%", "17", "", ""},
		{"%inc:1%", "17", "", ""},
		{"%inc:5%", "00017", "", ""},
		{"%inc:18%", "000000000000000017", "", ""},
		{"%yearLong%-%incYearly%", "2026-17", "2026", ""},
		{"%yearShort%/%incYearly:4%", "26/0017", "2026", ""},
		{"T%yearShort%%month%-%incMonthly:4%", "T2603-0017", "2026-03", ""},
		{"%incDaily%.%day%.%month%.%yearLong%", "17.09.03.2026", "2026-03-09", ""},
		{"%month%%inc%", "0317", "", ""},
		{"100% %inc%", "100% 17", "", ""},
		{"%year%%inc%", "%year%17", "", ""},
		{"%inc:0%%inc%", "%inc:0%17", "", ""},
		{"ä(.*)%inc%$", "ä(.*)17$", "", ""},
		{"", "", "", "0 counters"},
		{"Invoice", "", "", "0 counters"},
		{"%INC%", "", "", "0 counters"},
		{"%inc", "", "", "0 counters"},
		{"%inc:19%", "", "", "0 counters"},
		{"%inc:x%", "", "", "0 counters"},
		{"%inc%%inc%", "", "", "2 counters"},
		{"%yearLong%%inc%%incYearly%", "", "", "2 counters"},
		{"%incYearly%", "", "", "1 would be given on 2026-11-20 and again on 2027-11-20; add %yearLong%"},
		{"%month%%incYearly%", "", "", "111 would be given on 2026-11-20 and again on 2027-11-20; add %yearLong%"},
		{"%incMonthly%", "", "", "again on 2027-11-20; add %yearLong%, %month%"},
		{"%yearLong%%incMonthly%", "", "", "add %month%"},
		{"%yearShort%%month%%incDaily%", "", "", "26111 would be given on 2026-11-20 and again on 2026-11-21; add %day%"},
		{"%incDaily%", "", "", "add %yearLong%, %month%, %day%"},
	} {
		f, err := admitto.ParseNumberFormat(c.format)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%q: %v, want %q", c.format, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.format, err)
			continue
		}
		if got := f.Number(day, 17); got != c.number || f.Period(day) != c.period {
			t.Errorf("%q: %q in %q, want %q in %q", c.format, got, f.Period(day), c.number, c.period)
		}
		if period, n, ok := f.Read(c.number, day); !ok || n != 17 || period != c.period {
			t.Errorf("%q: read %d in %q, %t", c.format, n, period, ok)
		}
	}
	if got := fmt.Sprint(admitto.NumberPeriods(day)); got != "[ 2026 2026-03 2026-03-09]" {
		t.Error(got)
	}
}

func TestReadNumbersOfOtherFormats(t *testing.T) {
	day := admitto.Date{Year: 2026, Month: 3, Day: 9}
	for _, c := range []struct{ format, nr, want string }{
		{"%inc%", "9", "9 ''"},
		{"%inc%", "0", "no"},
		{"%inc%", "09", "no"},
		{"%inc%", "2026-9", "no"},
		{"%inc:3%", "009", "9 ''"},
		{"%inc:3%", "09", "no"},
		{"%inc:3%", "1234", "1234 ''"},
		{"%yearLong%-%incYearly%", "2025-8", "8 '2025'"},
		{"%yearShort%-%incYearly%", "25-8", "8 '2025'"},
		{"%yearLong%-%incYearly%", "2025-8 ", "no"},
		{"%yearLong%-%incYearly%", "9", "no"},
		{"%inc%", "99999999999999999999", "no"},
		{"%inc%", "", "no"},
	} {
		f, err := admitto.ParseNumberFormat(c.format)
		if err != nil {
			t.Fatal(err)
		}
		got := "no"
		if period, n, ok := f.Read(c.nr, day); ok {
			got = fmt.Sprintf("%d '%s'", n, period)
		}
		if got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.nr, c.format, got, c.want)
		}
	}
}

// TestNoMarkers says what was meant by what looks like a marker and is none.
func TestNoMarkers(t *testing.T) {
	for format, want := range map[string]string{
		"": "", "%inc%": "", "100% %inc:4%": "", "%yearLong%-%incYearly:18%": "",
		"%yearlong%-%inc%":        "%yearlong% is not a marker; %yearLong% is one",
		"%inc%-%Month%":           "%Month% is not a marker; %month% is one",
		"%INC%":                   "%INC% is not a marker; %inc% is one",
		"%incYearly:0%%yearLong%": "%incYearly:0% is no marker; %incYearly:4% is one, with a width from 1 to 18",
		"%inc:19%":                "%inc:19% is no marker; %inc:4% is one, with a width from 1 to 18",
		"%inc:x%":                 "%inc:x% is no marker; %inc:4% is one, with a width from 1 to 18",
		"%incDaily:%":             "%incDaily:% is not a marker; %incDaily% is one",
		"%month:2%-%inc%":         "%month:2% is not a marker; %month% is one",
		"%year%-%inc%": "%year% is not a marker; there are %inc%, %incYearly%, %incMonthly%, %incDaily%, %yearLong%, " +
			"%yearShort%, %month%, %day%",
	} {
		got := ""
		if err := admitto.NoMarker(format); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}

// TestNumbersOfTwoFormats finds the number that two series would both give.
func TestNumbersOfTwoFormats(t *testing.T) {
	day := admitto.Date{Year: 2026, Month: 3, Day: 9}
	for _, c := range []struct{ one, other, want string }{
		{"%inc%", "%inc%", "1"},
		{"%yearLong%-%incYearly:4%", "%yearLong%-%incYearly:4%", "2026-0001"},
		{"%yearLong%-%incYearly:4%", "%yearLong%-%inc:4%", "2026-0001"},
		{"%yearLong%-%incYearly:4%", "2026-%inc:4%", "2026-0001"},
		{"%yearLong%-%incYearly%", "%yearLong%-%incYearly:4%", "2199-9999"}, // from the thousandth on
		{"%yearLong%%incYearly%", "%inc%", "20261"},
		{"%inc%-%yearShort%", "%inc%-%month%", "1-03"},
		{"2027-%inc%", "%yearLong%-%incYearly%", "2027-1"},
		{"%inc:9%", "000%inc:6%", "000000001"},
		{"%inc%", "A%inc%", ""},
		{"%yearLong%-%incYearly:4%", "%yearShort%-%incYearly:4%", ""},
		{"%yearLong%-%incYearly:4%", "%inc%", ""},
		{"%yearLong%%incYearly:5%", "%inc%", ""}, // after 200 million invoices
		{"%month%-%inc%", "26-%inc%", ""},
		{"%inc:9%", "111%inc:6%", ""},
		{"%yearLong%/%inc%", "1999/%inc%", ""},
		{"a%inc%", "A%inc%", ""},
		{"ä%inc%", "ä%inc%", "ä1"},
	} {
		one, err := admitto.ParseNumberFormat(c.one)
		if err != nil {
			t.Fatal(err)
		}
		other, err := admitto.ParseNumberFormat(c.other)
		if err != nil {
			t.Fatal(err)
		}
		if got := one.Shared(&other, day); got != c.want {
			t.Errorf("%s and %s: %q, want %q", c.one, c.other, got, c.want)
		}
		if got := other.Shared(&one, day); (got == "") != (c.want == "") {
			t.Errorf("%s and %s: %q, want %q", c.other, c.one, got, c.want)
		}
	}
}

// Two numbers of a format are the same only on the same count in the same period, and what is written can be read.
func TestNumbersAreUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		markers := rapid.Permutation([]string{rapid.SampledFrom([]string{"%inc%", "%incYearly:3%", "%incMonthly%",
			"%incDaily:2%"}).Draw(t, "counter"),
			rapid.SampledFrom([]string{"%yearLong%", "%yearShort%"}).Draw(t, "year"), "%month%", "%day%",
			rapid.StringMatching(`[A-Z0-9/.-]{0,4}`).Draw(t, "text")}).Draw(t, "order")
		f, err := admitto.ParseNumberFormat(strings.Join(markers, ""))
		if err != nil {
			t.Fatal(err)
		}
		draw := func() (admitto.Date, int64) {
			d := admitto.DateOfDays(rapid.Int64Range(10957, 47481).Draw(t, "days")) // 2000 to 2099
			return d, rapid.Int64Range(1, 1_000_000).Draw(t, "n")
		}
		a, n := draw()
		b, m := draw()
		same := f.Number(a, n) == f.Number(b, m)
		if same && f.Period(a) == f.Period(b) && n != m || same && a == b && n != m {
			t.Fatalf("%v %d and %v %d are both %s", a, n, b, m, f.Number(a, n))
		}
		if f.Period(a) != f.Period(b) && same {
			t.Fatalf("%v and %v are both %s", a, b, f.Number(a, n))
		}
		if period, got, ok := f.Read(f.Number(a, n), a); !ok || got != n || period != f.Period(a) {
			t.Fatalf("%s was read as %d of %s, %t", f.Number(a, n), got, period, ok)
		}
	})
}

func TestCheckItems(t *testing.T) {
	item := func(price, qty admitto.Hundredths) admitto.InvoiceItem {
		return admitto.InvoiceItem{Item: "Copy", Price: price, Qty: qty}
	}
	third := item(9_99, 33) // 3.2967
	for _, c := range []struct {
		items    []admitto.InvoiceItem
		wrong    string
		rounding admitto.Hundredths
	}{
		{nil, "", 0},
		{[]admitto.InvoiceItem{third}, "", 0},
		{[]admitto.InvoiceItem{third, third, third}, "", -1},
		{[]admitto.InvoiceItem{item(1, 50), item(1, 50), item(1, 50)}, "", -1},
		{[]admitto.InvoiceItem{item(1, 40), item(1, 40)}, "", 1},
		{[]admitto.InvoiceItem{item(admitto.MaxItemPrice+1, 1_00)}, "price-range", 0},
		{[]admitto.InvoiceItem{item(-admitto.MaxItemPrice-1, 1_00)}, "price-range", 0},
		{[]admitto.InvoiceItem{item(1, 0)}, "quantity-range", 0},
		{[]admitto.InvoiceItem{item(1, admitto.MaxItemQty+1)}, "quantity-range", 0},
		{[]admitto.InvoiceItem{item(-1, 1_00)}, "total-negative", 0},
		{[]admitto.InvoiceItem{item(admitto.MaxItemPrice, admitto.MaxItemQty)}, "total-too-large", 0},
		{make([]admitto.InvoiceItem, admitto.MaxInvoiceItems+1), "too-many-items", 0},
	} {
		wrong := ""
		if faults := admitto.CheckItems(c.items); len(faults) > 0 {
			wrong = faults[0].Text.Code
		}
		if got := admitto.RoundingOf(c.items); wrong != c.wrong || c.wrong == "" && got != c.rounding {
			t.Errorf("%v: %q and %s, want %q and %s", c.items, wrong, got, c.wrong, c.rounding)
		}
	}
}
