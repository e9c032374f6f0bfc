package storetest

import (
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func testQuota(t *testing.T, e *env) {
	e.migrate(t)
	if !e.Shared() {
		return // one instance counts in memory
	}
	// Half of the writers remember what they have read, the others read all each time.
	const writers, steps = 8, 20
	together(t, writers, func(w int) error {
		var known store.QuotaLog
		for step := range steps {
			err := e.WriteHastily(e.ctx, func(tx *store.Tx) error {
				log, err := tx.LockQuota(7, known)
				if err != nil {
					return err
				}
				log.Newest, log.Passed = log.Newest+1, append(log.Passed, int64(w*steps+step))
				if w%2 == 0 {
					known = log
				}
				return tx.SaveQuota(7, log, 1)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	wantPassed := func(key int64, known store.QuotaLog, want ...int64) (got store.QuotaLog) {
		t.Helper()
		e.trial(t, func(tx *store.Tx) (err error) {
			got, err = tx.LockQuota(key, known)
			return err
		})
		sorted := slices.Sorted(slices.Values(got.Passed))
		if diff := cmp.Diff(want, sorted, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("key %d: %s", key, diff)
		}
		return got
	}
	every := make([]int64, writers*steps)
	for i := range every {
		every[i] = int64(i)
	}
	all := wantPassed(7, store.QuotaLog{}, every...)
	if all.Newest != writers*steps {
		t.Errorf("the newest is %d", all.Newest)
	}
	wantPassed(7, all, every...)
	wantPassed(8, store.QuotaLog{})

	testQuotaAlone(t, e)

	// What the log has lost is dropped by and by; who remembers too little then reads what is there.
	short := store.QuotaLog{Newest: all.Newest, Passed: all.Passed[len(all.Passed)-3:]}
	for short.Newest%64 != 0 {
		short.Newest, short.Passed = short.Newest+1, append(short.Passed[1:], 1000)
		e.write(t, func(tx *store.Tx) error { return tx.SaveQuota(7, short, 1) })
	}
	wantPassed(7, store.QuotaLog{Newest: 5, Passed: []int64{5}}, short.Passed...)
	wantPassed(7, store.QuotaLog{Newest: short.Newest, Passed: []int64{7, 8, 9}},
		short.Passed...) // numbers of another count

	e.write(t, func(tx *store.Tx) error { return sqltest.In(tx).Script("TRUNCATE quota_passed") }) // as a crash does
	wantPassed(7, short)
}

// testQuotaAlone counts without a lock.
func testQuotaAlone(t *testing.T, e *env) {
	const key = 9
	opened := admitto.Time(epoch)
	e.write(t, func(tx *store.Tx) error {
		return tx.SaveQuota(key, store.QuotaLog{Newest: 2, Passed: []int64{5, int64(opened)}}, 2)
	})
	known := store.QuotaLog{Newest: 2, Passed: []int64{5, int64(opened)}}
	add := func(known store.QuotaLog, n int, opens admitto.Time) admitto.Time {
		t.Helper()
		at, err := e.AddQuota(e.ctx, key, known, n, opens)
		if err != nil {
			t.Error(err)
		}
		return at
	}
	for name, c := range map[string]struct {
		known store.QuotaLog
		n     int
		opens admitto.Time
	}{
		"nothing known":             {store.QuotaLog{}, 1, 0},
		"others have counted":       {store.QuotaLog{Newest: 1, Passed: []int64{5}}, 1, 0},
		"another time of it":        {store.QuotaLog{Newest: 2, Passed: []int64{5, 6}}, 1, 0},
		"the table is younger":      {store.QuotaLog{Newest: 5, Passed: []int64{int64(opened)}}, 1, 0},
		"not open yet":              {known, 1, opened + 100*365*admitto.Day},
		"old ones are dropped next": {known, 62, 0},
	} {
		if at := add(c.known, c.n, c.opens); at != 0 {
			t.Errorf("%s: counted at %v", name, at)
		}
	}
	e.trial(t, func(tx *store.Tx) error {
		log, err := tx.LockQuota(key, known)
		if len(log.Passed) != 2 || err != nil {
			t.Errorf("%+v, %v", log, err)
		}
		if at := add(known, 1, 0); at != 0 {
			t.Errorf("counted at %v while another holds the lock", at)
		}
		return err
	})
	at := add(known, 3, opened)
	if at < opened {
		t.Errorf("counted at %v", at)
	}
	e.trial(t, func(tx *store.Tx) error {
		log, err := tx.LockQuota(key, known)
		want := store.QuotaLog{Newest: 5, Passed: append(slices.Clone(known.Passed), int64(at), int64(at), int64(at))}
		if diff := cmp.Diff(want, log); diff != "" {
			t.Error(diff)
		}
		return err
	})

	// Some count with the lock and others without it, until they do: every number is given once.
	const writers, steps = 6, 8
	together(t, writers, func(w int) error {
		for range steps {
			alone := w%2 == 0
			for counted := false; !counted; {
				var known store.QuotaLog
				err := e.WriteHastily(e.ctx, func(tx *store.Tx) (err error) {
					if known, err = tx.LockQuota(key, store.QuotaLog{}); err != nil || alone {
						return err
					}
					log := store.QuotaLog{Newest: known.Newest + 1, Passed: append(known.Passed, int64(opened))}
					counted = true
					return tx.SaveQuota(key, log, 1)
				})
				if err != nil {
					return err
				}
				if !alone {
					continue
				}
				at, err := e.AddQuota(e.ctx, key, known, 1, 0)
				if err != nil {
					return err
				}
				counted = at != 0
				alone = counted || (known.Newest+1)%64 != 0
			}
		}
		return nil
	})
	e.trial(t, func(tx *store.Tx) error {
		log, err := tx.LockQuota(key, store.QuotaLog{})
		if log.Newest != 5+writers*steps || len(log.Passed) != 5+writers*steps {
			t.Errorf("the newest of %d is %d", len(log.Passed), log.Newest)
		}
		return err
	})
}
