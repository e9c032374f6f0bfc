package admissions

import (
	"context"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// lens counts in memory which keys use what will end, so that a request costs no statement. SaveKeyUse writes the
// counts down.
type lens struct {
	mu     sync.Mutex
	counts map[admitto.KeyUse]int64
}

func (l *lens) add(use admitto.KeyUse, n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts = map[admitto.KeyUse]int64{}
	}
	l.counts[use] += n
}

// take returns all counts and begins again.
func (l *lens) take() map[admitto.KeyUse]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.counts
	l.counts = nil
	return counts
}

// Count notes one use of what will end; the day is filled in.
func (o *Office) Count(use admitto.KeyUse) {
	use.Day = o.lensDay()
	o.lens.add(use, 1)
}

// lensDay is today, as it is counted.
func (o *Office) lensDay() admitto.Date {
	return admitto.DateOf(o.now().Std().In(o.Settings().Instance.Timezone))
}

// KeyLens tells what the key used that will end, as far as it is saved; NotFound when there is no such key.
func (o *Office) KeyLens(ctx context.Context, by admitto.Caller, key int64) (list []admitto.KeyUseSum, err error) {
	if err := by.Needs(admitto.APIAdmin); err != nil {
		return list, err
	}
	err = o.read(ctx, func(tx *store.Tx) error {
		list, err = tx.KeyUses(key)
		return err
	})
	return list, err
}
