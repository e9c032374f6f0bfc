package store_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"testing"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/storetest"
)

func TestPostgreSQL(t *testing.T) {
	url, ok := dbtest.Postgres(t)
	if !ok {
		t.Skip("PostgreSQL is missing: install it (apt-get install postgresql) or set ADMITTO_TEST_POSTGRES to the URL of a server")
	}
	storetest.Run(t, func(t *testing.T) *store.Store {
		admin := storetest.Open(t, url, store.Options{Readers: 1})
		schema := fmt.Sprintf("test_%d_%08x", os.Getpid(), crc32.ChecksumIEEE([]byte(t.Name())))
		script(t, admin, "CREATE SCHEMA IF NOT EXISTS "+schema)
		t.Cleanup(func() { script(t, admin, "DROP SCHEMA IF EXISTS "+schema+" CASCADE") })
		return storetest.Open(t, url, store.Options{Schema: schema, Readers: 12})
	})
}

func script(t *testing.T, s *store.Store, sql string) {
	t.Helper()
	// The context of the test is done when it cleans up.
	if err := s.Write(context.WithoutCancel(t.Context()), func(tx *store.Tx) error { return tx.Script(sql) }); err != nil {
		t.Fatal(err)
	}
}
