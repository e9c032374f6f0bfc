package apikey

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/usecase"
	"pgregory.net/rapid"
)

// For any arrival times: never more than the quota in any 60 seconds or 60 minutes; a request passes after
// Retry-After seconds, and not one second earlier; nothing is refused that would fit; what is told is true.
func TestTakeFrom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perMinute, perHour := rapid.IntRange(0, 6).Draw(t, "per minute"), rapid.IntRange(0, 20).Draw(t, "per hour")
		gap := rapid.OneOf(
			rapid.Int64Range(0, int64(2*admitto.Second)),
			rapid.Int64Range(0, int64(40*admitto.Second)),
			rapid.Int64Range(0, int64(20*admitto.Minute)),
			rapid.Just(int64(admitto.Minute)), rapid.Just(int64(admitto.Hour)), rapid.Just(int64(0)))
		now := admitto.Time(1_772_355_600_123_456)
		var passed []int64     // what takeFrom keeps
		var all []admitto.Time // every request that passed
		inside := func(length admitto.Time) (n int) {
			for _, p := range all {
				if p > now-length {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			if rapid.IntRange(0, 20).Draw(t, "lower the quota") == 20 {
				perMinute = rapid.IntRange(min(1, perMinute), perMinute).Draw(t, "then per minute")
				perHour = rapid.IntRange(min(1, perHour), perHour).Draw(t, "then per hour")
			}
			now += admitto.Time(gap.Draw(t, "gap"))
			minute, hour := inside(admitto.Minute), inside(admitto.Hour)
			fits := (perMinute == 0 || minute < perMinute) && (perHour == 0 || hour < perHour)
			before := append([]int64{}, passed...)
			kept, q := takeFrom(append([]int64{}, passed...), now, perMinute, perHour)
			if fits == q.Refused {
				t.Fatalf("%d in the minute, %d in the hour: %+v", minute, hour, q)
			}
			if len(kept) > max(perMinute, perHour)+1 {
				t.Fatalf("%d times are kept", len(kept))
			}
			one := 0
			if !q.Refused {
				one = 1
				all = append(all, now)
			}
			for _, w := range []struct {
				window        Window
				limit, inside int
			}{{q.PerMinute, perMinute, minute}, {q.PerHour, perHour, hour}} {
				want := max(w.limit-w.inside-one, 0)
				if w.limit == 0 {
					want = 0
				}
				if w.window.Limit != w.limit || w.window.Remaining != want || w.limit > 0 && w.window.Reset < 1 &&
					w.inside+one > 0 {
					t.Fatalf("%+v, %d were inside", w.window, w.inside)
				}
			}
			if q.Refused {
				if q.RetryAfter < 1 || q.RetryAfter > 3600 {
					t.Fatalf("%+v", q)
				}
				wait := admitto.Time(q.RetryAfter) * admitto.Second
				if _, later := takeFrom(append([]int64{}, before...), now+wait, perMinute, perHour); later.Refused {
					t.Fatalf("after %d s it does not pass", q.RetryAfter)
				}
				if _, sooner := takeFrom(append([]int64{}, before...), now+wait-admitto.Second, perMinute,
					perHour); !sooner.Refused {
					t.Fatalf("after %d s it passes already", q.RetryAfter-1)
				}
			}
			passed = kept
		}
	})
}

// A clock that is set back neither opens the window nor closes it for longer than it was set back.
func TestTakeFromClockSetBack(t *testing.T) {
	now := admitto.Time(1_772_355_600_000_000)
	var passed []int64
	for range 5 {
		passed, _ = takeFrom(passed, now, 5, 0)
	}
	for _, back := range []admitto.Time{0, admitto.Second, admitto.Hour} {
		if _, q := takeFrom(append([]int64{}, passed...), now-back, 5, 0); !q.Refused || q.RetryAfter != 60 {
			t.Errorf("set back by %d: %+v", back, q)
		}
	}
}

// For any log and limits: from the time it opens on that many pass at once, and not a microsecond earlier.
func TestOpensFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perMinute, perHour := rapid.IntRange(0, 5).Draw(t, "per minute"), rapid.IntRange(0, 9).Draw(t, "per hour")
		last := admitto.Time(1_772_355_600_123_456)
		var passed []int64
		for range rapid.IntRange(0, 12).Draw(t, "passed") {
			last += admitto.Time(rapid.SampledFrom([]admitto.Time{0, 1, admitto.Second, 20 * admitto.Second,
				admitto.Minute, 20 * admitto.Minute}).Draw(t, "gap"))
			passed = append(passed, int64(last))
		}
		more := rapid.IntRange(1, 4).Draw(t, "more")
		passAt := func(now admitto.Time) bool {
			kept, all := slices.Clone(passed), true
			for range more {
				var q Quota
				kept, q = takeFrom(kept, now, perMinute, perHour)
				all = all && !q.Refused
			}
			return all
		}
		opens, ok := opensFor(passed, more, perMinute, perHour)
		switch {
		case !ok:
			if passAt(last + 2*admitto.Hour) {
				t.Fatal("they pass")
			}
		case !passAt(max(opens, last)):
			t.Fatal("they do not pass yet")
		case opens > last && passAt(opens-1):
			t.Fatal("they pass earlier")
		}
	})
}

