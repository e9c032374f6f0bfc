package apikey

import (
	"context"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Counting is a request that is counted in the quota of its key along with what it reads first, or by Take.
type Counting struct {
	service *Service
	key     *admitto.Key
	errand  *quotaErrand
}

// CountLater lets a request in that only reads, before it is counted, and returns the context whose first read counts
// it. It returns nil where the request must be counted first: whose quota is used up must not make us read.
func (s *Service) CountLater(ctx context.Context, key *admitto.Key) (context.Context, *Counting) {
	perMinute, perHour := s.limits(key)
	if perMinute == 0 && perHour == 0 {
		return ctx, nil
	}
	errand := s.quotas.later(key.ID, perMinute, perHour)
	if errand == nil {
		return ctx, nil
	}
	return store.WithErrand(ctx, errand), &Counting{service: s, key: key, errand: errand}
}

// Take is TakeQuota for the request, unless it is counted already. It waits for a count that is under way.
func (c *Counting) Take(ctx context.Context) (Quota, error) {
	if quota, counted, err := c.errand.settle(ctx); counted || err != nil {
		return quota, err
	}
	return c.service.TakeQuota(ctx, c.key)
}

// quotaErrand counts one request along with what it reads first.
type quotaErrand struct {
	quotas             *sharedQuotas
	key                int64
	perMinute, perHour int

	mu      sync.Mutex
	tooLate bool          // to begin
	done    chan struct{} // is closed at the end; nil without a beginning
	quota   Quota
	counted bool
}

// later returns an errand when nobody counts for the key now and the request passes, as far as this instance knows.
func (s *sharedQuotas) later(key int64, perMinute, perHour int) *quotaErrand {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, passes := s.passes(s.line(key), perMinute, perHour); !passes {
		return nil
	}
	return &quotaErrand{quotas: s, key: key, perMinute: perMinute, perHour: perHour}
}

// passes reports whether nobody counts now and one request passes, as far as is known, and the earliest time at which
// it does. Its caller holds mu.
func (s *sharedQuotas) passes(line *quotaLine, perMinute, perHour int) (opens admitto.Time, passes bool) {
	if line.busy || len(line.known.Passed) == 0 {
		return 0, false
	}
	opens, ok := opensFor(line.known.Passed, 1, perMinute, perHour)
	return opens, ok && opens <= s.now()
}

// Statement implements store.Errand. Until Done the others of the key wait.
func (e *quotaErrand) Statement() (sql string, args []any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tooLate {
		return "", nil
	}
	e.tooLate = true
	s := e.quotas
	s.mu.Lock()
	defer s.mu.Unlock()
	line := s.line(e.key)
	opens, passes := s.passes(line, e.perMinute, e.perHour)
	if !passes {
		return "", nil
	}
	if sql, args = s.store.AddingQuota(e.key, line.known, 1, opens); sql != "" {
		line.busy = true
		e.done = make(chan struct{})
	}
	return sql, args
}

// Done implements store.Errand. What is known stays after an error: who counts next compares it with what is there.
func (e *quotaErrand) Done(at int64, err error) {
	s := e.quotas
	s.mu.Lock()
	line := s.line(e.key)
	if err == nil && at != 0 {
		line.known.Passed, e.quota = takeFrom(line.known.Passed, admitto.Time(at), e.perMinute, e.perHour)
		line.known.Newest++
		e.counted = true
	}
	line.busy = len(line.waiting) > 0
	if line.busy {
		go s.serve(context.Background(), e.key, line)
	}
	s.mu.Unlock()
	close(e.done)
}

// settle keeps the errand from beginning, or waits for its end, and returns what came of it.
func (e *quotaErrand) settle(ctx context.Context) (quota Quota, counted bool, err error) {
	e.mu.Lock()
	e.tooLate = true
	done := e.done
	e.mu.Unlock()
	if done == nil {
		return Quota{}, false, nil
	}
	select {
	case <-done:
		return e.quota, e.counted, nil
	case <-ctx.Done():
		return Quota{}, false, ctx.Err()
	}
}
