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
	ride    *ride
}

// CountLater lets a request in that only reads, before it is counted, and returns the context whose first read counts
// it. It returns nil where the request must be counted first: whose quota is used up must not make us read.
func (s *Service) CountLater(ctx context.Context, key *admitto.Key) (context.Context, *Counting) {
	perMinute, perHour := s.limits(key)
	if perMinute == 0 && perHour == 0 {
		return ctx, nil
	}
	ride := s.quotas.later(key.ID, perMinute, perHour)
	if ride == nil {
		return ctx, nil
	}
	return store.WithErrand(ctx, ride), &Counting{service: s, key: key, ride: ride}
}

// Take is TakeQuota for the request, unless it is counted already. It waits for a count that is under way.
func (c *Counting) Take(ctx context.Context) (Quota, error) {
	if quota, counted, err := c.ride.leave(ctx); counted || err != nil {
		return quota, err
	}
	return c.service.TakeQuota(ctx, c.key)
}

// ride is the errand that counts one request.
type ride struct {
	quotas             *sharedQuotas
	key                int64
	perMinute, perHour int

	mu      sync.Mutex
	gone    bool          // too late to begin
	done    chan struct{} // is closed at the end; nil without a beginning
	quota   Quota
	counted bool
}

// later offers a ride when nobody counts for the key now and the request passes, as far as this instance knows.
func (s *sharedQuotas) later(key int64, perMinute, perHour int) *ride {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.passes(s.line(key), perMinute, perHour) {
		return nil
	}
	return &ride{quotas: s, key: key, perMinute: perMinute, perHour: perHour}
}

// passes is for who holds mu.
func (s *sharedQuotas) passes(line *quotaLine, perMinute, perHour int) bool {
	if line.busy || len(line.known.Passed) == 0 {
		return false
	}
	opens, ok := opensFor(line.known.Passed, 1, perMinute, perHour)
	return ok && opens <= s.now()
}

// Statement implements store.Errand. Until Done the others of the key wait.
func (r *ride) Statement() (sql string, args []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return "", nil
	}
	r.gone = true
	s := r.quotas
	s.mu.Lock()
	defer s.mu.Unlock()
	line := s.line(r.key)
	if !s.passes(line, r.perMinute, r.perHour) {
		return "", nil
	}
	opens, _ := opensFor(line.known.Passed, 1, r.perMinute, r.perHour)
	if sql, args = s.store.AddingQuota(r.key, line.known, 1, opens); sql != "" {
		line.busy = true
		r.done = make(chan struct{})
	}
	return sql, args
}

// Done implements store.Errand. What is known stays after an error: who counts next compares it with what is there.
func (r *ride) Done(at int64, err error) {
	s := r.quotas
	s.mu.Lock()
	line := s.line(r.key)
	if err == nil && at != 0 {
		line.known.Passed, r.quota = takeFrom(line.known.Passed, admitto.Time(at), r.perMinute, r.perHour)
		line.known.Newest++
		r.counted = true
	}
	line.busy = len(line.waiting) > 0
	if line.busy {
		go s.serve(context.Background(), r.key, line)
	}
	s.mu.Unlock()
	close(r.done)
}

// leave keeps the ride from beginning, or waits for its end, and returns what came of it.
func (r *ride) leave(ctx context.Context) (quota Quota, counted bool, err error) {
	r.mu.Lock()
	r.gone = true
	done := r.done
	r.mu.Unlock()
	if done == nil {
		return Quota{}, false, nil
	}
	select {
	case <-done:
		return r.quota, r.counted, nil
	case <-ctx.Done():
		return Quota{}, false, ctx.Err()
	}
}
