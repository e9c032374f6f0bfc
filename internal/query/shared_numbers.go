package query

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

const (
	// sharedFor is how long numbers are shown that all readers share, without being counted again.
	sharedFor = 60 * admitto.Second
	// sharedAtMost is how old the numbers are at most that readers get while they are counted again.
	sharedAtMost = 10 * 60 * admitto.Second
	// sharedWait is how long such a reader waits, as on most instances counting is done by then. On a large instance it is
	// how long any reader waits.
	sharedWait = 50 * time.Millisecond
	// countedWithin bounds how long counting takes.
	countedWithin = time.Minute
	// keptAtMost is how old the numbers of a large instance are at most that readers get while they are counted again.
	keptAtMost = admitto.Day
	// keptForm is changed with what the numbers consist of, so that those of another release are not read.
	keptForm = "1 "
	// largeFrom is the highest ID of an application from which on an instance is large: counting takes longer than a
	// reader should wait. Its numbers are kept in the database, too, for the first reader after a start.
	largeFrom = 50_000
)

// ErrCounting says that numbers of a large instance are being counted for the first time, or were too old to be shown.
var ErrCounting = errors.New("the numbers are being counted")

// sharedNumbers keeps numbers that are the same for everybody who may see them. Permissions are checked before, so
// nothing of a caller is kept.
type sharedNumbers struct {
	mu   sync.Mutex
	kept map[string]*keptNumbers
	from int64         // largeFrom, but for tests
	turn chan struct{} // held while numbers are counted that nobody waits for
}

type keptNumbers struct {
	mu       sync.Mutex
	quick    bool // to count, whatever the size of the instance
	sought   bool // in the database, and whether the instance is large
	large    bool
	at       admitto.Time
	value    any
	counting *counting // nil while nobody counts
}

// counting is the work on numbers that readers may wait for; value, at and err are set before done is closed.
type counting struct {
	done  chan struct{}
	at    admitto.Time
	value any
	err   error
}

// shared returns what count finds, or found a while ago, and when it was found. After sharedFor it is counted again
// while readers get the former numbers. Who finds none, or numbers too old to be shown, waits; it is counted once for
// all who wait. On a large instance nobody waits for long: ErrCounting.
func shared[T any](ctx context.Context, s *Service, key string,
	count func(*store.Tx) (T, error)) (T, admitto.Time, error) {
	return share(ctx, s, key, s.numbers.of(key, false), count)
}

// quickly is shared for what takes no longer to find on a large instance.
func quickly[T any](ctx context.Context, s *Service, key string, count func(*store.Tx) (T, error)) (T, error) {
	v, _, err := share(ctx, s, key, s.numbers.of(key, true), count)
	return v, err
}

func share[T any](ctx context.Context, s *Service, key string, k *keptNumbers,
	count func(*store.Tx) (T, error)) (T, admitto.Time, error) {
	now := s.core.Now()
	k.mu.Lock()
	if !k.sought && !k.quick {
		k.sought = true
		seek[T](ctx, s, k, key)
	}
	former, ok := k.value.(T)
	at, age := k.at, now-k.at
	if ok = ok && age >= 0; ok && age < sharedFor {
		k.mu.Unlock()
		return former, at, nil
	}
	ok = ok && (age < sharedAtMost || k.large && age < keptAtMost)
	c := k.counting
	if c == nil {
		c = &counting{done: make(chan struct{}), at: now}
		k.counting = c
		go s.count(context.WithoutCancel(ctx), key, k, c, ok || k.large, func(tx *store.Tx) (any, error) { return count(tx) })
	}
	large := k.large
	k.mu.Unlock()
	if ok && large {
		return former, at, nil
	}
	var enough <-chan time.Time // never, without numbers to return on a small instance
	if ok || large {
		timer := time.NewTimer(sharedWait)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-c.done:
		if ok && c.err != nil {
			return former, at, nil
		}
		v, _ := c.value.(T)
		return v, c.at, c.err
	case <-enough:
		if !ok {
			var none T
			return none, 0, ErrCounting
		}
		return former, at, nil
	case <-ctx.Done():
		return former, at, ctx.Err()
	}
}

