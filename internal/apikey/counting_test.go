package apikey

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// read reads something.
func read(ctx context.Context, s *store.Store) error {
	return s.Read(ctx, func(tx *store.Tx) error {
		_, err := tx.QuotaPassed(0)
		return err
	})
}

// Whatever a request does, it is counted once; and one that surely does not pass is not let in to read.
func TestCountLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		both, stores := openTwo(t, url, o)
		key := &admitto.Key{ID: 1}
		if _, counting := both[0].CountLater(t.Context(), key); counting != nil {
			t.Error("nothing is known of the key")
		}
		left := 77
		take := func(q Quota, err error) {
			t.Helper()
			if left--; err != nil || q.Refused || q.PerMinute.Remaining != left {
				t.Errorf("%+v, %v, and %d remain", q, err, left)
			}
		}
		take(both[0].TakeQuota(t.Context(), key))
		if !stores[0].Shared() {
			if _, counting := both[0].CountLater(t.Context(), key); counting != nil {
				t.Error("counting in memory costs nothing")
			}
			return
		}
		later := func() (context.Context, *Counting) {
			t.Helper()
			ctx, counting := both[0].CountLater(t.Context(), key)
			if counting == nil {
				t.Fatal("it must be counted first")
			}
			return ctx, counting
		}

		ctx, counting := later() // reads twice
		for range 2 {
			if err := read(ctx, stores[0]); err != nil {
				t.Error(err)
			}
		}
		take(counting.Take(ctx))

		ctx, counting = later() // reads nothing
		take(counting.Take(ctx))
		if err := read(ctx, stores[0]); err != nil { // too late
			t.Error(err)
		}

		ctx, counting = later() // its reading fails
		failed := errors.New("failed")
		if err := stores[0].Read(ctx, func(tx *store.Tx) error {
			_, err := tx.QuotaPassed(0)
			return errors.Join(err, failed)
		}); !errors.Is(err, failed) {
			t.Error(err)
		}
		take(counting.Take(ctx))

		ctx, counting = later() // another instance has counted since
		take(both[1].TakeQuota(t.Context(), key))
		if err := read(ctx, stores[0]); err != nil {
			t.Error(err)
		}
		take(counting.Take(ctx))

		one, first := later() // another request has, meanwhile
		two, second := later()
		if err := errors.Join(read(two, stores[0]), read(one, stores[0])); err != nil {
			t.Error(err)
		}
		left -= 2
		a, err1 := first.Take(one)
		b, err2 := second.Take(two)
		if err1 != nil || err2 != nil || a.PerMinute.Remaining != left || b.PerMinute.Remaining != left+1 {
			t.Errorf("%+v, %+v, %v, %v, and %d remain", a, b, err1, err2, left)
		}

		ctx, counting = later() // another instance has used up the quota
		for range left {
			take(both[1].TakeQuota(t.Context(), key))
		}
		if err := read(ctx, stores[0]); err != nil {
			t.Error(err)
		}
		if q, err := counting.Take(ctx); err != nil || !q.Refused {
			t.Errorf("%+v, %v", q, err)
		}
		if _, counting := both[0].CountLater(t.Context(), key); counting != nil {
			t.Error("the quota is used up")
		}
	})
}

// Counted along with reads or first, on two instances at once: exactly the quota passes, and nobody waits for ever.
func TestCountedWithReadsIsExact(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		both, stores := openTwo(t, url, o)
		const keys, each = 4, 50 // of requests for a key on an instance
		var mu sync.Mutex
		remaining := map[[2]int64]bool{}
		refused := 0
		var all sync.WaitGroup
		request := func(i int, key *admitto.Key, reads bool) (q Quota, err error) {
			ctx, counting := both[i].CountLater(t.Context(), key)
			if counting == nil {
				return both[i].TakeQuota(ctx, key)
			}
			if reads {
				if err := read(ctx, stores[i]); err != nil {
					return q, err
				}
			}
			return counting.Take(ctx)
		}
		for i := range 2 * keys {
			all.Go(func() {
				key := &admitto.Key{ID: int64(i/2 + 1)}
				for n := range each {
					q, err := request(i%2, key, (i+n)%3 > 0)
					told := [2]int64{key.ID, int64(q.PerMinute.Remaining)}
					mu.Lock()
					switch {
					case err != nil:
						t.Error(err)
					case q.Refused:
						refused++
					case remaining[told]:
						t.Errorf("%d remain twice of key %d", told[1], told[0])
					default:
						remaining[told] = true
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if len(remaining) != keys*77 || refused != keys*(2*each-77) {
			t.Errorf("%d passed, %d were refused", len(remaining), refused)
		}
	})
}

// A reader that leaves in the middle of the count keeps nobody from counting, and a database that fails lets nobody
// through.
func TestCountLaterFails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		both, stores := openTwo(t, url, o)
		if !stores[0].Shared() {
			return // counted in memory
		}
		key := &admitto.Key{ID: 1}
		if _, err := both[0].TakeQuota(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			gone, leave := context.WithCancel(t.Context())
			ctx, counting := both[0].CountLater(gone, key)
			if counting == nil {
				t.Fatal("it must be counted first")
			}
			go leave()
			_ = read(ctx, stores[0]) // or it does not
			_, _ = counting.Take(ctx)
			if q, err := both[0].TakeQuota(t.Context(), key); err != nil || q.Refused {
				t.Fatalf("%+v, %v", q, err)
			}
		}
		ctx, counting := both[0].CountLater(t.Context(), key)
		stores[0].Close()
		if err := read(ctx, stores[0]); admitto.KindOf(err) != admitto.Unavailable {
			t.Errorf("got %v", err)
		}
		if _, err := counting.Take(ctx); admitto.KindOf(err) != admitto.Unavailable {
			t.Errorf("got %v", err)
		}
	})
}