// A key that nobody else counts costs one statement a request, also when several come at once; now and then old
// requests are dropped.
func TestSharedQuotaIsOneStatement(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		both, stores := openTwo(t, url, o)
		if !stores[0].Shared() {
			return // counted in memory
		}
		many := 1_000
		take := func(i int) int64 {
			before := stores[i].Statements()
			if q, err := both[i].TakeQuota(t.Context(), &admitto.Key{ID: 1, PerMinute: &many, PerHour: &many}); err != nil ||
				q.Refused {
				t.Errorf("%+v, %v", q, err)
			}
			return stores[i].Statements() - before
		}
		costs := map[int64]int{}
		take(0)
		for range 100 {
			costs[take(0)]++
		}
		if costs[1] < 98 {
			t.Errorf("requests by their statements: %v", costs)
		}
		take(1)
		if n := take(0); n == 1 {
			t.Error("the request of another instance was not seen")
		}
		if n := take(0); n != 1 {
			t.Errorf("%d statements after it", n)
		}
	})
}

// A key's own quota wins over the setting, and 0 is none.
func TestOwnQuotaOfKey(t *testing.T) {
	set := config.Defaults()
	set.Quota.PerMinute = 1
	o := &Service{core: usecase.NewCore(nil, config.NewLive(set), nil, nil),
		keyring: newKeyring(), quotas: &ownQuotas{now: func() admitto.Time { return 1 }}}
	none, two := 0, 2
	for _, c := range []struct {
		key    admitto.Key
		passes int
	}{{admitto.Key{ID: 1}, 1}, {admitto.Key{ID: 2, PerMinute: &two}, 2}, {admitto.Key{ID: 3, PerMinute: &none},
		9}, {admitto.Key{ID: 4, PerMinute: &none, PerHour: &two}, 2}} {
		passes := 0
		for range 9 {
			q, err := o.TakeQuota(t.Context(), &c.key)
			if err != nil {
				t.Fatal(err)
			}
			if !q.Refused {
				passes++
			}
		}
		if passes != c.passes {
			t.Errorf("key %d: %d pass, want %d", c.key.ID, passes, c.passes)
		}
	}
}

// openTwo returns two instances on one database, each with a store of its own where that is possible.
func openTwo(t *testing.T, url string, o db.Options) (both [2]*Service, stores [2]*store.Store) {
	o.Clock = func() admitto.Time { return 1_772_355_600_000_000 }
	for i := range both {
		s, err := store.Open(t.Context(), url, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		set := config.Defaults()
		set.Quota.PerMinute, set.Quota.PerHour = 77, 600
		both[i], stores[i] = New(usecase.NewCore(s, config.NewLive(set), nil, o.Clock), nil, s, nil), s
		if !s.Shared() {
			return [2]*Service{both[i], both[i]}, [2]*store.Store{s, s}
		}
	}
	return both, stores
}

// Fifty at once on each of two instances: exactly the quota passes, and the remainders told are all different.
func TestSharedQuotaIsExact(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		both, _ := openTwo(t, url, o)
		for key := int64(1); key <= 2; key++ {
			var mu sync.Mutex
			remaining := map[int]bool{}
			refused := 0
			var all sync.WaitGroup
			for i := range 100 {
				all.Go(func() {
					q, err := both[i%2].TakeQuota(context.Background(), &admitto.Key{ID: key})
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err != nil:
						t.Error(err)
					case q.Refused:
						refused++
					case remaining[q.PerMinute.Remaining]:
						t.Errorf("%d remain twice", q.PerMinute.Remaining)
					default:
						remaining[q.PerMinute.Remaining] = true
					}
				})
			}
			all.Wait()
			if len(remaining) != 77 || refused != 23 {
				t.Errorf("key %d: %d passed, %d were refused", key, len(remaining), refused)
			}
		}
	})
}

// A caller who leaves does not take the others along, and a database that fails lets nobody through.
func TestSharedQuotaFails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		both, stores := openTwo(t, url, o)
		if !stores[0].Shared() {
			return // counted in memory
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		var all sync.WaitGroup
		var passed atomic.Int64
		for i := range 20 {
			all.Go(func() {
				ctx := t.Context()
				if i%2 == 0 {
					ctx = gone
				}
				if q, err := both[0].TakeQuota(ctx, &admitto.Key{ID: 1}); err == nil && !q.Refused {
					passed.Add(1)
				}
			})
		}
		all.Wait()
		if passed.Load() < 10 {
			t.Errorf("%d passed", passed.Load())
		}
		stores[0].Close()
		if _, err := both[0].TakeQuota(t.Context(), &admitto.Key{ID: 1}); admitto.KindOf(err) != admitto.Unavailable {
			t.Errorf("got %v", err)
		}
		if q, err := both[1].TakeQuota(t.Context(), &admitto.Key{ID: 1}); err != nil || q.Refused {
			t.Errorf("%+v, %v", q, err)
		}
	})
}

// A panic while requests are counted is an error of those that wait, and no end of the process; the next are counted.
func TestSharedQuotaPanics(t *testing.T) {
	broken := &sharedQuotas{} // without a store
	for range 2 {
		if _, err := broken.take(t.Context(), 1, 1, 1); err == nil || !strings.HasPrefix(err.Error(), "panic: ") {
			t.Errorf("got %v", err)
		}
	}
}

// Guessing keys takes no more than a bounded memory.
func TestGuessedKeysAreBounded(t *testing.T) {
	k := newKeyring()
	for i := range 3 * maxCachedKeys {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(i))
		k.remember(sha256.Sum256(n[:]), cachedKey{})
		if len(k.known) > maxCachedKeys {
			t.Fatal("the memory grows: " + strconv.Itoa(len(k.known)))
		}
	}
}
