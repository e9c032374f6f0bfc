package admitto_test

import (
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// Somebody can apply in an intake on a day or later as long as a deadline, the day of opening and the term leave one.
func TestOpens(t *testing.T) {
	day := func(d uint8) admitto.Date { return admitto.Date{Year: 2026, Month: 3, Day: d} }
	world := admitto.Deadline{Territory: admitto.World, Day: day(10)}
	region := admitto.Deadline{Territory: "EU", Day: day(20)}
	barred := admitto.Deadline{Territory: admitto.World, Barred: true}
	for name, row := range map[string]struct {
		policy    admitto.DeadlinePolicy
		start     admitto.Date
		deadlines []admitto.Deadline
		grace     admitto.Date
		last      admitto.Date
		ends      bool
		before    uint8 // somebody can apply on that day, and nobody after it; 31 for no end, 0 for nobody ever
	}{
		"one deadline":         {deadlines: []admitto.Deadline{world}, last: day(10), ends: true, before: 10},
		"the last one":         {deadlines: []admitto.Deadline{world, region}, last: day(20), ends: true, before: 20},
		"none for others":      {deadlines: []admitto.Deadline{region}, before: 31},
		"no deadlines":         {before: 31},
		"no day":               {deadlines: []admitto.Deadline{{Territory: admitto.World}, region}, before: 31},
		"barred but some":      {deadlines: []admitto.Deadline{barred, region}, last: day(20), ends: true, before: 20},
		"barred but some late": {policy: admitto.Rolling, deadlines: []admitto.Deadline{barred, region}, before: 31},
		"all barred":           {policy: admitto.Rolling, deadlines: []admitto.Deadline{barred}, ends: true},
		"late is taken":        {policy: admitto.Flexible, deadlines: []admitto.Deadline{world}, before: 31},
		"opens on that day":    {start: day(10), deadlines: []admitto.Deadline{world}, last: day(10), ends: true, before: 10},
		"opens too late":       {start: day(11), deadlines: []admitto.Deadline{world}, last: day(10), ends: true},
		"the term is over":     {grace: day(5), deadlines: []admitto.Deadline{world}, last: day(10), ends: true, before: 5},
		"grace, no end":        {grace: day(5), before: 5},
	} {
		i := admitto.Intake{Policy: string(row.policy), Start: row.start, Deadlines: row.deadlines,
			Term: admitto.Term{Grace: row.grace}}
		if last, ends := i.LastDay(); last != row.last || ends != row.ends {
			t.Errorf("%s: %v, %v; want %v, %v", name, last, ends, row.last, row.ends)
		}
		zone := time.FixedZone("UTC-5", -5*60*60)
		for d := uint8(1); d <= 30; d++ {
			if got := i.Opens(day(d)); got != (d <= row.before) {
				t.Errorf("%s: on day %d %v", name, d, got)
			}
			// What visitors of any country see agrees.
			open := false
			for at := d; at <= 30; at++ {
				for _, citizenship := range []string{"", "DE", "VN"} {
					state, _ := i.StateFor(citizenship, []admitto.Region{{Code: "EU", Members: []string{"DE"}}},
						day(at).End(zone)-1, zone)
					open = open || state.IsOpen()
				}
			}
			if got := i.Opens(day(d)); got != open {
				t.Errorf("%s: on day %d %v, visitors %v", name, d, got, open)
			}
		}
	}
}
