package site

import (
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// TestSpreadDates reads days and months in the ISO form from the first of their fields, and leaves everything else as
// it was typed.
func TestSpreadDates(t *testing.T) {
	for typed, want := range map[string]string{
		"d-day=2027-05-15&d-month=&d-year=":   "d-day=15&d-month=05&d-year=2027",
		"d-day=+2027-5-1+&d-month=&d-year=":   "d-day=1&d-month=5&d-year=2027",
		"m-month=2027-05&m-year=":             "m-month=05&m-year=2027",
		"d-day=15&d-month=5&d-year=2027":      "d-day=15&d-month=5&d-year=2027",
		"d-day=2027-05-15&d-month=6&d-year=":  "d-day=2027-05-15&d-month=6&d-year=",
		"d-day=2027-05&d-month=&d-year=":      "d-day=2027-05&d-month=&d-year=",
		"m-month=2027-05-15&m-year=":          "m-month=2027-05-15&m-year=",
		"d-day=15.5.2027&d-month=&d-year=":    "d-day=15.5.2027&d-month=&d-year=",
		"note=2027-05-15&the-day-=2027-05-15": "note=2027-05-15&the-day-=2027-05-15",
		"d-day=٥&d-month=١١&d-year=٢٠٠٧":      "d-day=5&d-month=11&d-year=2007",
		"d-day=۱۵&d-month=۶&d-year=۲۰۰۸&n=٥":  "d-day=15&d-month=6&d-year=2008&n=٥",
		"d-day=2027-05-15":                    "d-day=15&d-month=05&d-year=2027",
		"d-month=2027-05&d-day=3&d-year=":     "d-day=3&d-month=2027-05&d-year=",
	} {
		values, err := url.ParseQuery(typed)
		if err != nil {
			t.Fatal(err)
		}
		spreadDates(values)
		expected, err := url.ParseQuery(want)
		if err != nil {
			t.Fatal(err)
		}
		if values.Encode() != expected.Encode() {
			t.Errorf("%s is read as %s", typed, values.Encode())
		}
	}
}

// TestDayOf reads days with a whole year only.
func TestDayOf(t *testing.T) {
	for _, c := range []struct {
		day, month, year string
		want             admitto.Date // zero: no day
	}{
		{"1", "2", "2027", admitto.Date{Year: 2027, Month: 2, Day: 1}},
		{"01", "02", "2027", admitto.Date{Year: 2027, Month: 2, Day: 1}},
		{"29", "2", "2028", admitto.Date{Year: 2028, Month: 2, Day: 29}},
		{"31", "12", "9999", admitto.Date{Year: 9999, Month: 12, Day: 31}},
		{"29", "2", "2027", admitto.Date{}}, {"1", "1", "", admitto.Date{}}, {"1", "1", "0", admitto.Date{}},
		{"1", "1", "27", admitto.Date{}}, {"1", "1", "027", admitto.Date{}}, {"1", "1", "0027", admitto.Date{}},
		{"1", "1", "20270", admitto.Date{}}, {"1", "1", "-027", admitto.Date{}}, {"1", "1", "+027", admitto.Date{}},
		{"", "1", "2027", admitto.Date{}}, {"1", "", "2027", admitto.Date{}}, {"1", "13", "2027", admitto.Date{}},
		{"x", "1", "2027", admitto.Date{}}, {"1", "1", "2027x", admitto.Date{}}, {"0", "1", "2027", admitto.Date{}},
		{"001", "1", "2027", admitto.Date{}}, {"1", "1-1", "2027", admitto.Date{}},
	} {
		got, ok := dayOf(c.day, c.month, c.year)
		if ok != (c.want != admitto.Date{}) || ok && got != c.want {
			t.Errorf("%q %q %q is %v, %v", c.day, c.month, c.year, got, ok)
		}
	}
}

// FuzzDayOf reads what nobody types: a day is what its three numbers say.
func FuzzDayOf(f *testing.F) {
	f.Add("1", "2", "2027")
	f.Add("31", "5", "27")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, day, month, year string) {
		date, ok := dayOf(day, month, year)
		if !ok {
			return
		}
		if got := date.String(); got != year+"-"+padded(month, 2)+"-"+padded(day, 2) {
			t.Fatalf("%q %q %q is %s", day, month, year, got)
		}
	})
}

// TestLongFileName cuts a long name before its ending.
func TestLongFileName(t *testing.T) {
	got := plainName(strings.Repeat("n", 300) + ".pdf")
	if len(got) != mostFileName || !strings.HasSuffix(got, "n.pdf") {
		t.Error(got)
	}
	if got := plainName("n." + strings.Repeat("n", 300)); len(got) != mostFileName {
		t.Error(got)
	}
}
