package api_test

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/storetest"
)

// quotas sets the quotas of all keys.
func quotas(perMinute, perHour int) func(*options) {
	return func(o *options) { o.settings.Quota.PerMinute, o.settings.Quota.PerHour = perMinute, perHour }
}

// outOfQuota wants a 429 and returns its Retry-After.
func (s *service) outOfQuota(a answer) admitto.Time {
	s.t.Helper()
	a.want(s.t, 429).problem(s.t, "quota-exceeded")
	n, err := strconv.Atoi(a.header.Get("Retry-After"))
	if err != nil || n < 1 {
		s.t.Fatalf("Retry-After %q", a.header.Get("Retry-After"))
	}
	return admitto.Time(n) * admitto.Second
}

// A burst passes up to the quota, and Retry-After is true to the second (conventions.md 7).
func TestQuotaWindows(t *testing.T) {
	cases := []struct {
		name               string
		perMinute, perHour int
		passes             int
		gap                admitto.Time // between requests
		retry              admitto.Time // after the last one that passes
	}{
		{"a burst", 180, 600, 180, 0, admitto.Minute},
		{"spread over half a minute", 180, 600, 180, admitto.Minute / 360, admitto.Minute - 179*(admitto.Minute/360)},
		{"the hour", 180, 600, 600, 5 * admitto.Second, admitto.Hour - 599*5*admitto.Second},
		{"the hour alone", 0, 20, 20, 0, admitto.Hour},
		{"the minute alone", 7, 0, 7, admitto.Second, 54 * admitto.Second},
		{"both at once", 5, 5, 5, 0, admitto.Hour},
		{"one", 1, 0, 1, 0, admitto.Minute},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, s *service) {
				for i := range c.passes {
					if i > 0 {
						s.clock.Add(c.gap)
					}
					if a := s.get("/api/ping"); a.status != 200 {
						t.Fatalf("request %d: status %d", i+1, a.status)
					}
				}
				retry := s.outOfQuota(s.get("/api/ping"))
				if want := (c.retry + admitto.Second - 1) / admitto.Second * admitto.Second; retry != want {
					t.Fatalf("Retry-After %d s, want %d s", retry/admitto.Second, want/admitto.Second)
				}
				s.clock.Add(retry - admitto.Second)
				if left := s.outOfQuota(s.get("/api/ping")); left != admitto.Second {
					t.Errorf("a second before: Retry-After %d s", left/admitto.Second)
				}
				s.clock.Add(admitto.Second)
				s.get("/api/ping").want(t, 200)
			}, quotas(c.perMinute, c.perHour))
		})
	}
}

