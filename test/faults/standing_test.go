package faults_test

import (
	"context"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/wait"
)

// A server that stands still answers nobody and closes nothing. What waits for it is told to come back later, as is
// what comes meanwhile, also when its caller cannot cut it short.
func TestStandingServer(t *testing.T) {
	t.Parallel()
	server := dbtest.NewServer(t)
	d := openDatabase(t, server)
	begun, ended := make(chan struct{}), make(chan error, 2)
	stands := make(chan struct{})
	for range 2 { // all places of the pool
		go func() {
			ended <- d.Write(context.Background(), func(tx *db.Tx) error {
				begun <- struct{}{}
				<-stands
				return tx.Query("SELECT 2").Close()
			})
		}()
		<-begun
	}
	server.Stop()
	defer server.Continue()
	close(stands)
	wantUnavailable(t, d.Read(t.Context(), func(*db.Tx) error { return nil }))
	for range 2 {
		wantUnavailable(t, <-ended)
	}
	server.Continue()
	wait.Until(t, "transactions pass again", func() bool {
		return d.Read(t.Context(), func(tx *db.Tx) error { return tx.Query("SELECT 1").Close() }) == nil
	})
}

// What works for longer than others wait for a place in the pool is left alone.
func TestFullPool(t *testing.T) {
	t.Parallel()
	d := openDatabase(t, dbtest.NewServer(t))
	slow, ended := make(chan struct{}), make(chan error)
	for range 2 {
		go func() {
			ended <- d.Read(t.Context(), func(tx *db.Tx) error {
				slow <- struct{}{}
				return tx.Query("SELECT pg_sleep(12)").Close()
			})
		}()
		<-slow
	}
	wantUnavailable(t, d.Read(t.Context(), func(*db.Tx) error { return nil }))
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// openDatabase opens a database of two connections.
func openDatabase(t *testing.T, server *dbtest.Server) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), server.URL, db.Options{Readers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func wantUnavailable(t *testing.T, err error) {
	t.Helper()
	if admitto.KindOf(err) != admitto.Unavailable {
		t.Errorf("got %v, want the kind Unavailable", err)
	}
}
