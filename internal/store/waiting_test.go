package store

import (
	"errors"
	"strings"
	"testing"
)

// A turn that panics is an error of those who wait for it, and the next turn is done as ever.
func TestTurns(t *testing.T) {
	refused := errors.New("refused")
	turn := 0
	turns := turns{work: func() error {
		turn++
		switch turn {
		case 1:
			panic("broken")
		case 2:
			return refused
		}
		return nil
	}}
	if err := turns.wait(); err == nil || !strings.HasPrefix(err.Error(), "panic: broken") {
		t.Error(err)
	}
	if err := turns.wait(); err != refused {
		t.Error(err)
	}
	if err := turns.wait(); err != nil || turn != 3 {
		t.Error(err, turn)
	}
}
