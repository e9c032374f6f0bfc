package admitto_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// FuzzNumberFormat: a format that is accepted gives numbers that it reads back, others a sentence.
func FuzzNumberFormat(f *testing.F) {
	for _, seed := range []string{"%inc%", "%yearLong%-%incYearly:5%", "%yearShort%%month%%day%/%incDaily%", "%inc:19%",
		"%inc%%inc%", "((%inc%", "%", "%yearLong%%yearLong%%incYearly%"} {
		f.Add(seed, int64(17), "17")
	}
	day := admitto.Date{Year: 2026, Month: 3, Day: 9}
	f.Fuzz(func(t *testing.T, text string, n int64, other string) {
		format, err := admitto.ParseNumberFormat(text)
		if err != nil {
			return
		}
		format.Read(other, day)
		if n < 1 || n >= 1e18 {
			return
		}
		number := format.Number(day, n)
		period, again, ok := format.Read(number, day)
		// A digit next to the counter may be read as one of it; the number is then longer, never another period.
		if ok && again == n && period != format.Period(day) {
			t.Fatalf("%q: %q is %d of %q, it was given as %d of %q", text, number, again, period, n, format.Period(day))
		}
		if number == format.Number(day, n+1) {
			t.Fatalf("%q: %d and %d give %q", text, n, n+1, number)
		}
	})
}

// FuzzSharedNumbers: of two formats that share no number, neither gives one of the other's.
func FuzzSharedNumbers(f *testing.F) {
	for _, seed := range [][2]string{{"%inc%", "%inc:3%"}, {"%yearLong%-%incYearly:5%", "2026-%inc%"},
		{"%yearShort%%month%%day%/%incDaily%", "%inc:6%/%yearShort%%month%"}, {"ä%inc%", "%inc%ä"}} {
		f.Add(seed[0], seed[1], int64(17), int64(3))
	}
	day := admitto.Date{Year: 2026, Month: 3, Day: 9}
	f.Fuzz(func(t *testing.T, a, b string, n, m int64) {
		one, err := admitto.ParseNumberFormat(a)
		if err != nil || n < 1 || m < 1 || n >= 1e6 || m >= 1e6 {
			return
		}
		other, err := admitto.ParseNumberFormat(b)
		if err != nil {
			return
		}
		number := one.Number(day, n)
		if one.Shared(&other, day) == "" && number == other.Number(day, m) {
			t.Fatalf("%q and %q both give %q", a, b, number)
		}
	})
}

// FuzzDates: a date that is read is written as it was.
func FuzzDates(f *testing.F) {
	for _, seed := range []string{"2026-03-09", "2024-02-29", "2026-02-30", "0000-01-01", "2025-12", "2025", "٢٠٢٦-٠٣-٠٩",
		"-001-01-01", "2026-3-9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := admitto.ParseDate(text); err == nil && d.String() != text {
			t.Fatalf("%q became %s", text, d)
		}
		if d, err := admitto.ParsePartialDate(text); err == nil && d != text {
			t.Fatalf("%q became %s", text, d)
		}
	})
}

// FuzzDecimals: points that are read are written with the same value, and no text of another form is taken.
func FuzzDecimals(f *testing.F) {
	for _, seed := range []string{"7.5", "-0.0001", "999999999.9999", "1e9", "", "-", ".5", "1.", "+1", "00012", "0x1",
		"١"} {
		f.Add(seed, 4)
	}
	f.Fuzz(func(t *testing.T, text string, scale int) {
		if scale >= 0 && scale <= 4 {
			if p, err := admitto.ParsePoints(text, scale); err == nil {
				written := string(p.Append(nil, scale))
				if again, err := admitto.ParsePoints(written, scale); err != nil || again != p {
					t.Fatalf("%q became %s, which is %d, %v", text, written, again, err)
				}
			}
		}
		if same, err := admitto.ParseDecimalText(text); err == nil && same != text {
			t.Fatalf("%q became %q", text, same)
		}
	})
}

// FuzzEventFilter: an item that is taken names an event of the catalogue, and filled in it is the item again.
func FuzzEventFilter(f *testing.F) {
	for _, seed := range []string{"Offer was edited: ?", "Offer was edited: 7", "Offer was edited: a: b",
		"Offer was edited:", "x", ": ", "? ?"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, item string) {
		pattern, bind, ok := admitto.ParseEvent(item)
		if !ok {
			return
		}
		if filled := (admitto.Event{Pattern: pattern, Bind: bind}).Filled(); filled != item {
			t.Fatalf("%q became %q with %q", item, pattern, bind)
		}
	})
}
