package files

import (
	"context"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// How long an answer of Works counts, and how long the store may take for one.
const (
	worksKept    = 10 * admitto.Second
	worksTimeout = 2 * time.Second
)

// Works returns why the store of files cannot be used; nil when it can. It asks at most every few seconds, however
// many want to know.
func (s *Service) Works(ctx context.Context) error {
	store, can := s.backend.(interface {
		Check(ctx context.Context) error
	})
	if !can {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.core.Now()
	if s.asked != 0 && now-s.asked < worksKept && now >= s.asked {
		return s.unfound
	}
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), worksTimeout)
	defer cancel()
	s.asked, s.unfound = now, store.Check(soon)
	return s.unfound
}
