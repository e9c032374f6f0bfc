package site

import (
	"net/url"
	"strings"
	"testing"
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
