package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// Who waits for the numbers of events while somebody keeps the head of the journal is told to come back later; the
// events get their numbers once it is free.
func TestHeadIsKept(t *testing.T) {
	url, o := dbtest.Schema(t)
	s := opened(t, url, o)
	if _, err := s.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	s.ordering.work = func() error { return s.order(t.Context(), 50*time.Millisecond) }
	err := s.Write(t.Context(), func(tx *Tx) error {
		if err := tx.LockOrder(); err != nil {
			return err
		}
		err := s.Write(t.Context(), func(other *Tx) error {
			other.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent, Bind: []string{"kept"}})
			return nil
		})
		if admitto.KindOf(err) != admitto.Unavailable {
			t.Error(err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.TakeWaiting(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = s.Read(t.Context(), func(tx *Tx) error {
		id, _, err := tx.JournalHead()
		if id != 1 {
			t.Errorf("the journal has %d events", id)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

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
