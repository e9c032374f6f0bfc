package apikey

import (
	"context"
	"slices"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Quota is where a key stands after a request was counted, or refused (conventions.md 7).
type Quota struct {
	PerMinute, PerHour Window
	Refused            bool
	RetryAfter         int // seconds until a request passes again; only when refused
}

// Window is one sliding window. Limit 0 means that nothing is counted.
type Window struct {
	Limit     int
	Remaining int
	Reset     int // seconds until the oldest request leaves the window
}

// quotas counts requests. At any time no more than the limit have passed within the last minute and hour.
type quotas interface {
	take(ctx context.Context, key int64, perMinute, perHour int) (Quota, error)
	// later returns what counts a request that surely passes along with its first read, nil where that saves nothing.
	later(key int64, perMinute, perHour int) *quotaErrand
	look(ctx context.Context, key int64) (passed []int64, err error)
}

// TakeQuota counts a request of the key and says whether it passes.
func (s *Service) TakeQuota(ctx context.Context, key *admitto.Key) (Quota, error) {
	perMinute, perHour := s.limits(key)
	if perMinute == 0 && perHour == 0 {
		return Quota{}, nil
	}
	q, err := s.quotas.take(ctx, key.ID, perMinute, perHour)
	if err == nil && q.Refused {
		s.refused(key.ID)
	}
	return q, err
}

// limits are how many requests of the key pass in a minute and in an hour; 0: any number.
func (s *Service) limits(key *admitto.Key) (perMinute, perHour int) {
	perMinute, perHour = s.core.Settings().Quota.PerMinute, s.core.Settings().Quota.PerHour
	if key.PerMinute != nil {
		perMinute = *key.PerMinute
	}
	if key.PerHour != nil {
		perHour = *key.PerHour
	}
	return perMinute, perHour
}

// KeyLoad is what a key uses of its quota now, and how often that refused it within a day, as far as it is saved.
type KeyLoad struct {
	Minute, Hour       int // requests that passed
	PerMinute, PerHour int // limits, 0: none, and nothing is counted without both
	Refused            int64
}

// KeyLoad looks at the quota of a key and counts nothing.
func (s *Service) KeyLoad(ctx context.Context, by admitto.Caller, key *admitto.Key) (l KeyLoad, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return l, err
	}
	l.PerMinute, l.PerHour = s.limits(key)
	passed, err := s.quotas.look(ctx, key.ID)
	if err != nil {
		return l, err
	}
	now := s.core.Now()
	for _, at := range passed {
		if admitto.Time(at) > now-admitto.Minute {
			l.Minute++
		}
		if admitto.Time(at) > now-admitto.Hour {
			l.Hour++
		}
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		l.Refused, err = tx.Refused(key.ID, tx.Now()-admitto.Day)
		return err
	})
	return l, err
}

// takeFrom decides one request at the time now, given when earlier ones passed (oldest first), and returns
// the times back with what is too old to matter cut off and, if it passes, the request put in.
func takeFrom(passed []int64, now admitto.Time, perMinute, perHour int) ([]int64, Quota) {
	old := 0
	for old < len(passed) && (admitto.Time(passed[old]) <= now-admitto.Hour || len(passed)-old > max(perMinute, perHour)) {
		old++
	}
	passed = passed[old:]
	if n := len(passed); n > 0 && admitto.Time(passed[n-1]) > now {
		now = admitto.Time(passed[n-1]) // a clock that was set back does not open the window
	}
	q := Quota{}
	for _, w := range []struct {
		window *Window
		limit  int
		length admitto.Time
	}{{&q.PerMinute, perMinute, admitto.Minute}, {&q.PerHour, perHour, admitto.Hour}} {
		if w.limit == 0 {
			continue
		}
		first, _ := slices.BinarySearch(passed, int64(now-w.length)+1)
		inside := len(passed) - first
		*w.window = Window{Limit: w.limit, Remaining: max(w.limit-inside, 0)}
		if inside > 0 {
			w.window.Reset = secondsUntil(now, admitto.Time(passed[first])+w.length)
		}
		if inside >= w.limit {
			q.Refused = true
			q.RetryAfter = max(q.RetryAfter, secondsUntil(now, admitto.Time(passed[len(passed)-w.limit])+w.length))
		}
	}
	if !q.Refused {
		for _, w := range []struct {
			window *Window
			length admitto.Time
		}{{&q.PerMinute, admitto.Minute}, {&q.PerHour, admitto.Hour}} {
			if w.window.Limit == 0 {
				continue
			}
			if w.window.Remaining == w.window.Limit {
				w.window.Reset = int(w.length / admitto.Second)
			}
			w.window.Remaining--
		}
		passed = append(passed, int64(now))
	}
	return passed, q
}

// opensFor is the earliest time at which that many requests more pass at once; ok is false when they never do.
func opensFor(passed []int64, more, perMinute, perHour int) (opens admitto.Time, ok bool) {
	for _, w := range []struct {
		limit  int
		length admitto.Time
	}{{perMinute, admitto.Minute}, {perHour, admitto.Hour}} {
		before := w.limit - more // that many of those that passed may lie in the window
		switch {
		case w.limit == 0:
		case before < 0:
			return 0, false
		case len(passed) > before:
			opens = max(opens, admitto.Time(passed[len(passed)-before-1])+w.length)
		}
	}
	return opens, true
}

