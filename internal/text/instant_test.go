package text

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the machine that runs the tests may have no zones

	"github.com/admitto/admitto/internal/admitto"
	"pgregory.net/rapid"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// at reads a time of RFC 3339 by the standard library.
func at(t testing.TB, s string) admitto.Time {
	t.Helper()
	m, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		t.Fatal(err)
	}
	return admitto.Time(m.UnixMicro())
}

func TestInstant(t *testing.T) {
	tallinn := zone(t, "Europe/Tallinn")
	for _, c := range []struct{ in, want string }{
		{"2026-03-01", "2026-03-01T00:00:00+02:00"},
		{"2026-07-01", "2026-07-01T00:00:00+03:00"},
		{" 2026-03-01\n", "2026-03-01T00:00:00+02:00"},
		{"2026-03-01T09:00", "2026-03-01T09:00:00+02:00"},
		{"2026-03-01T09:00:01", "2026-03-01T09:00:01+02:00"},
		{"2026-03-01T09:00:00.123", "2026-03-01T09:00:00.123+02:00"},
		{"2026-03-01T09:00:00.1", "2026-03-01T09:00:00.1+02:00"},
		{"2026-03-01T09:00:00.123456789", "2026-03-01T09:00:00.123456+02:00"},
		{"2026-03-01T09:00:00.000000999Z", "2026-03-01T09:00:00Z"},
		{"2026-03-01T09:00Z", "2026-03-01T09:00:00Z"},
		{"2026-03-01t09:00z", "2026-03-01T09:00:00Z"},
		{"2026-03-01 09:00:00", "2026-03-01T09:00:00+02:00"},
		{"2026-03-01T09:00:00+05:30", "2026-03-01T09:00:00+05:30"},
		{"2026-03-01T09:00:00+0530", "2026-03-01T09:00:00+05:30"},
		{"2026-03-01T09:00:00-03", "2026-03-01T09:00:00-03:00"},
		{"2026-03-01T09:00:00-00:00", "2026-03-01T09:00:00Z"},
		{"2026-03-01T09:00:00 02:00", "2026-03-01T09:00:00+02:00"},
		{"2026-03-01T09:00:00 0200", "2026-03-01T09:00:00+02:00"},
		{"2026-03-01 09:00 03", "2026-03-01T09:00:00+03:00"},
		{"2026-03-01T09:00:00.5 03", "2026-03-01T09:00:00.5+03:00"},
		{"2024-02-29", "2024-02-29T00:00:00+02:00"},
		{"2000-02-29T23:59:59Z", "2000-02-29T23:59:59Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"},
		{"1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"},
		{"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
		// The hour that is skipped is read as time.Date reads it, the one that comes twice likewise.
		{"2026-03-29T03:30:00", time.Date(2026, 3, 29, 3, 30, 0, 0, tallinn).Format(time.RFC3339)},
		{"2026-10-25T03:30:00", time.Date(2026, 10, 25, 3, 30, 0, 0, tallinn).Format(time.RFC3339)},
	} {
		got, err := Instant(c.in, tallinn)
		if want := at(t, c.want); err != nil || got != want {
			t.Errorf("Instant(%q) = %v, %v; want %v", c.in, got, err, want)
		}
	}
	const form, day, clock = "is not a date or time such as", "not on the calendar", "not on the clock"
	for _, c := range []struct{ in, fault string }{
		{"", form},
		{"yesterday", form},
		{"2026", form},
		{"2026-03", form},
		{"2026-3-1", form},
		{"20260301", form},
		{"26-03-01", form},
		{"02026-03-01", form},
		{"-2026-03-01", form},
		{"2026/03/01", form},
		{"2026-03-01T", form},
		{"2026-03-01T9:00", form},
		{"2026-03-01T09", form},
		{"2026-03-01T0900", form},
		{"2026-03-01 02:00 ", ""}, // a time, not an offset
		{"2026-03-01Z", form},
		{"2026-03-01+02:00", form},
		{"2026-03-01T09:00:", form},
		{"2026-03-01T09:00:00.", form},
		{"2026-03-01T09:00:00,5", form},
		{"2026-03-01T09:00:00.1234567890", form},
		{"2026-03-01T09:00.5", form},
		{"2026-03-01T09:00:00  02:00", form},
		{"2026-03-01T09:00:00 Z", form},
		{"2026-03-01T09:00:00Zx", form},
		{"2026-03-01T09:00:00+2", form},
		{"2026-03-01T09:00:00+02:", form},
		{"2026-03-01T09:00:00+020", form},
		{"2026-03-01T09:00:00+24:00", form},
		{"2026-03-01T09:00:00+02:60", form},
		{"2026-03-01T09:00:00+02:00:00", form},
		{"2026-03-01T09:00:00 Europe/Tallinn", form},
		{"2026-03-01T09:00:00\u221202:00", form},
		{"２０２６-03-01", form},
		{"2026-03-01_09:00", form},
		{"0000-01-01", day},
		{"2026-00-01", day},
		{"2026-13-01", day},
		{"2026-01-00", day},
		{"2026-02-29", day},
		{"1900-02-29", day},
		{"2026-04-31", day},
		{"2026-12-32", day},
		{"2026-03-01T24:00:00", clock},
		{"2026-03-01T23:60:00", clock},
		{"2026-03-01T23:59:60", clock},
		{"0001-01-01T00:00:00+02:00", "years 1 to 9999"},
		{"0001-01-01", "years 1 to 9999"}, // Tallinn was east of Greenwich then, too
		{"9999-12-31T23:59:59-01:00", "years 1 to 9999"},
	} {
		got, err := Instant(c.in, tallinn)
		if c.fault == "" && err == nil {
			continue
		}
		if err == nil || got != 0 || !strings.Contains(err.Error(), c.fault) ||
			!strings.HasPrefix(err.Error(), Quote(strings.TrimSpace(c.in))) {
			t.Errorf("Instant(%q) = %v, %v; want an error with %q", c.in, got, err, c.fault)
		}
	}
}

// A time that was read from a record is understood in every spelling (conventions.md 4).
func TestInstantReadsWhatIsShown(t *testing.T) {
	tallinn := zone(t, "Europe/Tallinn")
	rapid.Check(t, func(t *rapid.T) {
		want := admitto.Time(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds")) * admitto.Second
		s := want.String()
		bare := strings.TrimSuffix(s, "+00:00")
		for _, spelling := range []string{
			s, strings.Replace(s, "T", " ", 1), strings.Replace(s, "T", "t", 1), strings.Replace(s, "+", " ", 1),
			bare + "Z", bare + "z", bare + "+0000", bare + " 0000", bare + "+00", bare + " 00", bare + "-00:00",
			bare + ".0Z", bare + ".000000000+00:00", " " + s + " ",
		} {
			if got, err := Instant(spelling, tallinn); err != nil || got != want {
				t.Fatalf("Instant(%q) = %v, %v; want %v", spelling, got, err, want)
			}
		}
		if got, err := Instant(bare, time.UTC); err != nil || got != want {
			t.Fatalf("Instant(%q) = %v, %v; want %v", bare, got, err, want)
		}
		// The same time on another clock.
		minutes := rapid.IntRange(-14*60, 14*60).Draw(t, "offset")
		local := want.Std().In(time.FixedZone("", minutes*60))
		if y := local.Year(); y < 1 || y > 9999 {
			return
		}
		for _, layout := range []string{"2006-01-02T15:04:05-07:00", "2006-01-02 15:04:05.000-0700"} {
			spelling := local.Format(layout)
			if got, err := Instant(spelling, tallinn); err != nil || got != want {
				t.Fatalf("Instant(%q) = %v, %v; want %v", spelling, got, err, want)
			}
		}
	})
}

func TestBoundary(t *testing.T) {
	tallinn := zone(t, "Europe/Tallinn")
	for _, c := range []struct {
		in           string
		id           int64 // -1 for a short time
		lower, upper string
	}{
		{"0", 0, "", ""},
		{"4711", 4711, "", ""},
		{" 4711 ", 4711, "", ""},
		{"0042", 42, "", ""},
		{"20260301", 20260301, "", ""},
		{"999999999999999999", 999999999999999999, "", ""},
		{"2026-03-01", -1, "2026-03-01T00:00:00+02:00", "2026-03-01T23:59:59.999999+02:00"},
		{"2026-03-29", -1, "2026-03-29T00:00:00+02:00", "2026-03-29T23:59:59.999999+03:00"}, // 23 hours
		{"2026-12-31", -1, "2026-12-31T00:00:00+02:00", "2026-12-31T23:59:59.999999+02:00"},
		{"2024-02-29", -1, "2024-02-29T00:00:00+02:00", "2024-02-29T23:59:59.999999+02:00"},
		{"2026-03-01T09:00", -1, "2026-03-01T09:00:00+02:00", "2026-03-01T09:00:00.999999+02:00"},
		{"2026-03-01T09:00:00.5Z", -1, "2026-03-01T09:00:00Z", "2026-03-01T09:00:00.999999Z"},
		{"1969-12-31T23:59:59.5Z", -1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999Z"},
	} {
		for _, upper := range []bool{false, true} {
			id, got, isID, err := Boundary(c.in, tallinn, upper)
			wantID, want := c.id, admitto.Time(0)
			if c.id < 0 {
				wantID, want = 0, at(t, c.lower)
				if upper {
					want = at(t, c.upper)
				}
			}
			if err != nil || isID != (c.id >= 0) || id != wantID || got != want {
				t.Errorf("Boundary(%q, upper %v) = %d, %v, %v, %v", c.in, upper, id, got, isID, err)
			}
		}
	}
	for _, c := range []struct{ in, fault string }{
		{"1000000000000000000", "too many digits"},
		{"0000000000000000000", "too many digits"},
		{"-1", "is not a date or time"},
		{"+1", "is not a date or time"},
		{"", "is not a date or time"},
		{"1.5", "is not a date or time"},
		{"4711x", "is not a date or time"},
		{"2026-02-30", "not on the calendar"},
		{"9999-12-31T23:00-05", "years 1 to 9999"},
	} {
		if id, got, isID, err := Boundary(c.in, tallinn, true); err == nil || !strings.Contains(err.Error(), c.fault) ||
			id != 0 || got != 0 || isID {
			t.Errorf("Boundary(%q) = %d, %v, %v, %v; want an error with %q", c.in, id, got, isID, err, c.fault)
		}
	}
}

// Every microsecond belongs to exactly one day, also where the clocks change at midnight.
func TestDaysHaveNoHoles(t *testing.T) {
	for _, name := range []string{
		"UTC", "Europe/Tallinn", "America/Havana", "Asia/Beirut", "Asia/Amman", "Atlantic/Azores", "Africa/Cairo",
		"America/Asuncion", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Tehran", "Asia/Kathmandu",
	} {
		z := zone(t, name)
		var end admitto.Time
		for d := time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2028; d = d.AddDate(0, 0, 1) {
			s := d.Format(time.DateOnly)
			_, lower, _, err := Boundary(s, z, false)
			_, upper, _, err2 := Boundary(s, z, true)
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			if end != 0 && lower != end+1 {
				t.Errorf("%s in %s begins at %v, the day before ended at %v", s, name, lower, end)
			}
			end = upper
			// The first time shows this date, the one before it does not; likewise at the end.
			for m, want := range map[admitto.Time]bool{lower: true, lower - 1: false, upper: true, upper + 1: false} {
				if shown := m.Std().In(z).Format(time.DateOnly); (shown == s) != want {
					t.Errorf("%s in %s: %v shows %s", s, name, m.Std().In(z), shown)
				}
			}
		}
	}
	// Samoa had no 30 December 2011.
	apia := zone(t, "Pacific/Apia")
	_, before, _, _ := Boundary("2011-12-29", apia, true)
	_, after, _, _ := Boundary("2011-12-31", apia, false)
	if after != before+1 {
		t.Errorf("29 December 2011 ends at %v, 31 begins at %v", before, after)
	}
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{
		"2026-03-01", "2026-03-01T09:00", "2026-03-01T09:00:00.123456789+02:00", "2026-03-01 09:00:00 0200",
		"2026-03-29T03:30", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-02-29", "2026-03-01T24:00",
	} {
		f.Add(s)
	}
	tallinn := zone(f, "Europe/Tallinn")
	f.Fuzz(func(t *testing.T, in string) {
		got, err := Instant(in, tallinn)
		if err != nil {
			if got != 0 {
				t.Errorf("Instant(%q) = %v with error %v", in, got, err)
			}
			return
		}
		if again, err := Instant(got.String(), tallinn); err != nil || again != got.Floor() {
			t.Errorf("Instant(%q) = %v, and read again %v, %v", in, got, again, err)
		}
		// Where the standard library reads it, too, both agree.
		if want, err := time.Parse(time.RFC3339Nano, in); err == nil && admitto.Time(want.UnixMicro()) != got {
			t.Errorf("Instant(%q) = %v, time.Parse %v", in, got, want)
		}
	})
}

func FuzzBoundary(f *testing.F) {
	for _, s := range []string{"0", "4711", "999999999999999999", "1000000000000000000", "2026-03-01",
		"2026-10-25T03:30:00.5", "00"} {
		f.Add(s)
	}
	havana := zone(f, "America/Havana")
	f.Fuzz(func(t *testing.T, in string) {
		id, lower, isID, err := Boundary(in, havana, false)
		id2, upper, isID2, err2 := Boundary(in, havana, true)
		if id != id2 || isID != isID2 || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("Boundary(%q) differs: %d %v %v, upper %d %v %v", in, id, isID, err, id2, isID2, err2)
		}
		switch {
		case err != nil:
		case isID:
			if id < 0 || id > 999999999999999999 || lower != 0 || upper != 0 {
				t.Errorf("Boundary(%q) = %d, %v, %v", in, id, lower, upper)
			}
		case lower%admitto.Second != 0 || upper < lower+admitto.Second-1 || upper > lower+26*admitto.Hour:
			t.Errorf("Boundary(%q) = %v to %v", in, lower, upper)
		}
	})
}
