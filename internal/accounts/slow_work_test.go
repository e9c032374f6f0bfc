package accounts_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// The password of a new applicant is hashed once, before the transaction that stores it, and not for a call that is
// refused.
func TestHashingHoldsUpNobody(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		if err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SetEmailTemplate("applicant-welcome-api", "en", "Welcome",
				"Your password: %applicant-Password% %applicant-SigninLink%")
		}); err != nil {
			t.Fatal(err)
		}
		var hashed []string
		d.Services.Accounts.HashWith(func(password string) string {
			d.Others()
			hashed = append(hashed, password)
			return seal.HashPassword(password)
		})
		d.Create(servicestest.Ilse())
		_, err := d.Services.Accounts.CreateApplicant(t.Context(), servicestest.ByKey(), servicestest.Ilse())
		servicestest.WantKind(t, err, admitto.AlreadyExists)
		if len(hashed) != 1 || !strings.Contains(d.Post.Taken()[0].Text, "Your password: "+hashed[0]+" ") {
			t.Errorf("%d passwords were hashed; the mail says %s", len(hashed), d.Post.Taken()[0].Text)
		}
		var stored string
		if err := d.Store.Read(t.Context(), func(tx *store.Tx) error {
			rows := sqltest.In(tx).Query("SELECT password FROM applicant")
			rows.Next()
			stored = rows.Text(0)
			return rows.Close()
		}); err != nil || !seal.CheckPassword(stored, hashed[0]) {
			t.Errorf("another password is stored: %v", err)
		}
	})
}

// slowFiles is a store of files of which removing is watched.
type slowFiles struct {
	there    map[string]bool
	removing func(hash string) error
}

func (f *slowFiles) Open(context.Context, string) (io.ReadSeekCloser, int64, error) {
	return nil, 0, errors.New("nobody reads here")
}

func (f *slowFiles) Keep(_ context.Context, hash string, _ int64, _ io.Reader) error {
	f.there[hash] = true
	return nil
}

func (f *slowFiles) Remove(_ context.Context, hash string) error {
	err := f.removing(hash)
	if err == nil {
		delete(f.there, hash)
	}
	return err
}

// While the bytes of a file are removed others can write; only who stores the same bytes waits. What a crash or a
// failure leaves of a removal is done by the next tidying.
func TestRemovalHoldsUpNobody(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
		hold := func() (held bool) {
			t.Helper()
			if err := d.Store.Write(t.Context(), func(tx *store.Tx) (err error) {
				held, err = tx.HoldFile(hash)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return held
		}
		tidy := func() error {
			d.Clock.Add(2 * admitto.Hour)
			return d.Services.Files.TidyFiles(t.Context(), admitto.SystemCaller())
		}
		removals := 0
		files := &slowFiles{there: map[string]bool{hash: true}}
		d.Shelf.Backend = files
		if !hold() {
			t.Fatal("the first is not held")
		}

		files.removing = func(string) error { return errors.New("the store of files is away") }
		if err := tidy(); err == nil || !files.there[hash] || d.Count("loose_file") != 1 {
			t.Errorf("a failure: %v", err)
		}
		// A process dies between its claim and the end of the removal.
		if err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
			claimed, err := tx.ClaimRemoval(hash, tx.Now()+admitto.Minute)
			if !claimed {
				t.Error("what failed cannot be claimed again")
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		files.removing = func(string) error { removals++; return nil }
		if err := d.Services.Files.TidyFiles(t.Context(), admitto.SystemCaller()); err != nil || removals != 0 || hold() {
			t.Errorf("somebody else's removal was disturbed: %v", err)
		}
		files.removing = func(string) error {
			removals++
			if d.Others(); t.Failed() {
				return nil
			}
			if hold() {
				t.Error("the bytes can be stored while they are removed")
			}
			return nil
		}
		if err := tidy(); err != nil || removals != 1 || files.there[hash] || d.Count("loose_file") != 0 {
			t.Errorf("%d removals, %v", removals, err)
		}
		if !hold() {
			t.Error("the bytes cannot be stored again")
		}
		// Who stores them after such a crash goes on when the claim is over.
		if err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ClaimRemoval(hash, tx.Now()+admitto.Minute)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if hold() {
			t.Error("the claim does not hold")
		}
		d.Clock.Add(admitto.Minute)
		if !hold() {
			t.Error("the claim holds for ever")
		}
	})
}
