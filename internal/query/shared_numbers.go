package query

import (
	"context"
	"sync"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// sharedFor is how long numbers are shown that all readers share.
const sharedFor = 60 * admitto.Second

// sharedNumbers keeps numbers that are the same for everybody who may see them. Who asks while they are counted waits
// for that answer. Permissions are checked before, so nothing of a caller is kept.
type sharedNumbers struct {
	mu   sync.Mutex
	kept map[string]*keptNumbers
}

type keptNumbers struct {
	mu    sync.Mutex
	at    admitto.Time
	value any
}

// shared returns what count finds, or found at most sharedFor ago, and when it was found.
func shared[T any](ctx context.Context, s *Service, key string, count func(*store.Tx) (T, error)) (T, admitto.Time, error) {
	s.numbers.mu.Lock()
	if s.numbers.kept == nil || len(s.numbers.kept) > 1000 {
		s.numbers.kept = map[string]*keptNumbers{}
	}
	k := s.numbers.kept[key]
	if k == nil {
		k = &keptNumbers{}
		s.numbers.kept[key] = k
	}
	s.numbers.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	now := s.core.Now()
	if v, ok := k.value.(T); ok && now >= k.at && now-k.at < sharedFor {
		return v, k.at, nil
	}
	var v T
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		v, err = count(tx)
		return err
	})
	if err == nil {
		k.value, k.at = v, now
	}
	return v, now, err
}
