package store_test

import (
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/storetest"
)

// seeded has the defaults of a new instance.
var seeded = storetest.Seeded(nil, "U", 2026)

// always makes a database when a test first opens one, and opens the same one afterwards.
func always(make func(t *testing.T) (url string, o store.Options)) storetest.Opener {
	type place struct {
		url string
		o   store.Options
	}
	places := map[string]place{}
	return func(t *testing.T) *store.Store {
		p, ok := places[t.Name()]
		if !ok {
			p.url, p.o = make(t)
			places[t.Name()] = p
		}
		return storetest.Open(t, p.url, p.o)
	}
}

func TestPostgreSQL(t *testing.T) {
	storetest.Run(t, always(dbtest.Schema), always(func(t *testing.T) (string,
		store.Options) {
		return storetest.Migrated.Database(t)
	}), apptest.Size(storetest.Size{Rows: 5000, Steps: 20}, storetest.Size{Rows: 20_000, Steps: 60}))
}
