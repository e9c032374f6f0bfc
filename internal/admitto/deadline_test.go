package admitto_test

import (
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// The deadline that holds is that of the country, the region or the world, or the application's own; it ends with the
// day where the institution is.
func TestDeadlineFor(t *testing.T) {
	zone := time.FixedZone("UTC+2", 2*60*60)
	day := func(d uint8) admitto.Date { return admitto.Date{Year: 2026, Month: 3, Day: d} }
	at := func(text string) admitto.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return admitto.TimeOf(parsed)
	}
	regions := []admitto.Region{{Code: "EU", Members: []string{"HU", "NL"}}, {Code: "ALL", Members: []string{"NL", "VN"}}}
	entries := []admitto.Deadline{{Territory: "001", Day: day(31)}, {Territory: "EU", Day: day(10)}, {Territory: "HU"},
		{Territory: "VN", Day: day(5), Barred: true}}
	own := at("2026-04-02T12:00:00Z")
	for name, row := range map[string]struct {
		citizenship string
		policy      admitto.DeadlinePolicy
		entries     []admitto.Deadline
		extension   admitto.Time
		day         admitto.Date
		until       admitto.Time
		barred      bool
		stops       bool
	}{
		"world":           {"DE", admitto.Flexible, entries, 0, day(31), at("2026-03-31T22:00:00Z"), false, true},
		"no citizenship":  {"", admitto.Flexible, entries, 0, day(31), at("2026-03-31T22:00:00Z"), false, true},
		"region":          {"NL", admitto.StrictCourse, entries, 0, day(10), at("2026-03-10T22:00:00Z"), false, true},
		"country, no day": {"HU", admitto.StrictCourse, entries, 0, admitto.Date{}, 0, false, false},
		"barred":          {"VN", admitto.StrictCourse, entries, 0, day(5), at("2026-03-05T22:00:00Z"), true, false},
		"barred, extended": {"VN", admitto.StrictCourse, entries, own, admitto.Date{Year: 2026, Month: 4, Day: 2}, own, true,
			true},
		"rolling": {"DE", admitto.Rolling, entries, 0, day(31), at("2026-03-31T22:00:00Z"), false, false},
		"rolling, extended": {"DE", admitto.Rolling, entries, own, admitto.Date{Year: 2026, Month: 4, Day: 2}, own, false,
			true},
		"none": {"DE", admitto.StrictSubmit, nil, 0, admitto.Date{}, 0, false, false},
		"none, extended": {"DE", admitto.StrictSubmit, nil, own, admitto.Date{Year: 2026, Month: 4, Day: 2}, own, false,
			true},
	} {
		intake := admitto.Intake{Policy: string(row.policy), Deadlines: row.entries}
		got := intake.DeadlineFor(row.citizenship, regions, row.extension, zone)
		want := admitto.ActiveDeadline{Policy: row.policy, Day: row.day, Until: row.until, Extended: row.extension != 0,
			Barred: row.barred}
		if got != want || got.Stops() != row.stops {
			t.Errorf("%s: %+v, stops %v; want %+v, %v", name, got, got.Stops(), want, row.stops)
		}
		if got.Passed(got.Until-1) || got.Passed(got.Until) != (got.Until != 0) {
			t.Errorf("%s: passed at the wrong time", name)
		}
		if late := got.Until != 0 && row.policy == admitto.Flexible; got.IsLate(got.Until) != late {
			t.Errorf("%s: late is not %v", name, late)
		}
	}
}

// A term ends an application with its grace day, unless that is lifted for a longer time.
func TestTermExpired(t *testing.T) {
	grace := admitto.Date{Year: 2026, Month: 10, Day: 15}
	end := grace.End(time.UTC)
	for name, row := range map[string]struct {
		grace      admitto.Date
		at, lifted admitto.Time
		want       bool
	}{
		"on the day":    {grace, end - 1, 0, false},
		"after it":      {grace, end, 0, true},
		"no grace day":  {admitto.Date{}, end, 0, false},
		"lifted":        {grace, end, end + 1, false},
		"no longer so":  {grace, end + 1, end + 1, true},
		"lifted before": {grace, end - 2, end - 2, false},
	} {
		if got := (&admitto.Term{Grace: row.grace}).Expired(row.at, row.lifted, time.UTC); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