func secondsUntil(now, then admitto.Time) int {
	return int((then - now + admitto.Second - 1) / admitto.Second)
}

// ownQuotas counts in memory, for an instance that is alone on its database. A restart forgets the counts.
type ownQuotas struct {
	now    admitto.Clock
	mu     sync.Mutex
	passed map[int64][]int64
}

func (m *ownQuotas) take(_ context.Context, key int64, perMinute, perHour int) (Quota, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.passed == nil {
		m.passed = map[int64][]int64{}
	}
	passed, q := takeFrom(m.passed[key], m.now(), perMinute, perHour)
	m.passed[key] = passed
	return q, nil
}

func (m *ownQuotas) later(int64, int, int) *quotaErrand { return nil }

func (m *ownQuotas) look(_ context.Context, key int64) ([]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.passed[key]), nil
}

// sharedQuotas counts in the database, for several instances. Requests of one key that arrive while a count is under
// way are counted together in the next one, so a busy key costs few small transactions. Each instance remembers what it
// has read, so that it reads only what others have counted since.
type sharedQuotas struct {
	store *store.Store
	now   admitto.Clock
	mu    sync.Mutex
	lines map[int64]*quotaLine
}

// quotaLine is the queue of one key.
type quotaLine struct {
	waiting []*quotaTurn
	busy    bool
	known   store.QuotaLog // as the database had it after the last count; belongs to the one who serves
}

type quotaTurn struct {
	perMinute, perHour int
	quota              Quota
	err                error
	done               chan struct{}
}

func (s *sharedQuotas) take(ctx context.Context, key int64, perMinute, perHour int) (Quota, error) {
	turn := &quotaTurn{perMinute: perMinute, perHour: perHour, done: make(chan struct{})}
	s.mu.Lock()
	line := s.line(key)
	line.waiting = append(line.waiting, turn)
	if !line.busy {
		line.busy = true
		// The first of a round counts for all who wait; its own caller may leave, the others stay.
		go s.serve(context.WithoutCancel(ctx), key, line)
	}
	s.mu.Unlock()
	select {
	case <-turn.done:
		return turn.quota, turn.err
	case <-ctx.Done():
		return Quota{}, ctx.Err()
	}
}

// line is the queue of a key. Its caller holds mu.
func (s *sharedQuotas) line(key int64) *quotaLine {
	if s.lines == nil {
		s.lines = map[int64]*quotaLine{}
	}
	line := s.lines[key]
	if line == nil {
		line = &quotaLine{}
		s.lines[key] = line
	}
	return line
}

func (s *sharedQuotas) look(ctx context.Context, key int64) (passed []int64, err error) {
	err = s.store.Read(ctx, func(tx *store.Tx) error {
		passed, err = tx.QuotaPassed(key)
		return err
	})
	return passed, err
}

func (s *sharedQuotas) serve(ctx context.Context, key int64, line *quotaLine) {
	for {
		s.mu.Lock()
		turns := line.waiting
		line.waiting = nil
		if len(turns) == 0 {
			line.busy = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		err := usecase.Safely(func() error { return s.count(ctx, key, line, turns) })
		for _, turn := range turns {
			turn.err = err
			close(turn.done)
		}
	}
}

func (s *sharedQuotas) count(ctx context.Context, key int64, line *quotaLine, turns []*quotaTurn) error {
	done, err := s.countAlone(ctx, key, line, turns)
	if err == nil && !done {
		err = s.countInTurn(ctx, key, line, turns)
	}
	if err != nil {
		line.known = store.QuotaLog{} // nobody knows what was counted
	}
	return err
}

// countAlone counts in one statement if all pass and nobody has counted since; else it does nothing and is not done.
func (s *sharedQuotas) countAlone(ctx context.Context, key int64, line *quotaLine, turns []*quotaTurn) (done bool,
	err error) {
	var opens admitto.Time
	for i, turn := range turns {
		at, ok := opensFor(line.known.Passed, i+1, turn.perMinute, turn.perHour)
		if !ok {
			return false, nil
		}
		opens = max(opens, at)
	}
	at, err := s.store.AddQuota(ctx, key, line.known, len(turns), opens)
	if err != nil || at == 0 {
		return false, err
	}
	for _, turn := range turns {
		line.known.Passed, turn.quota = takeFrom(line.known.Passed, at, turn.perMinute, turn.perHour)
	}
	line.known.Newest += int64(len(turns))
	return true, nil
}

// countInTurn reads what others have counted and keeps them out until all are decided.
func (s *sharedQuotas) countInTurn(ctx context.Context, key int64, line *quotaLine, turns []*quotaTurn) error {
	var log store.QuotaLog
	err := s.store.WriteHastily(ctx, func(tx *store.Tx) (err error) {
		if log, err = tx.LockQuota(key, line.known); err != nil {
			return err
		}
		added := 0
		for _, turn := range turns {
			log.Passed, turn.quota = takeFrom(log.Passed, tx.Now(), turn.perMinute, turn.perHour)
			if !turn.quota.Refused {
				added++
			}
		}
		log.Newest += int64(added)
		return tx.SaveQuota(key, log, added)
	})
	if err == nil {
		line.known = log
	}
	return err
}
