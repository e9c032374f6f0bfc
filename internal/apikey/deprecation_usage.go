package apikey

import (
	"context"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// deprecationUsage counts in memory which keys use what will end, so that a request costs no statement. SaveKeyUse
// writes the counts down.
type deprecationUsage struct {
	mu     sync.Mutex
	counts map[admitto.KeyUse]int64
}

func (l *deprecationUsage) add(use admitto.KeyUse, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts = map[admitto.KeyUse]int64{}
	}
	l.counts[use] += n
}

// take returns all counts and begins again.
func (l *deprecationUsage) take() map[admitto.KeyUse]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.counts
	l.counts = nil
	return counts
}

// Count notes one use of what will end; the day is filled in.
func (s *Service) Count(use admitto.KeyUse) {
	use.Day = s.UsageDay()
	s.usage.add(use, 1)
}

// UsageDay is today, as it is counted.
func (s *Service) UsageDay() admitto.Date {
	return admitto.DateOf(s.core.Now().Std().In(s.core.Settings().Instance.Timezone))
}

// KeyUsage returns what the key used that will end from a day on, as far as it is saved; NotFound when there is no such
// key.
func (s *Service) KeyUsage(ctx context.Context, by admitto.Caller, key int64,
	since admitto.Date) (list []admitto.KeyUseSum, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.KeyUseSum, error) { return tx.KeyUses(key, since) })
}