// seek takes numbers that are kept in the database, and looks how large the instance is; what cannot be read counts as
// none.
func seek[T any](ctx context.Context, s *Service, k *keptNumbers, key string) {
	var text string
	var at admitto.Time
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		if k.large, err = s.isLarge(tx); err != nil {
			return err
		}
		text, at, err = tx.KeptNumbers(keptForm + key)
		return err
	})
	var value T
	if err != nil || text == "" || json.Unmarshal([]byte(text), &value) != nil {
		return
	}
	k.value, k.at = value, at
}

// isLarge reports whether counting takes longer than a reader should wait.
func (s *Service) isLarge(tx *store.Tx) (bool, error) {
	highest, err := tx.HighestApplication()
	return highest >= s.numbers.from, err
}

// of returns the place of numbers.
func (n *sharedNumbers) of(key string, quick bool) *keptNumbers {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kept == nil || len(n.kept) > 1000 {
		n.kept = map[string]*keptNumbers{}
	}
	k := n.kept[key]
	if k == nil {
		k = &keptNumbers{quick: quick}
		n.kept[key] = k
	}
	return k
}

// count counts numbers. Those that nobody waits for are counted one after the other.
func (s *Service) count(ctx context.Context, key string, k *keptNumbers, c *counting, queue bool,
	count func(*store.Tx) (any, error)) {
	if queue {
		s.numbers.turn <- struct{}{}
		defer func() { <-s.numbers.turn }()
	}
	ctx, cancel := context.WithTimeout(ctx, countedWithin)
	defer cancel()
	var large bool
	c.err = usecase.Safely(func() error {
		return s.core.Read(ctx, func(tx *store.Tx) (err error) {
			if c.value, err = count(tx); err != nil {
				return err
			}
			if !k.quick {
				large, err = s.isLarge(tx)
			}
			return err
		})
	})
	k.mu.Lock()
	if c.err == nil {
		k.value, k.at, k.large = c.value, c.at, large
	}
	k.counting = nil
	close(c.done)
	k.mu.Unlock()
	if c.err == nil && large {
		s.keep(ctx, key, c)
	}
}

// keep keeps numbers in the database. Where that fails they are counted again after the next start.
func (s *Service) keep(ctx context.Context, key string, c *counting) {
	text, err := json.Marshal(c.value)
	if err == nil {
		err = s.core.Write(ctx, func(tx *store.Tx) error { return tx.KeepNumbers(keptForm+key, string(text), c.at) })
	}
	if err != nil {
		s.log.WarnContext(ctx, "numbers of the dashboard are not kept", "numbers", key, "error", err)
	}
}

// CountNumbers counts what the dashboard of a large instance shows first, so that no reader is there before its
// numbers.
func (s *Service) CountNumbers(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	var large bool
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		large, err = s.isLarge(tx)
		return err
	})
	if err != nil || !large {
		return err
	}
	term, err := s.DefaultTerm(ctx, by)
	if err != nil {
		return err
	}
	for _, count := range []func() error{
		func() error { _, err := s.Numbers(ctx, by, term); return err },
		func() error { _, err := s.PerDay(ctx, by, term, 90); return err },
		func() error { _, err := s.Funnel(ctx, by, term); return err },
		func() error { _, err := s.MyWork(ctx, by); return err },
		func() error { _, err := s.MoneyWork(ctx, by); return err },
		func() error { _, _, err := s.OffersByType(ctx, by, term); return err },
		func() error { _, _, err := s.DeadlinesAhead(ctx, by, term); return err },
		func() error { _, err := s.Citizenships(ctx, by, term); return err },
		func() error { _, err := s.MyScoring(ctx, by); return err },
	} {
		if err := count(); err != nil && !errors.Is(err, ErrCounting) {
			return err
		}
	}
	return nil
}
