package storetest

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
)

// Migrated is a database with the schema and nothing in it.
var Migrated = dbtest.NewTemplate("migrated", opened(func(ctx context.Context, s *store.Store) error {
	_, err := s.Migrate(ctx, false)
	return err
}))

// Filled returns a template with the schema and what fill puts in.
func Filled(clock func() admitto.Time, fill func(ctx context.Context, s *store.Store) error) *dbtest.Template {
	return Migrated.With(opened(fill, func(o *db.Options) { o.Clock = clock }))
}

// Seeded returns a template with what a new instance begins with in a year.
func Seeded(clock func() admitto.Time, institution string, year int) *dbtest.Template {
	return Filled(clock, func(ctx context.Context, s *store.Store) error { return s.Seed(ctx, institution, year) })
}

// opened runs fn on the store of a database.
func opened(fn func(ctx context.Context, s *store.Store) error, change ...func(*db.Options),
) func(ctx context.Context, url string, o db.Options) error {
	return func(ctx context.Context, url string, o db.Options) error {
		for _, c := range change {
			c(&o)
		}
		s, err := store.Open(ctx, url, o)
		if err != nil {
			return err
		}
		return errors.Join(fn(ctx, s), s.Close())
	}
}