// What counts: every authenticated request, whatever becomes of it, unless it was refused with 429.
func TestQuotaCounts(t *testing.T) {
	cases := []struct {
		method, path string
		with         with
		counts       bool
	}{
		{"GET", "/api/ping", nil, true},
		{"HEAD", "/api/ping", nil, true},
		{"GET", "/api/nowhere", nil, true},
		{"GET", "/api//x", nil, true},
		{"GET", "/api/v11/ping", nil, true},
		{"OPTIONS", "/api/ping", nil, true},
		{"POST", "/api/version", nil, true},
		{"GET", "/api/applicants/x", nil, true},
		{"GET", "/api/courses", nil, true},
		{"PUT", "/api/applicants/1/reference", nil, true},
		{"GET", "/api/version", nil, false},
		{"HEAD", "/api/v10/version", nil, false},
		{"GET", "/api/ping", noKey, false},
		{"GET", "/api/ping", key("wrong"), false},
		{"GET", "/problems/", nil, false},
	}
	onEach(t, func(t *testing.T, s *service) {
		left := func() (n int) {
			t.Helper()
			if _, err := fmt.Sscanf(s.get("/api/ping").want(t, 200).header.Get("RateLimit"), `"minute";r=%d;`, &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, c := range cases {
			before := left()
			var changes []with
			if c.with != nil {
				changes = append(changes, c.with)
			}
			a := s.do(c.method, c.path, "", changes...)
			want := 1
			if c.counts {
				want = 2
			}
			if got := before - left(); got != want {
				t.Errorf("%s %s: counted %d, want %d", c.method, c.path, got-1, want-1)
			}
			if c.counts != (a.header.Get("RateLimit") != "") {
				t.Errorf("%s %s: RateLimit %q", c.method, c.path, a.header.Get("RateLimit"))
			}
		}
	}, quotas(1000, 1000))
	onEach(t, func(t *testing.T, s *service) {
		s.get("/api/ping").want(t, 200)
		s.clock.Add(30 * admitto.Second)
		s.get("/api/ping").want(t, 200)
		for range 10 { // refused ones do not push the end away
			s.outOfQuota(s.get("/api/ping"))
		}
		s.clock.Add(30 * admitto.Second)
		s.get("/api/ping").want(t, 200)
		s.outOfQuota(s.get("/api/ping"))
	}, quotas(2, 0))
}

// Keys have quotas of their own, and counts of their own.
func TestQuotaPerKey(t *testing.T) {
	number := func(n int) *int { return &n }
	onEach(t, func(t *testing.T, s *service) {
		s.get("/api/ping").want(t, 200)
		s.get("/api/ping").want(t, 200)
		s.outOfQuota(s.get("/api/ping"))
		_, wide := s.newKey(apikey.NewKey{Label: "wide", Scope: admitto.ScopeAll, PerMinute: number(5)})
		for i := range 5 {
			a := s.get("/api/ping", key(wide)).want(t, 200)
			want := fmt.Sprintf(`"minute";r=%d;t=60, "hour";r=%d;t=3600`, 4-i, 9-i)
			if a.header.Get("RateLimit-Policy") != `"minute";q=5;w=60, "hour";q=10;w=3600` || a.header.Get("RateLimit") != want {
				t.Errorf("request %d: %q, %q", i+1, a.header.Get("RateLimit-Policy"), a.header.Get("RateLimit"))
			}
		}
		if a := s.get("/api/ping", key(wide)); a.header.Get("RateLimit") != `"minute";r=0;t=60, "hour";r=5;t=3600` {
			t.Errorf("refused: %q", a.header.Get("RateLimit"))
		}
		_, free := s.newKey(apikey.NewKey{Label: "free", Scope: admitto.ScopeAll, PerMinute: number(0), PerHour: number(0)})
		for range 30 {
			if a := s.get("/api/ping", key(free)).want(t, 200); a.header.Get("RateLimit") != "" ||
				a.header.Get("RateLimit-Policy") != "" {
				t.Fatal(a.header)
			}
		}
		_, hourly := s.newKey(apikey.NewKey{Label: "hourly", Scope: admitto.ScopeAll, PerMinute: number(0)})
		s.clock.Add(admitto.Second)
		s.get("/api/ping", key(hourly)).want(t, 200)
		s.clock.Add(admitto.Second)
		if a := s.get("/api/ping", key(hourly)); a.header.Get("RateLimit-Policy") != `"hour";q=10;w=3600` ||
			a.header.Get("RateLimit") != `"hour";r=8;t=3599` {
			t.Errorf("%q, %q", a.header.Get("RateLimit-Policy"), a.header.Get("RateLimit"))
		}
	}, quotas(2, 10))
}

// Several instances on one database share one count, at the same time too.
func TestQuotaIsShared(t *testing.T) {
	storetest.Migrated.Each(t, func(t *testing.T, url string, o db.Options) {
		first := newService(t, url, o, quotas(180, 600))
		services := []*service{first, first}
		if first.store.Shared() {
			services[1] = newService(t, url, o, quotas(180, 600), func(o *options) { o.clock = first.clock })
		}
		for round := range 3 {
			var passed, refused atomic.Int64
			var wg sync.WaitGroup
			for i := range 240 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					switch a := services[i%2].get("/api/ping", key(first.key)); a.status {
					case 200:
						passed.Add(1)
					case 429:
						refused.Add(1)
					default:
						t.Errorf("status %d: %s", a.status, a.body)
					}
				}()
			}
			wg.Wait()
			if passed.Load() != 180 || refused.Load() != 60 {
				t.Fatalf("round %d: %d passed, %d refused", round, passed.Load(), refused.Load())
			}
			first.clock.Add(admitto.Minute)
		}
		// The hour has 60 left.
		for i := range 61 {
			want := 200
			if i == 60 {
				want = 429
			}
			services[i%2].get("/api/ping", key(first.key)).want(t, want)
		}
	})
}
