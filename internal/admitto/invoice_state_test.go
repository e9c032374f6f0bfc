package admitto_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
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
	regions := []admitto.Region{{Code: "EU", Members: []string{"HU", "NL"}}, {Code: "150", Members: []string{"HU", "NL", "GB"}}}
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
