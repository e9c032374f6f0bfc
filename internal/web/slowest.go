package web

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// dayTimes counts how long requests took on one day, by route.
type dayTimes struct {
	mu     sync.Mutex
	zone   func() *time.Location // nil: UTC
	day    string
	routes map[string]*routeTimes
}

// routeTimes counts the requests of a route by how long they took.
type routeTimes struct {
	counts  [len(timeBounds) + 1]int64
	n       int64
	slowest time.Duration
}

// timeBounds are the upper bounds that times are counted in.
var timeBounds = [...]time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond,
	50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
	5 * time.Second,
	10 * time.Second, 30 * time.Second}

// InZone makes the days of Slowest those of a time zone.
func (m *Metrics) InZone(zone func() *time.Location) {
	m.today.mu.Lock()
	defer m.today.mu.Unlock()
	m.today.zone = zone
}

// add counts a request that ended at a time.
func (d *dayTimes) add(route string, took time.Duration, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn(at)
	t := d.routes[route]
	if t == nil {
		t = &routeTimes{}
		d.routes[route] = t
	}
	i := 0
	for i < len(timeBounds) && took > timeBounds[i] {
		i++
	}
	t.counts[i]++
	t.n++
	t.slowest = max(t.slowest, took)
}

// turn begins again where the day is another one.
func (d *dayTimes) turn(at time.Time) {
	zone := time.UTC
	if d.zone != nil {
		zone = d.zone()
	}
	if day := at.In(zone).Format(time.DateOnly); day != d.day || d.routes == nil {
		d.day, d.routes = day, map[string]*routeTimes{}
	}
}

// most is how long 95 of 100 requests took at most.
func (t *routeTimes) most() time.Duration {
	enough, so := (t.n*95+99)/100, int64(0)
	for i, bound := range timeBounds {
		if so += t.counts[i]; so >= enough {
			return min(bound, t.slowest)
		}
	}
	return t.slowest
}

// Slowest returns at most n kinds of requests of the day of a time, the slowest first.
func (m *Metrics) Slowest(now time.Time, n int) (list []admitto.PageTime) {
	d := &m.today
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn(now)
	for route, t := range d.routes {
		if isProbe(route) || route == "other" {
			continue
		}
		list = append(list, admitto.PageTime{Route: route, Requests: t.n, Most: admitto.Time(t.most().Microseconds()),
			Slowest: admitto.Time(t.slowest.Microseconds())})
	}
	slices.SortFunc(list, func(a, b admitto.PageTime) int {
		return cmp.Or(cmp.Compare(b.Most, a.Most), cmp.Compare(b.Slowest, a.Slowest), cmp.Compare(a.Route, b.Route))
	})
	return list[:min(n, len(list))]
}
