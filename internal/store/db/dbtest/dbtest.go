// Package dbtest runs a test on a fresh database of each engine. Only tests import it. It depends on
// package db alone.
//
// PostgreSQL is the server at ADMITTO_TEST_POSTGRES (a URL of a user who may create databases and schemas), else one
// that is started once per test process from initdb and postgres on the machine. Without either the tests on PostgreSQL
// skip, and fail when ADMITTO_TEST_NOSKIP is 1.
package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store/db"
)

// Each runs fn as sub-test "sqlite" on a new file and at the same time as sub-test "postgres" in a new schema, which is
// dropped at the end. fn opens the database with db.Open and must close it.
func Each(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	t.Helper()
	both(t, func(t *testing.T) { onFile(t, fn) }, func(t *testing.T) { onSchema(t, fn) })
}

// OnSQLite is Each for one engine.
func OnSQLite(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { onFile(t, fn) })
}

// OnPostgres is Each for one engine.
func OnPostgres(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	t.Helper()
	t.Run("postgres", func(t *testing.T) { onSchema(t, fn) })
}

func onFile(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	fn(t, "sqlite:"+newFile(t), db.Options{CheckLocks: true})
}

func onSchema(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	url, opts := Schema(t)
	fn(t, url, opts)
}

// both runs the sub-tests of the two engines at the same time and returns when both have ended: on PostgreSQL a test
// waits for another process most of its time.
func both(t *testing.T, sqlite, postgres func(*testing.T)) {
	t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() { t.Run("sqlite", sqlite) })
	wg.Go(func() { t.Run("postgres", postgres) })
	wg.Wait()
}

const filePattern = "admitto-sqlite-"

// newFile returns the path of a SQLite file to be made, in a folder that is removed at the end of the test.
func newFile(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(quickFolder(), filePattern)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "test.db")
}

// Schema returns a new schema on PostgreSQL, which is dropped at the end of the test. Without PostgreSQL it skips the
// test.
func Schema(t *testing.T) (url string, opts db.Options) {
	t.Helper()
	url = required(t)
	schema := "test_" + strings.ToLower(rand.Text())
	run(t, url, "CREATE SCHEMA "+schema)
	t.Cleanup(func() { run(t, url, "DROP SCHEMA "+schema+" CASCADE") })
	return url, db.Options{Schema: schema, Readers: 12, CheckLocks: true}
}

// Postgres returns the URL of the test server, and false when there is none. What a test makes outside of a
// schema of its own stays there for the other tests of the process.
func Postgres(t testing.TB) (url string, ok bool) {
	t.Helper()
	url, err := server()
	if err != nil {
		if os.Getenv("ADMITTO_TEST_NOSKIP") == "1" {
			t.Fatal("no PostgreSQL to test on: ", err)
		}
		t.Log("no PostgreSQL to test on: ", err)
	}
	return url, err == nil
}

// required is Postgres for a test that needs it: without PostgreSQL it skips the test.
func required(t testing.TB) string {
	t.Helper()
	url, ok := Postgres(t)
	if !ok {
		t.Skip("PostgreSQL is missing: install it (apt-get install postgresql) or set ADMITTO_TEST_POSTGRES to the URL of a server")
	}
	return url
}

// server finds or starts the server, once per process.
var server = sync.OnceValues(func() (string, error) {
	if url := os.Getenv("ADMITTO_TEST_POSTGRES"); url != "" {
		return url, nil
	}
	var errs []error
	for range 3 { // another process may take the port first
		url, err := start()
		if err == nil || errors.Is(err, errMissing) {
			return url, err
		}
		errs = append(errs, err)
	}
	return "", errors.Join(errs...)
})

var errMissing = errors.New("initdb and postgres are not on this machine")

// run sends a script over a connection of its own.
func run(t testing.TB, url, script string) {
	t.Helper()
	if err := try(url, script); err != nil {
		t.Fatal(err)
	}
}

func try(url, script string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	d, err := db.Open(ctx, url, db.Options{Readers: 1})
	if err != nil {
		return err
	}
	err = d.Write(ctx, func(tx *db.Tx) error { return tx.Script(script) })
	return errors.Join(err, d.Close())
}
