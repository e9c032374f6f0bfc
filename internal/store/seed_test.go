package store_test

import (
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

func TestSeed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, url string, o db.Options) {
		s, err := store.Open(t.Context(), url, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.Migrate(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := s.Seed(t.Context(), "U", 2026); err != nil {
				t.Fatal(err)
			}
		}
	})
}
