package web

import (
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/google/go-cmp/cmp"
)

// The slowest kinds of requests of a day come first; the next day of the time zone begins with none.
func TestSlowest(t *testing.T) {
	m := NewMetrics()
	m.InZone(func() *time.Location { return time.FixedZone("east", 2*3600) })
	noon := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for n := range 100 {
		took := 4 * time.Millisecond
		if n >= 94 { // 6 of 100
			took = 700 * time.Millisecond
		}
		m.today.add("/slow", took, noon)
		m.today.add("/quick", 3*time.Millisecond, noon)
	}
	m.today.add("/stuck", time.Minute, noon)
	m.today.add("other", time.Hour, noon)
	const ms = admitto.Second / 1000
	want := []admitto.PageTime{{Route: "/stuck", Requests: 1, Most: admitto.Minute, Slowest: admitto.Minute},
		{Route: "/slow", Requests: 100, Most: 700 * ms, Slowest: 700 * ms},
		{Route: "/quick", Requests: 100, Most: 3 * ms, Slowest: 3 * ms}}
	if diff := cmp.Diff(want, m.Slowest(noon.Add(9*time.Hour), 5)); diff != "" {
		t.Error(diff)
	}
	if got := m.Slowest(noon, 1); len(got) != 1 || got[0].Route != "/stuck" {
		t.Error(got)
	}
	if got := m.Slowest(noon.Add(10*time.Hour), 5); len(got) != 0 {
		t.Error(got)
	}
}
