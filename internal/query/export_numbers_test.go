package query

import (
	"context"

	"github.com/admitto/admitto/internal/store"
)

// CountBroken counts numbers by what panics.
func (s *Service) CountBroken(ctx context.Context) error {
	_, _, err := shared(ctx, s, "broken", func(*store.Tx) (int, error) { panic("broken") })
	return err
}

// CallLarge makes an instance with this highest ID of an application a large one.
func (s *Service) CallLarge(from int64) { s.numbers.from = from }

// HoldTurn keeps numbers that nobody waits for from being counted until release.
func (s *Service) HoldTurn() (release func()) {
	s.numbers.turn <- struct{}{}
	return func() { <-s.numbers.turn }
}
