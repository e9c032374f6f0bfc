package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/storetest"
)

// Templates of the databases of these tests: with the schema, and with the defaults of a new instance as well.
var (
	migrated = dbtest.NewTemplate(func(ctx context.Context, url string,
		o store.Options) error {
		return prepare(ctx, url, o, false)
	})
	seeded = dbtest.NewTemplate(func(ctx context.Context, url string,
		o store.Options) error {
		return prepare(ctx, url, o, true)
	})
)

func prepare(ctx context.Context, url string, o store.Options, seed bool) error {
	s, err := store.Open(ctx, url, o)
	if err != nil {
		return err
	}
	if _, err = s.Migrate(ctx, false); err == nil && seed {
		err = s.Seed(ctx, "U", 2026)
	}
	return errors.Join(err, s.Close())
}

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
		return migrated.Database(t)
	}), apptest.Size(storetest.Size{Rows: 5000, Steps: 20}, storetest.Size{Rows: 20_000, Steps: 60}))
}
